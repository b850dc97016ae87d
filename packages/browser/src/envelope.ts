import type { ItemHeader } from '@afterimage/protocol/envelope'

export interface OutgoingItem {
  readonly header: ItemHeader
  /** Text is sent as UTF-8. */
  readonly payload: string | Uint8Array
  /** What is lost with it, by data category. One of its own category unless given. */
  readonly counts?: Readonly<Record<string, number>>
}

/** Item types whose data category has another name; the rest are called the same. */
const categories: Readonly<Record<string, string>> = {
  event: 'error',
  sessions: 'session',
  replay_event: 'replay',
  replay_recording: 'replay',
  client_report: 'internal',
  check_in: 'monitor',
  log: 'log_item',
  metric: 'trace_metric',
  user_report: 'default',
}

export function categoryOf(itemType: string): string {
  return categories[itemType] ?? itemType
}

/** Writes an envelope; every item states its length in bytes. */
export function encodeEnvelope(header: object, items: readonly OutgoingItem[]): Uint8Array {
  const encoder = new TextEncoder()
  const parts: Uint8Array[] = [encoder.encode(JSON.stringify(header))]
  let length = parts[0]!.length
  for (const { header, payload } of items) {
    const body = typeof payload === 'string' ? encoder.encode(payload) : payload
    const line = encoder.encode(`\n${JSON.stringify({ ...header, length: body.length })}\n`)
    length += line.length + body.length
    parts.push(line, body)
  }
  const bytes = new Uint8Array(length)
  length = 0
  for (const part of parts) {
    bytes.set(part, length)
    length += part.length
  }
  return bytes
}
