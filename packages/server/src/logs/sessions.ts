import type { ApiSession } from '@afterimage/protocol/api/items'
import type { Condition, EventStore, TimeRange } from '../storage/events/port.ts'
import type { StoredRow } from '../storage/events/tables.ts'

type SessionRow = StoredRow<'sessions'>

/**
 * Returns a page of single sessions by their newest update, each in its latest state. A session is
 * listed at its newest update, so it appears on one page only. Aggregates are left out.
 */
export async function pageSessions(
  events: EventStore,
  question: {
    readonly projectIds: readonly number[]
    readonly range: TimeRange
    readonly conditions: readonly Condition[]
    readonly limit: number
    readonly cursor: string | null
  },
): Promise<{ readonly sessions: readonly ApiSession[]; readonly next: string | null }> {
  const { projectIds, cursor } = question
  const found = await events.page({
    table: 'sessions',
    projectIds,
    range: question.range,
    where: [{ field: 'sid', op: 'exists' }, ...question.conditions],
    ...(cursor === null ? {} : { cursor }),
    limit: question.limit,
  })
  const sids = [...new Set(found.rows.map((row) => row.columns.sid ?? ''))]
  const all = await updatesOf(events, projectIds, sids)
  const sessions: ApiSession[] = []
  for (const row of found.rows) {
    const updates = (all.get(nameOf(row)) ?? [row]).toSorted(compare)
    const latest = updates.at(-1)
    const newest = updates.reduce((a, b) => (isLater(b, a) ? b : a))
    if (latest !== undefined && newest.columns.key === row.columns.key) {
      sessions.push(sessionOf(updates, latest))
    }
  }
  return { sessions, next: found.next ?? null }
}

async function updatesOf(
  events: EventStore,
  projectIds: readonly number[],
  sids: readonly string[],
): Promise<ReadonlyMap<string, readonly SessionRow[]>> {
  const rows: SessionRow[] = []
  let cursor: string | undefined
  do {
    const page = await events.page({
      table: 'sessions',
      projectIds,
      where: [{ field: 'sid', op: 'in', values: sids }],
      ...(cursor === undefined ? {} : { cursor }),
      limit: 1000,
    })
    rows.push(...page.rows)
    cursor = page.next
  } while (cursor !== undefined && rows.length < 20_000)
  return Map.groupBy(rows, nameOf)
}

function nameOf(row: SessionRow): string {
  return `${row.projectId} ${row.columns.sid}`
}

/** In the order of the list: by time, then by key. */
function isLater(a: SessionRow, b: SessionRow): boolean {
  if (a.timestamp !== b.timestamp) return a.timestamp > b.timestamp
  return (a.columns.key ?? '') > (b.columns.key ?? '')
}

/**
 * Orders updates of a session: by sequence where the SDK counts, else by time; an ended session
 * stays ended.
 */
function compare(a: SessionRow, b: SessionRow): number {
  const [left, right] = [a.columns.seq, b.columns.seq]
  if (left !== null && right !== null && left !== right) return left - right
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp
  const rank = (row: SessionRow) => (row.columns.status === 'ok' ? 0 : 1)
  return rank(a) - rank(b) || ((a.columns.key ?? '') < (b.columns.key ?? '') ? -1 : 1)
}

function sessionOf(updates: readonly SessionRow[], latest: SessionRow): ApiSession {
  const { columns } = latest
  const started = updates.map((row) => row.columns.startedAt ?? row.timestamp)
  return {
    sid: columns.sid ?? '',
    did: columns.did ?? updates.find((row) => row.columns.did !== null)?.columns.did ?? null,
    status: columns.status ?? 'ok',
    errors: Math.max(0, ...updates.map((row) => row.columns.errors ?? 0)),
    started: new Date(Math.min(...started)).toISOString(),
    duration: columns.durationS,
    release: columns.release,
    environment: columns.environment,
  }
}
