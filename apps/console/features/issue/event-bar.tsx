'use client'

import type { ApiEvent } from '@afterimage/protocol/api/event'
import { Braces, ChevronLeft, ChevronRight, Link as LinkIcon, List } from 'lucide-react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { useKeys } from '../../ui/keys.tsx'
import { useNavigation } from '../../ui/navigation.tsx'
import { LinkSegments } from '../../ui/tabs.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import styles from './event-bar.module.css'

interface EventBarProps {
  readonly event: ApiEvent
  /** `recommended`, `latest`, `oldest`, or null when an event was chosen by its id. */
  readonly which: string | null
  readonly hrefOf: (which: string) => string
  readonly allHref: string
  readonly jsonHref: string
}

/** Names the shown event, and leads to the others. Sticks to the top. */
export function EventBar(props: EventBarProps) {
  const { event, hrefOf } = props
  const { go } = useNavigation()
  const previous = event.previousEventID
  const next = event.nextEventID
  const step = (id: string | null) => {
    if (id !== null) go(hrefOf(id), { replace: true, scroll: false })
  }
  useKeys({ '[': () => step(previous), ']': () => step(next) })
  const place = event.position
  return (
    <div className={styles['bar']}>
      <span className={styles['pair']}>
        <StepButton
          label="Previous event"
          hint="["
          isOff={previous === null}
          onStep={() => step(previous)}
        >
          <ChevronLeft size={16} aria-hidden />
        </StepButton>
        <StepButton label="Next event" hint="]" isOff={next === null} onStep={() => step(next)}>
          <ChevronRight size={16} aria-hidden />
        </StepButton>
      </span>
      <span className={styles['place']}>
        <b>
          {place === undefined
            ? 'Event'
            : `Event ${exactNumber(place.index)} of ${exactNumber(place.of)}`}
        </b>{' '}
        <RelativeTime at={event.dateCreated} className={styles['soft'] ?? ''} />
      </span>
      <code className={styles['id']} title={event.eventID}>
        {event.eventID.slice(0, 8)}
      </code>
      <span className={styles['which']}>
        <LinkSegments
          label="Event"
          selected={props.which}
          options={[
            { id: 'recommended', label: 'Recommended', href: hrefOf('recommended') },
            { id: 'latest', label: 'Latest', href: hrefOf('latest') },
            { id: 'oldest', label: 'Oldest', href: hrefOf('oldest') },
          ]}
        />
      </span>
      <EventLinks {...props} />
    </div>
  )
}

function EventLinks(props: EventBarProps) {
  return (
    <span className={styles['right']}>
      <ButtonLink look="bare" href={props.allHref} className={styles['wide'] ?? ''}>
        <List size={14} aria-hidden />
        All events
      </ButtonLink>
      <a className={styles['json']} href={props.jsonHref} target="_blank" rel="noreferrer">
        <Braces size={14} aria-hidden />
        JSON
      </a>
      <CopyButton
        look="bare"
        icon={<LinkIcon size={14} aria-hidden />}
        text={() => new URL(props.hrefOf(props.event.eventID), location.href).href}
      >
        Link
      </CopyButton>
    </span>
  )
}

function StepButton(props: {
  readonly label: string
  readonly hint: string
  readonly isOff: boolean
  readonly onStep: () => void
  readonly children: React.ReactNode
}) {
  return (
    <Button
      look="bare"
      isIcon
      aria-label={props.label}
      title={`${props.label} (${props.hint})`}
      disabled={props.isOff}
      onClick={props.onStep}
    >
      {props.children}
    </Button>
  )
}
