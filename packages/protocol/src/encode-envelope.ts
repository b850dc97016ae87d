import type { ItemHeader } from './envelope.ts'

/** An item as it is written: text is sent as UTF-8. */
export interface WrittenItem {
  readonly header: ItemHeader
  readonly payload: string | Uint8Array
}

/**
 * Writes an envelope. Every item states its `length` in bytes; there is no newline after the last
 * payload.
 */
export function encodeEnvelope(
  header: object,
  items: readonly WrittenItem[],
): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder()
  let bytes = encoder.encode(JSON.stringify(header))
  function add(part: Uint8Array): void {
    const longer = new Uint8Array(bytes.length + part.length)
    longer.set(bytes)
    longer.set(part, bytes.length)
    bytes = longer
  }
  for (const { header, payload } of items) {
    const body = typeof payload === 'string' ? encoder.encode(payload) : payload
    add(encoder.encode(`\n${JSON.stringify({ ...header, length: body.length })}\n`))
    add(body)
  }
  return bytes
}
