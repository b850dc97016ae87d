'use client'

import type { ApiTrace } from '@afterimage/protocol/api/trace'
import { CirclePlay } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ButtonLink } from '../../ui/button.tsx'
import { RelativeTime } from '../../ui/clock.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { State } from '../../ui/state.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { exactNumber } from '../../ui/time-words.ts'
import { SpanDrawer } from './span-drawer.tsx'
import {
  bySelfTime,
  extentOf,
  matchingRows,
  servicesOf,
  spanRows,
  visibleRows,
  type Service,
  type SpanRow,
} from './span-rows.ts'
import { traceSentence } from './trace-facts.ts'
import { VitalsStrip } from './vitals-strip.tsx'
import { Waterfall } from './waterfall.tsx'
import styles from './trace.module.css'

type Order = 'time' | 'self'

/** One trace: the sentence, the vitals, the waterfall and the chosen span. */
export function TraceScreen(props: { readonly trace: ApiTrace; readonly span: string | null }) {
  const { trace } = props
  const rows = useMemo(() => spanRows(trace), [trace])
  const extent = useMemo(() => extentOf(trace), [trace])
  const services = useMemo(() => servicesOf(rows), [rows])
  const [text, setText] = useState('')
  const [order, setOrder] = useState<Order>('time')
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const [chosen, setChosen] = useState<number | null>(() => {
    const index = rows.findIndex((row) => row.span.span_id === props.span)
    return index < 0 ? null : index
  })
  const visible = useMemo(() => {
    if (text.trim() !== '') return matchingRows(rows, text)
    return order === 'self' ? bySelfTime(rows) : visibleRows(rows, folded)
  }, [rows, text, order, folded])
  const choose = (index: number | null) => {
    setChosen(index)
    const id = index === null ? null : (rows[index]?.span.span_id ?? null)
    window.history.replaceState(window.history.state, '', addressWith(id))
  }
  const row = chosen === null ? undefined : rows[chosen]
  return (
    <div className={styles['page']}>
      <Head trace={trace} startedAt={extent.startedAt} />
      <VitalsStrip vitals={trace.vitals} />
      <Tools
        rows={rows}
        services={services}
        text={text}
        onText={setText}
        order={order}
        onOrder={setOrder}
      />
      {rows.length === 0 ? (
        <NoSpans />
      ) : (
        <div className={styles['grid']} data-drawer={row !== undefined}>
          <Waterfall
            rows={rows}
            visible={visible}
            isNested={order === 'time' || text !== ''}
            durationMs={extent.durationMs}
            services={services}
            chosen={chosen}
            folded={folded}
            onChoose={choose}
            onFold={(id) => setFolded(toggled(folded, id))}
          />
          {row === undefined || chosen === null ? null : (
            <SpanDrawer
              trace={trace}
              row={row}
              rows={rows}
              services={services}
              startedAt={extent.startedAt}
              durationMs={extent.durationMs}
              onStep={(step) => {
                const next = visible[visible.indexOf(chosen) + step]
                if (next !== undefined) choose(next)
              }}
              onClose={() => choose(null)}
            />
          )}
        </div>
      )}
    </div>
  )
}

function NoSpans() {
  return (
    <div className={styles['none']}>
      <State isList kind="empty" title="No spans">
        The errors of this trace are kept, its spans are not: they were not sampled, or are older
        than the server keeps them.
      </State>
    </div>
  )
}

/** Search, the services with their colours, what failed, and the order. */
function Tools(props: {
  readonly rows: readonly SpanRow[]
  readonly services: readonly Service[]
  readonly text: string
  readonly onText: (text: string) => void
  readonly order: Order
  readonly onOrder: (order: Order) => void
}) {
  const { rows, services, text, order } = props
  const failed = rows.filter((row) => row.isFailed).length
  return (
    <div className={styles['tools']}>
      <div className={styles['find']}>
        <SearchField
          label="Search spans"
          placeholder={`Search ${exactNumber(rows.length)} span${rows.length === 1 ? '' : 's'}`}
          value={text}
          onChange={props.onText}
          size="small"
          focusKey="/"
        />
      </div>
      {services.slice(0, 8).map((service) => (
        <span key={service.name} className={styles['service']}>
          <i data-service={service.colour} />
          {service.name} <span>{exactNumber(service.count)}</span>
        </span>
      ))}
      {failed === 0 ? null : (
        <span className={styles['failed']}>
          <MarkerIcon kind="error" size={10} /> {failed} failed
        </span>
      )}
      <span className={styles['grow']} />
      <Segments
        label="Order"
        selected={order}
        onSelect={(id) => props.onOrder(id === 'self' ? 'self' : 'time')}
        options={[
          { id: 'time', label: 'By time' },
          { id: 'self', label: 'By self time' },
        ]}
      />
    </div>
  )
}

function Head(props: { readonly trace: ApiTrace; readonly startedAt: number }) {
  const { trace, startedAt } = props
  const root = trace.spans[0]
  const release = root?.attributes['sentry.release'] ?? root?.attributes['release']
  const issues = issuesOf(trace)
  return (
    <header className={styles['head']}>
      <div>
        <p className={styles['kicker']}>
          Trace <code>{`${trace.trace_id.slice(0, 8)}…${trace.trace_id.slice(-2)}`}</code>
          <CopyButton look="bare" isIcon label="Copy the trace id" text={trace.trace_id} />
          <span>
            {root === undefined ? null : (
              <>
                {root.op}, <RelativeTime at={startedAt} />
              </>
            )}
            {typeof release === 'string' ? `, ${release}` : null}
            {trace.is_truncated ? `, the first ${trace.span_count} spans` : null}
          </span>
        </p>
        <h1>{traceSentence(trace)}</h1>
      </div>
      <div className={styles['actions']}>
        {trace.replay_id === null ? null : (
          <ButtonLink href={`/replays/${trace.replay_id}?at=${Math.round(startedAt)}`}>
            <CirclePlay size={14} aria-hidden /> Replay
          </ButtonLink>
        )}
        {issues.slice(0, 3).map((issue) => (
          <ButtonLink key={issue.id} href={`/issues/${issue.id}`} title={issue.title}>
            <MarkerIcon kind="error" size={10} /> {issue.name}
          </ButtonLink>
        ))}
      </div>
    </header>
  )
}

function issuesOf(trace: ApiTrace): readonly { id: string; name: string; title: string }[] {
  const errors = [...trace.orphan_errors, ...spanRows(trace).flatMap((row) => row.span.errors)]
  const found = new Map<string, { id: string; name: string; title: string }>()
  for (const error of errors) {
    if (error.issue_id === null) continue
    const name = error.short_id ?? 'Issue'
    found.set(error.issue_id, { id: error.issue_id, name, title: error.title })
  }
  return [...found.values()]
}

function toggled(set: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

function addressWith(span: string | null): string {
  const url = new URL(location.href)
  if (span === null) url.searchParams.delete('span')
  else url.searchParams.set('span', span)
  return url.href
}
