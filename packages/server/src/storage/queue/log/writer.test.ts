import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type * as FsPromises from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Delivery, QueueWriter } from '../port.ts'
import type { LogQueueLimits } from './limits.ts'
import { measureLogQueue } from './measure.ts'
import { SegmentReader, segmentHeaderBytes, segmentPath } from './segment.ts'
import { appenderStart, openLogQueueWriter } from './writer.ts'
import { blockOf, deliveryOf, openFilesIn, writeSegment } from './written-log.fixture.ts'

/** The free bytes that the system tells, and its code for a refused file; null where it says the truth. */
const disk = vi.hoisted(() => ({
  free: null as number | null,
  refusal: null as string | null,
  asked: 0,
}))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof FsPromises>()
  return {
    ...fs,
    writeFile: (...parameters: Parameters<typeof fs.writeFile>) =>
      disk.refusal === null
        ? fs.writeFile(...parameters)
        : Promise.reject(Object.assign(new Error('refused'), { code: disk.refusal })),
    statfs: async (path: string) => {
      disk.asked += 1
      const told = await fs.statfs(path)
      return disk.free === null ? told : { bavail: disk.free / 100, bsize: 100 }
    },
  }
})

let folder: string
let logFolder: string
let opened: QueueWriter[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-'))
  logFolder = join(folder, 'log')
  opened = []
  Object.assign(disk, { free: null, refusal: null })
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const writer of opened) await writer.close()
  rmSync(folder, { recursive: true })
})

async function open(limits: Partial<LogQueueLimits> = {}): Promise<QueueWriter> {
  const writer = await openLogQueueWriter(folder, limits)
  opened.push(writer)
  return writer
}

function sized(bytes: number): Delivery {
  return deliveryOf(7, 'x'.repeat(bytes))
}

/** The number of records in each block of a segment. */
async function blocksIn(number: number): Promise<number[]> {
  const reader = await SegmentReader.open(logFolder, number)
  if (reader === null) throw new Error('the segment cannot be opened')
  const counts: number[] = []
  for (let found = await reader.read(segmentHeaderBytes); found.type === 'block';) {
    counts.push(found.header.count)
    found = await reader.read(found.nextOffset)
  }
  await reader.close()
  return counts
}

/** Sets the monotonic clock of this thread, and returns how it is moved. */
function startClock(): (ms: number) => void {
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  return (ms) => clock.mockReturnValue(now + ms)
}

const queueFull = { code: 'QUEUE_FULL' }

test('a folder that cannot be opened is a failure of the storage', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(openLogQueueWriter(join(folder, 'file'))).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'ENOTDIR' },
  })
})

test('a queue that cannot be measured is not opened, and its thread ends', async () => {
  mkdirSync(logFolder)
  symlinkSync('0000000000000001.log', segmentPath(logFolder, 1))
  writeSegment(logFolder, 2, [])
  await expect(openLogQueueWriter(folder)).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'STORAGE_FAILED', cause: { code: 'ELOOP' } },
  })
  expect(openFilesIn(logFolder)).toEqual([])
})

test('a log that is new starts with nothing', async () => {
  expect(await appenderStart(folder, { segmentBytesMax: 9 })).toEqual({
    logFolder,
    lastNumber: 0,
    recordsEver: 0,
    segmentBytesMax: 9,
  })
})

test('a log goes on after its newest segment, and counts on from the newest that can be read', async () => {
  mkdirSync(logFolder)
  writeSegment(logFolder, 3, [[deliveryOf(7)]], 10)
  writeSegment(logFolder, 4, [[deliveryOf(7), deliveryOf(7)], [deliveryOf(7)]], 11)
  const start = () => appenderStart(folder, { segmentBytesMax: 9 })
  expect(await start()).toMatchObject({ lastNumber: 4, recordsEver: 14 })
  writeFileSync(segmentPath(logFolder, 5), '')
  expect(await start()).toMatchObject({ lastNumber: 5, recordsEver: 14 })
  expect(openFilesIn(folder)).toEqual([])
})

test('a log whose segments are gone goes on after its cursor', async () => {
  mkdirSync(logFolder)
  const cursor = { front: [6, 32, 20, 1], lanes: [], open: [] }
  writeFileSync(join(folder, 'cursor.json'), JSON.stringify(cursor))
  const start = () => appenderStart(folder, { segmentBytesMax: 9 })
  expect(await start()).toMatchObject({ lastNumber: 6, recordsEver: 20 })
  writeSegment(logFolder, 5, [[deliveryOf(7)]])
  expect(await start()).toMatchObject({ lastNumber: 6, recordsEver: 1 })
  writeSegment(logFolder, 8, [], 7)
  expect(await start()).toMatchObject({ lastNumber: 8, recordsEver: 7 })
})

test('what is published in one turn shares a block, and is on disk when it is told', async () => {
  const writer = await open()
  await Promise.all([writer.publish(sized(1)), writer.publish(sized(2))])
  expect(await blocksIn(1)).toEqual([2])
  await writer.publish(sized(3))
  expect(await blocksIn(1)).toEqual([2, 1])
})

test('what is published while a write is in flight shares the next one', async () => {
  const writer = await open()
  const first = writer.publish(sized(1))
  // The first is handed over at the end of this turn.
  await new Promise(setImmediate)
  await Promise.all([first, writer.publish(sized(2)), writer.publish(sized(3))])
  expect(await blocksIn(1)).toEqual([1, 2])
})

test('a full block is handed over, and the next one is filled', async () => {
  const writer = await open({ blockBytesMax: 40_000 })
  await Promise.all([10_000, 10_000, 10_000].map((bytes) => writer.publish(sized(bytes))))
  const counts = await blocksIn(1)
  expect(counts.length).toBeGreaterThan(1)
  expect(counts.reduce((sum, count) => sum + count)).toBe(3)
})

test('memory of blocks is used again, whatever was written before', async () => {
  const writer = await open({ blockBytesMax: 40_000, stagesKeptMax: 1 })
  for (const bytes of [20_000, 10, 30_000, 50_000, 10]) await writer.publish(sized(bytes))
  expect(await blocksIn(1)).toEqual([1, 1, 1, 1, 1])
})

test('a queue of exactly its bytes has room, one byte more is too much', async () => {
  const writer = await open({ queueBytesMax: segmentHeaderBytes + 10 })
  await expect(writer.publish(sized(11))).rejects.toMatchObject(queueFull)
  const fits = writer.publish(sized(6))
  await expect(writer.publish(sized(5))).rejects.toMatchObject(queueFull)
  await Promise.all([fits, writer.publish(sized(4))])
  // The bytes on disk count, once they are there.
  await expect(writer.publish(sized(0))).rejects.toMatchObject(queueFull)
})

test('segments that were there before count', async () => {
  mkdirSync(logFolder)
  writeFileSync(segmentPath(logFolder, 1), 'x'.repeat(500))
  const limit = 500 + segmentHeaderBytes + 10
  const writer = await open({ queueBytesMax: limit })
  await expect(writer.publish(sized(11))).rejects.toMatchObject(queueFull)
  await writer.publish(sized(10))
})

test('bytes that wait for the disk are bounded, but one delivery is always taken', async () => {
  const writer = await open({ pendingBytesMax: 10 })
  await writer.publish(sized(20))
  const first = writer.publish(sized(4))
  await expect(writer.publish(sized(7))).rejects.toMatchObject(queueFull)
  await Promise.all([first, writer.publish(sized(6))])
  await writer.publish(sized(10))
})

test('so much of the disk stays free', async () => {
  disk.free = 1000
  const writer = await open({ freeBytesMin: 1000 })
  await writer.publish(sized(1))
  await writer.check()
  await writer.close()
  const other = await open({ freeBytesMin: 1001 })
  await expect(other.publish(sized(1))).rejects.toMatchObject(queueFull)
  await expect(other.check()).rejects.toMatchObject(queueFull)
})

test('the disk is measured after its time, without holding up the caller that notices', async () => {
  const at = startClock()
  disk.free = 0
  const writer = await open({ measureMs: 1000, freeBytesMin: 1 })
  const publish = () => writer.publish(sized(1))
  disk.free = 1
  const { asked } = disk
  for (const ms of [0, 1000]) {
    at(ms)
    await expect(publish()).rejects.toMatchObject(queueFull)
  }
  expect(disk.asked).toBe(asked)
  at(1001)
  await expect(publish()).rejects.toMatchObject(queueFull)
  await expect.poll(() => publish().catch(() => 'full')).toBeUndefined()
  expect(disk.asked).toBe(asked + 1)
  // And again, after the same time.
  disk.free = 0
  at(2002)
  await publish()
  await expect.poll(() => publish().catch(() => 'full')).toBe('full')
})

test('a figure that is five times as old is waited for, by all callers together', async () => {
  const at = startClock()
  disk.free = 0
  const writer = await open({ measureMs: 1000, freeBytesMin: 1 })
  disk.free = 1
  at(5000)
  await expect(writer.publish(sized(1))).rejects.toMatchObject(queueFull)
  await expect.poll(() => writer.publish(sized(1)).catch(() => 'full')).toBeUndefined()
  const { asked } = disk
  at(10_001)
  disk.free = 0
  const both = [writer.publish(sized(1)), writer.publish(sized(1)), writer.check()]
  const results = await Promise.allSettled(both)
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(disk.asked).toBe(asked + 1)
})

test('a disk that cannot be measured is told to those who wait for it, and nobody else', async () => {
  const at = startClock()
  const writer = await open({ measureMs: 1000 })
  renameSync(logFolder, `${logFolder}-away`)
  at(1001)
  await writer.publish(sized(1))
  at(5001)
  await expect
    .poll(() => writer.check().catch((cause: unknown) => cause))
    .toMatchObject({
      code: 'STORAGE_FAILED',
      cause: { code: 'ENOENT' },
    })
  renameSync(`${logFolder}-away`, logFolder)
  await writer.publish(sized(1))
  expect(await blocksIn(1)).toEqual([1, 1])
})

test('a check writes a probe, and tells what the disk said', async () => {
  const writer = await open()
  await writer.check()
  expect(readFileSync(join(folder, 'probe'), 'utf8')).toBe('.')
  rmSync(join(folder, 'probe'))
  mkdirSync(join(folder, 'probe'))
  await expect(writer.check()).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'EISDIR', message: expect.stringContaining('illegal operation') as string },
  })
})

test.each(['ENOSPC', 'EDQUOT'])('a disk that says %s is a queue that is full', async (code) => {
  const writer = await open()
  disk.refusal = code
  await expect(writer.check()).rejects.toMatchObject({ ...queueFull, cause: { code } })
})

test('a write that fails is told to all who share it, and the next one is tried', async () => {
  const writer = await open({ segmentBytesMax: 1 })
  renameSync(logFolder, `${logFolder}-away`)
  const both = await Promise.allSettled([writer.publish(sized(1)), writer.publish(sized(2))])
  for (const result of both) {
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'STORAGE_FAILED', cause: { code: 'ENOENT' } },
    })
  }
  renameSync(`${logFolder}-away`, logFolder)
  await writer.publish(sized(3))
  expect(await blocksIn(2)).toEqual([1])
})

test('a failed write leaves the queue its bound', async () => {
  const limits = { segmentBytesMax: 1, queueBytesMax: 100, measureMs: 60_000 }
  const writer = await open(limits)
  renameSync(logFolder, `${logFolder}-away`)
  await expect(writer.publish(sized(10))).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  renameSync(`${logFolder}-away`, logFolder)
  await expect(writer.publish(sized(100))).rejects.toMatchObject(queueFull)
})

test('a failed write leaves no bytes that wait', async () => {
  const writer = await open({ segmentBytesMax: 1, pendingBytesMax: 10 })
  renameSync(logFolder, `${logFolder}-away`)
  await expect(writer.publish(sized(10))).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  renameSync(`${logFolder}-away`, logFolder)
  await Promise.all([writer.publish(sized(4)), writer.publish(sized(6))])
})

test('closing waits for what was published, and takes nothing more', async () => {
  const writer = await open({ blockBytesMax: 20_000 })
  const published = [1, 9000, 9000].map((bytes) => writer.publish(sized(bytes)))
  const closed = [writer.close(), writer.close()]
  await expect(writer.publish(sized(1))).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  await expect(writer.check()).rejects.toMatchObject({ code: 'SHUTTING_DOWN' })
  await Promise.all([...closed, ...published])
  expect((await blocksIn(1)).reduce((sum, count) => sum + count)).toBe(3)
  expect(openFilesIn(folder)).toEqual([])
})

test('closing with nothing in flight ends', async () => {
  const writer = await open()
  await writer.publish(sized(1))
  await writer.close()
  expect(openFilesIn(folder)).toEqual([])
})

test('the backlog is told by the writer, and by whoever measures its files', async () => {
  const writer = await open()
  await writer.publish(deliveryOf(7, 'a', 5))
  mkdirSync(join(folder, 'set-aside'))
  writeFileSync(join(folder, 'set-aside', '1.segment'), '')
  const stats = {
    waiting: 1,
    waitingBytes: blockOf([deliveryOf(7, 'a', 5)]).length,
    oldestReceivedAt: 5,
    setAside: 1,
  }
  expect(await writer.stats()).toEqual(stats)
  const measure = measureLogQueue(folder)
  expect(await measure()).toEqual(stats)
  await writer.publish(deliveryOf(7, 'b', 6))
  expect(await measure()).toMatchObject({ waiting: 2 })
})

test('space that comes back is used', async () => {
  mkdirSync(logFolder)
  writeFileSync(segmentPath(logFolder, 1), 'x'.repeat(500))
  const writer = await open({ queueBytesMax: 500, measureMs: 0 })
  await expect(writer.publish(sized(1))).rejects.toMatchObject(queueFull)
  truncateSync(segmentPath(logFolder, 1), 0)
  await expect.poll(() => writer.publish(sized(1)).catch(() => 'full')).toBeUndefined()
})
