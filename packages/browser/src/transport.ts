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
  isRateLimited(category: string): boolean
  /** Sends what is not rate-limited. `isRetriedByCaller` keeps it out of the offline queue. */
  send(header: object, items: readonly OutgoingItem[], isRetriedByCaller?: boolean): Promise<Answer>
  /** Sends bytes as they are. */
  post(bytes: Uint8Array): Promise<Answer>
  /** Resolves when what is under way now has been answered; false after `timeoutMs`. */
  idle(timeoutMs: number): Promise<boolean>
}

/** `discard` counts what is let go of. */
export function createTransport(
  address: string,
  discard: (reason: string, counts: Counts) => void,
): Transport {
  const limits: RateLimits = new Map()
  const pending = new Set<Promise<unknown>>()
  const request = createRequest(address, limits)

  const transport: Transport = {
    isRateLimited: (category) =>
      ['', category].some((key) => (limits.get(key) as number) > Date.now()),
    async post(bytes) {
      if (pending.size >= requestsMax) return { status: 0, reason: 'queue_overflow' }
      const answer = request(bytes)
      pending.add(answer)
      await answer
      pending.delete(answer)
      return answer
    },
    async send(header, items, isRetriedByCaller) {
      const isLimited = (item: OutgoingItem): boolean =>
        transport.isRateLimited(categoryOf(item.header.type))
      const sent = items.filter((item) => {
        // Attachments never travel without the event they belong to.
        const isWithheld = isLimited(item) || isLimited(items[0] ?? item)
        if (isWithheld) discard('ratelimit_backoff', countsOf(item))
        return !isWithheld
      })
      if (sent.length === 0) return { status: 0, reason: 'ratelimit_backoff' }
      const bytes = encodeEnvelope(header, sent)
      const answer = await transport.post(bytes)
      const { status, reason } = answer
      if (reason === 'network_error' && !isRetriedByCaller && transport.park?.(bytes, sent)) {
        return { status, reason: 'parked' }
      }
      // What is refused with 429 the server counts itself.
      const lost = reason ?? (status >= 300 && status !== 429 ? 'send_error' : null)
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

/** One request, which outlives the page while the browser's budget for that allows. */
function createRequest(
  address: string,
  limits: RateLimits,
): (bytes: Uint8Array) => Promise<Answer> {
  let keepaliveBytes = 0
  let keepaliveRequests = 0
  // The page's own fetch, before anything of ours wraps it: our requests leave no breadcrumbs.
  const { fetch } = globalThis

  return async (bytes) => {
    const keepalive =
      keepaliveBytes + bytes.length <= keepaliveBytesMax && keepaliveRequests < keepaliveRequestsMax
    const held = keepalive ? bytes.length : 0
    keepaliveBytes += held
    keepaliveRequests += Number(keepalive)
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: bytes as Uint8Array<ArrayBuffer>,
        keepalive,
        referrerPolicy: 'strict-origin',
      })
      guard(() => updateRateLimits(limits, response, Date.now()))
      return { status: response.status }
    } catch {
      return { status: 0, reason: 'network_error' }
    } finally {
      keepaliveBytes -= held
      keepaliveRequests -= Number(keepalive)
    }
  }
}
