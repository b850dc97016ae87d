import type { ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import {
  type AggregateRow,
  type Condition,
  type EventStore,
  failedSpan,
  type TimeRange,
} from '../storage/events/port.ts'
import { GROUPS_MAX } from '../search/limits.ts'
import { listedSegments } from './listed-segments.ts'

export const transactionSorts = [
  'count',
  'per_minute',
  'p50',
  'p75',
  'p95',
  'p99',
  'failure_rate',
  'users',
  'transaction',
] as const

export type TransactionSort = (typeof transactionSorts)[number]

/**
 * People are counted from rows, unlike everything else here: 1 to 2 s over 14 days of 5 million
 * spans (bench/query.ts). So they are told for short ranges only.
 */
const PEOPLE_RANGE_MS = 25 * 3_600_000

const isSegment: Condition = { field: 'isSegment', op: 'is', value: 1 }

/** Conditions that are about a page load as a whole hold for its vitals too. */
const fieldsOfVitals: ReadonlySet<unknown> = new Set(['environment', 'release', 'browser'])

/** Pages and routes of a project over a range: how often, how long, how many failed, for how many people. */
export async function transactionsOf(
  events: EventStore,
  project: { readonly id: number; readonly slug: string },
  question: {
    readonly range: TimeRange
    readonly where: readonly Condition[]
    readonly isAll: boolean
  },
): Promise<readonly ApiTransactionSummary[]> {
  const { range, where, isAll } = question
  const countsPeople = range.to - range.from <= PEOPLE_RANGE_MS
  const rows = await events.aggregate({
    table: 'spans',
    projectIds: [project.id],
    range,
    where: [...(isAll ? [isSegment] : listedSegments), ...where],
    groupBy: ['segmentName', 'op'],
    measures: [
      { type: 'count' },
      { type: 'quantile', field: 'durationMs', q: 0.5 },
      { type: 'quantile', field: 'durationMs', q: 0.75 },
      { type: 'quantile', field: 'durationMs', q: 0.95 },
      { type: 'quantile', field: 'durationMs', q: 0.99 },
      { type: 'countIf', where: failedSpan },
      ...(countsPeople ? [{ type: 'distinct', field: 'userKey' } as const] : []),
    ],
    limit: GROUPS_MAX,
  })
  const vitals = await vitalsByPage(events, project.id, {
    range,
    where: where.filter((one) => one.op !== 'any' && fieldsOfVitals.has(one.field)),
  })
  const minutes = (range.to - range.from) / 60_000
  return rows.map(({ group, values }) => {
    const [count, p50, p75, p95, p99, failed, users] = values
    const name = String(group[0] ?? '')
    const op = String(group[1] ?? '')
    return {
      transaction: name,
      op,
      project_slug: project.slug,
      count: count ?? 0,
      per_minute: (count ?? 0) / minutes,
      p50: p50 ?? null,
      p75: p75 ?? null,
      p95: p95 ?? null,
      p99: p99 ?? null,
      failure_rate: count ? (failed ?? 0) / count : 0,
      users: users ?? null,
      vitals: op.startsWith('pageload') ? (vitals.get(name) ?? {}) : {},
    }
  })
}

/** The 75th percentile of each vital, by page. */
async function vitalsByPage(
  events: EventStore,
  projectId: number,
  scope: { readonly range: TimeRange; readonly where: readonly Condition[] },
): Promise<ReadonlyMap<string, Readonly<Record<string, number | null>>>> {
  const rows: readonly AggregateRow[] = await events.aggregate({
    table: 'vitals',
    projectIds: [projectId],
    ...scope,
    groupBy: ['segmentName', 'name'],
    measures: [{ type: 'quantile', field: 'value', q: 0.75 }],
    limit: GROUPS_MAX,
  })
  const pages = new Map<string, Record<string, number | null>>()
  for (const { group, values } of rows) {
    const page = String(group[0] ?? '')
    const vitals = pages.get(page) ?? {}
    vitals[String(group[1] ?? '')] = values[0] ?? null
    pages.set(page, vitals)
  }
  return pages
}

/** Sorts, greatest first when `descending`; transactions without a measurement come last. */
export function sortTransactions(
  rows: readonly ApiTransactionSummary[],
  sort: TransactionSort,
  descending: boolean,
): ApiTransactionSummary[] {
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => {
    const [left, right] = [a[sort], b[sort]]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    const order = left === right ? 0 : left < right ? -1 : 1
    if (order !== 0) return sign * order
    return a.transaction < b.transaction ? -1 : 1
  })
}
