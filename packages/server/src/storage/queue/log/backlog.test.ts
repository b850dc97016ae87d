import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Backlog, fileBytes } from './backlog.ts'
import type { CursorState, LaneState } from './cursor.ts'
import { segmentHeaderBytes, segmentPath } from './segment.ts'
import { blockOf, damaged, deliveryOf, openFilesIn, writeSegment } from './written-log.fixture.ts'

let folder: string
let backlog: Backlog
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlog-'))
  backlog = new Backlog(folder)
})
afterEach(() => rmSync(folder, { recursive: true }))

const block = blockOf([deliveryOf(7, 'a', 20), deliveryOf(8, 'b', 10)])
const other = blockOf([deliveryOf(8, 'c', 30)])

function cursorAt(segment: number, offset: number, more: Partial<CursorState> = {}): CursorState {
  return { front: { segment, offset }, recordsBefore: 0, lanes: [], open: [], ...more }
}

test('nothing waits in an empty folder', async () => {
  expect(await backlog.measure(null)).toEqual({
    waiting: 0,
    waitingBytes: 0,
    oldestReceivedAt: null,
  })
  const open = [{ segment: 1, offset: 32, index: 0, attempts: 1, bytes: 7, receivedAt: 15 }]
  expect(await backlog.measure(cursorAt(1, 32, { open }))).toMatchObject({ waiting: 0 })
})

test('without a cursor all of the log waits', async () => {
  writeSegment(folder, 1, [block])
  writeSegment(folder, 2, [other, block], 2)
  expect(await backlog.measure(null)).toEqual({
    waiting: 5,
    waitingBytes: 2 * block.length + other.length,
    oldestReceivedAt: 20,
  })
  expect(openFilesIn(folder)).toEqual([])
})

test('deliveries that a writer adds are counted once', async () => {
  writeSegment(folder, 1, [block])
  expect(await backlog.measure(null)).toMatchObject({ waiting: 2 })
  appendFileSync(segmentPath(folder, 1), other)
  expect(await backlog.measure(null)).toMatchObject({ waiting: 3 })
  expect(await backlog.measure(null)).toMatchObject({ waiting: 3 })
  writeSegment(folder, 2, [block], 3)
  expect(await backlog.measure(null)).toMatchObject({ waiting: 5 })
})

test('deliveries before the front do not wait', async () => {
  const [, second] = writeSegment(folder, 1, [block, other])
  writeSegment(folder, 2, [block], 3)
  expect(await backlog.measure(cursorAt(1, second!.offset, { recordsBefore: 2 }))).toEqual({
    waiting: 3,
    waitingBytes: other.length + block.length,
    oldestReceivedAt: 30,
  })
  // A segment's header outweighs the cursor on how many came before it.
  expect(await backlog.measure(cursorAt(2, segmentHeaderBytes, { recordsBefore: 1 }))).toEqual({
    waiting: 2,
    waitingBytes: block.length,
    oldestReceivedAt: 20,
  })
  const end = segmentHeaderBytes + block.length
  expect(await backlog.measure(cursorAt(2, end, { recordsBefore: 5 }))).toEqual({
    waiting: 0,
    waitingBytes: 0,
    oldestReceivedAt: null,
  })
})

test('a cursor that counted more than there is leaves nothing below nothing', async () => {
  writeSegment(folder, 1, [block])
  const end = segmentHeaderBytes + block.length
  expect(await backlog.measure(cursorAt(1, end + 1, { recordsBefore: 9 }))).toMatchObject({
    waiting: 0,
    waitingBytes: 0,
  })
})

test('lanes and deliveries in hand wait as well, and the oldest of all is told', async () => {
  const [first, second] = writeSegment(folder, 1, [block, other])
  const lane: LaneState = { number: 8, ...first!, index: 0, waiting: 4, bytes: 40.4 }
  const later: LaneState = { number: 7, ...second!, index: 0, waiting: 1, bytes: 10 }
  const open = [{ ...first!, index: 0, attempts: 1, bytes: 7, receivedAt: 15 }]
  const end = segmentHeaderBytes + block.length + other.length
  const at = (lanes: LaneState[], more: Partial<CursorState> = {}) =>
    backlog.measure(cursorAt(1, end, { recordsBefore: 3, lanes, ...more }))
  expect(await at([later, lane], { open })).toEqual({
    waiting: 6,
    waitingBytes: 57,
    oldestReceivedAt: 10,
  })
  expect(await at([], { open })).toEqual({ waiting: 1, waitingBytes: 7, oldestReceivedAt: 15 })
  expect(await at([{ ...lane, index: 1 }])).toMatchObject({ oldestReceivedAt: 10 })
  // Deliveries before its place do not count.
  expect(await at([{ ...lane, index: 2 }])).toMatchObject({ oldestReceivedAt: null })
})

test('a newest segment that cannot be read yet is passed over', async () => {
  writeSegment(folder, 1, [block])
  writeFileSync(segmentPath(folder, 2), '')
  expect(await backlog.measure(null)).toMatchObject({ waiting: 2 })
  // Nothing is readable any more: the last count stands.
  writeFileSync(segmentPath(folder, 1), '')
  expect(await backlog.measure(null)).toMatchObject({ waiting: 2, oldestReceivedAt: null })
  expect(await new Backlog(folder).measure(null)).toMatchObject({ waiting: 0 })
})

test('a damaged block is not counted, and those behind it are', async () => {
  writeSegment(folder, 1, [block, damaged(other, -1), block])
  expect(await backlog.measure(null)).toMatchObject({ waiting: 4 })
})

test('a file has its size, and a missing one is empty', async () => {
  const path = join(folder, 'a')
  expect(await fileBytes(path)).toBe(0)
  writeFileSync(path, '1234')
  expect(await fileBytes(path)).toBe(4)
  await expect(fileBytes(join(path, 'b'))).rejects.toThrow('ENOTDIR')
})
