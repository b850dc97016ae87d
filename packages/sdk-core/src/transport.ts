import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { categoryOf, countsOf } from './envelope.ts'
import type { Counts, OutgoingItem } from './envelope.ts'
import { guard } from './guard.ts'
import { keepaliveBytesMax, keepaliveRequestsMax, requestsMax } from './limits.ts'
import { updateRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * The fate of an envelope. `status` is that of the HTTP answer, 0 without one: then `reason` says
 * why. A parked envelope waits in the offline queue.
 */
export interface Answer {
  readonly status: number
  readonly reason?: 'network_error' | 'ratelimit_backoff' | 'queue_overflow' | 'parked'
}

/** Says whether an envelope arrived, or will: a parked one is sent when the network is back. */
export function isTaken({ status, reason }: Answer): boolean {
  return reason === 'parked' || (status >= 200 && status < 300)
}

/** Takes an envelope that could not be sent; false when it has no room either. */
export type Park = (bytes: Uint8Array<ArrayBuffer>, items: readonly OutgoingItem[]) => boolean

export interface Transport {
  /** Undefined unless there is an offline queue. */
  park?: Park
  /** Keep-alive bytes still free, besides those in flight. */
  readonly keepaliveLeft: number
  isRateLimited(category: string): boolean
  /**
   * Sends items that are not rate-limited; attachments never travel without their event. Dropped
   * items are counted, except for a 429, which the server counts. `isRetriedByCaller` keeps the
   * envelope out of the offline queue.
   */
  send(header: object, items: readonly OutgoingItem[], isRetriedByCaller?: boolean): Promise<Answer>
  /** Sends bytes as they are. */
  post(bytes: Uint8Array<ArrayBuffer>): Promise<Answer>
  /** Resolves when all requests now in flight have been answered; false after `timeoutMs`. */
  idle(timeoutMs: number): Promise<boolean>
}

/**
 * Creates the transport. `discard` counts dropped items. Requests use the page's own `fetch`, from
 * before ours wraps it: they leave no breadcrumbs.
 *
 * They have a content type, since some servers pass no body on without one, and frameworks guard
 * plain text against forms of other sites. On other origins any other needs a preflight request.
 */
export function createTransport(
  address: string,
  discard: (reason: string, counts: Counts) => void,
): Transport {
  const limits: RateLimits = new Map()
  const pending = new Set<Promise<unknown>>()
  const { fetch } = globalThis
  const contentType = address[0] === '/' ? 'application/x-sentry-envelope' : 'text/plain'
  let keepaliveBytes: number = keepaliveBytesMax

  async function request(body: Uint8Array<ArrayBuffer>, keepalive: boolean): Promise<Answer> {
    try {
      const response = await fetch(address, {
        method: 'POST',
        body,
        headers: { 'content-type': contentType },
        keepalive,
        referrerPolicy: 'strict-origin',
      })
      guard(() => updateRateLimits(limits, response, Date.now()))
      // Browsers count a request against the keep-alive bytes until its answer is read.
      await response.text().catch(() => {})
      return { status: response.status }
    } catch {
      return { status: 0, reason: 'network_error' }
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
      // A request outlives the page while the browser's budget for that allows.
      const held = bytes.length <= transport.keepaliveLeft ? bytes.length : 0
      keepaliveBytes -= held
      const answer = request(bytes, held > 0).finally(() => {
        keepaliveBytes += held
        pending.delete(answer)
      })
      pending.add(answer)
      return answer
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
        return { status, reason: 'parked' }
      }
      const lost = reason ?? (status >= 300 && status !== 429 && 'send_error')
      if (lost) for (const item of sent) discard(lost, countsOf(item))
      return answer
    },
    idle: (timeoutMs) => settled(pending, timeoutMs),
  }
  return transport
}

/** Waits for the requests; false when they take longer. */
function settled(pending: Iterable<Promise<unknown>>, timeoutMs: number): Promise<boolean> {
  return Promise.race([
    Promise.allSettled(pending).then(() => true),
    new Promise<boolean>((resolve) => setTimeout(resolve, timeoutMs, false)),
  ])
}
