import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Delivery } from '../port.ts'
import { blockHeaderBytes, decodeBlock, decodeBlockHeader, encodeBlock, isIntact } from './block.ts'
import { recordOverheadMax, writeRecord } from './record.ts'

const marker = 0xfedcba98

function delivery(bytes: Uint8Array): Delivery {
  return { receivedAt: 1, projectId: 7, keyId: 'k', remoteAddress: null, userAgent: null, bytes }
}

function records(...deliveries: readonly Delivery[]): Buffer {
  const bytes = deliveries.reduce((sum, one) => sum + one.bytes.length, 0)
  const plain = Buffer.alloc(deliveries.length * recordOverheadMax + bytes)
  let at = 0
  for (const one of deliveries) at = writeRecord(one, plain, at)
  return plain.subarray(0, at)
}

/** Bytes that do not become fewer. */
const random = Buffer.alloc(50_000)
for (let at = 0, word = 1; at < random.length; at += 1) {
  word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0
  random[at] = word >>> 24
}

test.each([
  ['nothing', Buffer.of()],
  ['much of the same', Buffer.alloc(200_000)],
  ['what cannot be compressed', random],
])('a block of %s is read as it was written', (_, bytes) => {
  const deliveries = [delivery(bytes), delivery(Buffer.from('{}'))]
  const plain = records(...deliveries)
  const [head, body] = encodeBlock(plain, 2, marker)
  expect(head).toHaveLength(blockHeaderBytes)
  const header = decodeBlockHeader(head, marker)
  expect(header).toEqual({ length: body.length, count: 2, plainBytes: plain.length })
  expect(isIntact(head, body, marker)).toBe(true)
  expect(decodeBlock(header!, body)).toEqual(deliveries)
})

test('a block of another segment is not one of this', () => {
  const [head, body] = encodeBlock(records(delivery(random)), 1, marker)
  expect(decodeBlockHeader(head, marker + 1)).toBeNull()
  expect(isIntact(head, body, marker + 1)).toBe(false)
})

test('a bit that flips in the checksum, the counts or the body is noticed', () => {
  const [head, body] = encodeBlock(records(delivery(Buffer.from('{}'))), 1, marker)
  for (let at = 8; at < head.length; at += 1) {
    const damaged = Buffer.from(head)
    damaged[at]! ^= 1
    expect(isIntact(damaged, body, marker), `header ${at}`).toBe(false)
  }
  for (let at = 0; at < body.length; at += 1) {
    const damaged = Buffer.from(body)
    damaged[at]! ^= 1
    expect(isIntact(head, damaged, marker), `body ${at}`).toBe(false)
  }
})

test('what is not what its header says is not read', () => {
  const plain = records(delivery(random))
  const body = zstdCompressSync(plain)
  const header = { length: body.length, count: 1, plainBytes: plain.length }
  expect(decodeBlock(header, body)).toHaveLength(1)
  expect(decodeBlock({ ...header, count: 2 }, body)).toBeNull()
  expect(decodeBlock({ ...header, plainBytes: plain.length - 1 }, body)).toBeNull()
  expect(decodeBlock({ ...header, plainBytes: plain.length + 1 }, body)).toBeNull()
  expect(decodeBlock({ ...header, plainBytes: 0 }, body)).toBeNull()
  expect(decodeBlock(header, Buffer.from('not zstd at all'))).toBeNull()
})

test('a fault that is not one of the bytes is thrown', () => {
  const header = { length: 1, count: 1, plainBytes: 1 }
  expect(() => decodeBlock(header, 7 as unknown as Buffer)).toThrow(TypeError)
})
