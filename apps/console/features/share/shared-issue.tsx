import type { ApiEvent, ApiException } from '@afterimage/protocol/api/event'
import type { ApiSharedIssue } from '@afterimage/protocol/api/shared'
import { CirclePlay } from 'lucide-react'
import { ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { LevelIcon } from '../../ui/marker-icon.tsx'
import { Count } from '../../ui/number.tsx'
import { culpritWords, titleParts } from '../stream/issue-title.ts'
import { ScrollArea } from '../../ui/scroll-area.tsx'
import { SharedBreadcrumbs } from './shared-breadcrumbs.tsx'
import { ShareMast } from './share-mast.tsx'
import { framesToShow } from './frames-to-show.ts'
import styles from './share.module.css'

/** Draws an issue for an outside reader: the failure, its count, its times and its place in the code. */
export function SharedIssue(props: { readonly shared: ApiSharedIssue }) {
  const { issue, event, replayToken } = props.shared
  const { kind, text } = titleParts(issue)
  const culprit = culpritWords(issue.culprit)
  return (
    <>
      <ShareMast what="an issue">
        {replayToken === null ? null : (
          <ButtonLink href={`/share/replay/${replayToken}`}>
            <CirclePlay size={14} aria-hidden /> The replay
          </ButtonLink>
        )}
      </ShareMast>
      <main className={styles['case']}>
        <p className={styles['kicker']}>
          <LevelIcon level={issue.level} /> <b>{kind ?? issue.level}</b>
          <code>{issue.shortId}</code>
          <span>{issue.status}</span>
        </p>
        <h1>{text === '' ? issue.title : text}</h1>
        {culprit === '' ? null : <p className={styles['culprit']}>{culprit}</p>}
        <dl className={styles['facts']}>
          <Fact label="Events">
            <Count value={Number(issue.count)} />
          </Fact>
          <Fact label="People">
            <Count value={issue.userCount} />
          </Fact>
          <Fact label="First seen">
            <RelativeTime at={issue.firstSeen} />
          </Fact>
          <Fact label="Last seen">
            <RelativeTime at={issue.lastSeen} />
          </Fact>
        </dl>
        {event === null ? null : (
          <>
            <SharedBreadcrumbs event={event} />
            <Exceptions event={event} />
          </>
        )}
      </main>
    </>
  )
}

function Fact(props: { readonly label: string; readonly children: React.ReactNode }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

function Exceptions(props: { readonly event: ApiEvent }) {
  const entry = props.event.entries.find((one) => one.type === 'exception')
  if (entry?.type !== 'exception') return null
  return (
    <section className={styles['section']}>
      <h2>Stack trace</h2>
      {[...entry.data.values].reverse().map((exception, index) => (
        <Exception key={index} exception={exception} />
      ))}
    </section>
  )
}

function Exception(props: { readonly exception: ApiException }) {
  const { exception } = props
  return (
    <article className={styles['exception']}>
      <h3>
        {exception.type ?? 'Error'} <span>{exception.value}</span>
      </h3>
      <ol>
        {framesToShow(exception.stacktrace).map((frame, index) => (
          <li key={index} data-app={frame.isInApp}>
            <code>{frame.name}</code> <span>in {frame.place}</span>
            {frame.lines.length === 0 ? null : (
              <ScrollArea as="pre" label="Source around the failing line">
                {frame.lines.map(([number, text]) => (
                  <div key={number} data-failing={number === frame.line}>
                    <i>{number}</i>
                    {text}
                  </div>
                ))}
              </ScrollArea>
            )}
          </li>
        ))}
      </ol>
    </article>
  )
}
