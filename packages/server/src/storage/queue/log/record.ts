/**
 * One delivery as it lies in a segment, little endian:
 *
 *     u32 marker   the segment's own random word
 *     u32 length   bytes of the body
 *     u32 crc32    of the body, seeded with the marker
 *     body: f64 receivedAt · f64 projectId · text keyId · text remoteAddress · text userAgent · envelope
 *     text: u16 bytes (0xffff = null) · UTF-8
 *
 * The marker is random so that bytes inside an envelope cannot pass for a record of this segment.
 */
import { crc32 } from 'node:zlib'
import type { Delivery } from '../port.ts'

export const recordHeaderBytes = 12
/** Longer texts are cut: they come from request headers, and nobody reads that much of one. */
const textBytesMax = 4096
const nullText = 0xffff
const fixedBytes = 16

/** The bytes before the envelope: the record's header and all that is not the envelope. */
export function encodeRecordHead(delivery: Delivery, marker: number): Buffer {
  const texts = [delivery.keyId, delivery.remoteAddress, delivery.userAgent].map(encodeText)
  const prefixBytes = fixedBytes + texts.reduce((sum, text) => sum + 2 + (text?.length ?? 0), 0)
  const head = Buffer.allocUnsafe(recordHeaderBytes + prefixBytes)
  head.writeDoubleLE(delivery.receivedAt, recordHeaderBytes)
  head.writeDoubleLE(delivery.projectId, recordHeaderBytes + 8)
  let at = recordHeaderBytes + fixedBytes
  for (const text of texts) {
    at = head.writeUInt16LE(text === null ? nullText : text.length, at)
    if (text !== null) at += text.copy(head, at)
  }
  head.writeUInt32LE(marker, 0)
  head.writeUInt32LE(prefixBytes + delivery.bytes.byteLength, 4)
  head.writeUInt32LE(crc32(delivery.bytes, crc32(head.subarray(recordHeaderBytes), marker)), 8)
  return head
}

function encodeText(text: string | null): Buffer | null {
  if (text === null) return null
  const bytes = Buffer.from(text, 'utf8')
  return bytes.length > textBytesMax ? bytes.subarray(0, textBytesMax) : bytes
}

/** True when `body` is what the header promised. */
export function isIntact(body: Uint8Array, checksum: number, marker: number): boolean {
  return crc32(body, marker) === checksum
}

/** The delivery of a record's body, its bytes a view into `body`; null when it is not one. */
export function decodeRecordBody(body: Buffer): Delivery | null {
  if (body.length < fixedBytes) return null
  const texts: (string | null)[] = []
  let at = fixedBytes
  for (let index = 0; index < 3; index++) {
    if (at + 2 > body.length) return null
    const bytes = body.readUInt16LE(at)
    at += 2
    if (bytes === nullText) {
      texts.push(null)
      continue
    }
    if (at + bytes > body.length) return null
    texts.push(body.toString('utf8', at, at + bytes))
    at += bytes
  }
  return {
    receivedAt: body.readDoubleLE(0),
    projectId: body.readDoubleLE(8),
    keyId: texts[0] ?? '',
    remoteAddress: texts[1] ?? null,
    userAgent: texts[2] ?? null,
    bytes: body.subarray(at),
  }
}
