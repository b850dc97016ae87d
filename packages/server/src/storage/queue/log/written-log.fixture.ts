import { existsSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Delivery } from '../port.ts'
import { encodeBlock } from './block.ts'
import type { BlockPlace } from './cursor.ts'
import { recordOverheadMax, writeRecord } from './record.ts'
import { encodeSegmentHeader, segmentHeaderBytes, segmentPath } from './segment.ts'

export const marker = 0xfedcba98

export function deliveryOf(projectId: number, text = '{}', receivedAt = 1): Delivery {
  const sender = { keyId: 'k', remoteAddress: null, userAgent: null }
  return { receivedAt, projectId, ...sender, bytes: Buffer.from(text) }
}

/** Returns the plain bytes of a block, in memory of their own. */
export function recordsOf(deliveries: readonly Delivery[]): Uint8Array<ArrayBuffer> {
  const bytes = deliveries.reduce((sum, one) => sum + one.bytes.length, 0)
  const plain = Buffer.alloc(deliveries.length * recordOverheadMax + bytes)
  let end = 0
  for (const one of deliveries) end = writeRecord(one, plain, end)
  return new Uint8Array(plain.subarray(0, end))
}

/** Returns a block as it stands in a segment. */
export function blockOf(deliveries: readonly Delivery[]): Buffer {
  return Buffer.concat(encodeBlock(recordsOf(deliveries), deliveries.length, marker))
}

/** Writes a segment with these blocks, or other bytes, and returns the place of each. */
export function writeSegment(
  folder: string,
  number: number,
  blocks: readonly (Buffer | readonly Delivery[])[],
  recordsBefore = 0,
): BlockPlace[] {
  const parts = [encodeSegmentHeader(marker, recordsBefore)]
  const places: BlockPlace[] = []
  let offset = segmentHeaderBytes
  for (const block of blocks) {
    const bytes = Buffer.isBuffer(block) ? block : blockOf(block)
    places.push({ segment: number, offset })
    parts.push(bytes)
    offset += bytes.length
  }
  writeFileSync(segmentPath(folder, number), Buffer.concat(parts))
  return places
}

/** Returns a copy in which one byte, counted from the end if below 0, has another value. */
export function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  const place = at < 0 ? copy.length + at : at
  copy[place] = copy[place]! ^ 0xff
  return copy
}

/** Returns a block that is whole by its checksum, and holds fewer records than its header says. */
export function miscountedBlock(deliveries: readonly Delivery[]): Buffer {
  return Buffer.concat(encodeBlock(recordsOf(deliveries), deliveries.length + 1, marker))
}

/** Lists the files of a folder that this process has open; none where the system does not tell. */
export function openFilesIn(folder: string): string[] {
  const descriptors = '/proc/self/fd'
  if (!existsSync(descriptors)) return []
  const paths = readdirSync(descriptors).map((name) => {
    try {
      return readlinkSync(join(descriptors, name))
    } catch {
      // The descriptor of the listing itself is closed by now.
      return ''
    }
  })
  return paths.filter((path) => path.startsWith(folder)).sort()
}
