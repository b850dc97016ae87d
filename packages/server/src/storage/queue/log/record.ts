/**
 * One delivery as stored in a block, little endian:
 *
 *     u32 length   bytes of what follows
 *     f64 receivedAt · f64 projectId · text keyId · text remoteAddress · text userAgent · envelope
 *     text: u16 bytes (0xffff = null) · UTF-8
 */
import type { Delivery } from '../port.ts'

const lengthBytes = 4
/** Bytes of a text; longer ones, which come from request headers, are cut. */
const textBytesMax = 4096
const nullText = 0xffff
const projectIdOffset = 8
const fixedBytes = 16

/** Upper bound of a record's size beside its envelope. */
export const recordOverheadMax = lengthBytes + fixedBytes + 3 * (2 + textBytesMax)

/** Writes a record at `start`, where there is room for it; returns the offset after it. */
export function writeRecord(delivery: Delivery, into: Buffer, start: number): number {
  let at = into.writeDoubleLE(delivery.receivedAt, start + lengthBytes)
  at = into.writeDoubleLE(delivery.projectId, at)
  for (const text of [delivery.keyId, delivery.remoteAddress, delivery.userAgent]) {
    at = writeText(text, into, at)
  }
  into.set(delivery.bytes, at)
  at += delivery.bytes.byteLength
  into.writeUInt32LE(at - start - lengthBytes, start)
  return at
}

function writeText(text: string | null, into: Buffer, start: number): number {
  const bytes = text === null ? 0 : into.write(text, start + 2, textBytesMax, 'utf8')
  into.writeUInt16LE(text === null ? nullText : bytes, start)
  return start + 2 + bytes
}

/** Returns the project of each record that `writeRecord` wrote into these bytes, in order. */
export function* projectIdsOf(records: Uint8Array): Generator<number> {
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength)
  for (let at = 0; at < records.length; at += lengthBytes + view.getUint32(at, true)) {
    yield view.getFloat64(at + lengthBytes + projectIdOffset, true)
  }
}

/** Decodes the deliveries of a block's plain bytes, as views into them; null when they are not valid. */
export function decodeRecords(plain: Buffer, count: number): readonly Delivery[] | null {
  const deliveries: Delivery[] = []
  let at = 0
  while (at + lengthBytes <= plain.length) {
    const length = plain.readUInt32LE(at)
    const end = at + lengthBytes + length
    if (end > plain.length) return null
    const delivery = decodeRecord(plain.subarray(at + lengthBytes, end))
    if (delivery === null) return null
    deliveries.push(delivery)
    at = end
  }
  return at === plain.length && deliveries.length === count ? deliveries : null
}

function decodeRecord(body: Buffer): Delivery | null {
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
    projectId: body.readDoubleLE(projectIdOffset),
    keyId: texts[0] ?? '',
    remoteAddress: texts[1] ?? null,
    userAgent: texts[2] ?? null,
    bytes: body.subarray(at),
  }
}
