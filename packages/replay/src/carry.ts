import { bodyOf } from './buffer.ts'
import type { Chunk, Generation } from './buffer.ts'
import { carryBytesMax } from './limits.ts'

/**
 * The events that one page of a tab hands to the next: those before an error that may still come,
 * and segments that could not be sent. Kept compressed in the tab's session storage.
 */
export interface Carry {
  /** The session's id; the carry-over of another session is ignored. */
  readonly id: string
  readonly generations: readonly Generation[]
  /** Segments that did not fit. The page that reads this counts them as lost. */
  readonly lost: number
  /** The time span that did not fit, ms since the epoch. */
  readonly cut: { readonly fromMs: number; readonly toMs: number } | null
}

interface StoredChunk extends Omit<Chunk, 'body'> {
  /** The body in base64. */
  readonly data: string
}

interface StoredCarry extends Omit<Carry, 'generations'> {
  readonly generations: readonly { readonly startedAt: number; readonly chunks: StoredChunk[] }[]
}

const key = 'afterimageReplayCarry'

/** Saves as much as fits: the newest checkpoint and its events, then the one before. */
export function saveCarry(
  storage: Storage | null,
  id: string,
  generations: readonly Generation[],
): void {
  let bytesMax = carryBytesMax
  // A tab with less room gets half as much, and so on.
  while (bytesMax > 10_000) {
    try {
      const carry = choose(id, generations, bytesMax)
      if (carry.generations.length > 0 || carry.lost > 0) {
        storage?.setItem(key, JSON.stringify(carry))
      }
      return
    } catch {
      bytesMax /= 2
    }
  }
}

/**
 * Takes the carry-over of the previous page out of storage; null when there is none of this
 * session.
 */
export function takeCarry(storage: Storage | null, id: string | null): Carry | null {
  try {
    const carry = JSON.parse(storage!.getItem(key)!) as StoredCarry
    storage!.removeItem(key)
    if (carry.id !== id) return null
    return {
      ...carry,
      generations: carry.generations.map(({ startedAt, chunks }) => ({
        startedAt,
        chunks: chunks.map(restore),
      })),
    }
  } catch {
    return null
  }
}

function choose(id: string, generations: readonly Generation[], bytesMax: number): StoredCarry {
  const kept: StoredCarry['generations'][number][] = []
  const lost: Chunk[] = []
  let bytesLeft = bytesMax
  for (const { startedAt, chunks } of [...generations].reverse()) {
    const fitting: StoredChunk[] = []
    // Events after a gap cannot be drawn, so nothing older is kept once a chunk did not fit.
    for (const chunk of chunks) {
      const body = bodyOf(chunk)
      if (lost.length > 0 || body.length > bytesLeft) lost.push(chunk)
      else {
        bytesLeft -= body.length
        fitting.push(store(chunk, body))
      }
    }
    if (fitting[0]) kept.unshift({ startedAt, chunks: fitting })
  }
  const cut = {
    fromMs: Math.min(...lost.map((it) => it.fromMs)),
    toMs: Math.max(...lost.map((it) => it.toMs)),
  }
  return { id, generations: kept, lost: lost.length, cut: lost[0] ? cut : null }
}

function store(chunk: Chunk, bytes: Uint8Array): StoredChunk {
  let binary = ''
  // Every engine takes this many arguments.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  const { body: _body, texts: _texts, ready: _ready, made: _made, answer: _answer, ...kept } = chunk
  return { ...kept, data: btoa(binary) }
}

function restore({ data, ...kept }: StoredChunk): Chunk {
  return { ...kept, body: Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) }
}
