import { expect, test } from 'vitest'
import { toAttributes } from './attributes.ts'
import { isCheckInStatus, normalizeMonitorSlug } from './check-in.ts'
import { logLevelOfSeverity, logLevels, logSeverities } from './log.ts'
import { isFinalSessionStatus, isSessionStatus } from './session.ts'

test('values become typed attributes, and what has no type is left out', () => {
  expect(
    toAttributes({
      text: 'a',
      whole: 3,
      half: 1.5,
      yes: true,
      list: ['a', 1, null],
      nested: [[1]],
      object: { a: 1 },
      nothing: null,
      missing: undefined,
      none: Number.NaN,
    }),
  ).toEqual({
    text: { value: 'a', type: 'string' },
    whole: { value: 3, type: 'integer' },
    half: { value: 1.5, type: 'double' },
    yes: { value: true, type: 'boolean' },
    list: { value: ['a', 1], type: 'array' },
  })
})

test.each([
  ['nightly-report', 'nightly-report'],
  ['Nightly Report!', 'nightly-report'],
  ['a/b\\c', 'a-b-c'],
  ['--x--', 'x'],
  ['snake_case', 'snake_case'],
  ['  a_b-c9  ', 'a_b-c9'],
  ['größe', 'gr-e'],
  ['x'.repeat(80), 'x'.repeat(50)],
])('the monitor %j has the slug %j', (name, slug) => {
  expect(normalizeMonitorSlug(name)).toBe(slug)
})

test.each(['', '!!!', '-', null, 7])('%j names no monitor', (name) => {
  expect(normalizeMonitorSlug(name)).toBeNull()
})

test('closed lists know their words', () => {
  expect(isCheckInStatus('in_progress')).toBe(true)
  expect(isCheckInStatus('missed')).toBe(false)
  expect(isSessionStatus('unhandled')).toBe(true)
  expect(isSessionStatus(null)).toBe(false)
  expect(isFinalSessionStatus('ok')).toBe(false)
  expect(isFinalSessionStatus('crashed')).toBe(true)
})

test('a severity has the level whose range it is in', () => {
  for (const level of logLevels) {
    expect(logLevelOfSeverity(logSeverities[level])).toBe(level)
    expect(logLevelOfSeverity(logSeverities[level] + 3)).toBe(level)
  }
  for (const severity of [0, 25, -1, Number.NaN]) expect(logLevelOfSeverity(severity)).toBeNull()
})
