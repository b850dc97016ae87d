import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BlockScan, type BlockScanStart } from './block-scan.ts'
import { segmentHeaderBytes, segmentPath } from './segment.ts'
import {
  blockOf,
  damaged,
  deliveryOf,
  miscountedBlock,
  writeSegment,
} from './written-log.fixture.ts'

let folder: string
let scans: BlockScan[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'scan-'))
  scans = []
})
afterEach(async () => {
  for (const scan of scans) await scan.close()
  rmSync(folder, { recursive: true })
})

const start = { segment: 1, offset: segmentHeaderBytes }

function scanOf(more: Partial<BlockScanStart> = {}): BlockScan {
  const scan = new BlockScan(folder, { from: start, until: null, recordsBefore: 0, ...more })
  scans.push(scan)
  return scan
}

/** Returns the places of all blocks. */
async function places(scan: BlockScan): Promise<string[]> {
  const found: string[] = []
  for (let block = await scan.next(); block !== null; block = await scan.next()) {
    found.push(`${block.segment}-${block.offset}`)
  }
  return found
}

const block = blockOf([deliveryOf(7), deliveryOf(8), deliveryOf(7)])
const other = blockOf([deliveryOf(9)])

test('a block is told with its place, its size and its lanes', async () => {
  writeSegment(folder, 1, [block], 5)
  const scan = scanOf({ recordsBefore: 3 })
  expect([scan.place, scan.recordsBefore]).toEqual([start, 3])
  expect(await scan.next()).toEqual({
    ...start,
    bytes: block.length,
    count: 3,
    lanes: new Map([
      [7, 2],
      [8, 1],
    ]),
  })
  // The segment knows how many came before it.
  expect(scan.recordsBefore).toBe(8)
  expect(scan.place).toEqual({ segment: 1, offset: segmentHeaderBytes + block.length })
  expect(await scan.next()).toBeNull()
})

test('a scan that begins inside of a segment counts on from what it was told', async () => {
  writeSegment(folder, 1, [block, other], 5)
  const from = { segment: 1, offset: segmentHeaderBytes + block.length }
  const scan = scanOf({ from, recordsBefore: 40 })
  expect(await scan.next()).toMatchObject({ ...from, count: 1 })
  expect(scan.recordsBefore).toBe(41)
})

test('the end of the log is waited at, and what is written later is found', async () => {
  const scan = scanOf()
  expect(await scan.next()).toBeNull()
  writeSegment(folder, 1, [block])
  expect(await scan.next()).toMatchObject(start)
  expect(await scan.next()).toBeNull()
  appendFileSync(segmentPath(folder, 1), other)
  expect(await scan.next()).toMatchObject({ segment: 1, count: 1 })
  writeSegment(folder, 3, [other], 4)
  expect(await scan.next()).toMatchObject({ segment: 3, offset: segmentHeaderBytes })
  expect([await scan.next(), scan.recordsBefore]).toEqual([null, 5])
})

test('broken blocks are passed over, once a newer segment says that they are final', async () => {
  const [, , third] = writeSegment(folder, 1, [block, damaged(other, -1), other])
  const scan = scanOf()
  expect(await scan.next()).toMatchObject(start)
  expect(await scan.next()).toBeNull()
  writeSegment(folder, 2, [])
  expect(await scan.next()).toMatchObject(third!)
  expect(await scan.next()).toBeNull()
  expect(scan.place).toEqual({ segment: 2, offset: segmentHeaderBytes })
})

test('a block that is whole, but holds something else, is passed over', async () => {
  writeSegment(folder, 1, [block, miscountedBlock([deliveryOf(9)]), other])
  writeSegment(folder, 2, [])
  const scan = scanOf()
  expect(await places(scan)).toHaveLength(2)
  expect(scan.place).toEqual({ segment: 2, offset: segmentHeaderBytes })
})

test('a segment that is gone, or cannot be read, is passed over', async () => {
  writeSegment(folder, 2, [Buffer.from('torn')])
  writeSegment(folder, 5, [block])
  expect(await places(scanOf())).toEqual([`5-${segmentHeaderBytes}`])
})

test('a scan to a place ends there, and passes over what is broken before it', async () => {
  const [, second, third] = writeSegment(folder, 1, [block, damaged(other, -1), other, block])
  expect(await places(scanOf({ until: second! }))).toEqual([`1-${start.offset}`])
  const until = { segment: 1, offset: third!.offset + 1 }
  expect(await places(scanOf({ until }))).toEqual([`1-${start.offset}`, `1-${third!.offset}`])
  expect(await places(scanOf({ until: start }))).toEqual([])
  // Nothing whole is left before the end, and no newer segment.
  writeSegment(folder, 1, [block, damaged(other, -1)])
  const end = { segment: 1, offset: segmentHeaderBytes + block.length + other.length }
  expect(await places(scanOf({ until: end }))).toEqual([`1-${start.offset}`])
})
