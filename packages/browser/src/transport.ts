import { categoryOf, countsOf, encodeEnvelope } from './envelope.ts'
import type { Counts, OutgoingItem } from './envelope.ts'
import { guard } from './guard.ts'
import { keepaliveBytesMax, keepaliveRequestsMax, requestsMax } from './limits.ts'
import { updateRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * What became of an envelope. `status` is that of the HTTP answer, 0 when there was none: then
 * `reason` says why. A parked envelope waits in the offline queue.
 */
export interface Answer {
  readonly status: number
  readonly reason?: 'network_error' | 'ratelimit_backoff' | 'queue_overflow' | 'parked'
}

/** Takes an envelope that could not be sent; false when it has no room either. */
export type Park = (bytes: Uint8Array, items: readonly OutgoingItem[]) => boolean

export interface Transport {
  /** Undefined unless there is an offline queue. */
  park?: Park
  /** Bytes that may outlive the page now, beside those under way that already do. */
  readonly keepaliveLeft: number
  isRateLimited(category: string): boolean
  /**
   * Sends what is not rate-limited; attachments never travel without the event they belong to. What
   * is lost is counted, but for a 429, which the server counts itself. `isRetriedByCaller` keeps it
   * out of the offline queue.
   */
  send(header: object, items: readonly OutgoingItem[], isRetriedByCaller?: boolean): Promise<Answer>
  /** Sends bytes as they are. */
  post(bytes: Uint8Array): Promise<Answer>
  /** Resolves when what is under way now has been answered; false after `timeoutMs`. */
  idle(timeoutMs: number): Promise<boolean>
}

/**
 * `discard` counts what is let go of. Requests are made with the page's own `fetch`, before anything
 * of ours wraps it: they leave no breadcrumbs.
 */
export function createTransport(
  address: string,
  discard: (reason: string, counts: Counts) => void,
): Transport {
  const limits: RateLimits = new Map()
  const pending = new Set<Promise<unknown>>()
  const { fetch } = globalThis
  let keepaliveBytes: number = keepaliveBytesMax

  /** One request, which outlives the page while the browser's budget for that allows. */
  async function request(body: Uint8Array): Promise<Answer> {
    const held = body.length <= transport.keepaliveLeft ? body.length : 0
    keepaliveBytes -= held
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: body as Uint8Array<ArrayBuffer>,
        keepalive: held > 0,
        referrerPolicy: 'strict-origin',
      })
      guard(() => updateRateLimits(limits, response, Date.now()))
      // Until its answer is read, browsers count a request against what they keep alive.
      await response.text().catch(() => {})
      return { status: response.status }
    } catch {
      return { status: 0, reason: 'network_error' }
    } finally {
      keepaliveBytes += held
    }
  }

  const transport: Transport = {
    get keepaliveLeft() {
      return pending.size < keepaliveRequestsMax ? keepaliveBytes : 0
    },
    isRateLimited: (category) =>
      ['', category].some((key) => (limits.get(key) as number) > Date.now()),
    async post(bytes) {
      if (pending.size >= requestsMax) return { status: 0, reason: 'queue_overflow' }
      const answer = request(bytes)
      pending.add(answer)
      return answer.finally(() => pending.delete(answer))
    },
    async send(header, items, isRetriedByCaller) {
      const isLimited = (item: OutgoingItem): boolean =>
        transport.isRateLimited(categoryOf(item.header.type))
      const sent = items.filter((item) => {
        const isWithheld = isLimited(item) || isLimited(items[0]!)
        if (isWithheld) discard('ratelimit_backoff', countsOf(item))
        return !isWithheld
      })
      if (!sent[0]) return { status: 0, reason: 'ratelimit_backoff' }
      const bytes = encodeEnvelope(header, sent)
      const answer = await transport.post(bytes)
      const { status, reason } = answer
      if (reason === 'network_error' && !isRetriedByCaller && transport.park?.(bytes, sent)) {
        return { ...answer, reason: 'parked' }
      }
      const lost = reason ?? (status >= 300 && status !== 429 && 'send_error')
      if (lost) for (const item of sent) discard(lost, countsOf(item))
      return answer
    },
    idle: (timeoutMs) =>
      Promise.race([
        Promise.allSettled(pending).then(() => true),
        new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false)),
      ]),
  }
  return transport
}
