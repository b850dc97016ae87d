'use client'

import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import styles from './dialog.module.css'

/** A window over the page that takes the keyboard until it is answered. */
export function Dialog(props: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  readonly title: string
  /** Sits under the title. */
  readonly description?: ReactNode
  readonly size?: 'small' | 'wide'
  /** The palette has its own head and no title to see. */
  readonly isBare?: boolean
  readonly children: ReactNode
}) {
  return (
    <Base.Root open={props.isOpen} onOpenChange={props.onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={styles['scrim']} />
        <Base.Popup
          className={classes(
            styles['dialog'],
            props.size === 'wide' && styles['wide'],
            props.isBare === true && styles['bare'],
          )}
        >
          {props.isBare === true ? (
            <Base.Title className="visually-hidden">{props.title}</Base.Title>
          ) : (
            <header className={styles['head']}>
              <Base.Title className={styles['title']}>{props.title}</Base.Title>
              <Base.Close
                render={
                  <Button look="bare" isIcon aria-label="Close">
                    <X size={14} aria-hidden />
                  </Button>
                }
              />
            </header>
          )}
          {props.description === undefined ? null : (
            <Base.Description className={styles['description']}>
              {props.description}
            </Base.Description>
          )}
          {props.children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** The buttons at the foot of a dialog: safe ones first, the acting one last. */
export function DialogActions(props: { readonly children: ReactNode }) {
  return <div className={styles['actions']}>{props.children}</div>
}
