import type { Delivery } from '../port.ts'
import { blockHeaderBytes, decodeBlock } from './block.ts'
import type { LogPosition } from './cursor.ts'
import { listSegments, SegmentReader, segmentHeaderBytes } from './segment.ts'

export interface FoundDelivery extends LogPosition {
  readonly delivery: Delivery
  /** Its share of the block's bytes on disk. */
  readonly bytes: number
}

interface Block {
  readonly deliveries: readonly Delivery[]
  /** On disk, header included. */
  readonly bytes: number
  readonly nextOffset: number
}

/** Reads a log forward from a place, over the ends of segments and over broken blocks. */
export class Head {
  readonly #folder: string
  #position: LogPosition
  #recordsBefore: number
  #reader: SegmentReader | null = null
  /** The one at the position. */
  #block: Block | null = null
  /** Places where a block was broken and left out. */
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
          this.#moveTo(this.#position.segment, intact)
          continue
        }
      }
      await this.close()
      this.#moveTo(newer, segmentHeaderBytes)
    }
  }

  async close(): Promise<void> {
    const reader = this.#reader
    this.#reader = null
    await reader?.close()
  }

  #moveTo(segment: number, offset: number): void {
    this.#block = null
    this.#position = { segment, offset, index: 0 }
  }

  async #readHere(reader: SegmentReader): Promise<FoundDelivery | null> {
    this.#block ??= await readBlock(reader, this.#position.offset)
    const block = this.#block
    if (block === null) return null
    const position = this.#position
    const found = deliveryOf(block, position)
    // A cursor of a damaged block may point behind its end; what follows is still to be read.
    if (found === null || position.index + 1 >= block.deliveries.length) {
      this.#moveTo(position.segment, block.nextOffset)
    } else {
      this.#position = { ...position, index: position.index + 1 }
    }
    if (found === null) return this.#readHere(reader)
    this.#recordsBefore += 1
    return found
  }

  async #segment(): Promise<SegmentReader | null> {
    if (this.#reader !== null) return this.#reader
    this.#reader = await SegmentReader.open(this.#folder, this.#position.segment)
    const { offset, index } = this.#position
    if (this.#reader !== null && offset === segmentHeaderBytes && index === 0) {
      this.#recordsBefore = this.#reader.recordsBefore
    }
    return this.#reader
  }

  async #newerSegment(): Promise<number | null> {
    const numbers = await listSegments(this.#folder)
    return numbers.find((number) => number > this.#position.segment) ?? null
  }
}

/** Reads one delivery again; null when its segment is gone or its block is broken. */
export async function readDelivery(
  folder: string,
  position: LogPosition,
): Promise<FoundDelivery | null> {
  const reader = await SegmentReader.open(folder, position.segment)
  if (reader === null) return null
  try {
    const block = await readBlock(reader, position.offset)
    return block === null ? null : deliveryOf(block, position)
  } finally {
    await reader.close()
  }
}

async function readBlock(reader: SegmentReader, offset: number): Promise<Block | null> {
  const found = await reader.read(offset)
  if (found.type !== 'block') return null
  const deliveries = decodeBlock(found.header, found.body)
  if (deliveries === null) return null
  const bytes = blockHeaderBytes + found.body.length
  return { deliveries, bytes, nextOffset: found.nextOffset }
}

function deliveryOf(block: Block, { segment, offset, index }: LogPosition): FoundDelivery | null {
  const delivery = block.deliveries[index]
  if (delivery === undefined) return null
  return {
    segment,
    offset,
    index,
    delivery,
    bytes: block.bytes / block.deliveries.length,
  }
}
