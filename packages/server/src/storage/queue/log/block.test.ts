import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Delivery } from '../port.ts'
import { blockHeaderBytes, decodeBlock, decodeBlockHeader, isIntact, lanesOf } from './block.ts'
import * as block from './block.ts'
import { laneCount, laneOf } from './lane.ts'
import { recordOverheadMax, writeRecord } from './record.ts'

const marker = 0xfedcba98

function delivery(bytes: Uint8Array, projectId = 7): Delivery {
  return { receivedAt: 1, projectId, keyId: 'k', remoteAddress: null, userAgent: null, bytes }
}

function records(...deliveries: readonly Delivery[]): Buffer {
  const bytes = deliveries.reduce((sum, one) => sum + one.bytes.length, 0)
  const plain = Buffer.alloc(deliveries.length * recordOverheadMax + bytes)
  let at = 0
  for (const one of deliveries) at = writeRecord(one, plain, at)
  return plain.subarray(0, at)
}

/** Reads a block: the header, and the body whole. */
function encodeBlock(plain: Buffer, count: number, word: number): [head: Buffer, body: Buffer] {
  const [head, ...body] = block.encodeBlock(plain, count, word)
  return [head, Buffer.concat(body)]
}

/** Incompressible bytes. */
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

test('a body that differs from its header is not read', () => {
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

test('a block says how many records of each lane it holds, without being decompressed', () => {
  const projects = [7, 9, 7, 7, 9, 7 + laneCount]
  const plain = records(...projects.map((project) => delivery(Buffer.of(1), project)))
  const [head, body] = encodeBlock(plain, projects.length, marker)
  const header = decodeBlockHeader(head, marker)!
  const lanes = new Map([
    [7, 4],
    [9, 2],
  ])
  expect(lanesOf(header, body)).toEqual(lanes)
  const unreadable = body.fill(0, 20)
  expect(decodeBlock(header, unreadable)).toBeNull()
  expect(lanesOf(header, unreadable)).toEqual(lanes)
})

test('a block of a version without lanes is decompressed to tell them', () => {
  const plain = records(delivery(random, 7), delivery(random, 9))
  const body = zstdCompressSync(plain)
  const header = { length: body.length, count: 2, plainBytes: plain.length }
  expect(lanesOf(header, body)).toEqual(
    new Map([
      [7, 1],
      [9, 1],
    ]),
  )
  expect(lanesOf(header, Buffer.from('not zstd at all'))).toBeNull()
})

test('lanes that are not those of the records are not read', () => {
  const [head, body] = encodeBlock(records(delivery(random)), 1, marker)
  const header = decodeBlockHeader(head, marker)!
  expect(lanesOf({ ...header, count: 2 }, body)).toBeNull()
  expect(lanesOf(header, body.subarray(0, 13))).toBeNull()
  expect(decodeBlock(header, body.subarray(0, 13))).toBeNull()
})

test('every project has a lane, and those of small ids have one each', () => {
  const ids = Array.from({ length: laneCount }, (_, index) => index + 1)
  expect(new Set(ids.map(laneOf)).size).toBe(laneCount)
  for (const id of [-1, 0, 1.5, Number.NaN, Infinity, Number.MAX_SAFE_INTEGER, 2 ** 60]) {
    expect(laneOf(id)).toBeOneOf(Array.from({ length: laneCount }, (_, lane) => lane))
  }
})
