import { expect, test } from 'vitest'
import { createReportBudget } from './report-budget.ts'

test('thirty reports a minute go through, the thirty-first waits for the next minute', () => {
  const isWithin = createReportBudget()
  const now = 60_000 * 1000
  expect(Array.from({ length: 30 }, () => isWithin(now)).every(Boolean)).toBe(true)
  expect(isWithin(now + 59_999)).toBe(false)
  expect(isWithin(now + 60_000)).toBe(true)
})
