/**
 * A block holds deliveries that were published together, compressed together, little endian:
 *
 *     u32 marker   the segment's own random word
 *     u32 length   bytes of the body
 *     u32 crc32    of the rest of the header and the body, seeded with the marker
 *     u32 count    records in it
 *     u32 plain    bytes of the body when it is decompressed
 *     body: lanes, then records (`record.ts`), zstd
 *     lanes: u32 0x184d2a50 · u32 bytes that follow · for each lane: u16 number · u32 records in it
 *
 * The lanes let a reader find a project's deliveries without decompressing those of others. They
 * are a skippable frame of zstd, and absent from blocks of versions without lanes. The marker is
 * random so that bytes inside a body cannot pass for a block of this segment.
 *
 * Accepted envelopes wait for the disk, and those of one application are alike: those of
 * `bench/ingest` shrink to a tenth or less at 800 MB/s, so the same queue holds ten times as many
 * while processing stands still.
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Delivery } from '../port.ts'
import { laneOf } from './lane.ts'
import { decodeRecords, projectIdsOf } from './record.ts'

export const blockHeaderBytes = 20
const crcOffset = 8
const afterCrcOffset = 12
const lanesMagic = 0x184d2a50
const lanesHeaderBytes = 8
const laneBytes = 6
const chunkBytesMin = 1024
const params = { [constants.ZSTD_c_compressionLevel]: 1 }

/** The members of a header; the body follows it. */
export interface BlockHeader {
  readonly length: number
  readonly count: number
  readonly plainBytes: number
}

/** Encodes a block of these records, at least one: its header, and its body in two parts. */
export function encodeBlock(
  records: Uint8Array,
  count: number,
  marker: number,
): readonly [header: Buffer, lanes: Buffer, records: Buffer] {
  const lanes = encodeLanes(countByLane(projectIdsOf(records)))
  const body = zstdCompressSync(records, { params, chunkSize: chunkSizeOf(records.length) })
  const header = Buffer.allocUnsafe(blockHeaderBytes)
  header.writeUInt32LE(marker, 0)
  header.writeUInt32LE(lanes.length + body.length, 4)
  header.writeUInt32LE(count, 12)
  header.writeUInt32LE(records.length, 16)
  header.writeUInt32LE(checksumOf(header, [lanes, body], marker), crcOffset)
  return [header, lanes, body]
}

/** Reads a header; null when no block of this segment begins here. */
export function decodeBlockHeader(header: Buffer, marker: number): BlockHeader | null {
  if (header.readUInt32LE(0) !== marker) return null
  return {
    length: header.readUInt32LE(4),
    count: header.readUInt32LE(12),
    plainBytes: header.readUInt32LE(16),
  }
}

/** Tells whether header and body are undamaged. */
export function isIntact(header: Buffer, body: Buffer, marker: number): boolean {
  return header.readUInt32LE(crcOffset) === checksumOf(header, [body], marker)
}

/**
 * Counts the records of an intact block by lane. Returns null when it holds something else: damage that
 * happens to fit the checksum.
 */
export function lanesOf(header: BlockHeader, body: Buffer): ReadonlyMap<number, number> | null {
  if (lanesEnd(body) > 0) return decodeLanes(header, body)
  const deliveries = decodeBlock(header, body)
  return deliveries && countByLane(deliveries.map(({ projectId }) => projectId))
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
    const plain = zstdDecompressSync(body.subarray(lanesEnd(body)), {
      maxOutputLength: Math.max(1, plainBytes),
      chunkSize: Math.max(plainBytes, chunkBytesMin),
    })
    return plain.length === plainBytes ? decodeRecords(plain, count) : null
  } catch (cause) {
    const code = String((cause as NodeJS.ErrnoException).code)
    if (/^(?:ERR_BUFFER_TOO_LARGE$|Z_BUF_ERROR$|ZSTD_error_(?!memory))/.test(code)) return null
    throw cause
  }
}

/** A quarter has room for nearly every block; a second chunk follows otherwise. */
function chunkSizeOf(plainBytes: number): number {
  return Math.max(chunkBytesMin, plainBytes >> 2)
}

function checksumOf(header: Buffer, body: readonly Buffer[], marker: number): number {
  const seed = crc32(header.subarray(afterCrcOffset), marker)
  return body.reduce((sum, part) => crc32(part, sum), seed)
}

function countByLane(projectIds: Iterable<number>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (const projectId of projectIds) {
    const lane = laneOf(projectId)
    counts.set(lane, (counts.get(lane) ?? 0) + 1)
  }
  return counts
}

function encodeLanes(counts: ReadonlyMap<number, number>): Buffer {
  const frame = Buffer.allocUnsafe(lanesHeaderBytes + counts.size * laneBytes)
  let at = frame.writeUInt32LE(lanesMagic, 0)
  at = frame.writeUInt32LE(counts.size * laneBytes, at)
  for (const [lane, count] of counts) at = frame.writeUInt32LE(count, frame.writeUInt16LE(lane, at))
  return frame
}

/** Returns the offset of the records in a body: 0 without lanes. */
function lanesEnd(body: Buffer): number {
  if (body.length < lanesHeaderBytes || body.readUInt32LE(0) !== lanesMagic) return 0
  return lanesHeaderBytes + body.readUInt32LE(4)
}

function decodeLanes(header: BlockHeader, body: Buffer): ReadonlyMap<number, number> | null {
  const end = lanesEnd(body)
  if (end > body.length) return null
  const counts = new Map<number, number>()
  let sum = 0
  for (let at = lanesHeaderBytes; at + laneBytes <= end; at += laneBytes) {
    const count = body.readUInt32LE(at + 2)
    counts.set(body.readUInt16LE(at), count)
    sum += count
  }
  return sum === header.count ? counts : null
}
