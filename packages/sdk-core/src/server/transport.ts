import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { formatDsn } from '@afterimage/protocol/dsn'
import type { Dsn } from '@afterimage/protocol/dsn'
import { categoryOf } from '../envelope.ts'
import type { OutgoingItem } from '../envelope.ts'
import type { SdkEvent } from '../event.ts'
import { updateRateLimits } from '../rate-limits.ts'
import type { RateLimits } from '../rate-limits.ts'
import { serverRequestsMax, serverSendMsMax } from './limits.ts'

/** The name and version by which a server side announces itself. */
export interface ServerSdk {
  readonly name: string
  readonly version: string
}

export interface ServerTransport {
  /**
   * Resolves to whether the server has the event. A loss is counted, and reported with the next
   * event.
   */
  send(event: SdkEvent): Promise<boolean>
  discard(reason: string, category?: string): void
}

/** Sends events of a server process. `server` is the address, where it is not the DSN's own host. */
export function createServerTransport(
  sdk: ServerSdk,
  dsn: Dsn,
  server = `${dsn.scheme}://${dsn.host}${dsn.path}`,
): ServerTransport {
  const address = `${server.replace(/\/+$/, '')}/api/${dsn.projectId}/envelope/`
  const limits: RateLimits = new Map()
  const { discard, takeReport } = createDiscards()
  /** Requests in flight by category: many transactions leave room for errors. */
  const requests = new Map<string, number>()

  function count(category: string, step: number): void {
    requests.set(category, (requests.get(category) ?? 0) + step)
  }

  async function post(event: SdkEvent, report: readonly OutgoingItem[]): Promise<Response> {
    const header = { event_id: event.event_id, sent_at: new Date(), sdk, dsn: formatDsn(dsn) }
    const item = {
      header: { type: event.type ?? 'event' },
      payload: JSON.stringify({ ...event, sdk }),
    }
    const response = await fetch(address, {
      method: 'POST',
      body: encodeEnvelope(header, [item, ...report]),
      headers: {
        'content-type': 'application/x-sentry-envelope',
        'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=${sdk.name}/${sdk.version}`,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(serverSendMsMax),
    })
    await response.arrayBuffer()
    return response
  }

  return {
    discard,
    async send(event) {
      const category = categoryOf(event.type ?? 'event')
      const isLimited = Math.max(limits.get('') ?? 0, limits.get(category) ?? 0) > Date.now()
      if (isLimited || (requests.get(category) ?? 0) >= serverRequestsMax) {
        discard(isLimited ? 'ratelimit_backoff' : 'queue_overflow', category)
        return false
      }
      const report = takeReport()
      count(category, 1)
      try {
        const response = await post(event, report.items)
        updateRateLimits(limits, response, Date.now())
        if (response.ok) return true
        report.restore()
        // The server itself counts what it refuses with 429.
        if (response.status !== 429) discard('send_error', category)
      } catch {
        report.restore()
        discard('network_error', category)
      } finally {
        count(category, -1)
      }
      return false
    },
  }
}

interface Discards {
  discard(reason: string, category?: string): void
  /**
   * Takes the discards since the last report as an item; `restore` puts them back when it was not
   * sent.
   */
  takeReport(): { readonly items: readonly OutgoingItem[]; readonly restore: () => void }
}

function createDiscards(): Discards {
  /** Quantities by `reason:category`. */
  const counts = new Map<string, number>()
  function add(key: string, quantity: number): void {
    counts.set(key, (counts.get(key) ?? 0) + quantity)
  }
  return {
    discard: (reason, category = 'error') => add(`${reason}:${category}`, 1),
    takeReport() {
      const told = [...counts]
      counts.clear()
      const discarded_events = told.map(([key, quantity]) => {
        const [reason, category] = key.split(':')
        return { reason, category, quantity }
      })
      const payload = JSON.stringify({ timestamp: Date.now() / 1000, discarded_events })
      return {
        items: told.length === 0 ? [] : [{ header: { type: 'client_report' }, payload }],
        restore: () => told.forEach(([key, quantity]) => add(key, quantity)),
      }
    },
  }
}
