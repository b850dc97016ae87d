/**
 * A segment is one append-only file of the log, named by its number. Its header (32 bytes) is
 *
 *     8 bytes "AFTRQUE2" · u32 marker · u32 zero · f64 records in all segments before · f64 made at
 *
 * and blocks follow (`block.ts`). Only the newest segment grows. A writer never continues a file of
 * another writer, so a torn end of an older one is final.
 */
import { open, readdir, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { blockHeaderBytes, decodeBlockHeader, isIntact, type BlockHeader } from './block.ts'

export const segmentHeaderBytes = 32
const magic = Buffer.from('AFTRQUE2', 'latin1')
const windowBytes = 1024 * 1024
const namePattern = /^(\d{16})\.log$/

export function segmentPath(folder: string, number: number): string {
  return join(folder, `${String(number).padStart(16, '0')}.log`)
}

/** Lists the numbers of the segments in a folder, oldest first. */
export async function listSegments(folder: string): Promise<number[]> {
  const numbers: number[] = []
  for (const name of await readdir(folder)) {
    const match = namePattern.exec(name)
    if (match) numbers.push(Number(match[1]))
  }
  return numbers.sort((a, b) => a - b)
}

export function encodeSegmentHeader(marker: number, recordsBefore: number): Buffer {
  const header = Buffer.alloc(segmentHeaderBytes)
  magic.copy(header)
  header.writeUInt32LE(marker, 8)
  header.writeDoubleLE(recordsBefore, 16)
  header.writeDoubleLE(Date.now(), 24)
  return header
}

/**
 * Counts the unreadable bytes of a segment: of another version, or damaged. 0 when the file is
 * whole, does not exist, or has no whole header: then nothing in it was acknowledged. A write torn
 * by a power cut counts too, since it looks like damage.
 */
export async function unreadableBytes(path: string): Promise<number> {
  const reader = await SegmentReader.openFile(path, 0)
  if (reader === null) {
    const bytes = await fileSize(path)
    return bytes > segmentHeaderBytes ? bytes : 0
  }
  try {
    const size = await reader.size()
    let unreadable = 0
    let offset = segmentHeaderBytes
    while (offset < size) {
      const found = await reader.read(offset)
      if (found.type === 'block') {
        offset = found.nextOffset
        continue
      }
      const next = (await reader.nextIntact(offset)) ?? size
      unreadable += next - offset
      offset = next
    }
    return unreadable
  } finally {
    await reader.close()
  }
}

async function fileSize(path: string): Promise<number> {
  return (await orNull(stat(path)))?.size ?? 0
}

function isOurs(header: Buffer): boolean {
  return header.subarray(0, magic.length).equals(magic)
}

/** The content at an offset: a whole block, an incomplete one, or bytes that are not a block. */
export type SegmentRead =
  | {
      readonly type: 'block'
      readonly header: BlockHeader
      readonly body: Buffer
      readonly nextOffset: number
    }
  | { readonly type: 'end' }
  | { readonly type: 'broken' }

/** Reads one segment, in any order, through a window of its bytes. */
export class SegmentReader {
  readonly number: number
  /** Records in all segments before this one. */
  readonly recordsBefore: number
  readonly #file: FileHandle
  readonly #marker: number
  #window: Buffer = Buffer.alloc(0)
  #windowOffset = 0

  private constructor(number: number, file: FileHandle, header: Buffer, marker: number) {
    this.number = number
    this.#file = file
    this.#marker = marker
    const before = header.readDoubleLE(16)
    this.recordsBefore = Number.isSafeInteger(before) && before >= 0 ? before : 0
  }

  /** Opens a segment. Null when the file is missing, lacks a whole header, or is not of this version. */
  static async open(folder: string, number: number): Promise<SegmentReader | null> {
    return SegmentReader.openFile(segmentPath(folder, number), number)
  }

  /** Opens a segment in another folder. */
  static async openFile(path: string, number: number): Promise<SegmentReader | null> {
    const file = await orNull(open(path, 'r'))
    if (file === null) return null
    let reader: SegmentReader | null = null
    try {
      const header = Buffer.alloc(segmentHeaderBytes)
      const { bytesRead } = await file.read(header, 0, segmentHeaderBytes, 0)
      if (bytesRead === segmentHeaderBytes) reader = await SegmentReader.#of(file, number, header)
      return reader
    } finally {
      if (reader === null) await file.close()
    }
  }

  /** Where the header is damaged, the marker is read from the first block. */
  static async #of(
    file: FileHandle,
    number: number,
    header: Buffer,
  ): Promise<SegmentReader | null> {
    const reader = new SegmentReader(number, file, header, header.readUInt32LE(8))
    const first = await reader.#bytes(segmentHeaderBytes, 4)
    const marker = first?.readUInt32LE(0)
    if (isOurs(header) && (marker === undefined || marker === reader.#marker)) return reader
    if (marker !== undefined) {
      const other = new SegmentReader(number, file, header, marker)
      if ((await other.read(segmentHeaderBytes)).type === 'block') return other
    }
    return isOurs(header) ? reader : null
  }

  async read(offset: number): Promise<SegmentRead> {
    const head = await this.#bytes(offset, blockHeaderBytes)
    if (head === null) return { type: 'end' }
    const header = decodeBlockHeader(head, this.#marker)
    if (header === null) return { type: 'broken' }
    const nextOffset = offset + blockHeaderBytes + header.length
    const body = await this.#bytes(offset + blockHeaderBytes, header.length)
    if (body === null) return { type: 'end' }
    if (!isIntact(head, body, this.#marker)) {
      this.#window = Buffer.alloc(0)
      return { type: 'broken' }
    }
    return { type: 'block', header, body, nextOffset }
  }

  /** Returns the offset of the first whole block after a broken one at `offset`, or null. */
  async nextIntact(offset: number): Promise<number | null> {
    const wanted = Buffer.alloc(4)
    wanted.writeUInt32LE(this.#marker)
    const { size } = await this.#file.stat()
    let from = offset + 1
    while (from + blockHeaderBytes <= size) {
      const bytes = await this.#bytes(from, Math.min(windowBytes, size - from))
      if (bytes === null) return null
      const found = bytes.indexOf(wanted)
      if (found === -1) {
        from += Math.max(1, bytes.length - (wanted.length - 1))
        continue
      }
      if ((await this.read(from + found)).type === 'block') return from + found
      from += found + 1
    }
    return null
  }

  /** Counts the records of the whole blocks from `offset` on, and says where those end. */
  async count(offset: number): Promise<{ readonly records: number; readonly endOffset: number }> {
    let records = 0
    let endOffset = offset
    for (;;) {
      const found = await this.read(endOffset)
      if (found.type === 'end') return { records, endOffset }
      if (found.type === 'broken') {
        const next = await this.nextIntact(endOffset)
        if (next === null) return { records, endOffset }
        endOffset = next
        continue
      }
      records += found.header.count
      endOffset = found.nextOffset
    }
  }

  async size(): Promise<number> {
    return (await this.#file.stat()).size
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  /** Returns a view of `length` bytes at `offset`; null when the file ends before. */
  async #bytes(offset: number, length: number): Promise<Buffer | null> {
    const start = offset - this.#windowOffset
    if (start >= 0 && start + length <= this.#window.length) {
      return this.#window.subarray(start, start + length)
    }
    const { size } = await this.#file.stat()
    if (offset + length > size) return null
    // Always a fresh buffer: the current block's header may be a view of the old one.
    const window = Buffer.allocUnsafeSlow(Math.max(length, Math.min(windowBytes, size - offset)))
    let filled = 0
    while (filled < window.length) {
      const { bytesRead } = await this.#file.read(
        window,
        filled,
        window.length - filled,
        offset + filled,
      )
      if (bytesRead === 0) break
      filled += bytesRead
    }
    this.#window = window.subarray(0, filled)
    this.#windowOffset = offset
    return filled < length ? null : this.#window.subarray(0, length)
  }
}

async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw cause
  }
}
