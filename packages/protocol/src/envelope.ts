import type { Refusal } from './outcome.ts'

/** The first line of an envelope. Unknown members are kept as they came. */
export interface EnvelopeHeader {
  /** 32 lower-case hex characters, dashes removed. */
  readonly event_id?: string
  readonly dsn?: string
  readonly sent_at?: string
  readonly sdk?: {
    readonly name?: string
    readonly version?: string
    readonly [key: string]: unknown
  }
  readonly trace?: Readonly<Record<string, unknown>>
  readonly [key: string]: unknown
}

export interface ItemHeader {
  readonly type: string
  readonly length?: number
  readonly content_type?: string
  readonly filename?: string
  readonly attachment_type?: string
  readonly item_count?: number
  readonly platform?: string
  readonly [key: string]: unknown
}

export interface EnvelopeItem {
  readonly header: ItemHeader
  /** A view into the envelope's bytes, not a copy. */
  readonly payload: Uint8Array
}

export interface Envelope {
  readonly header: EnvelopeHeader
  readonly items: readonly EnvelopeItem[]
}

/**
 * Reads an envelope: a header line, then items, each a header line and a payload.
 * Payload length is `length` bytes, or up to the next newline when the item gives none.
 * Unknown item types are kept as bytes, since a newer SDK may send them.
 * @see https://develop.sentry.dev/sdk/data-model/envelopes/
 */
export function decodeEnvelope(_bytes: Uint8Array): Envelope | Refusal {
  throw new Error('not written yet')
}

/** Writes an envelope. Every item gets a `length`. */
export function encodeEnvelope(_envelope: Envelope): Uint8Array {
  throw new Error('not written yet')
}
