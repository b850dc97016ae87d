/**
 * Appends blocks to the newest segment, in the thread that `writer.ts` starts: it compresses, writes
 * and syncs while the main thread reads the next requests. All calls are synchronous, as this thread
 * does nothing else. Deliveries that arrive while a write is in flight share the next write.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
  writevSync,
} from 'node:fs'
import { encodeBlock } from './block.ts'
import { encodeSegmentHeader, segmentHeaderBytes, segmentPath } from './segment.ts'
import { syncFolderNow } from '../../sync.ts'

/** Records that become one block. */
export interface Handover {
  readonly id: number
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly count: number
}

export interface AppenderStart {
  readonly logFolder: string
  /** The number of the newest segment so far. */
  readonly lastNumber: number
  /** Records in all segments so far. */
  readonly recordsEver: number
  readonly segmentBytesMax: number
}

interface OpenSegment {
  readonly file: number
  readonly marker: number
  bytes: number
}

export class Appender {
  readonly #logFolder: string
  readonly #segmentBytesMax: number
  #segment: OpenSegment | null = null
  #lastNumber: number
  #recordsEver: number

  constructor({ logFolder, segmentBytesMax, lastNumber, recordsEver }: AppenderStart) {
    this.#logFolder = logFolder
    this.#segmentBytesMax = segmentBytesMax
    this.#lastNumber = lastNumber
    this.#recordsEver = recordsEver
    this.#segment = this.#openSegment()
  }

  /**
   * Writes the records; returns the bytes they take on disk once they are durable. Throws when they
   * may not be.
   */
  append(handovers: readonly Handover[]): number {
    try {
      return this.#write(handovers)
    } catch (cause) {
      this.#abandonSegment()
      throw cause
    }
  }

  close(): void {
    const segment = this.#segment
    this.#segment = null
    if (segment !== null) closeSync(segment.file)
  }

  #write(handovers: readonly Handover[]): number {
    if (this.#segment !== null && this.#segment.bytes >= this.#segmentBytesMax) this.close()
    this.#segment ??= this.#openSegment()
    const segment = this.#segment
    const blocks = handovers.map(({ bytes, count }) => encodeBlock(bytes, count, segment.marker))
    const written = writeAll(segment.file, blocks.flat(), segment.bytes)
    segment.bytes += written
    this.#recordsEver += handovers.reduce((sum, { count }) => sum + count, 0)
    return written
  }

  /** O_DSYNC makes a write and its `fdatasync` one call. */
  #openSegment(): OpenSegment {
    const number = this.#lastNumber + 1
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_DSYNC
    const file = openSync(segmentPath(this.#logFolder, number), flags)
    this.#lastNumber = number
    const marker = randomBytes(4).readUInt32LE()
    try {
      writeSync(file, encodeSegmentHeader(marker, this.#recordsEver), 0, segmentHeaderBytes, 0)
      fsyncSync(file)
      syncFolderNow(this.#logFolder)
    } catch (cause) {
      closeSync(file)
      throw cause
    }
    return { file, marker, bytes: segmentHeaderBytes }
  }

  /**
   * Cuts the file to its acknowledged part, which is never written again. After a failed write or
   * sync the content of the disk is unknown, and a second sync may report lost pages as clean.
   */
  #abandonSegment(): void {
    const segment = this.#segment
    this.#segment = null
    if (segment === null) return
    try {
      ftruncateSync(segment.file, segment.bytes)
    } catch {
      // A delivery without an acknowledgement may then be delivered: a repetition, but no loss.
    } finally {
      closeSync(segment.file)
    }
  }
}

/** Writes every vector, continuing after a short write; returns the number of bytes. */
function writeAll(file: number, vectors: readonly Uint8Array[], offset: number): number {
  let rest = vectors
  let written = 0
  while (rest.length > 0) {
    const bytes = writevSync(file, rest, offset + written)
    if (bytes === 0) throw new Error('the disk took no bytes')
    written += bytes
    rest = afterBytes(rest, bytes)
  }
  return written
}

function afterBytes(vectors: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let left = bytes
  for (const [index, vector] of vectors.entries()) {
    if (left < vector.byteLength) return [vector.subarray(left), ...vectors.slice(index + 1)]
    left -= vector.byteLength
  }
  return []
}
