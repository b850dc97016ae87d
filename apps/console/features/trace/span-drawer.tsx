'use client'

import type { ApiTrace } from '@afterimage/protocol/api/trace'
import { ChevronDown, ChevronUp, CirclePlay, Clipboard, X } from 'lucide-react'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { LevelIcon } from '../../ui/marker-icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { duration } from '../replay/timeline/clock.ts'
import { spanSentence } from './trace-facts.ts'
import type { Service, SpanRow } from './span-rows.ts'
import styles from './span-drawer.module.css'

/** Attributes listed; the rest is in the copy. */
const attributesMax = 200

/** Everything about one span, beside the waterfall. */
export function SpanDrawer(props: {
  readonly trace: ApiTrace
  readonly row: SpanRow
  readonly rows: readonly SpanRow[]
  readonly services: readonly Service[]
  /** ms since the epoch. */
  readonly startedAt: number
  readonly durationMs: number
  readonly onStep: (step: 1 | -1) => void
  readonly onClose: () => void
}) {
  const { trace, row, rows } = props
  const { span } = row
  const colour = props.services.find((service) => service.name === span.service)?.colour ?? 1
  const sentence = spanSentence(row, rows, props.durationMs)
  return (
    <aside className={styles['drawer']} aria-label="Span">
      <header className={styles['head']}>
        <i data-service={colour} />
        <b>{span.op}</b>
        <span>{span.service}</span>
        <span className={styles['grow']} />
        <Button look="bare" isIcon aria-label="Previous span" onClick={() => props.onStep(-1)}>
          <ChevronUp size={14} aria-hidden />
        </Button>
        <Button look="bare" isIcon aria-label="Next span" onClick={() => props.onStep(1)}>
          <ChevronDown size={14} aria-hidden />
        </Button>
        <Button look="bare" isIcon aria-label="Close" onClick={props.onClose}>
          <X size={14} aria-hidden />
        </Button>
      </header>
      <h2>{span.name === '' ? span.op : span.name}</h2>
      {sentence === '' ? null : <p className={styles['sentence']}>{sentence}</p>}
      <dl className={styles['numbers']}>
        <Figure label="Duration" value={duration(span.duration)} />
        <Figure label="Self time" value={duration(span.self_time)} />
        <Figure label="Starts at" value={`+${duration(row.at)}`} />
      </dl>
      <Attributes row={row} startedAt={props.startedAt} />
      <div className={styles['actions']}>
        {trace.replay_id === null ? null : (
          <ButtonLink
            href={`/replays/${trace.replay_id}?at=${Math.round(span.start_timestamp * 1000)}`}
          >
            <CirclePlay size={14} aria-hidden /> On screen at this moment
          </ButtonLink>
        )}
        <CopyButton
          icon={<Clipboard size={14} aria-hidden />}
          text={() => JSON.stringify({ ...span, children: undefined }, null, 2)}
        >
          Copy
        </CopyButton>
      </div>
      <Errors row={row} />
    </aside>
  )
}

function Figure(props: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{props.label}</dt>
      <dd>{props.value}</dd>
    </div>
  )
}

function Attributes(props: { readonly row: SpanRow; readonly startedAt: number }) {
  const { span } = props.row
  const facts: (readonly [string, string])[] = [
    ['start', new Date(span.start_timestamp * 1000).toISOString().slice(11, 23)],
    ['status', span.status],
    ...(span.transaction === null ? [] : [['transaction', span.transaction] as const]),
    ...Object.entries(span.attributes)
      .slice(0, attributesMax)
      .map(([name, value]) => [name, shown(value)] as const),
    ...(span.origin === null ? [] : [['origin', span.origin] as const]),
    ['span_id', span.span_id],
  ]
  return (
    <dl className={styles['attributes']}>
      {facts.map(([name, value], index) => (
        <div key={`${name}${index}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text
}

function Errors(props: { readonly row: SpanRow }) {
  const { errors } = props.row.span
  if (errors.length === 0) return null
  return (
    <section className={styles['errors']}>
      <h3>In this span</h3>
      <ol>
        {errors.map((error) => (
          <li key={error.event_id}>
            <LevelIcon level={error.level} />
            {error.issue_id === null ? (
              <span>{error.title}</span>
            ) : (
              <Link href={`/issues/${error.issue_id}?event=${error.event_id}`}>{error.title}</Link>
            )}
          </li>
        ))}
      </ol>
    </section>
  )
}
