import { expect, test } from 'vitest'
import type { Delivery } from '../port.ts'
import { decodeRecords, projectIdsOf, recordOverheadMax, writeRecord } from './record.ts'

const delivery: Delivery = {
  receivedAt: 1_800_000_000_000.5,
  projectId: 7,
  keyId: 'key',
  remoteAddress: '203.0.113.9',
  userAgent: 'Zürich/1',
  bytes: Buffer.from('{}\n'),
}

/** Returns the plain bytes of a block that holds these deliveries. */
function written(...deliveries: readonly Delivery[]): Buffer {
  const plain = Buffer.alloc(deliveries.length * (recordOverheadMax + 100))
  let at = 0
  for (const one of deliveries) at = writeRecord(one, plain, at)
  return plain.subarray(0, at)
}

test('deliveries are read as they were written, one behind the other', () => {
  const other = { ...delivery, keyId: '', remoteAddress: '', userAgent: null, bytes: Buffer.of() }
  const third = { ...delivery, remoteAddress: null, userAgent: '' }
  const read = decodeRecords(written(delivery, other, third), 3)
  expect(read).toEqual([delivery, other, third])
})

test('the project of each record is read without the rest', () => {
  const ids = [7, 2 ** 40, 7, 0]
  const plain = written(...ids.map((projectId) => ({ ...delivery, projectId })))
  expect([...projectIdsOf(plain)]).toEqual(ids)
  // Also of bytes that begin inside of their memory.
  const inside = Buffer.concat([Buffer.of(1, 2, 3), plain]).subarray(3)
  expect([...projectIdsOf(inside)]).toEqual(ids)
  expect([...projectIdsOf(Buffer.of())]).toEqual([])
})

test('an empty list of records has no deliveries', () => {
  expect(decodeRecords(Buffer.of(), 0)).toEqual([])
})

test('a text is cut at 4096 bytes, never through a character, and what follows it is whole', () => {
  const read = (userAgent: string) => decodeRecords(written({ ...delivery, userAgent }), 1)?.[0]
  expect(read('a'.repeat(4096))?.userAgent).toBe('a'.repeat(4096))
  expect(read('a'.repeat(4097))).toEqual({ ...delivery, userAgent: 'a'.repeat(4096) })
  expect(read(`${'a'.repeat(4095)}ü`)?.userAgent).toBe('a'.repeat(4095))
})

test('the longest texts fit into the room that is counted for a record', () => {
  const long = 'a'.repeat(5000)
  const full = {
    ...delivery,
    keyId: long,
    remoteAddress: long,
    userAgent: long,
    bytes: Buffer.of(),
  }
  expect(written(full)).toHaveLength(recordOverheadMax)
})

test.each([0, 2])('a block of one record that should hold %d is not read', (count) => {
  expect(decodeRecords(written(delivery), count)).toBeNull()
})

test('a record that is cut anywhere is not read', () => {
  const plain = written(delivery)
  for (let length = 0; length < plain.length; length += 1) {
    expect(decodeRecords(plain.subarray(0, length), 1)).toBeNull()
  }
})

/** Makes a record whose length fits, but whose body ends after this many bytes. */
function withBody(bytes: number): Buffer {
  const plain = Buffer.from(written(delivery).subarray(0, 4 + bytes))
  plain.writeUInt32LE(bytes, 0)
  return plain
}

test('a body that ends before its last text does is not read', () => {
  const texts = 16 + 3 * 2 + Buffer.byteLength('key203.0.113.9Zürich/1')
  for (let bytes = 0; bytes < texts; bytes += 1)
    expect(decodeRecords(withBody(bytes), 1)).toBeNull()
  expect(decodeRecords(withBody(texts), 1)).toEqual([{ ...delivery, bytes: Buffer.of() }])
})

test('bytes behind the last record are not passed over', () => {
  const plain = Buffer.concat([written(delivery), Buffer.from([1, 2])])
  expect(decodeRecords(plain, 1)).toBeNull()
})
