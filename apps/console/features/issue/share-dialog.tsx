'use client'

import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import styles from './share-dialog.module.css'

/** A link that shows one thing to anyone who has it, until it is ended. */
export function ShareDialog(props: {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** What is shared, and what its link shows; an issue when not given. */
  readonly title?: string
  readonly description?: string
  /** The address of the link there is; null while there is none. */
  readonly url: string | null
  /** Answer what went wrong, or null. */
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
        'Anyone with the link sees the title, the stack trace, the breadcrumbs and the counts of this issue, and nothing else. No sign-in is asked for.'
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
