import { getClient } from '@afterimage/sdk-core/api'
import type { Client } from '@afterimage/sdk-core/client'
import { guard } from '@afterimage/sdk-core/guard'
import type { Integration } from '@afterimage/sdk-core/integration'
import { listen } from '@afterimage/sdk-core/listen'
import { getScope } from '@afterimage/sdk-core/scope'
import { sdk } from '@afterimage/sdk-core/version'
import { batchCharactersMax, batchMs } from './limits.ts'
import { typedAttributes } from './typed-attributes.ts'

/** A log or a metric, as its `before…` hook may change it; without references to the page's objects. */
export interface Entry {
  attributes?: Record<string, unknown>
}

/** The names of one kind of entries on the wire, and how many of them make a batch. */
interface BatchKind {
  readonly itemType: string
  readonly contentType: string
  /** Data category under which entries are counted and limited. */
  readonly category: string
  readonly entriesMax: number
}

export interface EntryKind<T extends Entry> extends BatchKind {
  /** The integration's name. */
  readonly name: string
  readonly before?: ((entry: T) => T | null) | undefined
  /** Returns the members of an entry that only its kind has; null when it is not valid. */
  write(entry: T): object | null
}

export interface BatchIntegration<T extends Entry> extends Integration {
  capture(entry: T): void
}

interface Batch {
  /** Takes an entry as JSON. */
  add(entry: string): void
  flush(): void
}

/**
 * Creates an integration that sends entries in batches: when one is full, after `batchMs`, at
 * `flush`, and when the page is hidden or left.
 */
export function batchIntegration<T extends Entry>(kind: EntryKind<T>): BatchIntegration<T> {
  let client: Client | null = null
  let batch: Batch | null = null
  let sequence = 0

  function serialize(entry: T, { trace }: Client): string | null {
    const own = kind.write(entry)
    const { trace_id, span_id } = trace().context
    const attributes = { 'sentry.timestamp.sequence': sequence++, ...entry.attributes }
    return (
      own &&
      JSON.stringify({
        timestamp: Date.now() / 1000,
        trace_id,
        span_id,
        ...own,
        attributes: typedAttributes(attributes),
      })
    )
  }

  return {
    name: kind.name,
    setup(started) {
      const own = createBatch(started, kind)
      client = started
      batch = own
      return [
        listen(document, 'visibilitychange', () => {
          if (document.visibilityState === 'hidden') own.flush()
        }),
        listen(window, 'pagehide', own.flush),
      ]
    },
    flush: () => batch?.flush(),
    capture(given) {
      if (!client) return
      const lose = (reason: string): void => client?.discard(reason, { [kind.category]: 1 })
      const attributes = { ...senderOf(client), ...given.attributes }
      let entry: T | null = { ...given, attributes }
      try {
        if (kind.before) entry = kind.before(entry)
      } catch {
        return lose('callback_error')
      }
      if (!entry) return lose('before_send')
      const text = serialize(entry, client)
      if (text) batch?.add(text)
      else lose('invalid')
    },
  }
}

/** Hands an entry to the running client's integration of this name; without one it is dropped. */
export function captureEntry<T extends Entry>(name: string, entry: () => T): void {
  guard(() => {
    const found = getClient()?.integrations.find((it) => it.name === name)
    ;(found as BatchIntegration<T> | undefined)?.capture(entry())
  })
}

function createBatch(
  client: Client,
  { itemType, contentType, category, entriesMax }: BatchKind,
): Batch {
  let entries: string[] = []
  let characters = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!entries[0]) return
    const counts = { [category]: entries.length }
    const header = { type: itemType, item_count: entries.length, content_type: contentType }
    const settings = '{"infer_ip":"never","infer_user_agent":"auto"}'
    const payload = `{"version":2,"ingest_settings":${settings},"items":[${entries.join()}]}`
    entries = []
    characters = 0
    // The transport knows limits of items by their type, which is not the category here.
    if (client.transport.isRateLimited(category)) client.discard('ratelimit_backoff', counts)
    // Kept out of the offline queue, where a page that logs would leave no room for errors.
    else void client.send([{ header, payload, counts }], {}, true)
  }

  return {
    flush,
    add(entry) {
      if (characters + entry.length > batchCharactersMax) flush()
      entries.push(entry)
      characters += entry.length
      if (entries.length >= entriesMax) flush()
      else timer ??= setTimeout(flush, batchMs)
    },
  }
}

/** Returns the attributes that say who sends; undefined ones are not sent. */
function senderOf({ options, trace }: Client): Record<string, unknown> {
  const { id, email, username } = getScope().data.user ?? {}
  return {
    'user.id': id,
    'user.email': email,
    'user.name': username,
    'sentry.release': options.release,
    'sentry.environment': options.environment,
    'sentry.sdk.name': sdk.name,
    'sentry.sdk.version': sdk.version,
    'sentry.replay_id': trace().sampling.replay_id,
  }
}
