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
  /** The JSON of each event, until `body` exists. */
  texts?: string[] | undefined
  /** zlib of the list of events, or its plain JSON where the browser cannot compress. */
  body?: Uint8Array | null
  /** Total length of the texts. */
  characters: number
  /** Times of the first and the last event, ms since the epoch. */
  fromMs: number
  toMs: number
  /** Pages that were opened in this time. */
  readonly urls: string[]
  /** Set when the chunk is first sent. */
  readonly errorIds: string[]
  readonly traceIds: string[]
  segmentId?: number
  /** Resolves when `body` exists. */
  ready?: Promise<unknown> | undefined
  /** The segment as it is sent; made once, so that a retry sends the same one. */
  made?: Segment | undefined
  /** The answer of the request in flight. */
  answer?: Promise<Answer> | undefined
  /**
   * The server may have this segment already: its request got no answer, or may end with the page.
   * It is resent whole, since servers store a segment once.
   */
  isUnsure?: boolean
}

/** A checkpoint and all that came after it, on one page. */
export interface Generation {
  readonly startedAt: number
  readonly chunks: Chunk[]
}

/** Creates an empty chunk that lists these pages. */
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

/** Returns the length of all texts of these chunks. */
export function charactersOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, chunk) => sum + chunk.characters, 0)
}

/** Returns the bytes of a chunk, compressed or not. */
export function bodyOf(chunk: Chunk): Uint8Array {
  return chunk.body ?? new TextEncoder().encode(`[${chunk.texts}]`)
}

/** Events that are recorded and not yet sent. */
export class EventBuffer {
  /** Oldest first. A generation of the previous page may be followed by one of this page. */
  generations: Generation[] = []
  readonly #compress: Compress
  /** The open chunk, which takes new events. */
  #tail: Chunk | null = null
  readonly #urls: string[] = []
  readonly #burst = createDebounce(() => this.seal(), burstPauseMs, burstMs)
  /** A full snapshot that waits to be serialised. */
  #unwritten: { readonly type: number } | null = null

  constructor(compress: Compress) {
    this.#compress = compress
  }

  get #chunks(): Chunk[] {
    return this.generations.flatMap((it) => it.chunks)
  }

  /** Length of all texts kept. @see docs/specification.md#s21 */
  get characters(): number {
    return charactersOf(this.#chunks)
  }

  get startedAt(): number | undefined {
    return this.generations[0]?.chunks[0]?.fromMs
  }

  /**
   * Keeps an event. A full snapshot may be large, so it is serialised in a later task, or with the
   * next event. Events in session mode (`isSent`) may wait for the end of a burst, since each chunk
   * is a request. In buffer mode chunks are sealed at once: small ones fit into the next page's
   * storage.
   */
  add(event: { readonly type: number; readonly timestamp: number }, isSent: boolean): void {
    const at = event.timestamp
    this.#write()
    if (!this.#tail) {
      if (!this.generations[0]) this.checkpoint(at)
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
    const { characters } = this.#tail!
    if (characters < chunkCharacters) return
    // A snapshot is never `isSent`. It is the largest part of the carry-over, so it is compressed
    // early.
    if (!isSent || characters >= chunkCharactersMax) this.seal()
    else this.#burst.schedule()
  }

  /** Adds a page's address to the open chunk, or to the next one. */
  addUrl(url: string): void {
    const urls = this.#tail?.urls ?? this.#urls
    if (urls.length < listedMax) urls.push(url)
  }

  /**
   * Begins a generation, before a full snapshot. The previous one is kept for another minute, so
   * that an error always has a minute of history where the page is that old.
   */
  checkpoint(nowMs: number): void {
    this.seal()
    this.generations.push({ startedAt: nowMs, chunks: [] })
    while (nowMs - (this.generations[1]?.startedAt ?? nowMs) >= checkpointMs) this.dropOldest()
  }

  /** Drops the oldest generation; returns false when only one is left. */
  dropOldest(): boolean {
    if (this.generations.length < 2) return false
    this.generations.shift()
    return true
  }

  /** Puts the events kept by the previous page in front. */
  takeOver(generations: readonly Generation[]): void {
    this.generations.unshift(...generations)
  }

  /** Closes the open chunk. Uncompressed, it can still be split by a page that is being left. */
  seal(isCompressed = true): void {
    this.#write()
    this.#burst.cancel()
    const chunk = this.#tail
    this.#tail = null
    if (chunk && isCompressed) chunk.ready = this.#makeBody(chunk)
  }

  /** Seals the open chunk and returns all chunks, oldest first. */
  takeAll(isCompressed = true): Chunk[] {
    this.seal(isCompressed)
    const chunks = this.#chunks
    this.clear()
    return chunks
  }

  clear(): void {
    this.#burst.cancel()
    this.#unwritten = this.#tail = null
    this.generations = []
  }

  async #makeBody(chunk: Chunk): Promise<void> {
    chunk.body = await this.#compress(chunk.texts ?? []).catch(() => null)
    chunk.body = bodyOf(chunk)
    chunk.texts = undefined
  }
}
