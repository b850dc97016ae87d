import type { EventStore } from '../storage/events/port.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import type { Blobs } from '../storage/blobs/port.ts'
import { refuseDamaged } from '../storage/sqlite-damage.ts'

/**
 * Asks each store that `web` reads for something small. Rejects when one of them fails: pages and the
 * API could not answer either. So it does where any program has found one of the `files` damaged.
 */
export async function checkStores(
  stores: {
    readonly metadata: MetadataReader
    readonly events: Pick<EventStore, 'point'>
    readonly blobs: Pick<Blobs, 'get'>
  },
  files: readonly string[] = [],
): Promise<void> {
  refuseDamaged(files)
  await stores.metadata.all('select public_key from project_keys limit 1')
  await stores.events.point('errors', 0, ['readiness'])
  await stores.blobs.get('readiness')
}
