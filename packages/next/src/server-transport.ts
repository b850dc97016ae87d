import { encodeEnvelope } from '@afterimage/browser/envelope'
import type { OutgoingItem } from '@afterimage/browser/envelope'
import type { SdkEvent } from '@afterimage/browser'
import { updateRateLimits } from '@afterimage/browser/rate-limits'
import type { RateLimits } from '@afterimage/browser/rate-limits'
import { formatDsn } from '@afterimage/protocol/dsn'
import type { Dsn } from '@afterimage/protocol/dsn'
import { serverRequestsMax, serverSendMsMax } from './limits.ts'

export const sdk = { name: 'afterimage.javascript.next', version: '0.1.0' }

export interface ServerTransport {
  /** Whether the server has it. What is not sent is counted, and told with the next event that is. */
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
  const discards = new Map<string, number>()
  let requests = 0

  function discard(reason: string, quantity = 1): void {
    discards.set(reason, (discards.get(reason) ?? 0) + quantity)
  }

  /** What was discarded so far; it is counted anew when it cannot be told. */
  function takeReport(): { readonly items: OutgoingItem[]; readonly restore: () => void } {
    const told = [...discards]
    discards.clear()
    const discarded_events = told.map(([reason, quantity]) => ({
      reason,
      category: 'error',
      quantity,
    }))
    const payload = JSON.stringify({ timestamp: Date.now() / 1000, discarded_events })
    return {
      items: told.length === 0 ? [] : [{ header: { type: 'client_report' }, payload }],
      restore: () => told.forEach(([reason, quantity]) => discard(reason, quantity)),
    }
  }

  return {
    discard,
    async send(event) {
      if (Math.max(limits.get('') ?? 0, limits.get('error') ?? 0) > Date.now()) {
        discard('ratelimit_backoff')
        return false
      }
      if (requests >= serverRequestsMax) {
        discard('queue_overflow')
        return false
      }
      const report = takeReport()
      requests += 1
      try {
        const header = {
          event_id: event.event_id,
          sent_at: new Date(),
          sdk,
          dsn: formatDsn(dsn),
        }
        const payload = JSON.stringify({ ...event, sdk })
        const items = [{ header: { type: 'event' }, payload }, ...report.items]
        const response = await fetch(address, {
          method: 'POST',
          body: encodeEnvelope(header, items) as Uint8Array<ArrayBuffer>,
          headers: {
            'content-type': 'application/x-sentry-envelope',
            'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${dsn.publicKey}, sentry_client=${sdk.name}/${sdk.version}`,
          },
          redirect: 'manual',
          signal: AbortSignal.timeout(serverSendMsMax),
        })
        await response.arrayBuffer()
        updateRateLimits(limits, response, Date.now())
        if (response.ok) return true
        report.restore()
        // What is refused with 429 the server counts itself.
        if (response.status !== 429) discard('send_error')
        return false
      } catch {
        report.restore()
        discard('network_error')
        return false
      } finally {
        requests -= 1
      }
    },
  }
}
