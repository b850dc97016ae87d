import type * as Fs from 'node:fs'
import { constants, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Appender, type AppenderStart, type Handover } from './appender.ts'
import { readBlockAt } from './decoded-blocks.ts'
import { listSegments, SegmentReader, segmentHeaderBytes, segmentPath } from './segment.ts'
import { deliveryOf, recordsOf } from './written-log.fixture.ts'

/** A disk that does what a test says instead of what it is asked. */
const disk = vi.hoisted(() => ({
  write: null as ((file: number, parts: readonly Uint8Array[], at: number) => number) | null,
  sync: null as (() => void) | null,
  truncate: null as (() => void) | null,
  opened: [] as { file: number; flags: unknown }[],
  closed: [] as number[],
  synced: [] as number[],
}))

vi.mock('node:fs', async (original) => {
  const fs = await original<typeof Fs>()
  return {
    ...fs,
    openSync: (path: string, flags: number) => {
      const file = fs.openSync(path, flags)
      disk.opened.push({ file, flags })
      return file
    },
    closeSync: (file: number) => {
      disk.closed.push(file)
      fs.closeSync(file)
    },
    fsyncSync: (file: number) => {
      disk.synced.push(file)
      disk.sync?.()
      fs.fsyncSync(file)
    },
    ftruncateSync: (file: number, size: number) => {
      disk.truncate?.()
      fs.ftruncateSync(file, size)
    },
    writevSync: (file: number, parts: readonly Uint8Array[], at: number) =>
      disk.write?.(file, parts, at) ?? fs.writevSync(file, parts, at),
  }
})
const { writeSync } = await vi.importActual<typeof Fs>('node:fs')

let logFolder: string
let appender: Appender | null
beforeEach(() => {
  logFolder = mkdtempSync(join(tmpdir(), 'appender-'))
  appender = null
  Object.assign(disk, { write: null, sync: null, truncate: null })
  Object.assign(disk, { opened: [], closed: [], synced: [] })
})
afterEach(() => {
  appender?.close()
  rmSync(logFolder, { recursive: true })
})

function open(more: Partial<AppenderStart> = {}): Appender {
  const segmentBytesMax = 1_000_000
  appender = new Appender({ logFolder, lastNumber: 0, recordsEver: 0, segmentBytesMax, ...more })
  return appender
}

/** Records that become one block, one for each text. */
function handover(...texts: string[]): Handover {
  const bytes = recordsOf(texts.map((text) => deliveryOf(7, text)))
  return { id: 1, bytes, count: texts.length }
}

/** The texts of every block of a segment that can be read. */
async function textsIn(number: number): Promise<string[]> {
  const reader = await SegmentReader.open(logFolder, number)
  if (reader === null) throw new Error('the segment cannot be opened')
  const texts: string[] = []
  let offset = segmentHeaderBytes
  for (let found = await reader.read(offset); found.type === 'block';) {
    const block = await readBlockAt(logFolder, { segment: number, offset })
    for (const { bytes } of block?.deliveries ?? []) texts.push(Buffer.from(bytes).toString())
    offset = found.nextOffset
    found = await reader.read(offset)
  }
  await reader.close()
  return texts
}

async function recordsBefore(number: number): Promise<number | undefined> {
  const reader = await SegmentReader.open(logFolder, number)
  await reader?.close()
  return reader?.recordsBefore
}

function sizeOf(number: number): number {
  return readFileSync(segmentPath(logFolder, number)).length
}

const full = Object.assign(new Error('no space'), { code: 'ENOSPC' })
function fail(): never {
  throw full
}

test('a segment of its own is begun, after the newest one, and its name and header are synced', async () => {
  open({ lastNumber: 6, recordsEver: 12 })
  expect(await listSegments(logFolder)).toEqual([7])
  expect([sizeOf(7), await recordsBefore(7)]).toEqual([segmentHeaderBytes, 12])
  const [segment, folder] = disk.opened
  expect(disk.synced).toEqual([segment?.file, folder?.file])
  expect(Number(segment?.flags) & constants.O_DSYNC).toBe(constants.O_DSYNC)
  expect(disk.closed).toEqual([folder?.file])
})

test('a file that is there already is never written to', () => {
  writeFileSync(segmentPath(logFolder, 1), 'of another writer')
  expect(() => open()).toThrow('EEXIST')
  expect(readFileSync(segmentPath(logFolder, 1), 'utf8')).toBe('of another writer')
})

test('what is handed over becomes a block each, one behind the other', async () => {
  const appender = open()
  const first = appender.append([handover('a', 'b'), handover('c')])
  expect(sizeOf(1)).toBe(segmentHeaderBytes + first)
  const second = appender.append([handover('d')])
  expect(sizeOf(1)).toBe(segmentHeaderBytes + first + second)
  expect(await textsIn(1)).toEqual(['a', 'b', 'c', 'd'])
})

test('a segment that has its size is followed by another, which counts on', async () => {
  const appender = open({ segmentBytesMax: segmentHeaderBytes + 1, recordsEver: 5 })
  appender.append([handover('a', 'b'), handover('c')])
  expect(await listSegments(logFolder)).toEqual([1])
  appender.append([handover('d')])
  expect([await textsIn(1), await textsIn(2)]).toEqual([['a', 'b', 'c'], ['d']])
  expect(await recordsBefore(2)).toBe(8)
  expect(disk.closed).toContain(disk.opened[0]?.file)
})

test('a segment of exactly its size is full', async () => {
  const appender = open({ segmentBytesMax: segmentHeaderBytes })
  appender.append([handover('a')])
  expect(await listSegments(logFolder)).toEqual([1, 2])
  expect(await textsIn(2)).toEqual(['a'])
})

test('short writes are continued, wherever they end', async () => {
  const appender = open()
  const whole = appender.append([handover('a'), handover('b')])
  for (const size of [1, 20, 21, 33, 34, 35, whole - 1]) {
    disk.write = (file, parts, at) =>
      writeSync(file, Buffer.concat(parts), 0, Math.min(size, Buffer.concat(parts).length), at)
    expect(appender.append([handover('a'), handover('b')])).toBe(whole)
  }
  expect(await textsIn(1)).toEqual(Array.from({ length: 8 }, () => ['a', 'b']).flat())
})

test('a write that fails is cut off, and what comes next goes to a new segment', async () => {
  const appender = open()
  appender.append([handover('kept')])
  const size = sizeOf(1)
  disk.write = (file, parts, at) => {
    if (at > size) fail()
    return writeSync(file, Buffer.concat(parts), 0, 30, at)
  }
  expect(() => appender.append([handover('lost')])).toThrow(full)
  expect(sizeOf(1)).toBe(size)
  expect(disk.closed).toContain(disk.opened[0]?.file)
  disk.write = null
  appender.append([handover('after')])
  expect([await textsIn(1), await textsIn(2)]).toEqual([['kept'], ['after']])
  expect(await recordsBefore(2)).toBe(1)
})

test('a disk that takes no bytes is a failure, and no endless loop', () => {
  const appender = open()
  disk.write = () => 0
  expect(() => appender.append([handover('a')])).toThrow('the disk took no bytes')
})

test('a segment that cannot be cut is left, closed, and the first failure is told', async () => {
  const appender = open()
  disk.write = fail
  disk.truncate = () => {
    throw new Error('another failure')
  }
  expect(() => appender.append([handover('a')])).toThrow(full)
  expect(disk.closed).toContain(disk.opened[0]?.file)
  disk.write = null
  appender.append([handover('b')])
  expect(await textsIn(2)).toEqual(['b'])
})

test('a segment whose header cannot be synced is closed, and another is tried next', async () => {
  const appender = open({ segmentBytesMax: 1 })
  disk.sync = fail
  expect(() => appender.append([handover('a')])).toThrow(full)
  expect(disk.closed).toHaveLength(disk.opened.length)
  disk.sync = null
  appender.append([handover('b')])
  expect(await listSegments(logFolder)).toEqual([1, 2, 3])
  expect(await textsIn(3)).toEqual(['b'])
})

test('closing closes the file, once', () => {
  const appender = open()
  appender.close()
  appender.close()
  expect(disk.closed).toHaveLength(disk.opened.length)
})
