import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DecodedBlocks, readBlockAt, readDelivery } from './decoded-blocks.ts'
import { segmentPath } from './segment.ts'
import {
  blockOf,
  damaged,
  deliveryOf,
  miscountedBlock,
  openFilesIn,
  writeSegment,
} from './written-log.fixture.ts'

let folder: string
let blocks: DecodedBlocks
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'decoded-'))
  blocks = new DecodedBlocks(folder, { decodedBytesMax: 1_000_000, openSegmentsMax: 2 })
})
afterEach(async () => {
  await blocks.clear()
  rmSync(folder, { recursive: true })
})

const two = [deliveryOf(7, 'a'), deliveryOf(8, 'b')]

test('a block is decoded once, and shared by its deliveries', async () => {
  const [place] = writeSegment(folder, 1, [two])
  const block = await blocks.at(place!)
  expect(block).toMatchObject({ deliveries: two, shareBytes: blockOf(two).length / 2 })
  expect(block!.plainBytes).toBeGreaterThan(2)
  expect(await blocks.at({ ...place! })).toBe(block)
})

test('a block that is gone or broken is null', async () => {
  const [place] = writeSegment(folder, 1, [damaged(blockOf(two), -1)])
  expect(await blocks.at(place!)).toBeNull()
  expect(await blocks.at({ segment: 9, offset: place!.offset })).toBeNull()
  expect(await readBlockAt(folder, place!)).toBeNull()
  expect(await readBlockAt(folder, { segment: 9, offset: place!.offset })).toBeNull()
})

test('the blocks that were asked for last are kept, within a bound', async () => {
  const [a, b, c] = writeSegment(
    folder,
    1,
    ['a', 'b', 'c'].map((text) => [deliveryOf(7, text.repeat(1000))]),
  )
  blocks = new DecodedBlocks(folder, { decodedBytesMax: 2500, openSegmentsMax: 2 })
  const [first, second] = [await blocks.at(a!), await blocks.at(b!)]
  expect(await blocks.at(a!)).toBe(first)
  const third = await blocks.at(c!)
  expect(await blocks.at(a!)).toBe(first)
  expect(await blocks.at(c!)).toBe(third)
  expect(await blocks.at(b!)).not.toBe(second)
  expect(await blocks.at(a!)).not.toBe(first)
})

test('a block that is whole, but holds something else, is null', async () => {
  const [place] = writeSegment(folder, 1, [miscountedBlock(two)])
  expect(await blocks.at(place!)).toBeNull()
  expect(await readBlockAt(folder, place!)).toBeNull()
})

test('blocks of exactly the bytes that may be kept are kept', async () => {
  const [a, b, c] = writeSegment(folder, 1, [two, two, two])
  const bytes = (await readBlockAt(folder, a!))!.plainBytes
  blocks = new DecodedBlocks(folder, { decodedBytesMax: 2 * bytes, openSegmentsMax: 2 })
  const [first, second] = [await blocks.at(a!), await blocks.at(b!)]
  expect(await blocks.at(b!)).toBe(second)
  expect(await blocks.at(a!)).toBe(first)
  await blocks.at(c!)
  expect(await blocks.at(a!)).toBe(first)
  expect(await blocks.at(b!)).not.toBe(second)
})

/** The numbers of the segments that are open. */
function open(): number[] {
  return openFilesIn(folder).map((path) => Number(basename(path, '.log')))
}

test('a bounded number of segments is open, those that were used last', async () => {
  const places = [1, 2, 3].map((number) => writeSegment(folder, number, [two, two, two]))
  const read = (number: number, index: number) => blocks.at(places[number - 1]![index]!)
  await read(1, 0)
  await read(2, 0)
  await read(1, 1)
  await read(3, 0)
  if (open().length > 0) expect(open()).toEqual([1, 3])
  await blocks.clear()
  expect(open()).toEqual([])
})

test('blocks that were cleared are read again', async () => {
  const [place] = writeSegment(folder, 1, [two])
  const block = await blocks.at(place!)
  await blocks.clear()
  const again = await blocks.at(place!)
  expect(again).not.toBe(block)
  expect(again).toEqual(block)
})

test('the segments that were asked for last stay open, and those before a number are closed', async () => {
  const places = [1, 2, 3].map((number) => writeSegment(folder, number, [two, two]))
  for (const [first] of places) await blocks.at(first!)
  // An unlinked file stays readable for those who have it open.
  for (const number of [1, 2, 3]) rmSync(segmentPath(folder, number))
  const second = (number: number) => blocks.at(places[number - 1]![1]!)
  expect(await second(1)).toBeNull()
  await blocks.closeBefore(3)
  expect(await second(2)).toBeNull()
  expect(await second(3)).not.toBeNull()
})

test('one delivery is read by its place', async () => {
  const [place] = writeSegment(folder, 1, [two])
  expect(await readDelivery(folder, { ...place!, index: 1 })).toEqual({
    ...place,
    index: 1,
    delivery: two[1],
    bytes: blockOf(two).length / 2,
  })
  expect(await readDelivery(folder, { ...place!, index: 2 })).toBeNull()
  expect(openFilesIn(folder)).toEqual([])
  expect(await readDelivery(folder, { segment: 9, offset: place!.offset, index: 0 })).toBeNull()
})
