import { categoryOf, encodeEnvelope } from './envelope.ts'
import type { OutgoingItem } from './envelope.ts'
import { keepaliveBytesMax, keepaliveRequestsMax, requestsMax } from './limits.ts'
import { guard } from './guard.ts'
import { isRateLimited, updateRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'

/**
 * What became of an envelope. `status` is that of the HTTP answer, 0 when there was none: then
 * `reason` says why. Parked envelopes wait in the offline queue.
 */
export interface Answer {
  readonly status: number
  readonly reason?:
    | 'network_error'
    | 'ratelimit_backoff'
    | 'queue_overflow'
    | 'parked'
    | 'discarded'
    | 'sample_rate'
}

/** Takes an envelope that could not be sent; false when it has no room either. */
export type Park = (bytes: Uint8Array, items: readonly OutgoingItem[]) => boolean

export interface Transport {
  /** Null unless there is an offline queue. */
  park: Park | null
  isRateLimited(category: string): boolean
  /** Sends what is not rate-limited. `isRetriedByCaller` keeps it out of the offline queue. */
  send(header: object, items: readonly OutgoingItem[], isRetriedByCaller?: boolean): Promise<Answer>
  /** Sends bytes as they are. */
  post(bytes: Uint8Array): Promise<Answer>
  /** Resolves when nothing is under way; false after `timeoutMs`. */
  idle(timeoutMs: number): Promise<boolean>
}

/** `discard` counts what is let go of. */
export function createTransport(
  address: string,
  discard: (reason: string, category: string, quantity?: number) => void,
): Transport {
  const limits: RateLimits = new Map()
  const pending = new Set<Promise<unknown>>()
  let keepaliveBytes = 0
  let keepaliveRequests = 0
  // The page's own fetch, before anything of ours wraps it: our requests leave no breadcrumbs.
  const { fetch } = globalThis

  function letGo(
    reason: NonNullable<Answer['reason']> | 'send_error',
    items: readonly OutgoingItem[],
  ): void {
    for (const { header, counts } of items) {
      for (const [category, quantity] of Object.entries(
        counts ?? { [categoryOf(header.type)]: 1 },
      )) {
        discard(reason, category, quantity)
      }
    }
  }

  async function request(bytes: Uint8Array): Promise<Answer> {
    const isKeptAlive =
      keepaliveBytes + bytes.length <= keepaliveBytesMax && keepaliveRequests < keepaliveRequestsMax
    if (isKeptAlive) {
      keepaliveBytes += bytes.length
      keepaliveRequests += 1
    }
    try {
      const response = await fetch(address, {
        method: 'POST',
        body: bytes as Uint8Array<ArrayBuffer>,
        keepalive: isKeptAlive,
        referrerPolicy: 'strict-origin',
      })
      guard(() => updateRateLimits(limits, response, Date.now()))
      return { status: response.status }
    } catch {
      return { status: 0, reason: 'network_error' }
    } finally {
      if (isKeptAlive) {
        keepaliveBytes -= bytes.length
        keepaliveRequests -= 1
      }
    }
  }

  function post(bytes: Uint8Array): Promise<Answer> {
    if (pending.size >= requestsMax) return Promise.resolve({ status: 0, reason: 'queue_overflow' })
    const answer = request(bytes)
    pending.add(answer)
    void answer.finally(() => pending.delete(answer))
    return answer
  }

  const transport: Transport = {
    park: null,
    post,
    isRateLimited: (category) => isRateLimited(limits, category, Date.now()),
    async send(header, items, isRetriedByCaller) {
      const sent = items.filter((item) => {
        const isWithheld = transport.isRateLimited(categoryOf(item.header.type))
        if (isWithheld) letGo('ratelimit_backoff', [item])
        return !isWithheld
      })
      if (sent.length === 0) return { status: 0, reason: 'ratelimit_backoff' }
      const bytes = encodeEnvelope(header, sent)
      const answer = await post(bytes)
      const { status, reason } = answer
      if (reason === 'network_error' && !isRetriedByCaller && transport.park?.(bytes, sent)) {
        return { status, reason: 'parked' }
      }
      // A server that refuses with 429 counts it itself.
      if (reason !== undefined) letGo(reason, sent)
      else if (status >= 300 && status !== 429) letGo('send_error', sent)
      return answer
    },
    async idle(timeoutMs) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const timeout = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), timeoutMs)
      })
      const done = Promise.allSettled(pending).then(() => true)
      const isIdle = await Promise.race([done, timeout])
      clearTimeout(timer)
      return isIdle
    },
  }
  return transport
}
