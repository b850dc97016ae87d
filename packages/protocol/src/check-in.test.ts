import { expect, test } from 'vitest'
import { isCheckInStatus, normalizeMonitorSlug } from './check-in.ts'

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
})
