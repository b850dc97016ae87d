import { fstatSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { PageCache } from './page-cache.ts'

/**
 * A compiled map on disk: a head, blocks of bytes, and an index of 32-bit words that says where each
 * block begins. Head, index and every block carry a checksum, so that a torn or damaged file is known.
 */
const MAGIC = 0x50414d41
/** To be raised with every change of what is compiled: files of other versions are compiled again. */
export const formatVersion = 1
/** Magic, version, bytes of the file, place, words and checksum of the index, and that of these words. */
const HEAD_WORDS = 7
const HEAD_BYTES = HEAD_WORDS * 4

/** A file that does not hold what was once written to it. */
export class DamagedMap extends Error {
  override name = 'DamagedMap'
}

/** Words that describe one block: offset, bytes, checksum. */
export type BlockPlace = readonly [offset: number, bytes: number, checksum: number]

/** Gathers the blocks of a file in the order in which they are written. */
export class BlockWriter {
  readonly #parts: Buffer[] = [Buffer.alloc(HEAD_BYTES)]
  #bytes = HEAD_BYTES

  add(block: Buffer): BlockPlace {
    const offset = this.#bytes
    this.#parts.push(block)
    this.#bytes += block.length
    return [offset, block.length, crc32(block)]
  }

  /** Returns the parts of the whole file. */
  finish(index: readonly number[]): readonly Buffer[] {
    const words = bytesOf(Uint32Array.from(index))
    const [offset, bytes, checksum] = this.add(words)
    const head = Uint32Array.of(
      MAGIC,
      formatVersion,
      offset + bytes,
      offset,
      index.length,
      checksum,
      0,
    )
    head[HEAD_WORDS - 1] = crc32(bytesOf(head.subarray(0, HEAD_WORDS - 1)))
    this.#parts[0] = bytesOf(head)
    return this.#parts
  }
}

function bytesOf(words: Uint32Array): Buffer {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength)
}

/** Reads blocks of an open file by their place. @throws DamagedMap */
export class BlockReader {
  readonly index: Uint32Array
  readonly #file: number

  constructor(file: number) {
    this.#file = file
    const head = this.#words(0, HEAD_WORDS)
    const [magic, version, bytes, offset, words, checksum] = head
    if (magic !== MAGIC || version !== formatVersion || bytes !== fstatSync(file).size) {
      throw new DamagedMap('the head is not that of a whole compiled map')
    }
    if (crc32(bytesOf(head.subarray(0, HEAD_WORDS - 1))) !== head[HEAD_WORDS - 1]) {
      throw new DamagedMap('the head is damaged')
    }
    this.index = this.#words(offset!, words!)
    if (crc32(bytesOf(this.index)) !== checksum) throw new DamagedMap('the index is damaged')
  }

  read([offset, bytes, checksum]: BlockPlace): Buffer {
    const block = Buffer.allocUnsafeSlow(bytes)
    this.#fill(block, offset)
    if (crc32(block) !== checksum) throw new DamagedMap(`the block at ${offset} is damaged`)
    return block
  }

  #words(offset: number, count: number): Uint32Array {
    const words = new Uint32Array(count)
    this.#fill(bytesOf(words), offset)
    return words
  }

  #fill(target: Buffer, offset: number): void {
    let filled = 0
    while (filled < target.length) {
      const read = readSync(this.#file, target, filled, target.length - filled, offset + filled)
      if (read === 0) throw new DamagedMap('the file is too short')
      filled += read
    }
  }
}

/** A block as it is kept in memory: positions as integers, or texts. */
export type Page = Int32Array | readonly string[]
export type Pages = PageCache<number, Page>

export function makePages(bytesMax: number): Pages {
  return new PageCache(bytesMax)
}

/** The pages of one file in the cache of all. */
export interface FilePages {
  readonly reader: BlockReader
  readonly pages: Pages
  /** Number of the file, for as long as the process lives. */
  readonly fileNumber: number
}

/** Names a block among those of all files. */
export function pageKey({ fileNumber }: FilePages, offset: number): number {
  return fileNumber * 0x1_0000_0000 + offset
}
