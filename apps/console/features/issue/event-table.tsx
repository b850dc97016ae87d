import type { ApiEventSummary } from '@afterimage/protocol/api/event'
import { CirclePlay } from 'lucide-react'
import { ClockTime, RelativeTime } from '../../ui/clock.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Row } from '../../ui/row.tsx'
import { State } from '../../ui/state.tsx'
import { shortVersion } from '../stream/lede.ts'
import { personOf } from './facts.ts'
import styles from './event-table.module.css'

/** Draws the events of one issue as a table. `hrefs` is parallel to `events`. */
export function EventTable(props: {
  readonly title: string
  readonly events: readonly ApiEventSummary[]
  readonly hrefs: readonly string[]
}) {
  return (
    <section>
      <h1 className={styles['title']}>{props.title}</h1>
      {props.events.length === 0 ? (
        <State isPage kind="nothing" title="Nothing matches">
          No event of this issue matches the filter.
        </State>
      ) : (
        <>
          <div className={styles['head']} aria-hidden>
            <span>Time</span>
            <span>Event</span>
            <span>Person</span>
            <span>Page</span>
            <span>Browser</span>
            <span>Release</span>
            <span />
          </div>
          <ol>
            {props.events.map((event, index) => (
              <EventRow key={event.eventID} event={event} href={props.hrefs[index] ?? ''} />
            ))}
          </ol>
        </>
      )}
    </section>
  )
}

function EventRow(props: { readonly event: ApiEventSummary; readonly href: string }) {
  const { event } = props
  const tag = (key: string) => event.tags.find((one) => one.key === key)?.value ?? ''
  const release = tag('release')
  return (
    <Row className={styles['row']}>
      <span className={styles['time']}>
        <RelativeTime at={event.dateCreated} />
        <ClockTime at={event.dateCreated} className={styles['exact'] ?? ''} />
      </span>
      <Link href={props.href} className={styles['id']} prefetch={false}>
        <code>{event.eventID.slice(0, 8)}</code>
      </Link>
      <span className={styles['cell']}>{personOf(event) ?? ''}</span>
      <span className={styles['cell']}>{tag('transaction') || tag('url')}</span>
      <span className={styles['cell']}>{tag('browser') || tag('runtime')}</span>
      <span className={styles['cell']}>{release === '' ? '' : shortVersion(release)}</span>
      <span>
        {event.replayId === null ? null : <CirclePlay size={14} aria-label="with a replay" />}
      </span>
    </Row>
  )
}
