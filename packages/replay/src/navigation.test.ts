import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { carryBytesMax } from './limits.ts'
import { fakeSurroundings, memoryStorage } from './testing/fake-surroundings.ts'

/** Events of the time before an error, within one page and across pages of one tab. */

const session = { sessionSampleRate: 1 }
const buffering = { sessionSampleRate: 0, onErrorSampleRate: 1 }

beforeEach(() => vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Text that zlib cannot reduce to less than half. */
function noise(bytes: number): string {
  return randomBytes(bytes / 2).toString('hex')
}

test.each([29_000, 30_000, 60_000, 60_500, 61_000, 90_000, 119_000, 120_500, 125_000, 181_000])(
  'better than the reference: an error %d ms after the beginning brings at least 30 s before it',
  async (ms) => {
    const fake = fakeSurroundings(buffering)
    fake.recorder.begin()
    const start = Date.now()
    while (Date.now() - start < ms) {
      await vi.advanceTimersByTimeAsync(500)
      fake.change(Date.now() - start)
    }
    fake.recorder.convert()
    await vi.advanceTimersByTimeAsync(6000)
    const events = fake.segments.flatMap((it) => it.events)
    expect(start + ms - events[0]!.timestamp).toBeGreaterThanOrEqual(Math.min(ms, 60_000))
    // It can be drawn: it begins with the page's address and a full snapshot.
    expect(
      events
        .map((it) => it.type)
        .filter((type) => type !== 5)
        .slice(0, 2),
    ).toEqual([4, 2])
    expect(fake.segments[0]!.description).toMatchObject({
      replay_type: 'buffer',
      segment_id: 0,
      replay_start_timestamp: events[0]!.timestamp / 1000,
    })
  },
)

test('no more than two generations are kept', async () => {
  const fake = fakeSurroundings(buffering)
  fake.recorder.begin()
  for (let n = 0; n < 600; n += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    fake.change(n)
  }
  fake.recorder.convert()
  await vi.advanceTimersByTimeAsync(6000)
  expect(fake.changes()[0]).toBeGreaterThan(600 - 125)
})

test('converting takes no second snapshot, since the recording continues', async () => {
  const fake = fakeSurroundings(buffering)
  fake.recorder.begin()
  await vi.advanceTimersByTimeAsync(10_000)
  fake.recorder.convert()
  fake.change(1)
  await vi.advanceTimersByTimeAsync(6000)
  expect(fake.snapshots).toBe(1)
  expect(fake.changes()).toEqual([1])
  expect(fake.recorder.state).toMatchObject({ mode: 'session' })
})

test('better than the reference: an error sends the events of the page before', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  await vi.advanceTimersByTimeAsync(20_000)
  first.change(1)
  first.recorder.hide()
  first.recorder.leave()
  const second = fakeSurroundings(buffering, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(10_000)
  second.change(2)
  second.recorder.convert()
  await vi.advanceTimersByTimeAsync(6000)
  expect(first.requests).toBe(0)
  expect(second.changes()).toEqual([1, 2])
  expect(second.segments.map((it) => it.description.segment_id)).toEqual(
    second.segments.map((_, index) => index),
  )
  expect(second.categories()).not.toContain('replay.cut')
  expect(storage.getItem('afterimageReplayCarry')).toBeNull()
})

test('the carry-over of a page is dropped when the next page is a minute old', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  first.change(1)
  first.recorder.leave()
  const second = fakeSurroundings(buffering, storage)
  second.recorder.begin()
  for (let n = 2; n < 140; n += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    second.change(n)
  }
  second.recorder.convert()
  await vi.advanceTimersByTimeAsync(6000)
  expect(second.changes()).not.toContain(1)
})

test('events that do not fit are cut, the newest checkpoint is kept first, and the replay says so', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  const cutFrom = Date.now()
  for (let n = 0; n < 60; n += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    first.recorder.record({
      type: 3,
      timestamp: Date.now(),
      data: { source: 0, text: noise(100_000) },
    })
  }
  await vi.advanceTimersByTimeAsync(1000)
  first.change(1)
  first.change(2)
  expect(first.snapshots).toBe(2)
  first.recorder.leave()
  const stored = storage.getItem('afterimageReplayCarry')!
  expect(stored.length).toBeLessThan(carryBytesMax * 1.34 + 50_000)
  const second = fakeSurroundings(buffering, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  second.recorder.convert()
  await vi.advanceTimersByTimeAsync(6000)
  expect(second.changes()).toEqual([2])
  const cut = second.segments
    .flatMap((it) => it.events)
    .find((it) => it.data.payload?.category === 'replay.cut')
  expect(cut?.data.payload?.data?.['fromMs']).toBeGreaterThanOrEqual(cutFrom)
  expect(second.discards).toEqual([['buffer_overflow', expect.any(Number)]])
})

test('a tab with less room keeps what fits there', async () => {
  const storage = memoryStorage(400_000)
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  for (let n = 0; n < 20; n += 1) {
    first.recorder.record({
      type: 3,
      timestamp: Date.now(),
      data: { source: 0, text: noise(100_000) },
    })
  }
  await vi.advanceTimersByTimeAsync(1000)
  first.recorder.leave()
  expect(storage.getItem('afterimageReplayCarry')!.length).toBeGreaterThan(50_000)
})

test('a browser without `toReversed` carries as much as others', async () => {
  const { toReversed } = Array.prototype
  Reflect.deleteProperty(Array.prototype, 'toReversed')
  try {
    const storage = memoryStorage()
    const first = fakeSurroundings(buffering, storage)
    first.recorder.begin()
    first.change(1)
    first.recorder.leave()
    const second = fakeSurroundings(buffering, storage)
    second.recorder.begin()
    second.recorder.convert()
    await vi.advanceTimersByTimeAsync(6000)
    expect(second.changes()).toEqual([1])
  } finally {
    Object.assign(Array.prototype, { toReversed })
  }
})

test('segments pending when an offline page is left are sent by the next page that is online', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(session, storage)
  first.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  first.goOnline(false)
  first.change(1)
  await vi.advanceTimersByTimeAsync(6000)
  first.change(2)
  first.recorder.hide()
  first.recorder.leave()
  const second = fakeSurroundings(session, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  expect(second.changes()).toEqual([1, 2])
})

test('a page that may not use storage records all the same', async () => {
  const fake = fakeSurroundings(session)
  Object.assign(fake.storage, {
    getItem: () => {
      throw new Error('SecurityError')
    },
    setItem: () => {
      throw new Error('SecurityError')
    },
    removeItem: () => {
      throw new Error('SecurityError')
    },
  })
  fake.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  expect(fake.segments).toHaveLength(1)
  fake.recorder.leave()
  expect(fake.recorder.state).toEqual({ name: 'stopped', reason: 'pageLeft' })
})

test('better than the reference: events pending when the page is left are sent at once, uncompressed', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  fake.change(1)
  fake.recorder.hide()
  expect(fake.requests).toBe(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.segments[1]).toMatchObject({ isCompressed: false })
  expect(fake.changes()).toEqual([1])
})

test('better than the reference: a chunk larger than a page can send is split, and the next page sends the rest', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(session, storage)
  first.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  for (let n = 1; n <= 4; n += 1) first.change(n, 40_000)
  first.recorder.hide()
  first.recorder.leave()
  await vi.advanceTimersByTimeAsync(0)
  const sentNow = first.changes()
  expect(sentNow.length).toBeGreaterThan(0)
  const second = fakeSurroundings(session, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  expect([...sentNow, ...second.changes()].toSorted()).toEqual([1, 2, 3, 4])
  const ids = [...first.segments, ...second.segments].map((it) => it.description.segment_id)
  expect(ids.toSorted((one, other) => one - other)).toEqual(ids.map((_, index) => index))
  expect(second.segments[0]!.description.replay_id).toBe(first.segments[0]!.description.replay_id)
})

/** Leaves a page with two events pending, of which the second has this many characters. */
async function leaveWith(characters: number) {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  fake.change(1, 2000)
  fake.change(2, characters)
  fake.recorder.hide()
  fake.recorder.leave()
  await vi.advanceTimersByTimeAsync(0)
  return fake
}

test.each([
  [61_440, 1],
  [61_441, 2],
])(
  'better than the reference: %i bytes pending when the page goes are sent, in %i requests',
  async (bytes, requests) => {
    const [, small] = (await leaveWith(40_000)).envelopeBytes
    const fake = await leaveWith(40_000 + bytes - small!)
    expect(fake.changes()).toEqual([1, 2])
    expect(fake.envelopeBytes.slice(1)).toHaveLength(requests)
    if (requests === 1) expect(fake.envelopeBytes[1]).toBe(bytes)
  },
)

test('a request that would end with the page is left to the next one, a keep-alive request is not', async () => {
  for (const [keepaliveLeft, again] of [
    [65_536, []],
    [500, [1]],
  ] as const) {
    const storage = memoryStorage()
    const first = fakeSurroundings(session, storage)
    first.recorder.begin()
    await vi.advanceTimersByTimeAsync(6000)
    first.transport.keepaliveLeft = keepaliveLeft
    first.answers.push(new Promise(() => undefined))
    first.change(1)
    await vi.advanceTimersByTimeAsync(6000)
    first.recorder.leave()
    const second = fakeSurroundings(session, storage)
    second.recorder.begin()
    await vi.advanceTimersByTimeAsync(6000)
    expect(second.changes()).toEqual(again)
  }
})

test('better than the reference: an error right before a navigation is listed in the segment that the next page sends', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  await vi.advanceTimersByTimeAsync(1000)
  first.change(1)
  first.recorder.outbox?.note('errorIds', 'e1')
  first.recorder.outbox?.note('traceIds', 't1')
  first.recorder.convert()
  first.recorder.leave()
  expect(first.segments).toEqual([])
  const second = fakeSurroundings(buffering, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  const described = second.segments.map(({ description }) => description)
  expect(described.flatMap((it) => it.error_ids)).toEqual(['e1'])
  expect(described.flatMap((it) => it.trace_ids)).toEqual(['t1'])
})

test.each([1000, 6000])(
  'better than the reference: an error that nobody has answered for when its page of %i ms goes brings its replay',
  async (ms) => {
    const storage = memoryStorage()
    const first = fakeSurroundings(buffering, storage)
    first.recorder.begin()
    await vi.advanceTimersByTimeAsync(ms)
    first.change(1)
    first.recorder.unanswered = 'e1'
    first.recorder.leave()
    await vi.advanceTimersByTimeAsync(0)
    const second = fakeSurroundings(buffering, storage)
    second.recorder.begin()
    await vi.advanceTimersByTimeAsync(6000)
    const all = [...first.segments, ...second.segments]
    expect([...first.changes(), ...second.changes()]).toEqual([1])
    expect(all.flatMap((it) => it.description.error_ids)).toEqual(['e1'])
    expect(new Set(all.map((it) => it.description.replay_type))).toEqual(new Set(['buffer']))
    expect(first.segments.length > 0).toBe(ms > 5000)
  },
)

test('an error of a session that is over brings no replay of the next one', async () => {
  const fake = fakeSurroundings(buffering)
  fake.recorder.begin()
  fake.recorder.unanswered = 'e1'
  await vi.advanceTimersByTimeAsync(900_000)
  fake.change(1)
  fake.recorder.leave()
  await vi.advanceTimersByTimeAsync(6000)
  expect(fake.requests).toBe(0)
  expect(fake.states.at(-1)).toEqual({ name: 'stopped', reason: 'pageLeft' })
  expect(fake.states).not.toContainEqual(expect.objectContaining({ mode: 'session' }))
})

test('a segment that was being retried when the page went is sent by the next, under its number', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(session, storage)
  first.answers.push({ status: 0, reason: 'network_error' }, { status: 0, reason: 'network_error' })
  first.recorder.begin()
  await vi.advanceTimersByTimeAsync(5100)
  first.recorder.leave()
  const second = fakeSurroundings(session, storage)
  second.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  const all = [...first.segments, ...second.segments]
  expect(all.map((it) => it.description.segment_id)).toContain(0)
})

test('a page that comes back continues with the carry-over of other pages of the tab', async () => {
  const storage = memoryStorage()
  const fake = fakeSurroundings(session, storage)
  fake.recorder.begin()
  const id = fake.recorder.replayId
  await vi.advanceTimersByTimeAsync(6000)
  fake.recorder.leave()
  expect(fake.recorder.replayId).toBeNull()
  const other = fakeSurroundings(session, storage)
  other.recorder.begin()
  await vi.advanceTimersByTimeAsync(6000)
  other.recorder.leave()
  fake.recorder.comeBack()
  expect(fake.recorder.replayId).toBe(id)
  await vi.advanceTimersByTimeAsync(6000)
  const ids = [...fake.segments, ...other.segments].map((it) => it.description.segment_id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('the carry-over of another session is not touched', () => {
  const storage = memoryStorage()
  storage.setItem(
    'afterimageReplayCarry',
    JSON.stringify({ id: 'other', generations: [], lost: 3 }),
  )
  const fake = fakeSurroundings(session, storage)
  fake.recorder.begin()
  expect(fake.discards).toEqual([])
})
