import { hash } from 'node:crypto'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import type { Envelope, EnvelopeItem } from '@afterimage/protocol/envelope'
import { surplusItems } from '@afterimage/protocol/envelope-limits'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import { isHandledItemType, itemTypeFacts } from '@afterimage/protocol/item-type'
import { clockDriftMsMin } from '@afterimage/protocol/limits'
import { isRefusal, refuse } from '@afterimage/protocol/outcome'
import { parseTimestamp } from '@afterimage/protocol/timestamp'
import { readRefusedRequests } from '../../stats/refused-requests.ts'
import type { ProcessedItem } from '../../storage/events/port.ts'
import type { Delivery } from '../../storage/queue/port.ts'
import { itemRefusal } from '../items/container.ts'
import { readError } from '../items/error/index.ts'
import type { ItemContext, ProcessItem, ScrubbingSettings } from '../items/item.ts'
import { refusedItem } from '../items/item.ts'

/**
 * Turns an accepted envelope into one result per item, in the order of its items. An item over
 * its size, or beyond what one envelope may hold of its type, is refused alone. Events that were read
 * before are taken as they are. Pure: a redelivery with the same events gives the same.
 */
export function processDelivery(
  delivery: Delivery,
  scrubbing: ScrubbingSettings,
  processItem: ProcessItem,
  events: ReadEvents = nothingRead,
): readonly ProcessedItem[] {
  const refused = readRefusedRequests(delivery)
  if (refused !== null) {
    const detail = 'Requests named this project with a key that is not its own.'
    return [refusedItem('request', itemRefusal(refuse(refused.reason, detail)), refused.count)]
  }
  const envelope = decodeEnvelope(delivery.bytes)
  if (isRefusal(envelope)) return [refusedItem('envelope', itemRefusal(envelope))]
  const shared = sharedContext(delivery, envelope, scrubbing)
  const surplus = surplusItems(envelope)
  return envelope.items.map((item, index) => {
    if (surplus.has(index)) return beyondCount(item)
    if (isTooLarge(item)) return tooLarge(item)
    const event = events.get(index)
    return processItem(item, { ...shared, index, ...(event !== undefined && { event }) })
  })
}

/** Events that were read before the others of their delivery, by the index of their item. */
export type ReadEvents = ReadonlyMap<number, NormalizedEvent>

export const nothingRead: ReadEvents = new Map()

/** Reads the errors of a delivery that would not be refused. */
export function readEvents(delivery: Delivery, scrubbing: ScrubbingSettings): ReadEvents {
  const envelope = decodeEnvelope(delivery.bytes)
  if (isRefusal(envelope) || envelope.items.every(({ header }) => header.type !== 'event')) {
    return nothingRead
  }
  const shared = sharedContext(delivery, envelope, scrubbing)
  const surplus = surplusItems(envelope)
  const events = new Map<number, NormalizedEvent>()
  for (const [index, item] of envelope.items.entries()) {
    if (item.header.type !== 'event' || surplus.has(index) || isTooLarge(item)) continue
    const event = readError(item, { ...shared, index })
    if (!isRefusal(event)) events.set(index, event)
  }
  return events
}

/** As `processDelivery`, but an item on which we fail is refused as `internal`, and the others are kept. */
export function salvageDelivery(
  delivery: Delivery,
  scrubbing: ScrubbingSettings,
  processItem: ProcessItem,
  events: ReadEvents = nothingRead,
): readonly ProcessedItem[] {
  const salvaging: ProcessItem = (item, context) => {
    try {
      return processItem(item, context)
    } catch (error) {
      const { type } = item.header
      return internalRefusal(isHandledItemType(type) ? type : 'other', error)
    }
  }
  return processDelivery(delivery, scrubbing, salvaging, events)
}

/** The counted outcome of what we could not process by our own mistake. */
export function internalRefusal(type: string, cause: unknown): ProcessedItem {
  const detail = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)
  return refusedItem(type, itemRefusal(refuse('internal', detail)))
}

function sharedContext(
  delivery: Delivery,
  envelope: Envelope,
  scrubbing: ScrubbingSettings,
): Omit<ItemContext, 'index'> {
  const { projectId, receivedAt, remoteAddress, userAgent, bytes } = delivery
  return {
    projectId,
    receivedAt,
    remoteAddress,
    userAgent,
    header: envelope.header,
    envelopeHash: hash('sha256', bytes),
    siblings: envelope.items,
    clockDriftMs: clockDrift(receivedAt, envelope.header.sent_at),
    scrubbing,
  }
}

/** Returns the drift of the sender's clock; a small one is the network's, and left alone. */
function clockDrift(receivedAt: number, sentAt: unknown): number {
  const sent = parseTimestamp(sentAt)
  const drift = sent === null ? 0 : receivedAt - sent
  return Math.abs(drift) >= clockDriftMsMin ? drift : 0
}

/** Unsupported types are dropped whatever their size, and counted under a bounded name. */
function isTooLarge({ header, payload }: EnvelopeItem): boolean {
  return isHandledItemType(header.type) && payload.length > itemTypeFacts(header.type).bytesMax
}

function tooLarge({ header, payload }: EnvelopeItem): ProcessedItem {
  const { bytesMax } = itemTypeFacts(header.type)
  const detail = `The item has ${payload.length} bytes; ${bytesMax} are allowed.`
  return refusedItem(header.type, itemRefusal(refuse('too_large', detail)))
}

function beyondCount({ header }: EnvelopeItem): ProcessedItem {
  const { countMax } = itemTypeFacts(header.type)
  const type = isHandledItemType(header.type) ? header.type : 'other'
  const detail = `An envelope may hold ${countMax} items of this type.`
  return refusedItem(type, itemRefusal(refuse('too_many_items', detail)))
}
