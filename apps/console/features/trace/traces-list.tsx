'use client'

import type { ApiTraceSummary, ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { CirclePlay } from 'lucide-react'
import { RelativeTime } from '../../ui/clock.tsx'
import { MarkerIcon } from '../../ui/marker-icon.tsx'
import { Link } from '../../ui/navigation.tsx'
import { Count } from '../../ui/number.tsx'
import { Row } from '../../ui/row.tsx'
import { RefusedState } from '../../ui/state.tsx'
import { FilterRow } from '../listing/filter-row.tsx'
import { listHref, toggleTerm, type ListFilter } from '../listing/list-filter.ts'
import { NothingListed, type ListedProject } from '../listing/nothing-listed.tsx'
import { Pager } from '../listing/pager.tsx'
import listing from '../listing/listing.module.css'
import { duration } from '../replay/timeline/clock.ts'
import { formatVital, rateVital, type VitalName } from '../replay/timeline/vitals.ts'
import { failuresOf, percent, tracesSentence, visitsMin } from './list-facts.ts'
import { isFailed } from './span-rows.ts'
import { transactionSorts } from './trace-sorts.ts'
import styles from './traces-list.module.css'

const path = '/traces'

type Listed<T> =
  | {
      readonly isOk: true
      readonly value: readonly T[]
      readonly next: string | null
      readonly previous: string | null
    }
  | { readonly isOk: false; readonly status: number; readonly detail: string }

export interface TracesListProps {
  readonly filter: ListFilter
  readonly transactions: Listed<ApiTransactionSummary>
  readonly traces: Listed<ApiTraceSummary>
  /** Parts of the filter's query that are not valid. */
  readonly problems: readonly ApiSearchProblem[]
  readonly projects: readonly ListedProject[]
}

/** Pages and routes with their durations, then the newest traces. */
export function TracesList(props: TracesListProps) {
  const { filter, transactions, traces } = props
  return (
    <>
      <header className={listing['lede']}>
        <h1>
          {transactions.isOk
            ? tracesSentence(transactions.value, transactions.next !== null).map((part, index) =>
                part.transaction === undefined ? (
                  part.text
                ) : (
                  <Link
                    key={index}
                    prefetch={false}
                    href={listHref(path, filter, { query: termOf(part.transaction) })}
                  >
                    {part.text}
                  </Link>
                ),
              )
            : 'Traces'}
        </h1>
      </header>
      <FilterRow
        path={path}
        filter={filter}
        problems={props.problems}
        projects={props.projects}
        placeholder="Search: transaction:/checkout op:http.server status:internal_error duration:>1000"
      />
      <nav className={listing['views']} aria-label="Order of the pages">
        {transactionSorts.map((sort) => (
          <Link
            key={sort.label}
            prefetch={false}
            href={listHref(path, filter, { sort: sort.id })}
            aria-current={sort.id === filter.sort}
          >
            {sort.label}
          </Link>
        ))}
      </nav>
      <div className={listing['body']}>
        <Body listed={transactions} filter={filter} projects={props.projects}>
          {(rows) => <Transactions rows={rows} filter={filter} />}
        </Body>
      </div>
      {traces.isOk && traces.value.length === 0 ? null : (
        <>
          <h2 className={listing['section']}>Newest traces</h2>
          <div className={listing['body']}>
            <Body listed={traces} filter={filter} projects={props.projects}>
              {(rows) => rows.map((trace) => <TraceRow key={trace.trace_id} trace={trace} />)}
            </Body>
          </div>
        </>
      )}
      {traces.isOk ? (
        <Pager path={path} filter={filter} next={traces.next} previous={traces.previous} />
      ) : null}
    </>
  )
}

function Body<T>(props: {
  readonly listed: Listed<T>
  readonly filter: ListFilter
  readonly projects: readonly ListedProject[]
  readonly children: (rows: readonly T[]) => React.ReactNode
}) {
  const { listed, filter, projects } = props
  if (!listed.isOk) return <RefusedState status={listed.status} detail={listed.detail} />
  if (listed.value.length > 0) return props.children(listed.value)
  return (
    <NothingListed path={path} noun="traces" filter={filter} projects={projects}>
      Spans arrive when the SDK has a <code>tracesSampleRate</code> above 0.
    </NothingListed>
  )
}

function termOf(transaction: string): string {
  return transaction.includes(' ') ? `transaction:"${transaction}"` : `transaction:${transaction}`
}

function Transactions(props: {
  readonly rows: readonly ApiTransactionSummary[]
  readonly filter: ListFilter
}) {
  return (
    <div role="table" aria-label="Pages and routes" className={styles['table']}>
      <div role="row" className={styles['heads']}>
        {['Page or route', 'p50', 'p75', 'p95', 'p99', 'per min', 'Fails', 'LCP', 'INP', 'CLS'].map(
          (head) => (
            <span key={head} role="columnheader">
              {head}
            </span>
          ),
        )}
      </div>
      {props.rows.map((row) => (
        <Row
          as="div"
          key={`${row.project_slug} ${row.op} ${row.transaction}`}
          role="row"
          className={styles['row']}
        >
          <span role="cell" className={styles['what']}>
            <Link
              href={listHref(path, props.filter, {
                query: toggleTerm(props.filter.query, termOf(row.transaction)),
              })}
              className={styles['name'] ?? ''}
              prefetch={false}
            >
              {row.transaction}
            </Link>
            <span className={styles['sub']}>
              <code>{row.op}</code> {row.project_slug}, <Count value={row.count} />{' '}
              {row.count === 1 ? 'time' : 'times'}
              {row.users ? (
                <>
                  , <Count value={row.users} /> people
                </>
              ) : null}
            </span>
          </span>
          {([row.p50, row.p75, row.p95, row.p99] as const).map((value, index) => (
            <span key={index} role="cell" className={styles['number']} data-main={index === 1}>
              {value === null ? '–' : duration(value)}
            </span>
          ))}
          <span role="cell" className={styles['number']}>
            {rateWords(row.per_minute)}
          </span>
          <Failures row={row} />
          {(['LCP', 'INP', 'CLS'] as const).map((name) => (
            <VitalCell key={name} name={name} vitals={row.vitals} />
          ))}
        </Row>
      ))}
    </div>
  )
}

/** A share in red needs visits enough to mean something; on hover it says of how many. */
function Failures(props: { readonly row: ApiTransactionSummary }) {
  const { row } = props
  return (
    <span
      role="cell"
      className={styles['number']}
      data-bad={row.failure_rate >= 0.05 && row.count >= visitsMin}
      title={failuresOf(row)}
    >
      {percent(row.failure_rate)}
    </span>
  )
}

function rateWords(perMinute: number): string {
  if (perMinute > 0 && perMinute < 0.01) return '<0.01'
  return String(perMinute >= 10 ? Math.round(perMinute) : Number(perMinute.toFixed(2)))
}

function VitalCell(props: {
  readonly name: VitalName
  readonly vitals: ApiTransactionSummary['vitals']
}) {
  const value = props.vitals[props.name.toLowerCase()] ?? props.vitals[props.name] ?? null
  if (value === null) {
    return (
      <span role="cell" className={styles['number']}>
        –
      </span>
    )
  }
  const rating = rateVital(props.name, value)
  return (
    <span role="cell" className={styles['number']} data-bad={rating === 'poor'} title={rating}>
      {formatVital(props.name, value)}
    </span>
  )
}

function TraceRow(props: { readonly trace: ApiTraceSummary }) {
  const { trace } = props
  return (
    <Row as="div" className={styles['trace']}>
      <span className={styles['state']}>
        {isFailed(trace.status) ? <MarkerIcon kind="error" size={10} /> : null}
      </span>
      <Link
        href={`${path}/${trace.trace_id}`}
        className={styles['traceName'] ?? ''}
        prefetch={false}
      >
        <b>{trace.name === '' ? trace.op : trace.name}</b> <code>{trace.op}</code>
      </Link>
      <span className={styles['who']}>
        {[trace.user, trace.browser, trace.release].filter((part) => part !== null).join(', ')}
      </span>
      <span>
        {trace.replay_id === null ? null : (
          <Link
            href={`/replays/${trace.replay_id}`}
            aria-label="Open its replay"
            className={styles['replay'] ?? ''}
          >
            <CirclePlay size={13} aria-hidden />
          </Link>
        )}
      </span>
      <code className={styles['id']}>{trace.trace_id.slice(0, 8)}</code>
      <span className={styles['number']}>{duration(trace.duration)}</span>
      <span className={styles['number']}>
        <RelativeTime at={trace.start_timestamp * 1000} />
      </span>
    </Row>
  )
}
