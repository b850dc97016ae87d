import type { Client } from '@afterimage/sdk-core/client'
import type { Scope } from '@afterimage/sdk-core/scope'
import { isTaken } from '@afterimage/sdk-core/transport'
import type { Answer } from '@afterimage/sdk-core/transport'
import { keepText, newChunk } from './buffer.ts'
import type { Chunk } from './buffer.ts'
import { lastBodyBytesMax, listedMax, retryWaitsMs } from './limits.ts'
import { segmentOf } from './segment.ts'
import type { Segment } from './segment.ts'
import type { Session } from './session.ts'
import type { StopReason } from './state.ts'

export type SendingClient = Pick<Client, 'options' | 'send' | 'discard'> & {
  readonly transport: Pick<Client['transport'], 'isRateLimited' | 'keepaliveLeft'>
}

/** Sends the segments of one session, one after the other and in order. */
export class Outbox {
  readonly session: Session
  /** Ids for the next segment that is made. */
  readonly errorIds: string[] = []
  readonly traceIds: string[] = []
  readonly #client: SendingClient
  readonly #getScope: () => Scope
  readonly #fail: (reason: StopReason) => void
  readonly #queue: Chunk[] = []
  #isPumping = false

  /** `fail` is told why nothing more will be sent. */
  constructor(
    client: SendingClient,
    getScope: () => Scope,
    session: Session,
    fail: (reason: StopReason) => void,
  ) {
    this.#client = client
    this.#getScope = getScope
    this.session = session
    this.#fail = fail
  }

  /** Of all that waits, in characters of JSON. */
  get characters(): number {
    return this.#queue.reduce((sum, chunk) => sum + chunk.characters, 0)
  }

  push(chunks: readonly Chunk[]): void {
    this.#queue.push(...chunks)
    void this.#pump()
  }

  /** Remembers an id for the next segment. */
  note(list: 'errorIds' | 'traceIds', id: string | undefined): void {
    const ids = this[list]
    if (id && ids.length < listedMax && !ids.includes(id)) ids.push(id)
  }

  /**
   * The page may be going away: sends at once what browsers finish for a page that is gone, the
   * oldest first. What is larger is split; the rest stays, and so does what is left when their
   * allowance is used up.
   */
  hide(): void {
    if (isOffline()) return
    for (const chunk of this.#queue.splice(0)) {
      // What a server may know stays whole.
      const isTried = chunk.answer || chunk.isUnsure
      const parts = isTried ? [chunk] : split(chunk, this.#make(chunk).bytes, this.#bytesLeft)
      for (const part of parts) {
        this.#queue.push(part)
        if (this.#make(part).bytes > this.#bytesLeft) continue
        void this.#post(part).then(() => this.#pump())
      }
    }
  }

  /**
   * What no browser will finish, and what comes `after` it: the next page's to send. The page must
   * be gone after this.
   */
  takeUnsent(after: readonly Chunk[]): Chunk[] {
    const unsent = this.#queue
      .splice(0)
      .filter((chunk) => !chunk.answer || chunk.isUnsure)
      .concat(after)
    this.#nameIds(unsent.at(-1))
    return unsent
  }

  /** What may still be sent by a page that goes. */
  get #bytesLeft(): number {
    return Math.min(lastBodyBytesMax, this.#client.transport.keepaliveLeft)
  }

  async #pump(): Promise<void> {
    if (this.#isPumping) return
    this.#isPumping = true
    for (let chunk: Chunk | undefined; (chunk = this.#queue[0]);) {
      await chunk.ready
      await this.#deliver(chunk)
    }
    this.#isPumping = false
  }

  /**
   * Sends a chunk, again where there was no answer at all. A browser that knows it is offline
   * waits for the network, and a failure then does not count as an attempt.
   */
  async #deliver(chunk: Chunk): Promise<void> {
    for (let attempt = 0; ;) {
      if (isOffline()) {
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
      }
      if (!this.#queue.includes(chunk)) return
      const answer = await this.#post(chunk)
      if (!isUnanswered(answer)) return
      if (isOffline()) continue
      const waitMs = retryWaitsMs[attempt++]
      if (!waitMs) return this.#settle(chunk, answer)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  /** Sends it, unless it is in flight. */
  #post(chunk: Chunk): Promise<Answer> {
    const { items, bytes } = this.#make(chunk)
    if (bytes > this.#client.transport.keepaliveLeft) chunk.isUnsure ||= !chunk.answer
    return (chunk.answer ??= this.#client
      .send(items, { event_id: this.session.id }, true)
      // At once: whoever looks next must find it either in flight or done with.
      .then((answer) => {
        chunk.answer = undefined
        if (isUnanswered(answer)) chunk.isUnsure = true
        else this.#settle(chunk, answer)
        return answer
      }))
  }

  /** An answer, or none after all attempts. */
  #settle(chunk: Chunk, answer: Answer): void {
    const { status, reason } = answer
    const index = this.#queue.indexOf(chunk)
    if (index < 0) return
    const isArrived = isTaken(answer)
    // A server that refuses with 429 counts what it refused.
    if (isArrived || status === 429) this.#queue.splice(index, 1)
    const isLimited = status === 429 || this.#client.transport.isRateLimited('replay')
    if (isArrived && !isLimited) return
    const replay = this.#queue.splice(0).length
    if (replay) {
      this.#client.discard(reason ?? (isLimited ? 'ratelimit_backoff' : 'send_error'), { replay })
    }
    this.#fail(isLimited ? 'rateLimited' : 'sendError')
  }

  /** The ids that were noted since the last segment are this one's. */
  #nameIds(chunk: Chunk | undefined): void {
    chunk?.errorIds.push(...this.errorIds.splice(0))
    chunk?.traceIds.push(...this.traceIds.splice(0))
  }

  #make(chunk: Chunk): Segment {
    if (!chunk.made) this.#nameIds(chunk)
    return (chunk.made ??= segmentOf(this.#client, this.#getScope(), this.session, chunk))
  }
}

/**
 * A chunk that is not compressed yet, in parts: the first of at most `bytesLeft`, the others of what
 * a page can send as it goes. `bytes` is what all of it takes. One event stays what it is.
 */
function split(chunk: Chunk, bytes: number, bytesLeft: number): Chunk[] {
  const sizes = (chunk.texts ?? []).map((text) => new Blob([text]).size + 1)
  const around = sizes.reduce((sum, size) => sum - size, bytes)
  let left = bytesLeft - around
  if (bytes <= bytesLeft || !(sizes[0]! <= left)) return [chunk]
  // What was said of the chunk, its number included, is said of the first part.
  let part: Chunk = { ...chunk, texts: [], characters: 0, ready: undefined, made: undefined }
  const parts = [part]
  for (const [index, size] of sizes.entries()) {
    if (size > left && part.characters) {
      part = { ...newChunk(chunk.fromMs, []), toMs: chunk.toMs }
      parts.push(part)
      left = lastBodyBytesMax - around
    }
    keepText(part, chunk.texts![index]!)
    left -= size
  }
  return parts
}

/** Only where the browser says so: it may be wrong when it says that there is a network. */
function isOffline(): boolean {
  return !navigator.onLine
}

/** Nobody answered: it may have come, and may be tried again. */
export function isUnanswered({ status, reason }: Answer): boolean {
  return status === 0 && reason !== 'ratelimit_backoff'
}
