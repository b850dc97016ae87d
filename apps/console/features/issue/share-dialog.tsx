'use client'

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import styles from './share-dialog.module.css'

/** Creates, shows and revokes a link that shows one thing to anyone who has it. */
export function ShareDialog(props: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** Heading and explanation; those of an issue when not given. */
  readonly title?: string
  readonly description?: string
  /** Address of the active link; null without one. */
  readonly url: string | null
  /** Both return the failure's message, or null. */
  readonly onCreate: () => Promise<string | null>
  readonly onRevoke: () => Promise<string | null>
}) {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const run = async (act: () => Promise<string | null>) => {
    setIsBusy(true)
    setProblem(await act())
    setIsBusy(false)
  }
  return (
    <Dialog
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      title={props.title ?? 'Share this issue'}
      description={
        props.description ??
        'Anyone with the link sees the title, the stack trace, the breadcrumbs and the counts of this issue, and nothing else. They need no account.'
      }
    >
      {props.url === null ? null : (
        <div className={styles['line']}>
          <input
            readOnly
            aria-label="Shared link"
            value={props.url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <CopyButton text={props.url}>Copy</CopyButton>
        </div>
      )}
      {problem === null ? null : (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <DialogActions>
        {props.url === null ? (
          <Button look="ink" disabled={isBusy} onClick={() => void run(props.onCreate)}>
            Make a link
          </Button>
        ) : (
          <Button look="danger" disabled={isBusy} onClick={() => void run(props.onRevoke)}>
            End the link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
