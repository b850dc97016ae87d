import { deleteUnnamedBlobs } from './delete-unnamed-blobs.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore, RemoveSelector } from '../storage/events/port.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'

/** Removals done by one call: each may take a while, and events wait behind it. */
const REMOVALS_AT_ONCE = 20

/** Asks for a deletion from the events store, which only `process` may write. */
export async function requestRemoval(
  tx: Metadata | MetadataReader,
  selector: RemoveSelector,
  now: number,
): Promise<void> {
  await tx.all(
    'insert into removals (selector, requested_at) values (?, ?)',
    JSON.stringify(selector),
    now,
  )
}

/** Tells whether this very deletion is pending: the data it names counts as deleted. */
export async function isRemovalRequested(
  metadata: Metadata,
  selector: RemoveSelector,
): Promise<boolean> {
  const rows = await metadata.all(
    'select 1 from removals where selector = ?',
    JSON.stringify(selector),
  )
  return rows.length > 0
}

/** The replays whose deletion was asked for and is not done yet. */
export async function replaysToBeRemoved(metadata: Metadata): Promise<readonly string[]> {
  const rows = await metadata.all<{ selector: string }>(
    `select selector from removals where selector like '{"type":"replay"%' order by id limit 1000`,
  )
  return rows.flatMap((row) => {
    const selector = JSON.parse(row.selector) as RemoveSelector
    return selector.type === 'replay' ? [selector.replayId] : []
  })
}

/**
 * Does what was asked for: rows first, then the request is forgotten, then the blobs that no row names
 * are deleted, also those that were left when this died before. Doing one twice is harmless. For
 * `process` to call now and then; returns how many.
 */
export async function applyRemovals(stores: {
  readonly metadata: Metadata
  readonly events: EventStore
  readonly blobs: Blobs
}): Promise<number> {
  const rows = await stores.metadata.all<{ id: number; selector: string }>(
    'select id, selector from removals order by id limit ?',
    REMOVALS_AT_ONCE,
  )
  for (const row of rows) {
    await stores.events.remove(JSON.parse(row.selector) as RemoveSelector)
    await stores.metadata.all('delete from removals where id = ?', row.id)
  }
  await deleteUnnamedBlobs(stores)
  return rows.length
}
