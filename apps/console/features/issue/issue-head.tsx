import type { ApiEvent } from '@afterimage/protocol/api/event'
import type { ApiIssueDetail } from '@afterimage/protocol/api/issue'
import type { ReactNode } from 'react'
import { LevelIcon } from '../../ui/marker-icon.tsx'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { IssueState } from '../stream/issue-state.tsx'
import { culpritWords, kindOfIssue, titleParts } from '../stream/issue-title.ts'
import { placeOf } from './frames.ts'
import { newestOwnFrame } from './own-frame.ts'
import type { StandfirstPart } from './standfirst.ts'
import styles from './issue-head.module.css'

/** Longer messages are set as text, not as a headline. */
const LONG_FROM = 180

/** Draws the head of an issue: kicker, headline, culprit and standfirst. */
export function IssueHead(props: {
  readonly issue: ApiIssueDetail
  readonly event: ApiEvent | null
  readonly standfirst: readonly StandfirstPart[]
  readonly actions: ReactNode
}) {
  const { issue, event } = props
  const { kind, text } = titleParts(issue)
  return (
    <header className={styles['head']}>
      <div>
        <div className={styles['kicker']}>
          <LevelIcon level={issue.level} size={13} />
          <b>{text === '' ? issue.level : (kind ?? kindOfIssue(issue.type))}</b>
          <IssueState issue={issue} />
          <Handling isUnhandled={issue.isUnhandled} event={event} />
        </div>
        <Headline text={text === '' ? (kind ?? '') : text} />
        <Culprit issue={issue} event={event} />
        <p className={styles['standfirst']}>
          {props.standfirst.map((part, index) =>
            typeof part === 'string' ? part : <b key={index}>{part.strong}</b>,
          )}
        </p>
      </div>
      <div className={styles['actions']}>{props.actions}</div>
    </header>
  )
}

/** Draws a long message smaller, in a scrolling area. */
function Headline(props: { readonly text: string }) {
  const headline = (
    <h1 className={styles['headline']} data-long={props.text.length > LONG_FROM}>
      {props.text}
    </h1>
  )
  if (props.text.length <= LONG_FROM) return headline
  return (
    <ScrollArea label="The message" className={styles['long']}>
      {headline}
    </ScrollArea>
  )
}

/** Shows whether the error was caught; nothing for messages, reports and clients that do not say. */
function Handling(props: { readonly isUnhandled: boolean; readonly event: ApiEvent | null }) {
  if (props.isUnhandled) return <span>unhandled</span>
  const isSaid = props.event?.tags.some(({ key, value }) => key === 'handled' && value === 'yes')
  return isSaid === true ? <span>handled</span> : null
}

function Culprit(props: { readonly issue: ApiIssueDetail; readonly event: ApiEvent | null }) {
  const frame = props.event === null ? null : newestOwnFrame(props.event)
  const page = props.event?.tags.find((tag) => tag.key === 'transaction')?.value ?? null
  if (frame === null) {
    const words = culpritWords(props.issue.culprit)
    return words === '' ? null : <p className={styles['culprit']}>{words}</p>
  }
  return (
    <p className={styles['culprit']}>
      {frame.function === null ? null : (
        <>
          <b>{frame.function}</b> in{' '}
        </>
      )}
      {placeOf(frame)}
      {page === null ? null : (
        <>
          , on <b>{page}</b>
        </>
      )}
    </p>
  )
}
