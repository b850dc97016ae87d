import type { Delivery } from '../port.ts'
import { blockHeaderBytes, decodeBlock } from './block.ts'
import type { BlockPlace, LogPosition } from './cursor.ts'
import { SegmentReader } from './segment.ts'

export interface DecodedBlock {
  readonly deliveries: readonly Delivery[]
  /** The share of each delivery in the block's bytes on disk. */
  readonly shareBytes: number
  /** Bytes in memory, which each of its deliveries holds. */
  readonly plainBytes: number
}

export interface FoundDelivery extends LogPosition {
  readonly delivery: Delivery
  /** Its share of the block's bytes on disk. */
  readonly bytes: number
}

export interface DecodedBlocksLimits {
  readonly decodedBytesMax: number
  readonly openSegmentsMax: number
}

/** Decodes blocks, and caches the most recent ones: the lanes of a block ask for it in turn. */
export class DecodedBlocks {
  readonly #folder: string
  readonly #limits: DecodedBlocksLimits
  /** Both in order of use. */
  readonly #segments = new Map<number, SegmentReader>()
  readonly #blocks = new Map<string, DecodedBlock>()
  #plainBytes = 0

  constructor(folder: string, limits: DecodedBlocksLimits) {
    this.#folder = folder
    this.#limits = limits
  }

  /** Returns the block at a place; null when its segment is gone or it is broken. */
  async at(place: BlockPlace): Promise<DecodedBlock | null> {
    const id = `${place.segment}-${place.offset}`
    const known = this.#blocks.get(id)
    if (known !== undefined) {
      this.#blocks.delete(id)
      this.#blocks.set(id, known)
      return known
    }
    const reader = await this.#segment(place.segment)
    const block = reader && (await readBlock(reader, place.offset))
    if (block === null) return null
    this.#blocks.set(id, block)
    this.#plainBytes += block.plainBytes
    this.#makeRoom()
    return block
  }

  /** Closes the segments before this one, so that their space comes back when they are unlinked. */
  async closeBefore(segment: number): Promise<void> {
    for (const number of this.#segments.keys()) if (number < segment) await this.#close(number)
  }

  async clear(): Promise<void> {
    this.#blocks.clear()
    this.#plainBytes = 0
    for (const number of this.#segments.keys()) await this.#close(number)
  }

  #makeRoom(): void {
    for (const [id, { plainBytes }] of this.#blocks) {
      if (this.#plainBytes <= this.#limits.decodedBytesMax) return
      this.#blocks.delete(id)
      this.#plainBytes -= plainBytes
    }
  }

  async #segment(number: number): Promise<SegmentReader | null> {
    const known = this.#segments.get(number)
    this.#segments.delete(number)
    const reader = known ?? (await SegmentReader.open(this.#folder, number))
    if (reader === null) return null
    this.#segments.set(number, reader)
    const [oldest] = this.#segments.keys()
    if (this.#segments.size > this.#limits.openSegmentsMax) await this.#close(oldest ?? number)
    return reader
  }

  async #close(number: number): Promise<void> {
    const reader = this.#segments.get(number)
    this.#segments.delete(number)
    await reader?.close()
  }
}

/** Reads one delivery again; null when its segment is gone or its block is broken. */
export async function readDelivery(
  folder: string,
  position: LogPosition,
): Promise<FoundDelivery | null> {
  const block = await readBlockAt(folder, position)
  const delivery = block?.deliveries[position.index]
  if (!block || delivery === undefined) return null
  const { segment, offset, index } = position
  return { segment, offset, index, delivery, bytes: block.shareBytes }
}

/** Reads one block; null when its segment is gone or it is broken. */
export async function readBlockAt(folder: string, place: BlockPlace): Promise<DecodedBlock | null> {
  const reader = await SegmentReader.open(folder, place.segment)
  if (reader === null) return null
  try {
    return await readBlock(reader, place.offset)
  } finally {
    await reader.close()
  }
}

async function readBlock(reader: SegmentReader, offset: number): Promise<DecodedBlock | null> {
  const found = await reader.read(offset)
  if (found.type !== 'block') return null
  const deliveries = decodeBlock(found.header, found.body)
  if (deliveries === null) return null
  const bytes = blockHeaderBytes + found.body.length
  const { plainBytes } = found.header
  return { deliveries, shareBytes: bytes / deliveries.length, plainBytes }
}
