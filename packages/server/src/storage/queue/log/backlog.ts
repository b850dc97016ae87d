import { stat } from 'node:fs/promises'
import type { QueueStats } from '../port.ts'
import type { CursorState, LogPosition } from './cursor.ts'
import { readDelivery } from './head.ts'
import { listSegments, SegmentReader, segmentHeaderBytes, segmentPath } from './segment.ts'

/** Where the counting of the newest segment stands, so that the next measurement goes on from there. */
interface TailCount {
  readonly segment: number
  readonly recordsBefore: number
  readonly offset: number
  readonly records: number
}

/**
 * Measures what waits in a log: from the files and a cursor, so that either side can, in whichever
 * process it runs. Only the newest segment is counted block by block, and each part of it once.
 */
export class Backlog {
  readonly #logFolder: string
  #tail: TailCount | null = null

  constructor(logFolder: string) {
    this.#logFolder = logFolder
  }

  async measure(cursor: CursorState | null): Promise<Omit<QueueStats, 'setAside'>> {
    const numbers = await listSegments(this.#logFolder)
    const first = numbers[0]
    const start = { segment: first ?? 0, offset: segmentHeaderBytes, index: 0 }
    const head = cursor === null || cursor.head.segment < start.segment ? start : cursor.head
    const open = cursor?.open ?? []
    if (numbers.length === 0) return { waiting: 0, waitingBytes: 0, oldestReceivedAt: null }
    const recordsEver = await this.#recordsEver(numbers)
    const recordsBefore =
      cursor !== null && head === cursor.head
        ? cursor.recordsBefore
        : await this.#recordsBefore(head.segment)
    const next = await readDelivery(this.#logFolder, head)
    const openReceivedAt = open.map((one) => one.receivedAt)
    const times = next === null ? openReceivedAt : [next.delivery.receivedAt, ...openReceivedAt]
    return {
      waiting: Math.max(0, recordsEver - recordsBefore) + open.length,
      waitingBytes: Math.round(
        (await this.#bytesAfter(numbers, head)) -
          head.index * (next?.bytes ?? 0) +
          open.reduce((sum, one) => sum + one.bytes, 0),
      ),
      oldestReceivedAt:
        times.length === 0 ? null : times.reduce((oldest, time) => Math.min(oldest, time)),
    }
  }

  /** Records in all segments there ever were, up to the end of the newest that can be read. */
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

  /** A writer that died just now may have left a newer one without a header. */
  async #newestReadable(numbers: readonly number[]): Promise<SegmentReader | null> {
    for (const number of numbers.toReversed()) {
      const reader = await SegmentReader.open(this.#logFolder, number)
      if (reader !== null) return reader
    }
    return null
  }

  async #recordsBefore(segment: number): Promise<number> {
    const reader = await SegmentReader.open(this.#logFolder, segment)
    await reader?.close()
    return reader?.recordsBefore ?? 0
  }

  async #bytesAfter(numbers: readonly number[], head: LogPosition): Promise<number> {
    let bytes = 0
    for (const number of numbers) {
      if (number < head.segment) continue
      const from = number === head.segment ? head.offset : segmentHeaderBytes
      bytes += Math.max(0, (await fileBytes(segmentPath(this.#logFolder, number))) - from)
    }
    return bytes
  }
}

/** The size of a file; 0 when it is not there (any more). */
export async function fileBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw cause
  }
}
