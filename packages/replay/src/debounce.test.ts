import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDebounce } from './debounce.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Returns the times at which it ran, for calls at these times. */
function runs(calls: readonly number[], untilMs = 20_000): number[] {
  const start = Date.now()
  const times: number[] = []
  const { schedule } = createDebounce(() => times.push(Date.now() - start), 5000, 5500)
  for (const at of calls) setTimeout(schedule, at)
  vi.advanceTimersByTime(untilMs)
  return times
}

test('S18 it runs 5 s after the last call, and at most 5.5 s after the first', () => {
  expect(runs([0])).toEqual([5000])
  expect(runs([0, 400])).toEqual([5400])
  expect(runs([0, 400, 900, 4999])).toEqual([5500])
  expect(runs([0, 5001, 5002])).toEqual([5000, 10_002])
})

test('it does not run once cancelled, and can be scheduled again', () => {
  const run = vi.fn()
  const { schedule, cancel } = createDebounce(run, 5000, 5500)
  schedule()
  vi.advanceTimersByTime(4999)
  cancel()
  vi.advanceTimersByTime(60_000)
  expect(run).not.toHaveBeenCalled()
  schedule()
  vi.advanceTimersByTime(5000)
  expect(run).toHaveBeenCalledOnce()
})

test('a clock that is set back by an hour does not hold it up', () => {
  const run = vi.fn()
  createDebounce(run, 5000, 5500).schedule()
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(5000)
  expect(run).toHaveBeenCalledOnce()
})
