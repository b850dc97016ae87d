import { bodyOf } from './buffer.ts'
import type { Chunk, Generation } from './buffer.ts'
import { carryBytesMax } from './limits.ts'

/**
 * What one page of a tab leaves to the next: the events before an error that may still come, or
 * segments that could not be sent any more. Kept in the tab's session storage, compressed.
 */
export interface Carry {
  /** Of the session; another's is not touched. */
  readonly id: string
  readonly generations: readonly Generation[]
  /** Segments that did not fit. They are counted as lost by the page that reads this. */
  readonly lost: number
  /** The time that did not fit, ms since the epoch. */
  readonly cut: { readonly fromMs: number; readonly toMs: number } | null
}

interface StoredChunk extends Omit<Chunk, 'body'> {
  /** base64 of the body. */
  readonly data: string
}

interface StoredCarry extends Omit<Carry, 'generations'> {
  readonly generations: readonly { readonly startedAt: number; readonly chunks: StoredChunk[] }[]
}

const key = 'afterimageReplayCarry'

/** Keeps as much as fits: the newest checkpoint and what follows it, then the one before. */
export function saveCarry(
  storage: Storage | null,
  id: string,
  generations: readonly Generation[],
): void {
  let bytesMax = carryBytesMax
  // A tab may have less room than that; then half of it is tried.
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

/** What the page before left; it is taken away. Null where there is nothing of this session. */
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
    // What follows a gap cannot be drawn, so nothing of an older generation is kept after one.
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
  // As many arguments as every engine takes.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  const { body: _body, texts: _texts, ready: _ready, made: _made, answer: _answer, ...kept } = chunk
  return { ...kept, data: btoa(binary) }
}

function restore({ data, ...kept }: StoredChunk): Chunk {
  return { ...kept, body: Uint8Array.from(atob(data), (character) => character.charCodeAt(0)) }
}
