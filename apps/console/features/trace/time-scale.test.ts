import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { momentAt, placeOf, rulerTicks, tickWords } from './time-scale.ts'

test('eight percent stay free at the right', () => {
  expect(placeOf(4_260, 4_260)).toBe(92)
  expect(placeOf(1, 0)).toBe(0)
  expect(momentAt(0.92, 4_260)).toBe(4_260)
  expect(momentAt(1, 4_260)).toBe(4_260)
  expect(momentAt(-1, 4_260)).toBe(0)
})

test('a ruler has few, round times in one unit', () => {
  expect(rulerTicks(4_260)).toEqual([0, 1_000, 2_000, 3_000, 4_000])
  expect(rulerTicks(4_260).map((at) => tickWords(at, 4_260))).toEqual([
    '0.0 s',
    '1.0 s',
    '2.0 s',
    '3.0 s',
    '4.0 s',
  ])
  expect(tickWords(120_000, 600_000)).toBe('2 min')
  expect(tickWords(0.5, 2)).toBe('0.5 ms')
})

test('any duration gives between one and twenty ticks', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (durationMs) => {
      const ticks = rulerTicks(durationMs)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.length).toBeLessThanOrEqual(20)
    }),
  )
})
