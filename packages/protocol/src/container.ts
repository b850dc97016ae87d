import type { EnvelopeItem, ItemHeader } from './envelope.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject } from './json.ts'
import { containerItemsMax } from './limits.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/** Item types that can hold many things of one kind, with the content types that say so. */
export const containerContentTypes = {
  log: ['application/vnd.sentry.items.log+json'],
  trace_metric: [
    'application/vnd.sentry.items.trace-metric+json',
    'application/vnd.sentry.items.trace_metric+json',
  ],
  span: ['application/vnd.sentry.items.span.v2+json'],
} as const

export type ContainerType = keyof typeof containerContentTypes

export interface Container {
  /** Not looked at yet; at most as many as were asked for. */
  readonly items: readonly unknown[]
  /** Items beyond those. */
  readonly surplus: number
  /** `ingest_settings`: what the server may add about the sender. Only browsers send them. */
  readonly settings: JsonObject | null
}

/** The payload of a container as it is written. */
export interface ContainerPayload<Item> {
  readonly version?: 2
  readonly ingest_settings?: {
    readonly infer_ip: 'auto' | 'never'
    readonly infer_user_agent: 'auto' | 'never'
  }
  readonly items: readonly Item[]
}

/**
 * Whether an item is a container: by its content type, or, where a writer left that out, by its
 * `item_count`. A `span` item without either is one bare span.
 */
export function isContainer(item: EnvelopeItem): boolean {
  const { type, content_type: contentType, item_count: itemCount } = item.header
  if (type === 'log' || type === 'trace_metric' || type === 'metric') return true
  if (type !== 'span') return false
  const plain = contentType?.split(';', 1)[0]?.trim().toLowerCase()
  return itemCount !== undefined || containerContentTypes.span.some((known) => known === plain)
}

/**
 * Opens a container: `{items: […]}`, or a bare list as the first SDKs with logs sent it. A count in the
 * item's header must be the number of items: a container that was cut short on its way is refused whole.
 * @see protocol 2.3, 2.5
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
