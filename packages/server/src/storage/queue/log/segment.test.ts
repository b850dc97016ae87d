import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { decodeBlock } from './block.ts'
import {
  encodeSegmentHeader,
  listSegments,
  segmentHeaderBytes,
  segmentPath,
  SegmentReader,
  unreadableBytes,
} from './segment.ts'
import {
  blockOf,
  damaged,
  deliveryOf,
  marker,
  openFilesIn,
  writeSegment,
} from './written-log.fixture.ts'

let folder: string
let readers: SegmentReader[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'segment-'))
  readers = []
})
afterEach(async () => {
  for (const reader of readers) await reader.close()
  rmSync(folder, { recursive: true })
})

async function opened(number = 1): Promise<SegmentReader> {
  const reader = await SegmentReader.open(folder, number)
  if (reader === null) throw new Error('the segment cannot be opened')
  readers.push(reader)
  return reader
}

const block = blockOf([deliveryOf(7, 'a'), deliveryOf(8, 'b')])
const other = blockOf([deliveryOf(7, 'other')])

test('segments are listed by their numbers, and other files are not', async () => {
  for (const number of [10, 9, 100]) writeSegment(folder, number, [])
  for (const name of ['1.log', '0000000000000001.log.new', 'x0000000000000001.log', 'a']) {
    writeFileSync(join(folder, name), '')
  }
  expect(await listSegments(folder)).toEqual([9, 10, 100])
  expect(segmentPath('q', 7)).toBe(join('q', '0000000000000007.log'))
})

test('blocks are read one after the other, as they were written', async () => {
  const places = writeSegment(folder, 1, [block, other], 5)
  const reader = await opened()
  expect([reader.number, reader.recordsBefore]).toEqual([1, 5])
  const found = await reader.read(segmentHeaderBytes)
  if (found.type !== 'block') throw new Error(found.type)
  expect(decodeBlock(found.header, found.body)).toHaveLength(2)
  expect(found.nextOffset).toBe(places[1]!.offset)
  const second = await reader.read(found.nextOffset)
  expect(second).toMatchObject({ type: 'block', header: { count: 1 } })
  const end = segmentHeaderBytes + block.length + other.length
  expect(await reader.read(end)).toEqual({ type: 'end' })
  expect(await reader.size()).toBe(end)
})

test('a reader sees what is written after it was opened', async () => {
  writeSegment(folder, 1, [block])
  const reader = await opened()
  const end = segmentHeaderBytes + block.length
  expect(await reader.read(end)).toEqual({ type: 'end' })
  appendFileSync(segmentPath(folder, 1), other.subarray(0, -1))
  expect(await reader.read(end)).toEqual({ type: 'end' })
  appendFileSync(segmentPath(folder, 1), other.subarray(-1))
  expect(await reader.read(end)).toMatchObject({ type: 'block' })
})

test('blocks are read in any order, also further apart than a window', async () => {
  const large = blockOf([
    deliveryOf(7, Array.from({ length: 400_000 }, (_, n) => n.toString(36)).join('')),
  ])
  expect(large.length).toBeGreaterThan(700_000)
  const places = writeSegment(folder, 1, [large, other, large, large, block])
  const reader = await opened()
  for (const index of [4, 0, 3, 1, 2, 4, 0]) {
    const found = await reader.read(places[index]!.offset)
    expect(found.type).toBe('block')
  }
  expect(await reader.count(segmentHeaderBytes)).toMatchObject({ records: 6 })
})

test('a block that is damaged is broken, and the next whole one is found behind it', async () => {
  for (const at of [0, 9, 15, -1]) {
    const places = writeSegment(folder, 1, [block, damaged(other, at), block, other])
    const reader = await opened()
    expect(await reader.read(places[1]!.offset)).toEqual({ type: 'broken' })
    expect(await reader.nextIntact(places[1]!.offset)).toBe(places[2]!.offset)
    expect(await reader.nextIntact(places[2]!.offset)).toBe(places[3]!.offset)
    expect(await reader.nextIntact(places[3]!.offset)).toBeNull()
    expect(await reader.count(segmentHeaderBytes)).toEqual({
      records: 5,
      endOffset: segmentHeaderBytes + 2 * block.length + 2 * other.length,
    })
  }
})

test('the marker of a segment inside of damage is not taken for a block', async () => {
  const noise = Buffer.alloc(3_000_000)
  for (let at = 5; at + 4 < noise.length; at += 100_000) noise.writeUInt32LE(marker, at)
  const places = writeSegment(folder, 1, [block, noise, other])
  const reader = await opened()
  expect(await reader.nextIntact(places[1]!.offset)).toBe(places[2]!.offset)
  truncateSync(segmentPath(folder, 1), places[2]!.offset + 10)
  expect(await reader.nextIntact(places[1]!.offset)).toBeNull()
  expect(await reader.count(segmentHeaderBytes)).toEqual({
    records: 2,
    endOffset: places[1]!.offset,
  })
})

test('a damaged block is read again once it is whole', async () => {
  writeSegment(folder, 1, [damaged(block, -1)])
  const reader = await opened()
  expect((await reader.read(segmentHeaderBytes)).type).toBe('broken')
  writeSegment(folder, 1, [block])
  expect((await reader.read(segmentHeaderBytes)).type).toBe('block')
})

test('a segment without a whole header of this version cannot be opened', async () => {
  expect(await SegmentReader.open(folder, 1)).toBeNull()
  const header = encodeSegmentHeader(marker, 0)
  for (const bytes of [Buffer.of(), header.subarray(0, -1), damaged(header, 0)]) {
    writeFileSync(segmentPath(folder, 1), bytes)
    expect(await SegmentReader.open(folder, 1)).toBeNull()
  }
  writeFileSync(segmentPath(folder, 1), header)
  expect(await (await opened()).read(segmentHeaderBytes)).toEqual({ type: 'end' })
})

test('a header says when its segment was made, and how many records came before', () => {
  const before = Date.now()
  const header = encodeSegmentHeader(marker, 7)
  expect(header.readDoubleLE(16)).toBe(7)
  expect(header.readDoubleLE(24)).toBeGreaterThanOrEqual(before)
  expect(header.readDoubleLE(24)).toBeLessThanOrEqual(Date.now())
})

test('a segment that the disk does not give is not taken for a missing one', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(SegmentReader.open(join(folder, 'file'), 1)).rejects.toThrow('ENOTDIR')
  const path = segmentPath(join(folder, 'file'), 1)
  await expect(unreadableBytes(path)).rejects.toThrow('ENOTDIR')
})

test('a reader that is closed leaves no file open', async () => {
  writeSegment(folder, 1, [block])
  const reader = await SegmentReader.open(folder, 1)
  await reader!.read(segmentHeaderBytes)
  await reader!.close()
  expect(openFilesIn(folder)).toEqual([])
})

test('a file that the disk does not give is closed', async () => {
  mkdirSync(segmentPath(folder, 1))
  await expect(SegmentReader.open(folder, 1)).rejects.toThrow('EISDIR')
  expect(openFilesIn(folder)).toEqual([])
})

test('where the header is damaged its first block tells the marker', async () => {
  writeSegment(folder, 1, [block, other])
  const whole = readFileSync(segmentPath(folder, 1))
  for (const at of [0, 7, 8, 11]) {
    writeFileSync(segmentPath(folder, 1), damaged(whole, at))
    expect(await (await opened()).count(segmentHeaderBytes)).toMatchObject({ records: 3 })
  }
  // The header is whole, but the first block is not.
  writeFileSync(segmentPath(folder, 1), damaged(whole, segmentHeaderBytes))
  const reader = await opened()
  expect(await reader.nextIntact(segmentHeaderBytes)).toBe(segmentHeaderBytes + block.length)
  // Neither is.
  writeFileSync(segmentPath(folder, 1), damaged(damaged(whole, 0), segmentHeaderBytes))
  expect(await SegmentReader.open(folder, 1)).toBeNull()
})

test.each([-1, 0.5, Number.NaN])(
  'a header that says %d records came before says nothing',
  async (before) => {
    writeSegment(folder, 1, [block], before)
    expect((await opened()).recordsBefore).toBe(0)
  },
)

test('bytes that cannot be read are counted, and a whole segment has none', async () => {
  const path = segmentPath(folder, 1)
  expect(await unreadableBytes(path)).toBe(0)
  writeSegment(folder, 1, [block, other])
  expect(await unreadableBytes(path)).toBe(0)
  writeSegment(folder, 1, [block, damaged(other, -1), block, other.subarray(0, -3)])
  expect(await unreadableBytes(path)).toBe(2 * other.length - 3)
  const header = damaged(encodeSegmentHeader(marker, 0), 0)
  writeFileSync(path, header)
  expect(await unreadableBytes(path)).toBe(0)
  writeFileSync(path, Buffer.concat([header, Buffer.of(1)]))
  expect(await unreadableBytes(path)).toBe(segmentHeaderBytes + 1)
  expect(openFilesIn(folder)).toEqual([])
})
