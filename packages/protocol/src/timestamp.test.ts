import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTimestamp } from './timestamp.ts'

const noon = Date.UTC(2026, 10, 20, 12, 0, 0)

test.each([
  [1_795_176_000, noon],
  [1_795_176_000.125, noon + 125],
  [1795161348.297, 1_795_161_348_297],
  [0, 0],
  ['2026-11-20T12:00:00Z', noon],
  ['2026-11-20T12:00:00.250Z', noon + 250],
  ['2026-11-20T12:00:00.123456Z', noon + 123.456],
  ['2026-11-20T12:00:00', noon],
  ['2026-11-20 12:00:00', noon],
  ['2026-11-20T12:00', noon],
  ['2026-11-20t12:00:00z', noon],
  ['2026-11-20T14:00:00+02:00', noon],
  ['2026-11-20T06:30:00-0530', noon],
  ['2026-11-20T13:00:00+01', noon],
  [' 2026-11-20T12:00:00Z ', noon],
  ['2026-11-20', noon - 12 * 3_600_000],
  ['2026-02-28T23:59:59.9Z', Date.UTC(2026, 1, 28, 23, 59, 59, 900)],
  ['2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
  ['2016-12-31T23:59:60Z', Date.UTC(2016, 11, 31, 23, 59, 59, 999)],
  ['9999-12-31T23:59:59Z', Date.UTC(9999, 11, 31, 23, 59, 59)],
])('%j is read as milliseconds', (value, expected) => {
  expect(parseTimestamp(value)).toBe(expected)
})

test.each([
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  253_402_300_800,
  1_795_176_000_000,
  '',
  'yesterday',
  '1795176000',
  '2026',
  '2026-11',
  '2026-13-01',
  '2026-00-10',
  '2026-02-30T00:00:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T12:60:00Z',
  '2026-11-20T12:00:61Z',
  '2026-11-20T12:00:00+24:00',
  '2026-11-20T12:00:00 PST',
  '1969-12-31T23:59:59Z',
  '+12026-11-20T12:00:00Z',
  '2026-11-20T12:00:00Z'.padEnd(100, '0'),
  null,
  undefined,
  true,
  {},
  [1_795_176_000],
])('%j is not a valid time', (value) => {
  expect(parseTimestamp(value)).toBeNull()
})

test('times written by Date are read back unchanged', () => {
  const dates = fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
  fc.assert(
    fc.property(dates, (date) => {
      expect(parseTimestamp(date.toISOString())).toBe(date.getTime())
    }),
  )
})

test('any value gives a time in range or null', () => {
  const values = fc.oneof(
    fc.anything(),
    fc.double(),
    fc.stringMatching(/^\d{4}-\d\d-\d\d[T ][\d:.Z+-]*$/),
  )
  fc.assert(
    fc.property(values, (value) => {
      const ms = parseTimestamp(value) ?? 0
      expect(ms >= 0 && ms < 253_402_300_800_000).toBe(true)
    }),
  )
})
