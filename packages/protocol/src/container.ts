import type { EnvelopeItem } from './envelope.ts'
import { decodeJsonObject, isJsonObject } from './json.ts'
import { containerItemsMax } from './limits.ts'
import { isRefusal, refuse } from './outcome.ts'
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

/** What the server may add about the sender. `never` unless the application allowed it. */
export interface IngestSettings {
  readonly inferIp: 'auto' | 'never'
  readonly inferUserAgent: 'auto' | 'never'
}

export interface Container {
  /** Null in containers of older SDKs, which have no version. */
  readonly version: number | null
  readonly settings: IngestSettings
  /** Not looked at yet. */
  readonly items: readonly unknown[]
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
 * Opens a container. `item_count`, where given, must be the number of items: a container that was
 * cut short on its way is refused as a whole.
 */
export function decodeContainer(item: EnvelopeItem): Container | Refusal {
  const payload = decodeJsonObject(item.payload)
  if (isRefusal(payload)) return payload
  const { version, items, ingest_settings: settings } = payload
  if (!Array.isArray(items)) return refuse('missing_field', 'container has no list of items')
  const stated = item.header.item_count ?? items.length
  if (stated !== items.length) {
    const text = `container states ${stated} items and has ${items.length}`
    return refuse('item_count_mismatch', text)
  }
  if (items.length > containerItemsMax) {
    return refuse('too_large', `container has more than ${containerItemsMax} items`)
  }
  const permissions = isJsonObject(settings) ? settings : {}
  return {
    version: typeof version === 'number' ? version : null,
    settings: {
      inferIp: permissions['infer_ip'] === 'auto' ? 'auto' : 'never',
      inferUserAgent: permissions['infer_user_agent'] === 'auto' ? 'auto' : 'never',
    },
    items: items as unknown[],
  }
}
