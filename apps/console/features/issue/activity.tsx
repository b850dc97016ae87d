'use client'

import type { ApiActivity } from '@afterimage/protocol/api/issue'
import { lazy, Suspense, useState, type FormEvent } from 'react'
import { Button } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { activityWords } from './activity-words.ts'
import styles from './activity.module.css'

/** Entries shown at first. */
const ENTRIES_SHOWN = 6

/** Lists the history, newest first, with a field for comments. */
export function Activity(props: {
  readonly activity: readonly ApiActivity[]
  /** Returns the failure's message, or null. */
  readonly onComment: (text: string) => Promise<string | null>
}) {
  const [isWriting, setIsWriting] = useState(false)
  const [isFull, setIsFull] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const shown = isFull ? props.activity : props.activity.slice(0, ENTRIES_SHOWN)
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const text = String(new FormData(event.currentTarget).get('text') ?? '').trim()
    if (text === '') return
    const wrong = await props.onComment(text)
    setProblem(wrong)
    if (wrong === null) setIsWriting(false)
  }
  return (
    <>
      <h3 className={styles['title']}>
        Activity
        <button type="button" aria-expanded={isWriting} onClick={() => setIsWriting(!isWriting)}>
          Comment
        </button>
      </h3>
      {isWriting ? (
        <form className={styles['form']} onSubmit={(event) => void send(event)}>
          <textarea
            name="text"
            aria-label="Comment"
            rows={3}
            required
            maxLength={10_000}
            ref={(area) => area?.focus()}
            onKeyDown={(event) => {
              if (event.key === 'Escape') setIsWriting(false)
              if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
                event.currentTarget.form?.requestSubmit()
              }
            }}
          />
          {problem === null ? null : <p role="alert">{problem}</p>}
          <Button type="submit" look="ink">
            Comment
          </Button>
        </form>
      ) : null}
      <ol>
        {shown.map((entry) => (
          <li key={entry.id} className={styles['entry']}>
            <Entry entry={entry} />
            <RelativeTime at={entry.dateCreated} />
          </li>
        ))}
      </ol>
      {props.activity.length > shown.length ? (
        <button type="button" className={styles['more']} onClick={() => setIsFull(true)}>
          {props.activity.length - shown.length} more
        </button>
      ) : null}
    </>
  )
}

/** Loads the Markdown library only on a page with comments. */
const CommentText = lazy(async () => ({
  default: (await import('./comment-text.tsx')).CommentText,
}))

function Entry(props: { readonly entry: ApiActivity }) {
  const words = activityWords(props.entry)
  if (words.isSpeech) {
    return (
      <>
        <b>{words.who}</b>
        <Suspense fallback={<p>{words.did}</p>}>
          <CommentText text={words.did} />
        </Suspense>
      </>
    )
  }
  return (
    <p>
      <b>{words.who}</b> {words.did}
    </p>
  )
}
