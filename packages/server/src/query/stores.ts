import type { EventStore } from '../storage/events/port.ts'
import type { Metadata } from '../storage/metadata/port.ts'

/** What questions are asked of. */
export interface Stores {
  readonly metadata: Metadata
  readonly events: EventStore
}
