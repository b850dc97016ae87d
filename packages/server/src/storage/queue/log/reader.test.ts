import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Lease, QueueDamage, QueueReader } from '../port.ts'
import { textsOf } from '../contract/queue-under-test.ts'
import { CursorFile, loadCursor } from './cursor.ts'
import type { LogQueueLimits } from './limits.ts'
import { openLogQueueReader } from './reader.ts'
import { listSegments, segmentPath, SegmentReader } from './segment.ts'
import { Wake } from './wake.ts'
import { blockOf, damaged, deliveryOf, writeSegment } from './written-log.fixture.ts'

const minute = 60_000
const hour = 60 * minute

let folder: string
let logFolder: string
let opened: QueueReader[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reader-'))
  logFolder = join(folder, 'log')
  mkdirSync(logFolder)
  opened = []
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const reader of opened) await reader.close()
  rmSync(folder, { recursive: true })
})

/** Opens a reader that nothing but a change or the end of a lease wakes. */
async function open(
  limits: Partial<LogQueueLimits> = {},
  onDamage?: (damage: QueueDamage) => void,
): Promise<QueueReader> {
  const reader = await openLogQueueReader(folder, { pollMs: hour, ...limits }, onDamage)
  opened.push(reader)
  return reader
}

/** A segment with one block for each text, all of one project. */
function write(number: number, texts: readonly string[], recordsBefore = 0): void {
  const blocks = texts.map((text) => [deliveryOf(7, text)])
  writeSegment(logFolder, number, blocks, recordsBefore)
}

/** Takes, and must not have to wait. */
async function take(reader: QueueReader, max = 100, leaseMs = hour): Promise<readonly Lease[]> {
  return reader.take(max, leaseMs, AbortSignal.timeout(10_000))
}

/** Expects that a take has to wait. */
async function expectNothing(reader: QueueReader): Promise<void> {
  const stop = new AbortController()
  const taken = reader.take(100, minute, stop.signal)
  await lookedAgain(reader)
  stop.abort()
  expect(textsOf(await taken)).toEqual([])
}

/** Resolves when all takes so far have looked at the log: one that asks for nothing is in turn behind them. */
async function lookedAgain(reader: QueueReader): Promise<void> {
  await reader.take(0, minute, AbortSignal.timeout(20))
}

/** Takes with leases that are over at once. */
async function takeAndForget(reader: QueueReader, max = 100): Promise<readonly Lease[]> {
  return take(reader, max, 0)
}

/** Makes the cursor unwritable until it is called. */
function blockCursor(): () => void {
  const places = ['cursor.json.new', 'cursor.synced.json.new'].map((name) => join(folder, name))
  for (const place of places) mkdirSync(place)
  return () => {
    for (const place of places) rmSync(place, { recursive: true })
  }
}

test('a folder that cannot be opened is a failure of the storage', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(openLogQueueReader(join(folder, 'file'))).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'ENOTDIR' },
  })
})

test('a reader may be opened before anything was written', async () => {
  rmSync(logFolder, { recursive: true })
  const reader = await open({ pollMs: 5 })
  const taken = reader.take(1, hour)
  write(1, ['a'])
  expect(textsOf(await taken)).toEqual(['a'])
})

test('reading begins with the oldest segment that is left', async () => {
  write(3, ['a'])
  write(4, ['b'], 1)
  expect(textsOf(await take(await open()))).toEqual(['a', 'b'])
})

test('each save is newer than all before it, by any reader', async () => {
  write(1, ['a', 'b', 'c'])
  const first = await open()
  await first.done(await take(first, 1))
  await first.close()
  const saves = (await loadCursor(folder))!.saves
  const second = await open()
  await second.done(await take(second, 1))
  expect((await loadCursor(folder))!.saves).toBeGreaterThan(saves)
  await second.close()
  expect(textsOf(await take(await open()))).toEqual(['c'])
})

test('takes at one time give different deliveries', async () => {
  write(1, ['a', 'b', 'c', 'd'])
  const reader = await open()
  const both = await Promise.all([take(reader, 2), take(reader, 2)])
  expect(both.map(textsOf)).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
})

test('a bounded number of deliveries is in hand, and done ones make room', async () => {
  write(1, ['a', 'b', 'c', 'd'])
  const reader = await open({ leasesMax: 3 })
  const first = await take(reader, 2)
  expect(textsOf(await take(reader, 2))).toEqual(['c'])
  await expectNothing(reader)
  const waiting = take(reader, 2)
  await lookedAgain(reader)
  await reader.done(first)
  expect(textsOf(await waiting)).toEqual(['d'])
})

test('a take waits until the first lease ends, or a change when there is none', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  const wait = vi.spyOn(Wake.prototype, 'wait')
  await take(reader, 1, 10_000)
  await take(reader, 1, 5000)
  await lookedAgain(reader)
  const untilMs = wait.mock.lastCall?.[1]
  expect(untilMs).toBeLessThanOrEqual(5000)
  expect(untilMs).toBeGreaterThan(-60_000)
  const idle = await openLogQueueReader(mkdtempSync(join(folder, 'other-')), { pollMs: hour })
  opened.push(idle)
  await lookedAgain(idle)
  expect(wait.mock.lastCall?.[1]).toBe(Number.POSITIVE_INFINITY)
})

test('a lease ends with its time, not before', async () => {
  write(1, ['a'])
  const now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now)
  const reader = await open()
  await take(reader, 1, 1000)
  clock.mockReturnValue(now + 999)
  await expectNothing(reader)
  clock.mockReturnValue(now + 1000)
  expect(await take(reader)).toMatchObject([{ attempts: 2 }])
})

test('a lease that ends wakes the take that waits for it', async () => {
  write(1, ['a'])
  const reader = await open()
  const [lease] = await take(reader, 1, 30)
  const [again] = await take(reader)
  expect(again).toMatchObject({ id: lease?.id, attempts: 2 })
})

test('deliveries whose leases ended come in the order of the log, each alone', async () => {
  const blocks = [[deliveryOf(7, '7.0'), deliveryOf(8, '8.0')], [deliveryOf(7, '7.1')]]
  writeSegment(logFolder, 1, blocks)
  const reader = await open({ turnBytesMax: 1 })
  expect(textsOf(await takeAndForget(reader))).toEqual(['7.0', '8.0', '7.1'])
  for (const text of ['7.0', '8.0', '7.1']) {
    const leases = await take(reader)
    expect([textsOf(leases), leases[0]?.attempts]).toEqual([[text], 2])
    await expectNothing(reader)
    await reader.done(leases)
  }
  expect((await reader.stats()).waiting).toBe(0)
})

test('turns that are not those of the log change nothing about its order', async () => {
  const blocks = [
    [deliveryOf(7, '7.0')],
    [deliveryOf(7, '7.1')],
    [deliveryOf(8, '8.0')],
    [deliveryOf(7, '7.2')],
  ]
  writeSegment(logFolder, 1, blocks)
  const reader = await open({ turnBytesMax: 1 })
  expect(textsOf(await takeAndForget(reader))).toEqual(['7.0', '8.0', '7.1', '7.2'])
  const order: string[] = []
  for (let left = 4; left > 0; left -= 1) {
    const leases = await take(reader)
    order.push(...textsOf(leases))
    await reader.done(leases)
  }
  expect(order).toEqual(['7.0', '7.1', '8.0', '7.2'])
})

test('while a suspect is in hand nothing else is', async () => {
  write(1, ['a', 'b'])
  await take(await open(), 1)
  const reader = await open()
  const suspect = await take(reader)
  await expectNothing(reader)
  await reader.done(suspect)
  expect(textsOf(await take(reader))).toEqual(['b'])
})

test('deliveries in hand at a death come in the order of the log', async () => {
  const blocks = [[deliveryOf(7, '7.0')], [deliveryOf(7, '7.1')], [deliveryOf(8, '8.0')]]
  writeSegment(logFolder, 1, blocks)
  expect(textsOf(await take(await open({ turnBytesMax: 1 })))).toEqual(['7.0', '8.0', '7.1'])
  const next = await open()
  for (const text of ['7.0', '7.1', '8.0']) {
    const leases = await take(next)
    expect([textsOf(leases), leases[0]?.attempts]).toEqual([[text], 2])
    await next.done(leases)
  }
})

test('a delivery that failed waits until the others in hand are done', async () => {
  write(1, ['a', 'b', 'c'])
  const reader = await open()
  await take(reader, 1, 0)
  const others = await take(reader, 1)
  expect(textsOf(others)).toEqual(['a'])
  await reader.done(others)
  const [b] = await take(reader, 1)
  const [c] = await take(reader, 1, 0)
  await expectNothing(reader)
  const waiting = take(reader)
  await reader.done([b!])
  expect(await waiting).toMatchObject([{ id: c?.id, attempts: 2 }])
})

test('a lease that has time left stays where it is', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  const kept = await take(reader, 1)
  await takeAndForget(reader, 1)
  const waiting = take(reader)
  await reader.done(kept)
  expect(await waiting).toMatchObject([{ attempts: 2 }])
  expect((await reader.stats()).waiting).toBe(1)
})

test('what is done after its lease ended does not come again', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  const late = await takeAndForget(reader, 1)
  const other = await take(reader, 1)
  expect(other[0]?.id).toBe(late[0]?.id)
  await reader.done(late)
  expect(textsOf(await take(reader))).toEqual(['b'])
})

test('a suspect that becomes done while it is read is not handed out', async () => {
  write(1, ['a', 'b'])
  await take(await open(), 1)
  const reader = await open()
  const read = SegmentReader.prototype.read
  const spy = vi.spyOn(SegmentReader.prototype, 'read').mockImplementationOnce(async function (
    this: SegmentReader,
    offset,
  ) {
    await reader.done([leaseOf(`1-${offset}-0`)])
    return read.call(this, offset)
  })
  try {
    expect(textsOf(await take(reader))).toEqual(['b'])
  } finally {
    spy.mockRestore()
  }
  expect((await reader.stats()).waiting).toBe(1)
})

function leaseOf(id: string): Lease {
  return { id, attempts: 1, delivery: deliveryOf(7, 'x') }
}

test('a suspect that is gone is passed over', async () => {
  write(1, ['a'])
  write(2, ['b', 'c'], 1)
  await take(await open(), 2)
  const reader = await open()
  rmSync(segmentPath(logFolder, 1))
  const leases = await take(reader)
  expect([textsOf(leases), leases[0]?.attempts]).toEqual([['b'], 2])
  await reader.done(leases)
  expect(textsOf(await take(reader))).toEqual(['c'])
})

test('when all suspects are gone the log goes on', async () => {
  write(1, ['a'])
  write(2, ['b'], 1)
  await take(await open(), 1)
  const reader = await open()
  rmSync(segmentPath(logFolder, 1))
  const leases = await take(reader)
  expect([textsOf(leases), leases[0]?.attempts]).toEqual([['b'], 1])
})

test('nothing is saved for what was not in hand', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  const leases = await take(reader, 1)
  await reader.done(leases)
  const { saves } = (await loadCursor(folder))!
  await reader.done([])
  await reader.done(leases)
  await reader.setAside(leases[0]!, 'late')
  expect((await loadCursor(folder))!.saves).toBe(saves)
  await take(reader, 1)
  // Another delivery waits to come again.
  await (await open()).setAside(leases[0]!, 'late')
  expect(existsSync(join(folder, 'set-aside'))).toBe(false)
})

test('nothing is saved while nothing waits', async () => {
  write(1, ['a'])
  const reader = await open()
  await reader.done(await take(reader))
  const { saves } = (await loadCursor(folder))!
  await expectNothing(reader)
  expect((await loadCursor(folder))!.saves).toBe(saves)
})

test('a reader that is closed again takes nothing back from the next one', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  await take(reader, 1)
  await reader.close()
  const next = await open()
  await next.done(await take(next, 2))
  await next.done(await take(next, 1))
  await reader.close()
  await next.close()
  expect((await (await open()).stats()).waiting).toBe(0)
})

test('a delivery that waits to come again can be set aside', async () => {
  write(1, ['a', 'b'])
  const [lease] = await take(await open(), 1)
  const reader = await open()
  await reader.setAside(lease!, 'kills its reader')
  expect(readdirSync(join(folder, 'set-aside'))).toHaveLength(2)
  expect(textsOf(await take(reader))).toEqual(['b'])
  expect(await reader.stats()).toMatchObject({ waiting: 1, setAside: 1 })
})

test('what cannot be set aside stays in hand', async () => {
  write(1, ['a'])
  const reader = await open()
  const [lease] = await take(reader)
  writeFileSync(join(folder, 'set-aside'), 'not a folder')
  await expect(reader.setAside(lease!, 'x')).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  rmSync(join(folder, 'set-aside'))
  expect((await reader.stats()).waiting).toBe(1)
  await reader.setAside(lease!, 'x')
  expect(await reader.stats()).toMatchObject({ waiting: 0, setAside: 1 })
})

test('what cannot be measured is a failure of the storage', async () => {
  const reader = await open()
  rmSync(logFolder, { recursive: true })
  await expect(reader.stats()).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'ENOENT' },
  })
})

test('deliveries whose handing out could not be saved come at the next take', async () => {
  write(1, ['a', 'b', 'c'])
  const reader = await open()
  await reader.done(await take(reader, 1))
  const before = await reader.stats()
  const unblock = blockCursor()
  await expect(take(reader)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  expect(await reader.stats()).toEqual(before)
  unblock()
  const leases = await take(reader)
  expect(textsOf(leases)).toEqual(['b', 'c'])
  expect(leases.map(({ attempts }) => attempts)).toEqual([1, 1])
})

test('a suspect whose handing out could not be saved is still a suspect', async () => {
  write(1, ['a', 'b', 'c'])
  await take(await open(), 2)
  const reader = await open()
  const unblock = blockCursor()
  for (let n = 0; n < 2; n += 1) {
    await expect(take(reader)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  }
  unblock()
  for (const text of ['a', 'b']) {
    const leases = await take(reader)
    expect([textsOf(leases), leases[0]?.attempts]).toEqual([[text], 2])
    await reader.done(leases)
  }
  expect(textsOf(await take(reader))).toEqual(['c'])
})

test('a suspect that becomes done while its handing out fails does not come again', async () => {
  write(1, ['a', 'b'])
  const [lease] = await take(await open(), 1)
  const reader = await open()
  vi.spyOn(CursorFile.prototype, 'save').mockImplementationOnce(() => {
    const done = reader.done([lease!])
    return done.then(() => Promise.reject(new Error('not saved')))
  })
  await expect(take(reader)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  expect(textsOf(await take(reader))).toEqual(['b'])
})

test('a segment that the disk does not give is a failure, and is read when it does', async () => {
  write(1, ['a'])
  mkdirSync(segmentPath(logFolder, 2))
  const reader = await open()
  await expect(take(reader)).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
    cause: { code: 'EISDIR' },
  })
  rmSync(segmentPath(logFolder, 2), { recursive: true })
  write(2, ['b'], 1)
  expect(textsOf(await take(reader))).toEqual(['a', 'b'])
})

test('what is done but cannot be saved is a failure', async () => {
  write(1, ['a'])
  const reader = await open()
  const leases = await take(reader)
  const unblock = blockCursor()
  await expect(reader.done(leases)).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  unblock()
})

test('a segment stays as long as one of its deliveries waits, is in hand or comes again', async () => {
  const [a, b] = ['a', 'b'].map((text) => deliveryOf(7, text))
  writeSegment(logFolder, 1, [[a!, b!]])
  writeSegment(logFolder, 2, [[deliveryOf(8, 'c')]], 2)
  writeSegment(logFolder, 3, [], 3)
  const reader = await open({ turnBytesMax: 1 })
  const [first, c] = await take(reader, 2)
  await reader.done([c!])
  expect(await listSegments(logFolder)).toEqual([1, 2, 3])
  await reader.done([first!])
  expect(await listSegments(logFolder)).toEqual([1, 2, 3])
  const second = await takeAndForget(reader, 1)
  // It waits to come again.
  const [again] = await take(reader)
  expect(again?.id).toBe(second[0]?.id)
  expect(await listSegments(logFolder)).toEqual([1, 2, 3])
  await reader.done([again!])
  expect(await listSegments(logFolder)).toEqual([3])
})

test('a segment stays while one of its deliveries only waits to come again', async () => {
  write(1, ['a'])
  write(2, ['b'], 1)
  write(3, [], 2)
  await take(await open(), 1)
  const reader = await open()
  const a = await take(reader)
  await reader.done(a)
  const b = await takeAndForget(reader)
  expect(await listSegments(logFolder)).toEqual([2, 3])
  await reader.done(b)
  expect(await listSegments(logFolder)).toEqual([3])
})

test('segments in hand are kept, whichever were taken after them', async () => {
  write(1, ['a'])
  write(2, ['b'], 1)
  write(3, ['c'], 2)
  const reader = await open()
  const [a, b, c] = await take(reader)
  await reader.done([c!])
  await reader.done([b!])
  expect(await listSegments(logFolder)).toEqual([1, 2, 3])
  await reader.done([a!])
  expect(await listSegments(logFolder)).toEqual([3])
})

test('damage in a consumed segment is told with its bytes, and a whole segment is deleted', async () => {
  const broken = damaged(blockOf([deliveryOf(7, 'lost')]), -1)
  writeSegment(logFolder, 1, [[deliveryOf(7, 'a')], broken])
  write(2, ['b'], 2)
  write(3, ['c'], 3)
  const told: QueueDamage[] = []
  const reader = await open({}, (damage) => told.push(damage))
  await reader.done(await take(reader))
  const path = join(folder, 'set-aside', '1.segment')
  expect(told).toEqual([{ path, bytes: broken.length }])
  expect(existsSync(path)).toBe(true)
  expect(await listSegments(logFolder)).toEqual([3])
  expect((await reader.stats()).setAside).toBe(1)
})

test('damage is kept when nobody asks for it, too', async () => {
  writeSegment(logFolder, 1, [damaged(blockOf([deliveryOf(7, 'lost')]), -1)])
  write(2, ['b'], 1)
  const reader = await open()
  await reader.done(await take(reader))
  expect(readdirSync(join(folder, 'set-aside'))).toEqual(['1.segment'])
})

test('a closed reader gives nothing, and what it had in hand comes again as it was', async () => {
  write(1, ['a', 'b'])
  await take(await open(), 1)
  const reader = await open()
  expect(await take(reader)).toMatchObject([{ attempts: 2 }])
  const waiting = reader.take(1, hour)
  await reader.close()
  await reader.close()
  expect(await waiting).toEqual([])
  expect(await reader.take(1, hour)).toEqual([])
  const next = await open()
  expect(await take(next)).toMatchObject([{ attempts: 2 }])
})

test('takes that stand in turn when their reader closes give nothing', async () => {
  write(1, ['a', 'b'])
  const reader = await open()
  const takes = [reader.take(1, hour), reader.take(1, hour)]
  await reader.close()
  const taken = (await Promise.all(takes)).flat()
  expect(taken).toEqual([])
  expect(textsOf(await take(await open()))).toEqual(['a', 'b'])
})

test('a signal that ends before its take gives nothing, and takes nothing', async () => {
  write(1, ['a'])
  const reader = await open()
  expect(await reader.take(1, hour, AbortSignal.abort())).toEqual([])
  expect(textsOf(await take(reader))).toEqual(['a'])
})

test('a change of the log wakes a take', async () => {
  write(1, ['a'])
  const reader = await open()
  await reader.done(await take(reader))
  const waiting = take(reader)
  await lookedAgain(reader)
  appendFileSync(segmentPath(logFolder, 1), blockOf([deliveryOf(7, 'b')]))
  expect(textsOf(await waiting)).toEqual(['b'])
})

test('a failed take does not hold up the next one', async () => {
  write(1, ['a'])
  const reader = await open()
  const unblock = blockCursor()
  const failed = take(reader)
  const next = failed.catch(() => {
    unblock()
    return take(reader)
  })
  await expect(failed).rejects.toThrow('could not be written')
  expect(textsOf(await next)).toEqual(['a'])
})
