import { stat } from 'node:fs/promises'
import type { QueueStats } from '../port.ts'
import { comparePositions, startOf, type BlockPlace, type CursorState } from './cursor.ts'
import { readBlockAt } from './decoded-blocks.ts'
import { laneOf } from './lane.ts'
import { listSegments, SegmentReader, segmentHeaderBytes, segmentPath } from './segment.ts'

/** The place up to which the newest segment is counted; the next measurement continues there. */
interface TailCount {
  readonly segment: number
  readonly recordsBefore: number
  readonly offset: number
  readonly records: number
}

/**
 * Measures the backlog of a log from its files and a cursor, so that either side can, in any
 * process. Only the newest segment is counted block by block, and each part of it once.
 */
export class Backlog {
  readonly #logFolder: string
  #tail: TailCount | null = null

  constructor(logFolder: string) {
    this.#logFolder = logFolder
  }

  async measure(cursor: CursorState | null): Promise<Omit<QueueStats, 'setAside'>> {
    const numbers = await listSegments(this.#logFolder)
    const [first] = numbers
    if (first === undefined) return { waiting: 0, waitingBytes: 0, oldestReceivedAt: null }
    const state = startOf(cursor, first)
    const { front, lanes, open } = state
    const recordsEver = await this.#recordsEver(numbers)
    const recordsBefore = await this.#recordsBefore(state)
    const next = await this.#nextReceivedAt(state)
    const times = [...(next === null ? [] : [next]), ...open.map((one) => one.receivedAt)]
    const bytes = sumOf([...lanes, ...open], (one) => one.bytes)
    return {
      waiting:
        Math.max(0, recordsEver - recordsBefore) + sumOf(lanes, (one) => one.waiting) + open.length,
      waitingBytes: Math.round((await this.#bytesAfter(numbers, front)) + bytes),
      oldestReceivedAt:
        times.length === 0 ? null : times.reduce((oldest, time) => Math.min(oldest, time)),
    }
  }

  /**
   * Returns the time of the oldest delivery never handed out, the first of its lane; null when none
   * is readable.
   */
  async #nextReceivedAt({ front, lanes }: CursorState): Promise<number | null> {
    const [oldest] = lanes.toSorted(comparePositions)
    const { segment, offset, index } = oldest ?? { ...front, index: 0 }
    const block = await readBlockAt(this.#logFolder, { segment, offset })
    const next = block?.deliveries.find(
      ({ projectId }, place) =>
        oldest === undefined || (place >= index && laneOf(projectId) === oldest.number),
    )
    return next?.receivedAt ?? null
  }

  /** Counts the records of all segments so far, up to the end of the newest readable one. */
  async #recordsEver(numbers: readonly number[]): Promise<number> {
    const reader = await this.#newestReadable(numbers)
    if (reader === null) return this.#tail ? this.#tail.recordsBefore + this.#tail.records : 0
    try {
      const known = this.#tail?.segment === reader.number ? this.#tail : null
      const { records, endOffset } = await reader.count(known?.offset ?? segmentHeaderBytes)
      this.#tail = {
        segment: reader.number,
        recordsBefore: reader.recordsBefore,
        offset: endOffset,
        records: (known?.records ?? 0) + records,
      }
      return this.#tail.recordsBefore + this.#tail.records
    } finally {
      await reader.close()
    }
  }

  /** A writer that has just died may have left a newer one without a header. */
  async #newestReadable(numbers: readonly number[]): Promise<SegmentReader | null> {
    for (const number of numbers.toReversed()) {
      const reader = await SegmentReader.open(this.#logFolder, number)
      if (reader !== null) return reader
    }
    return null
  }

  /** A segment's header outweighs a cursor that counted over damage. */
  async #recordsBefore({ front, recordsBefore }: CursorState): Promise<number> {
    if (front.offset !== segmentHeaderBytes) return recordsBefore
    const reader = await SegmentReader.open(this.#logFolder, front.segment)
    await reader?.close()
    return reader?.recordsBefore ?? recordsBefore
  }

  async #bytesAfter(numbers: readonly number[], front: BlockPlace): Promise<number> {
    let bytes = 0
    for (const number of numbers) {
      if (number < front.segment) continue
      const from = number === front.segment ? front.offset : segmentHeaderBytes
      bytes += Math.max(0, (await fileBytes(segmentPath(this.#logFolder, number))) - from)
    }
    return bytes
  }
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0)
}

/** Returns the size of a file; 0 when it does not exist (any more). */
export async function fileBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw cause
  }
}
