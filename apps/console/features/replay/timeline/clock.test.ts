import { expect, test } from 'vitest'
import { bytes, clock, clockSeconds, duration, formatOffset, parseOffset } from './clock.ts'

test('a clock has minutes and tenths, and hours only when needed', () => {
  expect(clock(331_449)).toBe('05:31.4')
  expect(clock(-5)).toBe('00:00.0')
  expect(clockSeconds(3_725_000)).toBe('1:02:05')
})

test('a duration takes three digits', () => {
  const cases: [number, string][] = [
    [0.04, '0 ms'],
    [38.4, '38 ms'],
    [999.6, '1 s'],
    [2_160, '2.16 s'],
    [4_300, '4.3 s'],
    [26_000, '26 s'],
    [59_960, '1 min'],
    [86_000, '1 min 26 s'],
    [3_720_000, '1 h 2 min'],
  ]
  expect(cases.map(([ms]) => duration(ms))).toEqual(cases.map(([, text]) => text))
})

test('sizes', () => {
  expect([300, 1_800, 412_000, 7_088_993].map(bytes)).toEqual([
    '300 B',
    '1.8 kB',
    '412 kB',
    '7.1 MB',
  ])
})

test('an offset in the address is seconds or a clock, anything else is null', () => {
  expect(parseOffset('331.4')).toBe(331_400)
  expect(parseOffset('05:31.4')).toBe(331_400)
  expect(parseOffset('1:02:05')).toBe(3_725_000)
  expect([null, '', '-3', 'abc', '1e9', '1:2:3:4'].map(parseOffset)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
  ])
  expect(parseOffset(formatOffset(331_449))).toBe(331_449)
})
