import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Answer } from '@afterimage/sdk-core/transport'
import { bufferCharactersMax } from './limits.ts'
import { fakeSurroundings, memoryStorage } from './testing/fake-surroundings.ts'

const session = { sessionSampleRate: 1 }
const buffering = { sessionSampleRate: 0, onErrorSampleRate: 1 }

beforeEach(() => vi.useFakeTimers({ now: 1_800_000_000_000 }))
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

/** Runs the timers that are due now, and no others. */
async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
}

test('S15 the states of a page, from the start to the end of its session', async () => {
  const fake = fakeSurroundings(buffering)
  expect(fake.recorder.state).toEqual({ name: 'notStarted' })
  expect(fake.recorder.replayId).toBeNull()
  fake.recorder.begin()
  expect(fake.recorder.replayId).toMatch(/^[\da-f]{32}$/)
  fake.recorder.convert()
  fake.recorder.stop()
  expect(fake.states).toEqual([
    { name: 'running', mode: 'buffer', isPaused: false },
    { name: 'running', mode: 'session', isPaused: false },
    { name: 'stopped', reason: 'manual' },
  ])
  expect(fake.isRecording).toBe(false)
  fake.recorder.start()
  expect(fake.recorder.state).toMatchObject({ mode: 'session' })
})

test.each([
  [0.0999, 'session'],
  [0.1, 'buffer'],
])('S16 a roll of %d records in mode %s by default', (roll, mode) => {
  vi.spyOn(Math, 'random').mockReturnValue(roll)
  const fake = fakeSurroundings()
  fake.recorder.begin()
  expect(fake.recorder.state).toEqual({ name: 'running', mode, isPaused: false })
})

test('S16 nothing is recorded where neither rate is above zero, and the roll is not repeated', () => {
  const storage = memoryStorage()
  const fake = fakeSurroundings({ sessionSampleRate: 0, onErrorSampleRate: 0 }, storage)
  fake.recorder.begin()
  expect(fake.recorder.state).toEqual({ name: 'notStarted' })
  const next = fakeSurroundings(session, storage)
  next.recorder.begin()
  expect(next.recorder.state).toEqual({ name: 'notStarted' })
})

test('S16 the next page of the tab goes on with the session, and with its mode', async () => {
  const storage = memoryStorage()
  const first = fakeSurroundings(buffering, storage)
  first.recorder.begin()
  const id = first.recorder.replayId
  first.recorder.convert()
  const second = fakeSurroundings(buffering, storage)
  second.recorder.begin()
  expect(second.recorder.replayId).toBe(id)
  expect(second.recorder.state).toMatchObject({ mode: 'session' })
  const third = fakeSurroundings({ ...buffering, isSticky: false }, storage)
  third.recorder.begin()
  expect(third.recorder.replayId).not.toBe(id)
})

test.each([
  [899_999, true],
  [900_000, false],
])('S16 S20 a page %d ms after the last activity: the session goes on is %s', (ms, goesOn) => {
  const storage = memoryStorage()
  const first = fakeSurroundings(session, storage)
  first.recorder.begin()
  const id = first.recorder.replayId
  vi.setSystemTime(Date.now() + ms)
  const second = fakeSurroundings(session, storage)
  second.recorder.begin()
  expect(second.recorder.replayId === id).toBe(goesOn)
})

test('S16 a session in storage that makes no sense is not used', () => {
  for (const text of ['{', 'null', '7', '{"id":"x"}', `{"id":"${'a'.repeat(32)}"}`]) {
    const storage = memoryStorage()
    storage.setItem('afterimageReplay', text)
    const fake = fakeSurroundings(session, storage)
    fake.recorder.begin()
    expect(fake.recorder.state).toMatchObject({ mode: 'session' })
  }
})

test('S18 a segment is sent 5,000 ms after the last event, not sooner', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(4999)
  expect(fake.requests).toBe(0)
  await wait(1)
  expect(fake.segments).toHaveLength(1)
})

test('S18 where events never cease, a segment is sent every 5,500 ms', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  const start = Date.now()
  for (let ms = 0; ms < 11_000; ms += 100) {
    await vi.advanceTimersByTimeAsync(100)
    fake.change()
  }
  await settle()
  expect(fake.segments.map(({ sentAt }) => sentAt - start)).toEqual([5500, 11_000])
})

test.each([
  [4999, 0],
  [5000, 1],
])('S19 a page hidden %d ms after its beginning has sent %d segments', async (ms, count) => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await vi.advanceTimersByTimeAsync(3000)
  fake.change()
  await vi.advanceTimersByTimeAsync(ms - 3000)
  fake.recorder.hide()
  await settle()
  expect(fake.segments).toHaveLength(count)
})

test('S19 a page hidden too early is not lost: it is sent when it is long enough', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(3000)
  fake.recorder.hide()
  await wait(4999)
  expect(fake.segments).toHaveLength(0)
  await wait(1)
  expect(fake.segments).toHaveLength(1)
})

test('S19 a replay stopped before 5 s is never sent', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(4998)
  fake.recorder.stop()
  await wait(20_000)
  expect(fake.requests).toBe(0)
})

test.each([
  [3_599_999, true],
  [3_600_000, false],
])('S19 %d ms after its beginning the replay goes on: %s', async (ms, goesOn) => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  const id = fake.recorder.replayId
  const start = Date.now()
  while (Date.now() - start < ms) {
    vi.setSystemTime(Math.min(Date.now() + 200_000, start + ms))
    if (Date.now() - start < ms) fake.recorder.activity('click')
  }
  fake.change()
  expect(fake.recorder.replayId === id).toBe(goesOn)
  if (!goesOn) {
    expect(fake.states).toContainEqual({ name: 'stopped', reason: 'sessionExpired' })
    expect(fake.recorder.state).toMatchObject({ name: 'running', mode: 'session' })
  }
})

test('S19 measurements taken for the last segment of an hour belong to it, and the next session begins', async () => {
  const fake = fakeSurroundings(session)
  fake.onFlush = () => fake.recorder.addCustom('performanceSpan', { op: 'memory' })
  fake.recorder.begin()
  const id = fake.recorder.replayId
  for (let minute = 1; minute < 60; minute += 1) {
    await wait(60_000)
    fake.recorder.activity('click')
    fake.change(minute)
  }
  await wait(59_000)
  fake.change(60)
  await wait(1000)
  fake.change(61)
  expect(fake.states.slice(-2)).toEqual([
    { name: 'stopped', reason: 'sessionExpired' },
    { name: 'running', mode: 'session', isPaused: false },
  ])
  expect(fake.recorder.replayId).not.toBe(id)
  await wait(60_000)
  expect(fake.changes()).toContain(60)
})

test('S20 after 300,000 ms without activity a session pauses; at 299,999 it does not', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(299_999)
  fake.change(1)
  expect(fake.recorder.state).toMatchObject({ isPaused: false })
  await wait(1)
  fake.change(2)
  expect(fake.recorder.state).toMatchObject({ isPaused: true })
  expect(fake.isRecording).toBe(false)
  await wait(6000)
  expect(fake.changes()).toEqual([1])
})

test('S20 a paused session wakes with a click, not with a key, and takes a new snapshot', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  const id = fake.recorder.replayId
  await wait(300_000)
  fake.change()
  fake.recorder.activity('key')
  expect(fake.recorder.state).toMatchObject({ isPaused: true })
  fake.recorder.activity('click')
  expect(fake.recorder.state).toMatchObject({ isPaused: false })
  expect(fake.snapshots).toBe(2)
  expect(fake.recorder.replayId).toBe(id)
})

test('S20 buffer mode does not pause, and expires after 900,000 ms, not at 899,999', async () => {
  const fake = fakeSurroundings(buffering)
  fake.recorder.begin()
  const id = fake.recorder.replayId
  await wait(899_999)
  fake.change()
  expect(fake.recorder.replayId).toBe(id)
  await wait(1)
  fake.change()
  expect(fake.recorder.replayId).not.toBe(id)
  expect(fake.recorder.state).toMatchObject({ name: 'running', mode: 'buffer' })
})

test('S21 a buffer of exactly 20,000,000 characters goes on, one more ends the recording', async () => {
  const sample = fakeSurroundings(session)
  sample.recorder.begin()
  sample.change()
  await wait(6000)
  const used = sample.segments[0]!.events.reduce((sum, it) => sum + JSON.stringify(it).length, 0)
  for (const more of [0, 1]) {
    const fake = fakeSurroundings(session)
    fake.recorder.begin()
    fake.change(0, bufferCharactersMax - used + more)
    expect(fake.recorder.state.name).toBe(more === 0 ? 'running' : 'stopped')
    expect(fake.discards).toEqual(more === 0 ? [] : [['buffer_overflow', 1]])
    await settle()
    expect(fake.requests).toBe(0)
  }
})

/**
 * In session mode, after the first segments: makes this many changes of the document, one every 50
 * ms.
 */
async function burst(
  count: number,
  characters: number,
): Promise<ReturnType<typeof fakeSurroundings>> {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(6000)
  for (let n = 0; n < count; n += 1) {
    fake.change(n, characters)
    await vi.advanceTimersByTimeAsync(50)
  }
  return fake
}

test('a burst becomes a segment in two seconds, not one for each 48,000 characters', async () => {
  const fake = await burst(80, 20_000)
  await wait(6000)
  expect(fake.changes()).toEqual(Array.from({ length: 80 }, (_, n) => n))
  // Counted from the third change, when a chunk is full.
  expect(fake.segments.slice(1).map(({ events }) => events.length)).toEqual([42, 38])
})

test('a burst of two million characters is not waited for', async () => {
  const fake = await burst(20, 200_000)
  await wait(6000)
  expect(fake.segments.slice(1).map(({ events }) => events.length)).toEqual([10, 10])
})

test('the rest of a burst is compressed once the page is quiet, and small when it hides', async () => {
  for (const [quietMs, isCompressed] of [
    [149, false],
    [150, true],
  ] as const) {
    const fake = await burst(2, 25_000)
    await vi.advanceTimersByTimeAsync(quietMs)
    fake.recorder.hide()
    await vi.advanceTimersByTimeAsync(0)
    expect(fake.segments.at(-1)).toMatchObject({ isCompressed })
    expect(fake.changes()).toEqual([0, 1])
  }
})

test('a large snapshot is compressed at once, not when the page is quiet', async () => {
  const fake = await burst(0, 0)
  fake.recorder.record({ type: 2, timestamp: Date.now(), data: { text: 'x'.repeat(60_000) } })
  await vi.advanceTimersByTimeAsync(1)
  fake.recorder.hide()
  await vi.advanceTimersByTimeAsync(0)
  expect(fake.segments.at(-1)).toMatchObject({ isCompressed: true })
})

test('S21 in buffer mode the older generation goes first, then all until the next checkpoint', async () => {
  const fake = fakeSurroundings(buffering)
  fake.recorder.begin()
  fake.change(1, 1_000_000)
  await wait(60_001)
  fake.change(2)
  expect(fake.snapshots).toBe(2)
  fake.change(3, bufferCharactersMax - 1_000_000)
  expect(fake.discards).toEqual([])
  fake.change(4, 1_000_000)
  expect(fake.recorder.state.name).toBe('running')
  expect(fake.discards).toEqual([['buffer_overflow', 1]])
  fake.change(5)
  fake.recorder.convert()
  await wait(6000)
  expect(fake.changes()).toEqual([])
})

test.each([
  [750, []],
  [751, [{ count: 751, limit: false }]],
  [10_000, [{ count: 10_000, limit: false }]],
  [10_001, [{ count: 10_001, limit: true }]],
])('S22 %d mutations at once', async (count, told) => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(6000)
  const goesOn = fake.recorder.mutations(count)
  expect(goesOn).toBe(count <= 10_000)
  expect(fake.recorder.state).toMatchObject(
    goesOn ? { name: 'running' } : { name: 'stopped', reason: 'mutationLimit' },
  )
  await wait(6000)
  const crumbs = fake.segments
    .flatMap(({ events }) => events)
    .filter(({ data }) => data.payload?.category === 'replay.mutations')
  expect(crumbs.map(({ data }) => data.payload?.data)).toEqual(told)
})

test('S24 a send that nobody answers is tried four times, after 5, 10 and 30 s, and no more', async () => {
  const fake = fakeSurroundings(session)
  const none = { status: 0, reason: 'network_error' } as const
  fake.answers.push(none, none, none, none)
  fake.recorder.begin()
  const start = Date.now()
  const times: number[] = []
  for (let seen = 0; Date.now() - start < 120_000;) {
    await vi.advanceTimersByTimeAsync(500)
    if (fake.requests > seen) times.push(Math.round((Date.now() - start) / 1000))
    seen = fake.requests
  }
  expect(times).toEqual([5, 10, 20, 50])
  expect(fake.recorder.state).toEqual({ name: 'stopped', reason: 'sendError' })
  expect(fake.discards).toEqual([['network_error', 1]])
})

test('S24 the fourth request may succeed, with the same segment', async () => {
  const fake = fakeSurroundings(session)
  const none = { status: 0, reason: 'network_error' } as const
  fake.answers.push(none, none, none)
  fake.recorder.begin()
  await wait(5000)
  fake.change(7)
  await wait(60_000)
  expect(fake.segments.map(({ description }) => description.segment_id)).toEqual([0, 1])
  expect(fake.changes()).toEqual([7])
  expect(fake.discards).toEqual([])
})

test('S24 offline nothing is tried, and all that waited comes with the network', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(5000)
  fake.goOnline(false)
  for (let n = 1; n <= 65; n += 1) {
    fake.change(n)
    await wait(1000)
  }
  fake.recorder.hide()
  expect(fake.requests).toBe(1)
  expect(fake.recorder.state).toMatchObject({ name: 'running', mode: 'session' })
  fake.goOnline(true)
  await wait(6000)
  expect(fake.changes()).toEqual(Array.from({ length: 65 }, (_, n) => n + 1))
  const numbers = fake.segments.map(({ description }) => description.segment_id)
  expect(numbers).toEqual(numbers.map((_, index) => index))
  expect(fake.discards).toEqual([])
})

test('S24 a failure because the network is gone does not count as an attempt', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  for (let round = 0; round < 6; round += 1) {
    const request = Promise.withResolvers<Answer>()
    fake.answers.push(request.promise)
    if (round > 0) fake.goOnline(true)
    await wait(6000)
    fake.goOnline(false)
    request.resolve({ status: 0, reason: 'network_error' })
    await wait(60_000)
    expect(fake.requests).toBe(round + 1)
  }
  fake.goOnline(true)
  await wait(6000)
  expect(fake.recorder.state).toMatchObject({ name: 'running', mode: 'session' })
  expect(fake.segments.map(({ description }) => description.segment_id)).toEqual([0])
})

test('S21 offline a recording ends at the cap of its buffer, and counts what is lost', async () => {
  const fake = fakeSurroundings(session)
  fake.goOnline(false)
  fake.recorder.begin()
  for (let n = 0; n < 9; n += 1) {
    fake.change(n, 2_000_000)
    await wait(6000)
  }
  expect(fake.recorder.state.name).toBe('running')
  fake.change(9, 2_000_000)
  expect(fake.recorder.state).toEqual({ name: 'stopped', reason: 'bufferOverflow' })
  expect(fake.discards).toEqual([['buffer_overflow', 1]])
})

test.each([
  [400, 'sendError', [['send_error', 1]]],
  [413, 'sendError', [['send_error', 1]]],
  [500, 'sendError', [['send_error', 1]]],
  [429, 'rateLimited', []],
])('S24 an answered refusal of %d is not retried', async (status, reason, discards) => {
  const fake = fakeSurroundings(session)
  fake.answers.push({ status })
  fake.recorder.begin()
  await wait(60_000)
  expect(fake.requests).toBe(1)
  expect(fake.recorder.state).toEqual({ name: 'stopped', reason })
  expect(fake.discards).toEqual(discards)
})

test('a rate limit in a 200 ends the recording', async () => {
  const fake = fakeSurroundings(session)
  fake.isRateLimited = true
  fake.recorder.begin()
  await wait(5000)
  expect(fake.segments).toHaveLength(1)
  expect(fake.recorder.state).toEqual({ name: 'stopped', reason: 'rateLimited' })
})

test.each([
  [300, 0],
  [301, 1],
  [400, 1],
])('S26 of %d breadcrumbs at once 300 are kept, and %d says so', async (count, told) => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  await wait(6000)
  for (let n = 0; n < count; n += 1) {
    fake.recorder.addCustom('breadcrumb', { category: 'own', timestamp: 0 })
  }
  await wait(6000)
  const categories = fake.categories()
  expect(categories.filter((it) => it === 'own')).toHaveLength(300)
  expect(categories.filter((it) => it === 'replay.throttled')).toHaveLength(told)
})

test('S26 the 301st is accepted again when the first is 5,000 ms old, not at 4,999', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  const add = (category: string): void =>
    fake.recorder.addCustom('breadcrumb', { category, timestamp: 0 })
  for (let n = 0; n < 300; n += 1) add('own')
  await vi.advanceTimersByTimeAsync(4999)
  add('early')
  await vi.advanceTimersByTimeAsync(1)
  add('due')
  await wait(12_000)
  expect(fake.categories()).not.toContain('early')
  expect(fake.categories()).toContain('due')
})

test('S26 events of the document are never throttled', async () => {
  const fake = fakeSurroundings(session)
  fake.recorder.begin()
  for (let n = 0; n < 1000; n += 1) fake.change(n)
  await wait(6000)
  expect(fake.changes()).toHaveLength(1000)
})

test('`beforeAdd` may drop an event, and drops it by throwing', async () => {
  const fake = fakeSurroundings({
    ...session,
    beforeAdd(event) {
      if (event.data.payload['category'] === 'bad') throw new Error('own')
      return event.data.payload['category'] === 'secret' ? null : event
    },
  })
  fake.recorder.begin()
  for (const category of ['secret', 'bad', 'fine']) {
    fake.recorder.addCustom('breadcrumb', { category, timestamp: 0 })
  }
  await wait(6000)
  expect(fake.categories().filter(Boolean)).toEqual(['fine'])
})
