import { lanesOf, blockHeaderBytes } from './block.ts'
import { comparePlaces, type BlockPlace } from './cursor.ts'
import { listSegments, SegmentReader, segmentHeaderBytes } from './segment.ts'

/** One block as a scan finds it: not decompressed. */
export interface ScannedBlock extends BlockPlace {
  /** Bytes on disk, header included. */
  readonly bytes: number
  readonly count: number
  /** Records by the number of their lane. */
  readonly lanes: ReadonlyMap<number, number>
}

export interface BlockScanStart {
  readonly from: BlockPlace
  /** Place up to which the log is complete; null when it may grow anywhere after the start. */
  readonly until: BlockPlace | null
  /** Records before the start, in all segments so far. */
  readonly recordsBefore: number
}

/** Walks the blocks of a log forward, over the ends of segments and over broken blocks. */
export class BlockScan {
  readonly #folder: string
  readonly #until: BlockPlace | null
  #place: BlockPlace
  #recordsBefore: number
  #reader: SegmentReader | null = null

  constructor(folder: string, { from, until, recordsBefore }: BlockScanStart) {
    this.#folder = folder
    this.#until = until
    this.#place = from
    this.#recordsBefore = recordsBefore
  }

  /** Where the next block is expected. */
  get place(): BlockPlace {
    return this.#place
  }

  /** Records before that place, in all segments so far. */
  get recordsBefore(): number {
    return this.#recordsBefore
  }

  /** Returns the next block, and moves past it; null when none is there (yet), or before `until`. */
  async next(): Promise<ScannedBlock | null> {
    while (this.#until === null || this.#isBeforeEnd()) {
      const reader = await this.#segment()
      const found = reader && (await this.#readHere(reader))
      if (found !== null) return found
      const newer = await this.#newerSegment()
      if (newer === null && !this.#isBeforeEnd()) return null
      // Now this place is final. Its segment may have grown between our look and the creation of
      // the next.
      if (reader !== null) {
        const last = await this.#readHere(reader)
        if (last !== null) return last
        const intact = await reader.nextIntact(this.#place.offset)
        if (intact !== null) {
          this.#place = { segment: this.#place.segment, offset: intact }
          continue
        }
      }
      if (newer === null) return null
      await this.close()
      this.#place = { segment: newer, offset: segmentHeaderBytes }
    }
    return null
  }

  async close(): Promise<void> {
    const reader = this.#reader
    this.#reader = null
    await reader?.close()
  }

  #isBeforeEnd(): boolean {
    return this.#until !== null && comparePlaces(this.#place, this.#until) < 0
  }

  async #readHere(reader: SegmentReader): Promise<ScannedBlock | null> {
    const { segment, offset } = this.#place
    const found = await reader.read(offset)
    if (found.type !== 'block') return null
    const lanes = lanesOf(found.header, found.body)
    if (lanes === null) return null
    const { count } = found.header
    this.#place = { segment, offset: found.nextOffset }
    this.#recordsBefore += count
    return { segment, offset, bytes: blockHeaderBytes + found.body.length, count, lanes }
  }

  async #segment(): Promise<SegmentReader | null> {
    if (this.#reader !== null) return this.#reader
    this.#reader = await SegmentReader.open(this.#folder, this.#place.segment)
    if (this.#reader !== null && this.#place.offset === segmentHeaderBytes) {
      this.#recordsBefore = this.#reader.recordsBefore
    }
    return this.#reader
  }

  async #newerSegment(): Promise<number | null> {
    const numbers = await listSegments(this.#folder)
    return numbers.find((number) => number > this.#place.segment) ?? null
  }
}
