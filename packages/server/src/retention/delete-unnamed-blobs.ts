import type { Blobs } from '../storage/blobs/port.ts'
import type { EventStore } from '../storage/events/port.ts'

/** Deleted before they are told as gone; if the process dies in between, they are deleted again. */
const BLOBS_AT_ONCE = 200

/** Deletes the blobs that no row of the events store names. Returns how many. */
export async function deleteUnnamedBlobs(stores: {
  readonly events: EventStore
  readonly blobs: Blobs
}): Promise<number> {
  let deleted = 0
  for (;;) {
    const keys = await stores.events.unnamedBlobs(BLOBS_AT_ONCE)
    if (keys.length === 0) return deleted
    for (const key of keys) await stores.blobs.delete(key)
    await stores.events.forgetBlobs(keys)
    deleted += keys.length
  }
}
