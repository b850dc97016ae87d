import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { joinSegments } from './recording.ts'
import { deriveTimeline } from './timeline.ts'

const t0 = 1_795_161_831_000
const incremental = (at: number) => ({ type: 3, timestamp: t0 + at, data: { source: 0 } })
const meta = (at: number) => ({ type: 4, timestamp: t0 + at, data: { href: 'https://a.example/' } })
const full = (at: number) => ({ type: 2, timestamp: t0 + at, data: {} })

test('segments in any order, one twice and one missing, are joined in order of time', () => {
  const recording = joinSegments([
    { segmentId: 3, events: [incremental(900)] },
    { segmentId: 0, events: [meta(0), full(5), incremental(300)] },
    { segmentId: 1, events: [incremental(500), incremental(400)] },
    { segmentId: 1, events: [incremental(500), incremental(400)] },
  ])
  expect(recording.drawn.map((event) => event.timestamp - t0)).toEqual([0, 5, 300, 400, 500, 900])
  expect(recording.missingSegments).toEqual([2])
  expect(recording.durationMs).toBe(900)
})

test('equal times keep their order', () => {
  const first = { ...incremental(10), data: { source: 1 } }
  const second = { ...incremental(10), data: { source: 2 } }
  const { drawn } = joinSegments([{ segmentId: 0, events: [full(0), first, second] }])
  expect(drawn.slice(1).map((event) => event.data)).toEqual([{ source: 1 }, { source: 2 }])
})

test('events before the first full snapshot are left out and measured', () => {
  const recording = joinSegments([
    {
      segmentId: 4,
      events: [incremental(0), incremental(700), meta(2_000), full(2_010), incremental(2_500)],
    },
  ])
  expect(recording.drawn.map((event) => event.type)).toEqual([4, 2, 3])
  expect(recording.undrawnMs).toBe(2_000)
  expect(recording.startedAt).toBe(t0 + 2_000)
})

test('without a full snapshot nothing can be drawn, and the rest is still read', () => {
  const recording = joinSegments([{ segmentId: 0, events: [incremental(0), incremental(1_000)] }])
  expect(recording.drawn).toEqual([])
  expect(recording.durationMs).toBe(1_000)
})

test('an entry in seconds stands where it belongs', () => {
  const paint = {
    type: 5,
    timestamp: (t0 + 250) / 1000,
    data: { tag: 'performanceSpan', payload: {} },
  }
  const { events } = joinSegments([{ segmentId: 0, events: [full(0), incremental(500), paint] }])
  expect(events.map((event) => event.timestamp - t0)).toEqual([0, 250, 500])
})

test('anything at all is a recording or is dropped, never a throw', () => {
  const value = fc.oneof(
    fc.anything(),
    fc.record({
      type: fc.integer({ min: 0, max: 6 }),
      timestamp: fc.integer(),
      data: fc.anything(),
    }),
    fc.record({
      type: fc.constant(5),
      timestamp: fc.constantFrom(t0, t0 / 1000),
      data: fc.record({
        tag: fc.constantFrom('breadcrumb', 'performanceSpan', 'options'),
        payload: fc.dictionary(
          fc.constantFrom('category', 'op', 'data', 'message', 'timestamp', 'description', 'level'),
          fc.anything(),
        ),
      }),
    }),
  )
  fc.assert(
    fc.property(fc.array(value), (events) => {
      const timeline = deriveTimeline(joinSegments([{ segmentId: 0, events }]))
      expect(timeline.durationMs).toBeGreaterThanOrEqual(0)
      expect(Number.isFinite(timeline.durationMs)).toBe(true)
    }),
  )
})
