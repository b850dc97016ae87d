import type { Client } from '@afterimage/sdk-core/client'
import type { Scope } from '@afterimage/sdk-core/scope'
import { isTaken } from '@afterimage/sdk-core/transport'
import type { Answer } from '@afterimage/sdk-core/transport'
import { charactersOf, keepText, newChunk } from './buffer.ts'
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

  /** `fail` is called with the reason when nothing more will be sent. */
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

  /** Total length of the waiting chunks, in characters of JSON. */
  get characters(): number {
    return charactersOf(this.#queue)
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
   * Sends at once, oldest first, what browsers still deliver for a page that may be leaving. A
   * larger chunk is split, and the rest waits for the next page or the next request.
   */
  hide(): void {
    if (!navigator.onLine) return
    for (const chunk of this.#queue.splice(0)) {
      // A segment that may have reached the server is not split.
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
   * Takes out the chunks that no browser will deliver, and `after` behind them, for the next page
   * to send. The page must be gone afterwards.
   */
  takeUnsent(after: readonly Chunk[]): Chunk[] {
    const unsent = this.#queue
      .splice(0)
      .filter((chunk) => !chunk.answer || chunk.isUnsure)
      .concat(after)
    this.#nameIds(unsent.at(-1))
    return unsent
  }

  /** Bytes that a page being left may still send. */
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
   * Sends a chunk, and retries it when there is no answer. An offline browser waits for the
   * network, and a failure then does not count as an attempt.
   */
  async #deliver(chunk: Chunk): Promise<void> {
    for (let attempt = 0; ;) {
      // Trusts the browser when it says offline; when it says online it may be wrong.
      if (!navigator.onLine) {
        await new Promise((resolve) => addEventListener('online', resolve, { once: true }))
      }
      if (!this.#queue.includes(chunk)) return
      const answer = await this.#post(chunk)
      if (!isUnanswered(answer)) return
      if (!navigator.onLine) continue
      const waitMs = retryWaitsMs[attempt++]
      if (!waitMs) return this.#settle(chunk, answer)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  /** Sends the chunk, unless it is already in flight. */
  #post(chunk: Chunk): Promise<Answer> {
    const { items, bytes } = this.#make(chunk)
    if (bytes > this.#client.transport.keepaliveLeft) chunk.isUnsure ||= !chunk.answer
    return (chunk.answer ??= this.#client
      .send(items, { event_id: this.session.id }, true)
      // In the same microtask: a chunk must be seen either in flight or settled.
      .then((answer) => {
        chunk.answer = undefined
        if (isUnanswered(answer)) chunk.isUnsure = true
        else this.#settle(chunk, answer)
        return answer
      }))
  }

  /** Handles an answer, or the lack of one after all attempts. */
  #settle(chunk: Chunk, answer: Answer): void {
    const { status, reason } = answer
    const index = this.#queue.indexOf(chunk)
    if (index < 0) return
    const isArrived = isTaken(answer)
    // The server counts what it refuses with 429.
    if (isArrived || status === 429) this.#queue.splice(index, 1)
    const isLimited = status === 429 || this.#client.transport.isRateLimited('replay')
    if (isArrived && !isLimited) return
    const replay = this.#queue.splice(0).length
    if (replay) {
      this.#client.discard(reason ?? (isLimited ? 'ratelimit_backoff' : 'send_error'), { replay })
    }
    this.#fail(isLimited ? 'rateLimited' : 'sendError')
  }

  /** Gives a chunk the ids noted since the last segment. */
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
 * Splits a chunk that is not compressed yet: the first part has at most `bytesLeft`, the others as
 * much as a page being left can send. `bytes` is the size of the whole; a single event is never
 * split.
 */
function split(chunk: Chunk, bytes: number, bytesLeft: number): Chunk[] {
  const sizes = (chunk.texts ?? []).map((text) => new Blob([text]).size + 1)
  const around = sizes.reduce((sum, size) => sum - size, bytes)
  let left = bytesLeft - around
  if (bytes <= bytesLeft || !(sizes[0]! <= left)) return [chunk]
  // The first part keeps the chunk's ids, addresses and number.
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

/** Says that no answer came: the segment may have arrived, and may be retried. */
export function isUnanswered({ status, reason }: Answer): boolean {
  return status === 0 && reason !== 'ratelimit_backoff'
}
