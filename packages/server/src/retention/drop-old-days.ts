import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore } from '../storage/events/port.ts'
import { tables, type TableName } from '../storage/events/tables.ts'
import { deleteUnnamedBlobs } from './delete-unnamed-blobs.ts'

const DAY_MS = 86_400_000

/**
 * Drops every whole UTC day of receipt that is older than the days to keep, rows first, then the
 * blobs that nothing names any more. Returns the rows removed. For `process` to call, once an hour.
 */
export async function dropOldDays(
  stores: { readonly events: EventStore; readonly blobs: Blobs },
  options: { readonly now: number; readonly retentionDays: number },
): Promise<number> {
  const today = Math.floor(options.now / DAY_MS) * DAY_MS
  const rows = await stores.events.remove({
    type: 'before',
    tables: Object.keys(tables) as TableName[],
    day: today - options.retentionDays * DAY_MS,
  })
  await deleteUnnamedBlobs(stores)
  return rows
}
