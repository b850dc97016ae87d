import type { Client } from '@afterimage/browser/client'
import { encodeEnvelope } from '@afterimage/browser/envelope'
import type { OutgoingItem } from '@afterimage/browser/envelope'
import type { Scope } from '@afterimage/browser/scope'
import type { Answer } from '@afterimage/browser/transport'
import { sdk } from '@afterimage/browser/version'
import { keepText, newChunk } from './buffer.ts'
import type { Chunk } from './buffer.ts'
import { lastBodyBytesMax, listedMax, retryWaitsMs } from './limits.ts'
import { segmentItems } from './segment.ts'
import type { Session } from './session.ts'
import type { StopReason } from './state.ts'

/** A segment as it is sent, and the bytes of its envelope with what the client adds to the header. */
interface Made {
  readonly items: readonly OutgoingItem[]
  readonly bytes: number
}

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
  /** What is on its way. */
  readonly #sending = new Map<Chunk, Promise<Answer>>()
  /**
   * What nobody answered before, and what the browser drops with the page: it may not arrive. Servers
   * take a segment once.
   */
  readonly #unsure = new WeakSet<Chunk>()
  readonly #made = new WeakMap<Chunk, Made>()
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
    for (const chunk of this.#queue.splice(0)) {
      // What a server may know stays whole.
      const isTried = this.#sending.has(chunk) || this.#unsure.has(chunk)
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
      .filter((chunk) => !this.#sending.has(chunk) || this.#unsure.has(chunk))
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

  /** Up to four requests (S24). Only where there was no answer at all is there another. */
  async #deliver(chunk: Chunk): Promise<void> {
    for (const waitMs of [...retryWaitsMs, null]) {
      if (!this.#queue.includes(chunk)) return
      const answer = await this.#post(chunk)
      if (!isUnanswered(answer) || waitMs === null) return this.#settle(chunk, answer)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  /** Sends it, unless it is on its way. */
  #post(chunk: Chunk): Promise<Answer> {
    let answer = this.#sending.get(chunk)
    if (answer === undefined) {
      const { items, bytes } = this.#make(chunk)
      if (bytes > this.#client.transport.keepaliveLeft) this.#unsure.add(chunk)
      answer = this.#client
        .send(items, { event_id: this.session.id }, true)
        // At once: whoever looks next must find it either under way or done with.
        .then((it) => {
          this.#sending.delete(chunk)
          if (isUnanswered(it)) this.#unsure.add(chunk)
          else this.#settle(chunk, it)
          return it
        })
      this.#sending.set(chunk, answer)
    }
    return answer
  }

  /** An answer, or none after all attempts. */
  #settle(chunk: Chunk, { status, reason }: Answer): void {
    const index = this.#queue.indexOf(chunk)
    if (index < 0) return
    const isTaken = status >= 200 && status < 300
    if (isTaken) this.#queue.splice(index, 1)
    const isLimited =
      status === 429 ||
      reason === 'ratelimit_backoff' ||
      this.#client.transport.isRateLimited('replay')
    if (isTaken && !isLimited) return
    // A server that refuses with 429 counts what it refused.
    if (status === 429) this.#queue.splice(index, 1)
    const lost = this.#queue.splice(0).length
    if (lost > 0) {
      this.#client.discard(reason ?? (isLimited ? 'ratelimit_backoff' : 'send_error'), {
        replay: lost,
      })
    }
    this.#fail(isLimited ? 'rateLimited' : 'sendError')
  }

  /** The ids that were noted since the last segment are this one's. */
  #nameIds(chunk: Chunk | undefined): void {
    chunk?.errorIds.push(...this.errorIds.splice(0))
    chunk?.traceIds.push(...this.traceIds.splice(0))
  }

  /** Made once, so that a retry is the same segment. */
  #make(chunk: Chunk): Made {
    let made = this.#made.get(chunk)
    if (made === undefined) {
      const { session } = this
      chunk.segmentId ??= session.segmentId++
      this.#nameIds(chunk)
      const items = segmentItems(this.#client, this.#getScope(), session, chunk)
      const { dsn } = this.#client.options
      const header = { event_id: session.id, sent_at: new Date(), sdk, dsn }
      made = { items, bytes: encodeEnvelope(header, items).length }
      this.#made.set(chunk, made)
    }
    return made
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
  let part: Chunk = { ...chunk, texts: [], characters: 0, ready: null }
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

/** Nobody answered: it may have come, and may be tried again. */
export function isUnanswered({ status, reason }: Answer): boolean {
  return status === 0 && reason !== 'ratelimit_backoff'
}
