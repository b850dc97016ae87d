/** Identifiers of the wire: 32 or 16 hex characters. Stored and answered lower case, undashed. */

const hex32 = /^[0-9a-f]{32}$/i
const dashedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
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

/** Public key of a DSN: 32 hex characters, lower case, or null. */
export function normalizePublicKey(value: unknown): string | null {
  return typeof value === 'string' && hex32.test(value) ? value.toLowerCase() : null
}

/** A random id of that many bytes, as hex: 16 for events and traces, 8 for spans. */
export function createId(bytes = 16): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    (byte + 256).toString(16).slice(1),
  ).join('')
}
