import type { TimeRange } from '../storage/events/port.ts'
import { BUCKETS_MAX, GROUPS_MAX, CONDITION_VALUES_MAX } from '../search/limits.ts'
import type { Counted } from './counts.ts'
import { hashesOfIssues } from './hashes.ts'
import type { Stores } from '../storage/stores.ts'

/** `[seconds since the epoch, events]` per bucket, oldest first. */
export type Series = readonly (readonly [number, number])[]

const HOUR_MS = 3_600_000

/** Buckets of a range that are pleasant to draw: whole minutes, hours or days, about 60 of them. */
export function bucketMsOf(range: TimeRange): number {
  const steps = [
    60_000,
    5 * 60_000,
    15 * 60_000,
    HOUR_MS,
    3 * HOUR_MS,
    6 * HOUR_MS,
    12 * HOUR_MS,
    24 * HOUR_MS,
    7 * 24 * HOUR_MS,
    30 * 24 * HOUR_MS,
  ]
  const wanted = (range.to - range.from) / 60
  return steps.find((step) => step >= wanted) ?? 365 * 24 * HOUR_MS
}

/** The starts of a range's buckets, ms; at most `BUCKETS_MAX`, the newest. */
export function bucketsOf(range: TimeRange, bucketMs: number): number[] {
  const starts: number[] = []
  const first = Math.floor(range.from / bucketMs) * bucketMs
  const most = Math.max(first, range.to - BUCKETS_MAX * bucketMs)
  for (let at = Math.ceil(most / bucketMs) * bucketMs; at < range.to; at += bucketMs)
    starts.push(at)
  return starts
}

/** Fills the buckets that had nothing with 0. */
export function seriesOf(starts: readonly number[], counts: ReadonlyMap<number, number>): Series {
  return starts.map((start) => [start / 1000, counts.get(start) ?? 0] as const)
}

/** A series of events for each of some issues. */
export async function issueSeries(
  stores: Stores,
  issueIds: readonly number[],
  question: Counted & { readonly range: TimeRange; readonly bucketMs: number },
): Promise<ReadonlyMap<number, Series>> {
  const hashes = await hashesOfIssues(stores.metadata, issueIds)
  const starts = bucketsOf(question.range, question.bucketMs)
  const perIssue = new Map<number, Map<number, number>>(issueIds.map((id) => [id, new Map()]))
  // Rows are buckets times hashes: as many hashes at once as an answer holds.
  const atOnce = Math.max(
    1,
    Math.min(CONDITION_VALUES_MAX, Math.floor(GROUPS_MAX / (starts.length + 2))),
  )
  for (let from = 0; from < hashes.length; from += atOnce) {
    const part = hashes.slice(from, from + atOnce)
    const issueOf = new Map(part.map((it) => [`${it.projectId} ${it.hash}`, it.issueId]))
    const rows = await stores.events.aggregate({
      table: 'errors',
      projectIds: [...new Set(part.map((it) => it.projectId))],
      range: { from: starts[0] ?? question.range.from, to: question.range.to },
      where: [
        { field: 'groupingHash', op: 'in', values: part.map((it) => it.hash) },
        ...question.conditions,
      ],
      groupBy: ['projectId', 'groupingHash'],
      bucketMs: question.bucketMs,
      measures: [{ type: 'count' }],
      limit: GROUPS_MAX,
    })
    for (const { bucket, group, values } of rows) {
      const counts = perIssue.get(issueOf.get(`${group[0]} ${group[1]}`) ?? -1)
      if (counts === undefined || bucket === null) continue
      counts.set(bucket, (counts.get(bucket) ?? 0) + (values[0] ?? 0))
    }
  }
  return new Map([...perIssue].map(([id, counts]) => [id, seriesOf(starts, counts)]))
}
