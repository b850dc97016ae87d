/**
 * Deliveries that were published together, compressed together, little endian:
 *
 *     u32 marker   the segment's own random word
 *     u32 length   bytes of the body
 *     u32 crc32    of the rest of the header and the body, seeded with the marker
 *     u32 count    records in it
 *     u32 plain    bytes of the body when it is decompressed
 *     body: records (`record.ts`), zstd
 *
 * The marker is random so that bytes inside a body cannot pass for a block of this segment.
 *
 * Compressed because the disk is what an accepted envelope waits for, and envelopes of one
 * application are alike: those of `bench/ingest` become a tenth of their bytes and less at 800 MB/s,
 * and the same queue holds as many times more while processing stands still.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Delivery } from '../port.ts'
import { decodeRecords } from './record.ts'

export const blockHeaderBytes = 20
const crcOffset = 8
const afterCrcOffset = 12
const chunkBytesMin = 1024
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/** What a header says; the body follows it. */
export interface BlockHeader {
  readonly length: number
  readonly count: number
  readonly plainBytes: number
}

/** A block of these records, at least one: its header and its body. */
export function encodeBlock(
  records: Uint8Array,
  count: number,
  marker: number,
): readonly [header: Buffer, body: Buffer] {
  const body = zstdCompressSync(records, { params, chunkSize: chunkSizeOf(records.length) })
  const header = Buffer.allocUnsafe(blockHeaderBytes)
  header.writeUInt32LE(marker, 0)
  header.writeUInt32LE(body.length, 4)
  header.writeUInt32LE(count, 12)
  header.writeUInt32LE(records.length, 16)
  header.writeUInt32LE(checksumOf(header, body, marker), crcOffset)
  return [header, body]
}

/** Null when no block of this segment begins here. */
export function decodeBlockHeader(header: Buffer, marker: number): BlockHeader | null {
  if (header.readUInt32LE(0) !== marker) return null
  return {
    length: header.readUInt32LE(4),
    count: header.readUInt32LE(12),
    plainBytes: header.readUInt32LE(16),
  }
}

/** True when header and body are what was written. */
export function isIntact(header: Buffer, body: Buffer, marker: number): boolean {
  return header.readUInt32LE(crcOffset) === checksumOf(header, body, marker)
}

/**
 * Decodes the deliveries of an intact block. Returns null when it holds something else: damage that
 * happens to fit the checksum. Throws failures that the bytes did not cause, such as a lack of memory.
 */
export function decodeBlock(
  { plainBytes, count }: BlockHeader,
  body: Buffer,
): readonly Delivery[] | null {
  try {
    const plain = zstdDecompressSync(body, {
      maxOutputLength: Math.max(1, plainBytes),
      chunkSize: Math.max(plainBytes, chunkBytesMin),
    })
    return plain.length === plainBytes ? decodeRecords(plain, count) : null
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code)
    if (code === 'ERR_BUFFER_TOO_LARGE' || /^ZSTD_error_(?!memory)/.test(code)) return null
    throw cause
  }
}

/** A quarter is room for nearly every block, and a second chunk follows where it is not. */
function chunkSizeOf(plainBytes: number): number {
  return Math.max(chunkBytesMin, plainBytes >> 2)
}

function checksumOf(header: Buffer, body: Buffer, marker: number): number {
  return crc32(body, crc32(header.subarray(afterCrcOffset), marker))
}
