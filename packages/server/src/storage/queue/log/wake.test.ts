import { mkdtempSync, rmSync, watch, writeFileSync, type FSWatcher } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Wake } from './wake.ts'

vi.mock('node:fs', { spy: true })

const hour = 3_600_000

let folder: string
let wake: Wake
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wake-'))
  wake = new Wake(folder, hour)
})
afterEach(() => {
  wake.close()
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

test('a change of the folder wakes all who wait', async () => {
  const seen = wake.changes
  const both = [1, 2].map(() => wake.wait(seen, hour, undefined))
  writeFileSync(join(folder, 'a'), '')
  await Promise.all(both)
  expect(wake.changes).toBeGreaterThan(seen)
})

test('a change since the last look is not waited for', async () => {
  const seen = wake.changes
  wake.notify()
  expect(wake.changes).toBe(seen + 1)
  await wake.wait(seen, hour, undefined)
})

test('a wait ends with its signal, at once when that has ended before', async () => {
  const stop = new AbortController()
  const waiting = wake.wait(wake.changes, hour, stop.signal)
  stop.abort()
  await waiting
  await wake.wait(wake.changes, hour, stop.signal)
  const other = new AbortController()
  const forget = vi.spyOn(other.signal, 'removeEventListener')
  const next = wake.wait(wake.changes, hour, other.signal)
  wake.notify()
  await next
  expect(forget).toHaveBeenCalledWith('abort', expect.any(Function))
  wake.notify()
  expect(forget).toHaveBeenCalledOnce()
})

test('a watch keeps no process alive, and one that fails is given up', () => {
  const { calls, results } = vi.mocked(watch).mock
  expect(calls.at(-1)?.[1]).toEqual({ persistent: false })
  const watcher = results.at(-1)?.value as FSWatcher
  const close = vi.spyOn(watcher, 'close')
  watcher.emit('error', new Error('no watches are left'))
  expect(close).toHaveBeenCalledOnce()
})

test('closing wakes all who wait', async () => {
  const waiting = wake.wait(wake.changes, hour, undefined)
  wake.close()
  await waiting
})

test.each([
  [hour, 50, 50],
  [20, 50, 20],
  [hour, -7, 1],
])('with a poll of %d ms a wait for %d ms ends after %d ms', async (pollMs, untilMs, expected) => {
  vi.useFakeTimers()
  const polling = new Wake(join(folder, 'missing'), pollMs)
  let isOver = false
  const waiting = polling.wait(polling.changes, untilMs, undefined).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(expected - 1)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(isOver).toBe(true)
  await waiting
  expect(vi.getTimerCount()).toBe(0)
  polling.close()
})

test('a wait that was woken leaves no timer behind', async () => {
  vi.useFakeTimers()
  const waiting = wake.wait(wake.changes, hour, undefined)
  expect(vi.getTimerCount()).toBe(1)
  wake.notify()
  await waiting
  expect(vi.getTimerCount()).toBe(0)
})
