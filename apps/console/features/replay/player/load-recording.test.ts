import { expect, test } from 'vitest'
import { loadRecording, type LoadedRecording, type RecordingSource } from './load-recording.ts'

const t0 = 1_795_161_831_000
const segmentMs = 75_000
const count = 44

/** Each fourth segment begins a page. */
function eventsOf(place: number): readonly unknown[] {
  const at = t0 + place * segmentMs
  const begin = [
    { type: 4, timestamp: at, data: { href: 'https://a.example/', width: 8, height: 5 } },
    { type: 2, timestamp: at + 5, data: { node: { type: 0, id: 1, childNodes: [] } } },
  ]
  const change = { type: 3, timestamp: at + segmentMs - 1, data: { source: 1 } }
  return [...(place % 4 === 0 ? begin : []), change]
}

/** An hour of eleven pages. */
function hourLong(asked: string[]): RecordingSource {
  return {
    list: async () =>
      Array.from({ length: count }, (_, segmentId) => ({
        segmentId,
        firstAt: t0 + segmentId * segmentMs,
        lastAt: t0 + (segmentId + 1) * segmentMs - 1,
      })),
    read: async (from, most) => {
      asked.push(`${from}+${most}`)
      return Array.from({ length: Math.min(most, count - from) }, (_, index) =>
        eventsOf(from + index),
      )
    },
  }
}

async function load(at: number, onState: (state: LoadedRecording) => void): Promise<string[]> {
  const asked: string[] = []
  await loadRecording(
    { source: hourLong(asked), errors: [], startAt: () => at },
    new AbortController().signal,
    onState,
  )
  return asked
}

test('late in a long recording its beginning and its surroundings are enough to see it', async () => {
  let loadedFirst = 0
  const asked = await load(3_000_500, (state) => {
    if (state.player !== null && loadedFirst === 0) {
      loadedFirst = state.loaded
      expect(state.player.timeline().durationMs).toBe(count * segmentMs - 1)
      expect(state.player.at()).toBe(3_000_500)
      expect(state.player.state().isWaiting).toBe(false)
    }
  })
  expect(loadedFirst).toBe(6)
  expect(asked.slice(0, 2)).toEqual(['0+2', '40+4'])
})

test('a cursor that moves to what is not there waits for it, and it is read next', async () => {
  const states: boolean[] = []
  const asked = await load(0, ({ player, loaded }) => {
    if (player === null) return
    if (loaded === 2) player.seek(2_000_000)
    states.push(player.state().isWaiting)
  })
  expect(asked.slice(0, 3)).toEqual(['0+2', '26+4', '22+4'])
  expect(states.slice(0, 2)).toEqual([true, true])
  expect(states.at(-1)).toBe(false)
})

test('a refusal is said, and what was there before stays', async () => {
  const source = hourLong([])
  const read: RecordingSource['read'] = (from, ...rest) =>
    from === 0 ? source.read(from, ...rest) : Promise.reject(new Error('The disk is full.'))
  let last: LoadedRecording | null = null
  await loadRecording(
    { source: { ...source, read }, errors: [], startAt: () => 0 },
    new AbortController().signal,
    (state) => (last = state),
  )
  expect(last).toMatchObject({ failure: 'The disk is full.', isComplete: false, loaded: 2 })
  expect((last as unknown as LoadedRecording).player).not.toBeNull()
})
