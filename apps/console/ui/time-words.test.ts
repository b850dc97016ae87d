import { expect, test } from 'vitest'
import {
  byteWords,
  compactNumber,
  durationWords,
  exactTime,
  relativeTime,
  spokenCount,
  spokenDuration,
} from './time-words.ts'

const now = Date.UTC(2026, 10, 20, 12, 0, 0)
const s = 1000
const h = 3_600_000
const d = 24 * h

test.each([
  [12 * s, '12 s ago'],
  [59.9 * s, '59 s ago'],
  [60 * s, '1 min ago'],
  [3 * h, '3 h ago'],
  [9 * d, '9 d ago'],
  [14 * d, '2 wk ago'],
  [31 * d, '1 mo ago'],
  [400 * d, '1 y ago'],
  [0, '0 s ago'],
])('%d ms before now reads %s', (before, words) => {
  expect(relativeTime(now - before, now)).toBe(words)
})

test('ages and bare durations use the same units', () => {
  expect(relativeTime(now - 2 * h, now, 'age')).toBe('2 h old')
  expect(relativeTime(now - 2 * h, now, 'plain')).toBe('2 h')
})

test('a clock that is a little ahead is now, a far future is said', () => {
  expect(relativeTime(now + 20 * s, now)).toBe('now')
  expect(relativeTime(now + 20 * s, now, 'age')).toBe('0 s')
  expect(relativeTime(now + 5 * 60 * s, now)).toBe('in 5 min')
})

test('exact times name their zone', () => {
  expect(exactTime(now, 'UTC')).toBe('Fri, 20 Nov 2026, 12:00:00 UTC')
})

test('durations in sentences are words', () => {
  expect(spokenDuration(3 * s)).toBe('a moment')
  expect(spokenDuration(2 * h)).toBe('two hours')
  expect(spokenDuration(1 * h)).toBe('an hour')
  expect(spokenDuration(45 * 60 * s)).toBe('45 minutes')
  expect(spokenDuration(-5)).toBe('a moment')
})

test('small counts are words, large ones have commas', () => {
  expect([0, 1, 12, 13, 1904].map(spokenCount)).toEqual(['no', 'one', 'twelve', '13', '1,904'])
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1k'],
  [1849, '1.8k'],
  [9999, '9.9k'],
  [61_200, '61k'],
  [999_499, '999k'],
  [999_999, '0.9M'],
  [1_250_000, '1.2M'],
])('%d is written %s', (count, words) => {
  expect(compactNumber(count)).toBe(words)
})

test('durations choose their unit', () => {
  expect([0.2, 148, 4300, 65_000, 4_320_000, Number.NaN].map(durationWords)).toEqual([
    '0.2 ms',
    '148 ms',
    '4.3 s',
    '1 min 5 s',
    '1 h 12 min',
    'unknown',
  ])
})

test('bytes are in powers of 1024', () => {
  expect([512, 2457, 2 * 1024 ** 3, 40 * 1024 ** 2].map(byteWords)).toEqual([
    '512 B',
    '2.4 KB',
    '2.0 GB',
    '40 MB',
  ])
})
