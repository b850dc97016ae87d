import type { EventStore } from './events/port.ts'
import type { Metadata } from './metadata/port.ts'

/** The stores that queries read. */
export interface Stores {
  readonly metadata: Metadata
  readonly events: EventStore
}
