import type { Delivery } from '../port.ts'
import type { LogPosition } from './cursor.ts'
import { decodeRecordBody, recordHeaderBytes } from './record.ts'
import { listSegments, SegmentReader, segmentHeaderBytes } from './segment.ts'

export interface FoundDelivery extends LogPosition {
  readonly delivery: Delivery
  /** Bytes of the record in the log. */
  readonly bytes: number
}

/** Reads a log forward from a place, over the ends of segments and over broken records. */
export class Head {
  readonly #folder: string
  #position: LogPosition
  #recordsBefore: number
  #reader: SegmentReader | null = null
  /** Places where a record was broken and left out. */
  broken = 0

  constructor(folder: string, position: LogPosition, recordsBefore: number) {
    this.#folder = folder
    this.#position = position
    this.#recordsBefore = recordsBefore
  }

  get position(): LogPosition {
    return this.#position
  }

  get recordsBefore(): number {
    return this.#recordsBefore
  }

  /** The next delivery, and moves past it; null when none is there (yet). */
  async next(): Promise<FoundDelivery | null> {
    for (;;) {
      const reader = await this.#segment()
      if (reader !== null) {
        const found = await this.#readHere(reader)
        if (found !== null) return found
      }
      const newer = await this.#newerSegment()
      if (newer === null) return null
      // Now this segment is final. It may have grown between our look and the making of the next.
      if (reader !== null) {
        const found = await this.#readHere(reader)
        if (found !== null) return found
        const intact = await reader.nextIntact(this.#position.offset)
        if (intact !== null) {
          this.broken += 1
          this.#position = { segment: this.#position.segment, offset: intact }
          continue
        }
      }
      await this.close()
      this.#position = { segment: newer, offset: segmentHeaderBytes }
    }
  }

  async close(): Promise<void> {
    const reader = this.#reader
    this.#reader = null
    await reader?.close()
  }

  async #readHere(reader: SegmentReader): Promise<FoundDelivery | null> {
    const position = this.#position
    const found = await reader.read(position.offset)
    if (found.type !== 'record') return null
    const delivery = decodeRecordBody(found.body)
    if (delivery === null) return null
    this.#position = { segment: position.segment, offset: found.nextOffset }
    this.#recordsBefore += 1
    return { ...position, delivery, bytes: recordHeaderBytes + found.body.length }
  }

  async #segment(): Promise<SegmentReader | null> {
    if (this.#reader !== null) return this.#reader
    this.#reader = await SegmentReader.open(this.#folder, this.#position.segment)
    if (this.#reader !== null && this.#position.offset === segmentHeaderBytes) {
      this.#recordsBefore = this.#reader.recordsBefore
    }
    return this.#reader
  }

  async #newerSegment(): Promise<number | null> {
    const numbers = await listSegments(this.#folder)
    return numbers.find((number) => number > this.#position.segment) ?? null
  }
}

/** Reads one delivery again; null when its segment is gone or the record is broken. */
export async function readDelivery(
  folder: string,
  position: LogPosition,
): Promise<FoundDelivery | null> {
  const reader = await SegmentReader.open(folder, position.segment)
  if (reader === null) return null
  try {
    const found = await reader.read(position.offset)
    const delivery = found.type === 'record' ? decodeRecordBody(found.body) : null
    if (found.type !== 'record' || delivery === null) return null
    const { segment, offset } = position
    return { segment, offset, delivery, bytes: recordHeaderBytes + found.body.length }
  } finally {
    await reader.close()
  }
}
