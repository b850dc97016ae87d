import type { Condition, Page, TimeRange } from '../storage/events/port.ts'
import type { StoredRow } from '../storage/events/tables.ts'
import { hashesOf } from './row.ts'
import { CONDITION_VALUES_MAX } from '../search/limits.ts'
import type { Stores } from '../storage/stores.ts'

type ErrorRow = StoredRow<'errors'>

/** The events of an issue that a filter lets through. */
export interface IssueEvents {
  readonly projectId: number
  readonly issueId: number
  readonly conditions: readonly Condition[]
  readonly range: TimeRange | null
}

/** Newest first. */
export async function pageIssueEvents(
  stores: Stores,
  of: IssueEvents,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<Page<'errors'>> {
  return stores.events.page({
    table: 'errors',
    ...(await scopeOf(stores, of)),
    ...(page.cursor === null ? {} : { cursor: page.cursor }),
    limit: page.limit,
    withPayload: true,
  })
}

export type WhichEvent = 'latest' | 'oldest' | 'recommended'

/** One event of an issue; null when the filter lets none through. `recommended` is the newest with a replay, else the newest. */
export async function pickIssueEvent(
  stores: Stores,
  of: IssueEvents,
  which: WhichEvent,
): Promise<ErrorRow | null> {
  const { where, ...scope } = await scopeOf(stores, of)
  const ask = async (more: readonly Condition[]): Promise<ErrorRow | null> => {
    const page = await stores.events.page({
      table: 'errors',
      ...scope,
      where: [...where, ...more],
      order: { field: 'timestamp', descending: which !== 'oldest' },
      limit: 1,
      withPayload: true,
    })
    return page.rows[0] ?? null
  }
  if (which !== 'recommended') return ask([])
  return (await ask([{ field: 'replayId', op: 'exists' }])) ?? ask([])
}

/** Events of one moment that are told apart by their ids; more than these are not. */
const TIES_MAX = 100

export interface Neighbours {
  readonly previousId: string | null
  readonly nextId: string | null
  /** 1 = oldest. */
  readonly position: { readonly index: number; readonly of: number }
}

/** Finds the neighbours of an event among the events of its issue that match the filter. */
export async function neighboursOf(
  stores: Stores,
  of: IssueEvents,
  event: ErrorRow,
): Promise<Neighbours> {
  const scope = await scopeOf(stores, of)
  const range = scope.range ?? { from: 0, to: Number.MAX_SAFE_INTEGER }
  const at = event.timestamp
  const side = async (descending: boolean) => {
    const page = await stores.events.page({
      table: 'errors',
      ...scope,
      // A timestamp may have a fraction: everything of the event's own moment, and what is beyond.
      range: descending
        ? { from: range.from, to: Math.floor(at) + 1 }
        : { from: Math.max(range.from, Math.floor(at)), to: range.to },
      order: { field: 'timestamp', descending },
      limit: TIES_MAX,
    })
    return page.rows
  }
  const [older, newer, counts] = await Promise.all([
    side(true),
    side(false),
    countAround(stores, { ...scope, range }, Math.floor(at)),
  ])
  const ties = newer.filter((row) => Math.floor(row.timestamp) === Math.floor(at))
  const before = ties.filter((row) => compare(row, event) < 0).length
  return {
    previousId: older.find((row) => compare(row, event) < 0)?.columns.eventId ?? null,
    nextId: newer.find((row) => compare(row, event) > 0)?.columns.eventId ?? null,
    position: { index: counts.before + before + 1, of: counts.all },
  }
}

async function countAround(
  { events }: Stores,
  scope: {
    readonly projectIds: readonly number[]
    readonly where: readonly Condition[]
    readonly range: TimeRange
  },
  at: number,
): Promise<{ readonly before: number; readonly all: number }> {
  const count = async (range: TimeRange): Promise<number> => {
    const [row] = await events.aggregate({
      table: 'errors',
      ...scope,
      range,
      groupBy: [],
      measures: [{ type: 'count' }],
      limit: 1,
    })
    return row?.values[0] ?? 0
  }
  const [before, all] = await Promise.all([
    at > scope.range.from ? count({ from: scope.range.from, to: at }) : 0,
    count(scope.range),
  ])
  return { before, all }
}

async function scopeOf(
  { metadata }: Stores,
  of: IssueEvents,
): Promise<{
  readonly projectIds: readonly number[]
  readonly where: readonly Condition[]
  readonly range?: TimeRange
}> {
  const hashes = await hashesOf(metadata, of.issueId, CONDITION_VALUES_MAX)
  return {
    projectIds: [of.projectId],
    where: [{ field: 'groupingHash', op: 'in', values: hashes }, ...of.conditions],
    ...(of.range === null ? {} : { range: of.range }),
  }
}

function compare(a: ErrorRow, b: ErrorRow): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp
  const [left, right] = [a.columns.eventId ?? '', b.columns.eventId ?? '']
  return left === right ? 0 : left < right ? -1 : 1
}
