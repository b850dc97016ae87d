import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bodyOf, EventBuffer, keepText, newChunk } from './buffer.ts'
import {
  burstPauseMs,
  checkpointMs,
  chunkCharacters,
  chunkCharactersMax,
  listedMax,
} from './limits.ts'
import { fullSnapshot } from './recording/kinds.ts'

const start = 1_800_000_000_000

beforeEach(() => vi.useFakeTimers({ now: start }))
afterEach(() => {
  vi.useRealTimers()
})

/** An event whose JSON has this many characters. */
function event(timestamp: number, characters = 100, type = 3) {
  const empty = JSON.stringify({ type, timestamp, data: '' }).length
  return { type, timestamp, data: 'x'.repeat(characters - empty) }
}

/** A buffer, with a list of the texts that it compresses. */
function makeBuffer(body: Uint8Array | null = new Uint8Array([7])) {
  const compressed: (readonly string[])[] = []
  const buffer = new EventBuffer(async (texts) => {
    compressed.push([...texts])
    return body
  })
  return { buffer, compressed }
}

test('an empty buffer has no start time and hands over no chunk', () => {
  const { buffer } = makeBuffer()
  expect(buffer.startedAt).toBeUndefined()
  buffer.checkpoint(start)
  expect(buffer.startedAt).toBeUndefined()
  expect(buffer.takeAll()).toEqual([])
})

test('a chunk spans all its events, even when their times are out of order', () => {
  const { buffer } = makeBuffer()
  for (const ms of [start + 5, start, start + 9, start + 7]) buffer.add(event(ms), true)
  expect(buffer.startedAt).toBe(start)
  expect(buffer.takeAll(false)).toMatchObject([
    { fromMs: start, toMs: start + 9, characters: 400, urls: [] },
  ])
})

test('a snapshot is written in a task of its own, before the event that comes after it', async () => {
  const { buffer } = makeBuffer()
  const snapshot = event(start, 100, fullSnapshot)
  buffer.add(snapshot, true)
  expect(buffer.characters).toBe(0)
  await vi.advanceTimersByTimeAsync(0)
  expect(buffer.characters).toBe(100)
  buffer.add(snapshot, true)
  buffer.add(event(start + 1), true)
  const [chunk] = buffer.takeAll(false)
  expect(chunk?.texts).toEqual(
    [snapshot, snapshot, event(start + 1)].map((it) => JSON.stringify(it)),
  )
})

test('a snapshot is handed over even before its task has run', () => {
  const { buffer } = makeBuffer()
  const snapshot = event(start, 100, fullSnapshot)
  buffer.add(snapshot, true)
  expect(buffer.takeAll(false)[0]?.texts).toEqual([JSON.stringify(snapshot)])
})

test.each([
  [chunkCharacters - 1, 0],
  [chunkCharacters, 1],
])('what is only kept is sealed at once when it has %d characters: %d', (characters, count) => {
  const { buffer, compressed } = makeBuffer()
  buffer.add(event(start, characters), false)
  expect(compressed).toHaveLength(count)
})

test.each([
  [chunkCharacters - 1, 0, 0],
  [chunkCharacters, 0, 1],
  [chunkCharactersMax - 1, 0, 1],
  [chunkCharactersMax, 1, 1],
])(
  '%d characters that are sent: %d sealed at once, %d after the burst',
  async (characters, at, after) => {
    const { buffer, compressed } = makeBuffer()
    buffer.add(event(start, characters), true)
    expect(compressed).toHaveLength(at)
    await vi.advanceTimersByTimeAsync(burstPauseMs)
    expect(compressed).toHaveLength(after)
  },
)

test('a page is noted in the open chunk, or else in the next one', () => {
  const { buffer } = makeBuffer()
  buffer.addUrl('https://x.test/a')
  buffer.add(event(start), true)
  buffer.addUrl('https://x.test/b')
  buffer.seal(false)
  buffer.addUrl('https://x.test/c')
  buffer.add(event(start), true)
  expect(buffer.takeAll(false).map(({ urls }) => urls)).toEqual([
    ['https://x.test/a', 'https://x.test/b'],
    ['https://x.test/c'],
  ])
})

test(`no more than ${listedMax} pages are noted in a chunk`, () => {
  const { buffer } = makeBuffer()
  buffer.add(event(start), true)
  for (let page = 0; page <= listedMax; page += 1) buffer.addUrl(`https://x.test/${page}`)
  expect(buffer.takeAll(false)[0]?.urls).toHaveLength(listedMax)
})

test.each([
  [checkpointMs - 1, 3],
  [checkpointMs, 2],
])('%d ms after the second checkpoint a third leaves %d generations', (ms, count) => {
  const { buffer } = makeBuffer()
  for (const at of [start, start + 10, start + 10 + ms]) {
    buffer.checkpoint(at)
    buffer.add(event(at), false)
  }
  expect(buffer.generations).toHaveLength(count)
  expect(buffer.characters).toBe(100 * count)
})

test('the oldest generation is dropped with its characters, the last one stays', () => {
  const { buffer } = makeBuffer()
  buffer.add(event(start), false)
  expect(buffer.dropOldest()).toBe(false)
  buffer.checkpoint(start + 1)
  buffer.add(event(start + 1, 150), false)
  expect(buffer.dropOldest()).toBe(true)
  expect([buffer.characters, buffer.startedAt]).toEqual([150, start + 1])
})

test('events kept by the previous page come first, and count', () => {
  const { buffer } = makeBuffer()
  const before = newChunk(start - 9, ['https://x.test/before'])
  keepText(before, '{}')
  buffer.add(event(start), false)
  buffer.takeOver([{ startedAt: start - 9, chunks: [before] }])
  expect([buffer.characters, buffer.startedAt]).toEqual([102, start - 9])
  expect(buffer.takeAll(false)[0]).toBe(before)
})

test('chunks that are handed over are compressed unless the caller says otherwise', async () => {
  const { buffer, compressed } = makeBuffer()
  buffer.add(event(start), true)
  const [chunk] = buffer.takeAll()
  await chunk?.ready
  expect(chunk).toMatchObject({ body: new Uint8Array([7]), texts: undefined })
  expect([buffer.characters, buffer.generations]).toEqual([0, []])
  buffer.add(event(start), true)
  expect(buffer.takeAll(false)[0]).not.toHaveProperty('ready')
  expect(compressed).toHaveLength(1)
})

test('a chunk that cannot be compressed is sent as the list of its events', async () => {
  for (const compress of [async () => null, () => Promise.reject(new Error('no worker'))]) {
    const buffer = new EventBuffer(compress)
    const sent = [event(start), event(start + 1)]
    for (const one of sent) buffer.add(one, true)
    const [chunk] = buffer.takeAll()
    await chunk?.ready
    expect(JSON.parse(new TextDecoder().decode(bodyOf(chunk!)))).toEqual(sent)
  }
})

test('a cleared chunk is not sealed when its burst ends, and its snapshot is not written', async () => {
  const { buffer, compressed } = makeBuffer()
  buffer.add(event(start, chunkCharacters), true)
  buffer.clear()
  buffer.add(event(start), true)
  await vi.advanceTimersByTimeAsync(burstPauseMs)
  expect(compressed).toEqual([])
  buffer.add(event(start, 100, fullSnapshot), true)
  buffer.clear()
  await vi.advanceTimersByTimeAsync(0)
  expect(buffer.characters).toBe(0)
})

test('a chunk that was compressed takes no more texts, but counts them', () => {
  const chunk = newChunk(start, [])
  chunk.texts = undefined
  keepText(chunk, '{}')
  expect(chunk.characters).toBe(2)
})
