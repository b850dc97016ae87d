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
  /** The time span of those, ms since the epoch. */
  readonly cut: { readonly fromMs: number; readonly toMs: number }
}

interface StoredChunk extends Omit<Chunk, 'body'> {
  /** In base64. */
  readonly body: string
}

interface StoredCarry extends Omit<Carry, 'generations'> {
  readonly generations: readonly { readonly startedAt: number; readonly chunks: StoredChunk[] }[]
}

/** The members of a chunk that mean nothing to another page. */
const onlyHere = { texts: undefined, ready: undefined, made: undefined, answer: undefined }

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
      if (carry.generations[0] || carry.lost) {
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
    // Bodies are restored while JSON is parsed.
    const carry = JSON.parse(storage!.getItem(key)!, (name, value) =>
      name === 'body' ? Uint8Array.from(atob(value), (it) => it.charCodeAt(0)) : value,
    ) as Carry
    storage!.removeItem(key)
    return carry.id === id ? carry : null
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
      if (lost[0] || body.length > bytesLeft) lost.push(chunk)
      else {
        bytesLeft -= body.length
        fitting.push({ ...chunk, ...onlyHere, body: toBase64(body) })
      }
    }
    if (fitting[0]) kept.unshift({ startedAt, chunks: fitting })
  }
  const cut = {
    fromMs: Math.min(...lost.map((it) => it.fromMs)),
    toMs: Math.max(...lost.map((it) => it.toMs)),
  }
  return { id, generations: kept, lost: lost.length, cut }
}

function toBase64(bytes: Uint8Array): string {
  let binary = ''
  // Every engine takes this many arguments.
  for (let at = 0; at < bytes.length; at += 8192) {
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  }
  return btoa(binary)
}
