import { compareReleases } from '../releases/compare-releases.ts'
import type { EventStore, Measure } from '../storage/events/port.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import { escalationLimit } from './escalation.ts'
import { type IssueRow, type StatusDetails, hashesOf, statusDetailsOf } from './row.ts'
import { ISSUE_HASHES_MAX } from './limits.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const ESCALATION_LOOKBACK_MS = 7 * 24 * HOUR_MS

/**
 * Tells whether an event brings a resolved issue back. One that was received before the issue was
 * resolved does not. Resolved in a release: only events of that release or a newer one do; in the
 * next release: only of one newer than the newest of that day. An event without a release does
 * not reopen an issue that was resolved by release.
 */
export async function isRegression(
  tx: MetadataReader,
  issue: IssueRow,
  event: { readonly release: string | null; readonly receivedAt: number },
): Promise<boolean> {
  if (event.receivedAt < issue.status_changed_at) return false
  const details = statusDetailsOf(issue)
  if (details.inRelease === undefined && details.inNextRelease !== true) return true
  if (event.release === null) return false
  const fixedIn = details.inRelease
  if (fixedIn !== undefined) {
    if (event.release === fixedIn) return true
    return (await orderOf(tx, issue.project_id, event.release, fixedIn)) >= 0
  }
  if (details.afterRelease === null || details.afterRelease === undefined) return true
  if (event.release === details.afterRelease) return false
  return (await orderOf(tx, issue.project_id, event.release, details.afterRelease)) > 0
}

async function orderOf(
  tx: MetadataReader,
  projectId: number,
  a: string,
  b: string,
): Promise<number> {
  const rows = await tx.all<{ version: string; at: number }>(
    `select version, coalesce(released_at, first_seen, created_at) as at
     from releases where project_id = ? and version in (?, ?)`,
    projectId,
    a,
    b,
  )
  const dated = (version: string) => ({
    version,
    // A release that has not been seen yet is in the future.
    at: rows.find((row) => row.version === version)?.at ?? Number.POSITIVE_INFINITY,
  })
  return compareReleases(dated(a), dated(b))
}

/** Why an archived issue comes back now: `ongoing` (its condition is met), `escalating`, or null: it does not. */
export async function archiveEnds(
  { tx, events }: { readonly tx: MetadataReader; readonly events: EventStore },
  issue: IssueRow,
  receivedAt: number,
): Promise<'ongoing' | 'escalating' | null> {
  if (receivedAt < issue.status_changed_at) return null
  if (issue.archived_until !== null && receivedAt >= issue.archived_until) return 'ongoing'
  if (issue.substatus === 'archived_until_condition_met') {
    const isMet = await conditionMet(
      { tx, events, issue },
      { details: statusDetailsOf(issue), at: receivedAt },
    )
    return isMet ? 'ongoing' : null
  }
  if (issue.substatus === 'archived_until_escalating') {
    return (await isEscalating({ tx, events, issue }, receivedAt)) ? 'escalating' : null
  }
  return null
}

interface Question {
  readonly tx: MetadataReader
  readonly events: EventStore
  readonly issue: IssueRow
}

async function conditionMet(
  question: Question,
  { details, at }: { readonly details: StatusDetails; readonly at: number },
): Promise<boolean> {
  const { ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } = details
  if (ignoreCount !== undefined) {
    const count = await measureSince(question, { type: 'count' }, windowStart(at, ignoreWindow))
    if (count >= ignoreCount) return true
  }
  if (ignoreUserCount === undefined) return false
  const users: Measure = { type: 'distinct', field: 'userKey' }
  const count = await measureSince(question, users, windowStart(at, ignoreUserWindow))
  return count >= ignoreUserCount
}

function windowStart(at: number, windowMinutes: number | undefined): number {
  return windowMinutes === undefined ? 0 : at - windowMinutes * MINUTE_MS
}

/** Measures the events received since the issue was archived, and not before `from`. */
async function measureSince(
  { tx, events, issue }: Question,
  measure: Measure,
  from: number,
): Promise<number> {
  const hashes = await hashesOf(tx, issue.id, ISSUE_HASHES_MAX)
  const [row] = await events.aggregate({
    table: 'errors',
    projectIds: [issue.project_id],
    where: [
      { field: 'groupingHash', op: 'in', values: hashes },
      { field: 'receivedAt', op: 'atLeast', value: Math.max(from, issue.status_changed_at) },
    ],
    groupBy: [],
    measures: [measure],
    limit: 1,
  })
  return row?.values[0] ?? 0
}

async function isEscalating({ tx, events, issue }: Question, at: number): Promise<boolean> {
  const hour = Math.floor(at / HOUR_MS) * HOUR_MS
  const hashes = await hashesOf(tx, issue.id, ISSUE_HASHES_MAX)
  const rows = await events.aggregate({
    table: 'errors',
    projectIds: [issue.project_id],
    range: { from: hour - ESCALATION_LOOKBACK_MS, to: hour + HOUR_MS },
    where: [{ field: 'groupingHash', op: 'in', values: hashes }],
    groupBy: [],
    bucketMs: HOUR_MS,
    measures: [{ type: 'count' }],
    limit: 1000,
  })
  const counts = new Map(rows.map((row) => [row.bucket, row.values[0] ?? 0]))
  const before: number[] = []
  // Events of the hour of archiving belong to the archived state: only later hours may escalate.
  const end = issue.status_changed_at >= hour ? hour + HOUR_MS : hour
  for (let from = end - ESCALATION_LOOKBACK_MS; from < end; from += HOUR_MS) {
    before.push(counts.get(from) ?? 0)
  }
  const isOld = at - issue.first_seen >= ESCALATION_LOOKBACK_MS
  return (counts.get(hour) ?? 0) > escalationLimit(before, isOld)
}
