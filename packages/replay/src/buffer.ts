import type { Answer } from '@afterimage/sdk-core/transport'
import type { Compress } from './compress.ts'
import { fullSnapshot } from './recording/kinds.ts'
import { createDebounce } from './debounce.ts'
import {
  burstMs,
  burstPauseMs,
  checkpointMs,
  chunkCharacters,
  chunkCharactersMax,
  listedMax,
} from './limits.ts'
import type { Segment } from './segment.ts'

/**
 * Consecutive events that are sent as one segment. A chunk is compressed as soon as it is sealed,
 * so that a page that goes away has little left that is large.
 */
export interface Chunk {
  /** JSON of each event, until there is a body. */
  texts?: string[] | undefined
  /** zlib of the list of events, or its JSON where nothing compresses. */
  body?: Uint8Array | null
  /** Length of the texts. */
  characters: number
  /** Of the first and the last event, ms since the epoch. */
  fromMs: number
  toMs: number
  /** Pages that were opened in this time. */
  readonly urls: string[]
  /** Given when it is first sent. */
  readonly errorIds: string[]
  readonly traceIds: string[]
  segmentId?: number
  /** Resolves when there is a body. */
  ready?: Promise<unknown> | undefined
  /** As it is sent; made once, so that a retry is the same segment. */
  made?: Segment | undefined
  /** Of the request that is in flight. */
  answer?: Promise<Answer> | undefined
  /**
   * Nobody answered, or the browser drops the request with the page: it may not have arrived. Servers
   * take a segment once.
   */
  isUnsure?: boolean
}

/** A checkpoint and all that came after it, on one page. */
export interface Generation {
  readonly startedAt: number
  readonly chunks: Chunk[]
}

/** An empty one, which has seen these pages. */
export function newChunk(nowMs: number, urls: string[]): Chunk {
  return {
    texts: [],
    characters: 0,
    fromMs: nowMs,
    toMs: nowMs,
    urls,
    errorIds: [],
    traceIds: [],
  }
}

/** Adds an event's JSON to a chunk that is not compressed yet. */
export function keepText(chunk: Chunk, text: string): void {
  chunk.texts?.push(text)
  chunk.characters += text.length
}

/** A chunk as it can be sent now. */
export function bodyOf(chunk: Chunk): Uint8Array {
  return chunk.body ?? new TextEncoder().encode(`[${chunk.texts}]`)
}

/** What is recorded and not sent yet. */
export class EventBuffer {
  /** The oldest first; one that ends with a page is followed by the next page's. */
  generations: Generation[] = []
  /** Of all texts that are kept. @see docs/specification.md#s21 */
  characters = 0
  readonly #compress: Compress
  /** Takes the events that come; not sealed yet. */
  #tail: Chunk | null = null
  readonly #urls: string[] = []
  readonly #burst = createDebounce(() => this.seal(), burstPauseMs, burstMs)
  /** A full snapshot whose task has not come. */
  #unwritten: { readonly type: number } | null = null

  constructor(compress: Compress) {
    this.#compress = compress
  }

  get startedAt(): number | undefined {
    return this.generations[0]?.chunks[0]?.fromMs
  }

  /**
   * Keeps an event. A full snapshot, which may be large, is written down in a task of its own, or
   * with the next event: the page has waited for it to be taken. What `isSent` may wait for the end
   * of a burst, since each chunk is a request; what is only kept is sealed as soon as it can be, so
   * that it fits into what little room the next page may have.
   */
  add(event: { readonly type: number; readonly timestamp: number }, isSent: boolean): void {
    const at = event.timestamp
    this.#write()
    if (this.#tail === null) {
      if (this.generations.length === 0) this.checkpoint(at)
      this.#tail = newChunk(at, this.#urls.splice(0))
      this.generations.at(-1)!.chunks.push(this.#tail)
    }
    this.#tail.fromMs = Math.min(this.#tail.fromMs, at)
    this.#tail.toMs = Math.max(this.#tail.toMs, at)
    this.#unwritten = event
    if (event.type === fullSnapshot) setTimeout(() => this.#write())
    else this.#write(isSent)
  }

  #write(isSent = false): void {
    const event = this.#unwritten
    if (!event) return
    this.#unwritten = null
    const text = JSON.stringify(event)
    keepText(this.#tail!, text)
    this.characters += text.length
    const { characters } = this.#tail!
    if (characters < chunkCharacters) return
    // A snapshot, which is not `isSent`, is most of what a page that goes has to keep, and least of
    // it compressed.
    if (!isSent || characters >= chunkCharactersMax) this.seal()
    else this.#burst.schedule()
  }

  /** Notes a page: it belongs to the chunk at hand, or to the next one. */
  addUrl(url: string): void {
    const urls = this.#tail?.urls ?? this.#urls
    if (urls.length < listedMax) urls.push(url)
  }

  /**
   * A full snapshot comes next. A generation is kept until the one after it is a minute old: so
   * there is always a minute before an error, on a page that is that old.
   */
  checkpoint(nowMs: number): void {
    this.seal()
    this.generations.push({ startedAt: nowMs, chunks: [] })
    while (this.generations[1] && nowMs - this.generations[1].startedAt >= checkpointMs) {
      this.dropOldest()
    }
  }

  /** False when there is but one. */
  dropOldest(): boolean {
    if (this.generations.length < 2) return false
    for (const chunk of this.generations.shift()!.chunks) this.characters -= chunk.characters
    return true
  }

  /** Puts what the page before kept in front. */
  takeOver(generations: readonly Generation[]): void {
    this.generations = [...generations, ...this.generations]
    for (const chunk of generations.flatMap((it) => it.chunks)) this.characters += chunk.characters
  }

  /** Ends the chunk at hand. Uncompressed it stays what a page can send as it goes. */
  seal(isCompressed = true): void {
    this.#write()
    this.#burst.cancel()
    const chunk = this.#tail
    this.#tail = null
    if (chunk && isCompressed) chunk.ready = this.#makeBody(chunk)
  }

  /** Seals, and hands over all there is, the oldest first. */
  takeAll(isCompressed = true): Chunk[] {
    this.seal(isCompressed)
    const chunks = this.generations.flatMap((it) => it.chunks)
    this.clear()
    return chunks
  }

  clear(): void {
    this.#burst.cancel()
    this.#unwritten = this.#tail = null
    this.generations = []
    this.characters = 0
  }

  async #makeBody(chunk: Chunk): Promise<void> {
    chunk.body = await this.#compress(chunk.texts ?? []).catch(() => null)
    chunk.body = bodyOf(chunk)
    chunk.texts = undefined
  }
}
