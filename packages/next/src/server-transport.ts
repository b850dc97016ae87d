import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import type { OutgoingItem } from '@afterimage/sdk-core/envelope'
import type { SdkEvent } from '@afterimage/browser'
import { updateRateLimits } from '@afterimage/sdk-core/rate-limits'
import type { RateLimits } from '@afterimage/sdk-core/rate-limits'
import { formatDsn } from '@afterimage/protocol/dsn'
import type { Dsn } from '@afterimage/protocol/dsn'
import { serverRequestsMax, serverSendMsMax } from './limits.ts'

export const sdk = { name: 'afterimage.javascript.next', version: '0.1.0' }

export interface ServerTransport {
  /**
   * Resolves to whether the server has the event. A loss is counted, and reported with the next
   * event.
   */
  send(event: SdkEvent): Promise<boolean>
  discard(reason: string): void
}

/** Sends events of a server process. `server` is the address, where it is not the DSN's own host. */
export function createServerTransport(
  dsn: Dsn,
  server = `${dsn.scheme}://${dsn.host}${dsn.path}`,
): ServerTransport {
  const address = `${server.replace(/\/+$/, '')}/api/${dsn.projectId}/envelope/`
  const limits: RateLimits = new Map()
  const { discard, takeReport } = createDiscards()
  let requests = 0

  async function post(event: SdkEvent, report: readonly OutgoingItem[]): Promise<Response> {
    const header = { event_id: event.event_id, sent_at: new Date(), sdk, dsn: formatDsn(dsn) }
    const payload = JSON.stringify({ ...event, sdk })
    const response = await fetch(address, {
      method: 'POST',
      body: encodeEnvelope(header, [{ header: { type: 'event' }, payload }, ...report]),
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
      const isLimited = Math.max(limits.get('') ?? 0, limits.get('error') ?? 0) > Date.now()
      if (isLimited || requests >= serverRequestsMax) {
        discard(isLimited ? 'ratelimit_backoff' : 'queue_overflow')
        return false
      }
      const report = takeReport()
      requests += 1
      try {
        const response = await post(event, report.items)
        updateRateLimits(limits, response, Date.now())
        if (response.ok) return true
        report.restore()
        // The server itself counts what it refuses with 429.
        if (response.status !== 429) discard('send_error')
      } catch {
        report.restore()
        discard('network_error')
      } finally {
        requests -= 1
      }
      return false
    },
  }
}

interface Discards {
  discard(reason: string): void
  /**
   * Takes the discards since the last report as an item; `restore` puts them back when it was not
   * sent.
   */
  takeReport(): { readonly items: readonly OutgoingItem[]; readonly restore: () => void }
}

function createDiscards(): Discards {
  const counts = new Map<string, number>()
  function add(reason: string, quantity: number): void {
    counts.set(reason, (counts.get(reason) ?? 0) + quantity)
  }
  return {
    discard: (reason) => add(reason, 1),
    takeReport() {
      const told = [...counts]
      counts.clear()
      const discarded_events = told.map(([reason, quantity]) => ({
        reason,
        category: 'error',
        quantity,
      }))
      const payload = JSON.stringify({ timestamp: Date.now() / 1000, discarded_events })
      return {
        items: told.length === 0 ? [] : [{ header: { type: 'client_report' }, payload }],
        restore: () => told.forEach(([reason, quantity]) => add(reason, quantity)),
      }
    },
  }
}
