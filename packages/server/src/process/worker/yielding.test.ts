import { expect, test } from 'vitest'
import { readProcessorTimes, Yielding, type ProcessorTimes } from './yielding.ts'

const settings = {
  yieldFrom: 0.6,
  yieldShare: 0.25,
  yieldLookMs: 100,
  yieldMsMax: 1000,
  yieldAgeMsMax: 60_000,
}

/** A machine of two processors whose times a test moves on. */
function machine(): {
  times: ProcessorTimes
  read: () => ProcessorTimes
  pass: (ms: number, used: { readonly busy: number; readonly own: number }) => void
} {
  const one = {
    times: { at: 9000, busy: 5000, own: 700, processors: 2 },
    read: () => one.times,
    pass: (ms: number, { busy, own }: { readonly busy: number; readonly own: number }) => {
      const { times } = one
      one.times = { ...times, at: times.at + ms, busy: times.busy + busy, own: times.own + own }
    },
  }
  return one
}

test('goes on while others leave room, however much it uses itself', () => {
  const two = machine()
  const yielding = new Yielding(settings, two.read)
  two.pass(500, { busy: 1000, own: 900 })
  expect(yielding.pauseMs(200, 0)).toBe(0)
  two.pass(500, { busy: 999, own: 400 })
  expect(yielding.pauseMs(200, 0)).toBe(0)
})

test('works a quarter of the time while others use the machine, and all of it afterwards', () => {
  const two = machine()
  const yielding = new Yielding(settings, two.read)
  two.pass(500, { busy: 1000, own: 400 })
  expect(yielding.pauseMs(200, 0)).toBe(600)
  expect(yielding.pauseMs(5000, 0)).toBe(1000)
  two.pass(500, { busy: 590, own: 0 })
  expect(yielding.pauseMs(200, 0)).toBe(0)
})

test('works off what has waited for long, whoever else needs the machine', () => {
  const two = machine()
  const yielding = new Yielding(settings, two.read)
  two.pass(500, { busy: 1000, own: 0 })
  expect(yielding.pauseMs(200, 60_000)).toBe(600)
  expect(yielding.pauseMs(200, 60_001)).toBe(0)
})

test('a disk that is waited for is no processor in use', () => {
  const two = machine()
  const yielding = new Yielding(settings, two.read)
  two.pass(500, { busy: 70, own: 0 })
  expect(yielding.pauseMs(200, 0)).toBe(0)
})

test('believes the last look until enough time has passed for another', () => {
  const two = machine()
  const yielding = new Yielding(settings, two.read)
  two.pass(99, { busy: 198, own: 0 })
  expect(yielding.pauseMs(10, 0)).toBe(0)
  two.pass(1, { busy: 2, own: 0 })
  expect(yielding.pauseMs(10, 0)).toBe(30)
})

test('reads the real machine, all of it in milliseconds', () => {
  const before = readProcessorTimes()
  const startedAt = performance.now()
  while (performance.now() - startedAt < 200);
  const after = readProcessorTimes()
  expect(after.own - before.own).toBeGreaterThan(10)
  expect(after.own - before.own).toBeLessThan(20_000)
  expect(after.at - before.at).toBeGreaterThanOrEqual(200)
  expect(after.busy - before.busy).toBeGreaterThanOrEqual(0)
  expect(after.processors).toBeGreaterThan(0)
})
