import type { EnvelopeItem, ItemHeader } from './envelope.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import { containerItemsMax } from './limits.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/** Content type of a container of spans; logs and metrics always come in containers. */
const spanContentType = 'application/vnd.sentry.items.span.v2+json'

export interface Container {
  /** Not looked at yet; at most as many as were asked for. */
  readonly items: readonly unknown[]
  /** Items beyond those. */
  readonly surplus: number
  /** `ingest_settings`: data that the server may add about the sender. Only browsers send them. */
  readonly settings: JsonObject | null
}

/**
 * Says whether an item is a container: by its content type, or, where the writer left that out, by
 * its `item_count`. A `span` item without either is one bare span.
 */
export function isContainer(item: EnvelopeItem): boolean {
  const { type, content_type: contentType, item_count: itemCount } = item.header
  if (type === 'log' || type === 'trace_metric' || type === 'metric') return true
  if (type !== 'span') return false
  const plain = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return itemCount !== undefined || plain === spanContentType
}

/**
 * Opens a container: `{items: […]}`, or a bare list as the first SDKs with logs sent it. A count in the
 * item's header must be the number of items: a container that was cut short on its way is refused whole.
 */
export function readContainer(
  payload: unknown,
  { item_count: stated }: ItemHeader,
  itemsMax: number = containerItemsMax,
): Container | Refusal {
  const items: unknown = isJsonObject(payload) ? payload['items'] : payload
  if (!Array.isArray(items)) return refuse('invalid_payload', 'container has no list of items')
  if (stated !== undefined && stated !== items.length) {
    const text = `container states ${stated} items and has ${items.length}`
    return refuse('item_count_mismatch', text)
  }
  const settings = isJsonObject(payload) ? payload['ingest_settings'] : null
  return {
    items: items.slice(0, itemsMax) as unknown[],
    surplus: Math.max(0, items.length - itemsMax),
    settings: isJsonObject(settings) ? settings : null,
  }
}
