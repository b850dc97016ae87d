import type { Client } from '@afterimage/browser/client'
import type { OutgoingItem } from '@afterimage/browser/envelope'
import type { Scope } from '@afterimage/browser/scope'
import type { Answer } from '@afterimage/browser/transport'
import { keepText, newChunk } from './buffer.ts'
import type { Chunk } from './buffer.ts'
import { lastBodyBytesMax, listedMax, retryWaitsMs } from './limits.ts'
import { segmentItems } from './segment.ts'
import type { Session } from './session.ts'
import type { StopReason } from './state.ts'

export type SendingClient = Pick<Client, 'options' | 'send' | 'discard'> & {
  readonly transport: Pick<Client['transport'], 'isRateLimited'>
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
  #queue: Chunk[] = []
  /** What is on its way. */
  readonly #sending = new Map<Chunk, Promise<Answer>>()
  /** What nobody answered before: nobody may do so now. Servers take a segment once. */
  readonly #failed = new WeakSet<Chunk>()
  readonly #items = new WeakMap<Chunk, OutgoingItem[]>()
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
   * oldest first. What is larger stays, and so does what is left when their allowance is used up.
   */
  hide(): void {
    this.#queue = this.#queue.flatMap(split)
    let bytesLeft = lastBodyBytesMax
    // What is on its way already comes first: it has taken its part.
    for (const chunk of new Set([...this.#sending.keys(), ...this.#queue])) {
      const bytes = this.#sizeOf(chunk)
      if (bytes > bytesLeft) continue
      bytesLeft -= bytes
      void this.#post(chunk).then((answer) =>
        isUnanswered(answer) ? this.#pump() : this.#settle(chunk, answer),
      )
    }
  }

  /** What no browser will finish: the next page's to send. The page must be gone after this. */
  takeUnsent(): Chunk[] {
    const chunks = this.#queue.filter(
      (chunk) =>
        !this.#sending.has(chunk) ||
        this.#failed.has(chunk) ||
        this.#sizeOf(chunk) > lastBodyBytesMax,
    )
    this.#queue = []
    return chunks
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
      this.#failed.add(chunk)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }

  /** Sends it, unless it is on its way. */
  #post(chunk: Chunk): Promise<Answer> {
    let answer = this.#sending.get(chunk)
    if (answer === undefined) {
      const header = { event_id: this.session.id }
      answer = this.#client
        .send(this.#itemsOf(chunk), header, true)
        .catch((): Answer => ({ status: 0, reason: 'network_error' }))
        .finally(() => this.#sending.delete(chunk))
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
    const outcome = reason ?? (isLimited ? 'ratelimit_backoff' : 'send_error')
    if (lost > 0) this.#client.discard(outcome, { replay: lost })
    this.#fail(isLimited ? 'rateLimited' : 'sendError')
  }

  /** Bytes of an envelope, with what the client adds to its header. */
  #sizeOf(chunk: Chunk): number {
    return this.#itemsOf(chunk).reduce((sum, { payload }) => sum + payload.length + 100, 400)
  }

  /** Made once, so that a retry is the same segment. */
  #itemsOf(chunk: Chunk): OutgoingItem[] {
    let items = this.#items.get(chunk)
    if (items === undefined) {
      chunk.segmentId ??= this.session.segmentId++
      chunk.errorIds.push(...this.errorIds.splice(0))
      chunk.traceIds.push(...this.traceIds.splice(0))
      items = segmentItems(this.#client, this.#getScope(), this.session, chunk)
      this.#items.set(chunk, items)
    }
    return items
  }
}

/** A chunk that is not compressed yet and too large for a page that goes, in parts that are not. */
function split(chunk: Chunk): Chunk[] {
  if (chunk.texts === null || chunk.segmentId !== null) return [chunk]
  const parts: Chunk[] = []
  let bytes = Infinity
  for (const text of chunk.texts) {
    const length = new Blob([text]).size + 1
    if (bytes + length > lastBodyBytesMax - partOverheadBytes) {
      parts.push({
        ...newChunk(chunk.fromMs, parts.length > 0 ? [] : chunk.urls),
        toMs: chunk.toMs,
      })
      bytes = 0
    }
    keepText(parts.at(-1)!, text)
    bytes += length
  }
  return parts.length > 1 ? parts : [chunk]
}

/** The description of a segment, which may hold what the page told of its user. */
const partOverheadBytes = 4000

/** Nobody answered: it may be tried again. */
function isUnanswered({ status, reason }: Answer): boolean {
  return status === 0 && reason !== 'ratelimit_backoff'
}
