import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { selfTimes, type TimedSpan } from './self-time.ts'

function span(
  spanId: string,
  parentSpanId: string | null,
  startMs: number,
  endMs: number,
): TimedSpan {
  return { spanId, parentSpanId, startMs, endMs }
}

test('children that overlap are taken off once', () => {
  const times = selfTimes([
    span('a', null, 0, 100),
    span('c', 'a', 30, 60),
    span('b', 'a', 10, 40),
    span('d', 'b', 10, 40),
  ])
  expect(Object.fromEntries(times)).toEqual({ a: 50, b: 0, c: 30, d: 30 })
})

test('a child that lasts longer than its parent takes no more than the parent had', () => {
  const times = selfTimes([
    span('a', null, 0, 100),
    span('b', 'a', -50, 20),
    span('c', 'a', 90, 500),
  ])
  expect(times.get('a')).toBe(70)
})

test('a span without children, with a lost parent, or that is its own parent is busy all the time', () => {
  const times = selfTimes([span('a', null, 0, 10), span('b', 'lost', 0, 20), span('c', 'c', 0, 30)])
  expect(Object.fromEntries(times)).toEqual({ a: 10, b: 20, c: 30 })
})

test('agrees with counting the moments that no child covers', () => {
  const moment = fc.integer({ min: 0, max: 30 })
  fc.assert(
    fc.property(fc.array(fc.tuple(moment, moment), { maxLength: 12 }), (pairs) => {
      const children = pairs.map(([a, b], index) =>
        span(`child${index}`, 'root', Math.min(a, b), Math.max(a, b)),
      )
      let free = 0
      for (let at = 5; at < 25; at += 1) {
        if (!children.some(({ startMs, endMs }) => startMs <= at && at < endMs)) free += 1
      }
      expect(selfTimes([span('root', null, 5, 25), ...children]).get('root')).toBe(free)
    }),
  )
})
