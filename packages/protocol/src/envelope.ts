import { normalizeEventId } from './ids.ts'
import { readHeaderLine } from './header-line.ts'
import type { HeaderLine } from './header-line.ts'
import { isJsonObject } from './json.ts'
import { envelopeItemsMax, itemLengthMax } from './limits.ts'
import { isRefusal, refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'
import { parseTimestamp } from './timestamp.ts'

/** The first line of an envelope. Unknown members are kept as they came. */
export interface EnvelopeHeader {
  /** 32 lower-case hex characters, dashes removed. */
  readonly event_id?: string
  /** As sent: not yet known to be a valid DSN. */
  readonly dsn?: string
  /** A text that `parseTimestamp` reads; a malformed one is left out. */
  readonly sent_at?: string
  readonly sdk?: {
    readonly name?: string
    readonly version?: string
    readonly [key: string]: unknown
  }
  /** Dynamic sampling context. Its `public_key` may be another project's: never authenticate by it. */
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

const lineFeed = 0x0a
const itemNumbers = ['length', 'item_count']
const itemTexts = ['content_type', 'filename', 'attachment_type', 'platform']
const sdkTexts = ['name', 'version']

/**
 * Reads an envelope: a header line, then items, each a header line and a payload.
 * Payload length is `length` bytes, or up to the next newline when the item gives none.
 * Unknown item types are kept as bytes, since a newer SDK may send them.
 * Reads every byte once; never throws.
 * @see https://develop.sentry.dev/sdk/data-model/envelopes/
 */
export function decodeEnvelope(bytes: Uint8Array): Envelope | Refusal {
  const first = readEnvelopeHeader(bytes)
  if (isRefusal(first)) return first
  const items: EnvelopeItem[] = []
  let offset = first.end
  while (offset < bytes.length) {
    if (bytes[offset] === lineFeed && isBlankToEnd(bytes, offset)) break
    if (items.length === envelopeItemsMax) {
      return refuse('too_large', `envelope has more than ${envelopeItemsMax} items`)
    }
    const item = readItem(bytes, offset)
    if (isRefusal(item)) return item
    items.push({ header: item.header, payload: item.payload })
    offset = item.end
  }
  return { header: first.header, items }
}

/**
 * Reads only the first line: enough to find the project of a tunnelled envelope, and cheap whatever
 * the size of the rest. `bytes` may be the beginning of an envelope if it holds the whole line.
 */
export function decodeEnvelopeHeader(bytes: Uint8Array): EnvelopeHeader | Refusal {
  const first = readEnvelopeHeader(bytes)
  return isRefusal(first) ? first : first.header
}

/** Changes the parsed line in place: removes its invalid members. */
function readEnvelopeHeader(
  bytes: Uint8Array,
): { readonly header: EnvelopeHeader; readonly end: number } | Refusal {
  if (bytes.length === 0) return refuse('empty_body', 'the body has no bytes')
  const line = readHeaderLine(bytes, 0, 'invalid_envelope_header')
  if (isRefusal(line)) return line
  const header: Record<string, unknown> = line.value
  const { event_id: eventId, dsn, sent_at: sentAt, sdk, trace } = header
  const id = normalizeEventId(eventId)
  if (isGiven(eventId) && id === null) {
    return refuse('invalid_event_id', `event_id ${JSON.stringify(eventId)} is not a UUID`)
  }
  if (isGiven(dsn) && typeof dsn !== 'string') {
    return refuse('invalid_dsn', `dsn ${JSON.stringify(dsn)} is not a string`)
  }
  if (id === null) drop(header, 'event_id')
  else header.event_id = id
  if (typeof dsn !== 'string') drop(header, 'dsn')
  if (typeof sentAt !== 'string' || parseTimestamp(sentAt) === null) drop(header, 'sent_at')
  if (isJsonObject(sdk)) keepStrings(sdk, sdkTexts)
  else drop(header, 'sdk')
  if (!isJsonObject(trace)) drop(header, 'trace')
  return { header, end: line.end }
}

function readItem(
  bytes: Uint8Array,
  start: number,
): { readonly header: ItemHeader; readonly payload: Uint8Array; readonly end: number } | Refusal {
  const line = readHeaderLine(bytes, start, 'invalid_item_header')
  if (isRefusal(line)) return line
  const header = readItemHeader(line)
  if (isRefusal(header)) return header
  const payloadEnd =
    header.length === undefined ? lineEndFrom(bytes, line.end) : line.end + header.length
  if (payloadEnd > bytes.length) {
    return refuse(
      'invalid_framing',
      `item at byte ${start} states ${header.length} bytes, ${bytes.length - line.end} are left`,
    )
  }
  if (payloadEnd < bytes.length && bytes[payloadEnd] !== lineFeed) {
    return refuse('invalid_framing', `no newline after the payload of the item at byte ${start}`)
  }
  return { header, payload: bytes.subarray(line.end, payloadEnd), end: payloadEnd + 1 }
}

function lineEndFrom(bytes: Uint8Array, start: number): number {
  const found = bytes.indexOf(lineFeed, start)
  return found === -1 ? bytes.length : found
}

function readItemHeader(line: HeaderLine): ItemHeader | Refusal {
  const header: Record<string, unknown> = line.value
  const { type } = header
  if (typeof type !== 'string' || type === '') {
    return refuse('invalid_item_header', `item type ${JSON.stringify(type)} is not a name`)
  }
  for (const name of itemNumbers) {
    const value = header[name]
    if (isUnsigned32(value)) continue
    if (isGiven(value)) {
      const text = `${name} ${JSON.stringify(value)} is not an unsigned 32-bit integer`
      return refuse('invalid_item_header', text)
    }
    drop(header, name)
  }
  keepStrings(header, itemTexts)
  return header as ItemHeader
}

/** Removes named members that are not strings; a wrong one does not justify a refusal. */
function keepStrings(value: Record<string, unknown>, names: readonly string[]): void {
  for (const name of names) if (typeof value[name] !== 'string') drop(value, name)
}

/** Deleting slows an object down, so only what is there. */
function drop(value: Record<string, unknown>, name: string): void {
  if (Object.hasOwn(value, name)) delete value[name]
}

/** Some writers end with one newline more than the format has. */
function isBlankToEnd(bytes: Uint8Array, start: number): boolean {
  for (let offset = start; offset < bytes.length; offset += 1) {
    if (bytes[offset] !== lineFeed) return false
  }
  return true
}

/** JSON null means a missing member, as in Sentry's own reader. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isUnsigned32(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= itemLengthMax
  )
}
