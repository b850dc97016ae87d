import { decodeJsonObject } from '@afterimage/protocol/json'
import { isRefusal } from '@afterimage/protocol/outcome'
import { isContainer } from '@afterimage/protocol/container'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemRefusal } from '../container.ts'
import { asList, memberOf } from '../fields.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { processSpanContainer } from './container.ts'
import { processStandaloneSpan } from './standalone.ts'

/**
 * Items of type `span` have two formats that share the name: one span alone (SDKs 7 to 10), and a
 * container of streamed spans (SDK 11), told apart by content type.
 */
export function processSpan(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const payload = decodeJsonObject(item.payload)
  if (isRefusal(payload)) return refusedItem('span', itemRefusal(payload))
  const isMany = isContainer(item) || Array.isArray(payload['items'])
  const result = isMany
    ? processSpanContainer(payload, item.header, context)
    : processStandaloneSpan(payload, context)
  if (!isRefusal(result)) return result
  const quantity = Math.max(1, asList(memberOf(payload, 'items')).length)
  return refusedItem('span', itemRefusal(result), quantity)
}
