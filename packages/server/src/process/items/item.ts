import type { EnvelopeHeader, EnvelopeItem } from '@afterimage/protocol/envelope'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { ItemRefusal, ProcessedItem } from '../../storage/events/port.ts'

/**
 * Everything an item's folder may know about where its item came from. Processing an item is a pure
 * function of the item and this: no clock, no I/O, so that a redelivery gives the same rows.
 */
export interface ItemContext {
  readonly projectId: number
  readonly receivedAt: number
  /** The sender's address; null when unknown. */
  readonly remoteAddress: string | null
  readonly userAgent: string | null
  readonly header: EnvelopeHeader
  /** Hex sha256 of the whole envelope: the identity of items that bring none. */
  readonly envelopeHash: string
  /** Place of the item in its envelope, from 0. */
  readonly index: number
  /** All items of the envelope in order, this one included: a replay's event and its recording are one row. */
  readonly siblings: readonly EnvelopeItem[]
  /**
   * Milliseconds to add to every client time of this envelope: `receivedAt - sent_at` when that
   * is at least 55 minutes either way, else 0.
   */
  readonly clockDriftMs: number
  readonly scrubbing: ScrubbingSettings
  /** The event of this item, when it was read before to map its frames; absent otherwise. */
  readonly event?: NormalizedEvent
}

export interface ScrubbingSettings {
  /** Default rules on (passwords, tokens, cards, …). */
  readonly defaults: boolean
  readonly sensitiveFields: readonly string[]
  readonly safeFields: readonly string[]
  /** IP addresses are stored only when a project asks for it; default false. */
  readonly storeIpAddresses: boolean
  /** Mail addresses and telephone numbers inside of text are kept; default false. */
  readonly storeContacts: boolean
}

/** The function that each folder of an item type exports. */
export type ProcessItem = (item: EnvelopeItem, context: ItemContext) => ProcessedItem

/** An item that gave nothing but its counted refusal. */
export function refusedItem(type: string, refusal: ItemRefusal, quantity = 1): ProcessedItem {
  return { type, quantity, rows: [], blobs: [], effects: [], refusal }
}
