import type { StoredRow } from '../storage/events/tables.ts'
import { TRANSACTION_SPANS_MAX } from '../search/limits.ts'
import type { Stores } from '../storage/stores.ts'

/** The spans that came with a transaction event, in order of their start; its own is not among them. */
export async function spansOfTransaction(
  { events }: Pick<Stores, 'events'>,
  { projectId, columns }: StoredRow<'transactions'>,
): Promise<readonly StoredRow<'spans'>[]> {
  const { traceId, eventId } = columns
  if (traceId === null || eventId === null) return []
  const { rows } = await events.page({
    table: 'spans',
    projectIds: [projectId],
    where: [
      { field: 'traceId', op: 'is', value: traceId },
      { field: 'eventId', op: 'is', value: eventId },
    ],
    order: { field: 'timestamp', descending: false },
    limit: TRANSACTION_SPANS_MAX,
    withPayload: true,
  })
  return rows.filter((row) => row.columns.spanId !== columns.spanId)
}
