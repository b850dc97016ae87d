import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import { pause, stopped, untilItSucceeds } from './retry.ts'

const timers = vi.hoisted(() => ({ waits: [] as number[], onWait: (): unknown => undefined }))
vi.mock('node:timers/promises', () => ({
  setTimeout: async (ms: number, _: unknown, { signal }: { signal: AbortSignal }) => {
    timers.waits.push(ms)
    timers.onWait()
    signal.throwIfAborted()
  },
}))

const refusal = new AppError('STORAGE_FAILED', 'The disk is full.')
let failures: [AppError, number][]
let stop: AbortController

beforeEach(() => {
  failures = []
  stop = new AbortController()
  timers.waits = []
  timers.onWait = () => undefined
})
afterEach(() => vi.restoreAllMocks())

function onFailure(error: AppError, nextTryMs: number): void {
  failures.push([error, nextTryMs])
}

function run(operation: () => Promise<string>): Promise<string | typeof stopped> {
  return untilItSucceeds(operation, { retryMsMin: 100, retryMsMax: 500, onFailure }, stop.signal)
}

/** Fails so often, then succeeds. */
function failing(times: number, error: Error = refusal): () => Promise<string> {
  let left = times
  return async () => {
    if (left === 0) return 'done'
    left -= 1
    throw error
  }
}

test('an operation that succeeds is not repeated, and does not wait', async () => {
  expect(await run(failing(0))).toBe('done')
  expect([failures, timers.waits]).toEqual([[], []])
})

test('waits double up to the longest, and each failure is told with the wait that follows', async () => {
  expect(await run(failing(5))).toBe('done')
  expect(timers.waits).toEqual([100, 200, 400, 500, 500])
  expect(failures).toEqual(timers.waits.map((ms) => [refusal, ms]))
})

test('our own mistakes are thrown at once', async () => {
  const mistake = new TypeError('not a function')
  await expect(run(failing(1, mistake))).rejects.toBe(mistake)
  expect([failures, timers.waits]).toEqual([[], []])
})

test('a worker that stops gives up after the wait in hand', async () => {
  timers.onWait = () => timers.waits.length === 2 && stop.abort()
  expect(await run(failing(9))).toBe(stopped)
  expect(failures).toHaveLength(2)
})

test('a pause says whether the worker stopped meanwhile', async () => {
  expect(await pause(7, stop.signal)).toBeUndefined()
  stop.abort()
  expect(await pause(7, stop.signal)).toBe(stopped)
  expect(timers.waits).toEqual([7, 7])
})
