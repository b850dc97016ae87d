import type { Envelope } from '@afterimage/protocol/envelope'
import { itemTypeFacts } from '@afterimage/protocol/item-type'
import { eventBytesMax } from '@afterimage/protocol/limits'
import { createId, normalizeEventId } from '@afterimage/protocol/ids'

/**
 * Returns the event id of an envelope, and the envelope with that id in its header. An id found only
 * in the payload is copied. An event without an id gets one before the envelope is queued, so that a
 * redelivery has the same. The id is null when no item of the envelope needs one.
 */
export function ensureEventId(
  envelope: Envelope,
  bytes: Uint8Array,
): { readonly eventId: string | null; readonly bytes: Uint8Array } {
  if (envelope.header.event_id !== undefined) return { eventId: envelope.header.event_id, bytes }
  const item = envelope.items.find(({ header }) => isKnownById(header.type))
  if (item === undefined) return { eventId: null, bytes }
  const eventId = payloadEventId(item.payload) ?? createId()
  const { event_id: _, ...header } = envelope.header
  const lineEnd = bytes.indexOf(0x0a)
  const line = Buffer.from(JSON.stringify({ event_id: eventId, ...header }))
  return { eventId, bytes: Buffer.concat([line, bytes.subarray(lineEnd)]) }
}

function isKnownById(type: string): boolean {
  return itemTypeFacts(type).content === 'event'
}

/** Null also of a payload that is larger than an event may be: parsing it would hold up everyone. */
function payloadEventId(payload: Uint8Array): string | null {
  if (payload.length > eventBytesMax) return null
  try {
    const event: unknown = JSON.parse(Buffer.from(payload).toString())
    return normalizeEventId((event as { event_id?: unknown } | null)?.event_id)
  } catch {
    return null
  }
}
