/** Identifiers of the wire: 32 or 16 hex characters. Stored and answered lower case, undashed. */

const hex32 = /^[0-9a-f]{32}$/i
const dashedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const hex16 = /^[0-9a-f]{16}$/i
const zeroes = /^0+$/

/**
 * Event, replay, profile, check-in or session id as 32 lower-case hex characters. Takes hex or a
 * dashed UUID in any case. Null for anything else and for the all-zero id, which means "none".
 */
export function normalizeEventId(value: unknown): string | null {
  if (typeof value !== 'string') return null
  if (!hex32.test(value) && !dashedUuid.test(value)) return null
  const id = value.replaceAll('-', '').toLowerCase()
  return zeroes.test(id) ? null : id
}

/** Trace id: the same 32 hex form as an event id; some SDKs write it as a dashed UUID. */
export function normalizeTraceId(value: unknown): string | null {
  return normalizeEventId(value)
}

/** Span id as 16 lower-case hex characters, or null. */
export function normalizeSpanId(value: unknown): string | null {
  if (typeof value !== 'string' || !hex16.test(value) || zeroes.test(value)) return null
  return value.toLowerCase()
}

/** Public key of a DSN: 32 hex characters, lower case, or null. */
export function normalizePublicKey(value: unknown): string | null {
  return typeof value === 'string' && hex32.test(value) ? value.toLowerCase() : null
}

/** A new random id: a version 4 UUID without its dashes. */
export function createEventId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return toHex(bytes)
}

export function createTraceId(): string {
  return createEventId()
}

/** A new random span id. Never all zero, which would mean "none". */
export function createSpanId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8))
  bytes[7]! |= bytes.every((byte) => byte === 0) ? 1 : 0
  return toHex(bytes)
}

/** Dashes put back, for the few places that want a UUID: `8-4-4-4-12`. */
export function toUuid(id: string): string {
  return [id.slice(0, 8), id.slice(8, 12), id.slice(12, 16), id.slice(16, 20), id.slice(20)].join(
    '-',
  )
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
