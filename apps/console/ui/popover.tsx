'use client'

import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './popover.module.css'

/** A small window of its own beside its trigger; it closes on Escape and outside clicks. */
export function Popover(props: {
  readonly trigger: ReactElement
  readonly align?: 'start' | 'center' | 'end'
  readonly isOpen?: boolean
  readonly onOpenChange?: (isOpen: boolean) => void
  readonly title?: string
  readonly children: ReactNode
}) {
  return (
    <Base.Root
      {...(props.isOpen === undefined ? {} : { open: props.isOpen })}
      {...(props.onOpenChange === undefined ? {} : { onOpenChange: props.onOpenChange })}
    >
      <Base.Trigger render={props.trigger} />
      <Base.Portal>
        <Base.Positioner
          className={styles['positioner']}
          sideOffset={4}
          align={props.align ?? 'start'}
        >
          <Base.Popup className={classes(styles['popup'], styles['padded'])}>
            {props.title === undefined ? null : (
              <Base.Title className="visually-hidden">{props.title}</Base.Title>
            )}
            {props.children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
