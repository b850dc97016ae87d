import type { ApiCheckIn } from '@afterimage/protocol/api/items'
import type { EventStore, Page } from '../storage/events/port.ts'
import type { StoredRow } from '../storage/events/tables.ts'

type CheckInRow = StoredRow<'checkIns'>

/**
 * Returns a page of a monitor's check-ins, newest first, one per check-in id with its latest status.
 * A check-in is listed at its newest row, so it appears on one page only.
 */
export async function pageCheckIns(
  events: EventStore,
  monitor: { readonly projectId: number; readonly slug: string },
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<{ readonly checkIns: readonly ApiCheckIn[]; readonly next: string | null }> {
  const found: Page<'checkIns'> = await events.page({
    table: 'checkIns',
    projectIds: [monitor.projectId],
    where: [{ field: 'monitorSlug', op: 'is', value: monitor.slug }],
    ...(page.cursor === null ? {} : { cursor: page.cursor }),
    limit: page.limit,
  })
  const ids = [...new Set(found.rows.map((row) => row.columns.checkInId ?? ''))]
  const all = await events.page({
    table: 'checkIns',
    projectIds: [monitor.projectId],
    where: [{ field: 'checkInId', op: 'in', values: ids }],
    limit: 1000,
  })
  const rowsOf = Map.groupBy(all.rows, (row) => row.columns.checkInId ?? '')
  const checkIns: ApiCheckIn[] = []
  for (const row of found.rows) {
    const rows = (rowsOf.get(row.columns.checkInId ?? '') ?? [row]).toSorted(compare)
    const latest = rows.at(-1)
    if (latest !== undefined && isSame(latest, row)) checkIns.push(checkInOf(rows, latest))
  }
  return { checkIns, next: found.next ?? null }
}

function isSame(a: CheckInRow, b: CheckInRow): boolean {
  return a.columns.status === b.columns.status
}

/** Orders by time; at equal times the update that ends the check-in comes later. */
function compare(a: CheckInRow, b: CheckInRow): number {
  if (a.timestamp !== b.timestamp) return a.timestamp - b.timestamp
  const rank = (row: CheckInRow) => (row.columns.status === 'in_progress' ? 0 : 1)
  return rank(a) - rank(b)
}

function checkInOf(rows: readonly CheckInRow[], latest: CheckInRow): ApiCheckIn {
  const { columns } = latest
  const seconds = columns.durationS
  return {
    id: columns.checkInId ?? '',
    monitorSlug: columns.monitorSlug ?? '',
    environment: columns.environment,
    status: columns.status ?? 'unknown',
    duration: seconds === null ? null : seconds * 1000,
    dateCreated: new Date(rows[0]?.timestamp ?? latest.timestamp).toISOString(),
    dateUpdated: new Date(latest.timestamp).toISOString(),
  }
}
