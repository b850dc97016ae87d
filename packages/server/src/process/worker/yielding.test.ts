import { cpus } from 'node:os'
import { expect, test, vi } from 'vitest'
import { stopped } from './retry.ts'
import { readProcessorTimes, Yielding, type ProcessorTimes } from './yielding.ts'

vi.mock('node:os', { spy: true })

const settings = {
  yieldFrom: 0.6,
  yieldShare: 0.25,
  yieldLookMs: 100,
  yieldMsMax: 1000,
  yieldAgeMsMin: 500,
  yieldAgeMsMax: 60_000,
}
const backlogMs = 500

interface Used {
  readonly busy: number
  readonly own: number
}

/** A machine of two processors whose time passes while it is waited, and as a test moves it on. */
class Machine {
  times: ProcessorTimes = { at: 9000, busy: 5000, own: 700, processors: 2 }
  /** Share of both processors in use during a wait. */
  busyShare = 1
  readonly #stop = new AbortController()
  readonly yielding = new Yielding(
    settings,
    () => this.times,
    async (ms, signal) => {
      if (signal.aborted) return stopped
      this.pass(ms, { busy: 2 * ms * this.busyShare, own: 0 })
      return undefined
    },
  )

  pass(ms: number, { busy, own }: Used): void {
    const { times } = this
    this.times = { ...times, at: times.at + ms, busy: times.busy + busy, own: times.own + own }
  }

  stop(): void {
    this.#stop.abort()
  }

  /** Returns the length of the wait, ms. */
  async waited(workedMs: number, ageMs: number): Promise<number> {
    const { at } = this.times
    await this.yielding.yield(workedMs, ageMs, this.#stop.signal)
    return this.times.at - at
  }

  yield(workedMs: number, ageMs: number): Promise<undefined | typeof stopped> {
    return this.yielding.yield(workedMs, ageMs, this.#stop.signal)
  }
}

test('goes on while others leave room, however much it uses itself', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 900 })
  expect(await machine.waited(200, backlogMs)).toBe(0)
  machine.pass(500, { busy: 999, own: 400 })
  expect(await machine.waited(200, backlogMs)).toBe(0)
})

test('works a quarter of the time while others use the machine, and waits no longer than a limit', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 400 })
  expect(await machine.waited(200, backlogMs)).toBe(600)
  expect(await machine.waited(5000, backlogMs)).toBe(1000)
})

test('goes on as soon as others need the machine no more', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 0 })
  machine.busyShare = 0.5
  expect(await machine.waited(200, backlogMs)).toBe(100)
  expect(await machine.waited(200, backlogMs)).toBe(0)
})

test('fresh deliveries do not count as a backlog, and are processed at once', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 0 })
  expect(await machine.waited(200, 499)).toBe(0)
  expect(await machine.waited(200, 500)).toBe(600)
})

test('works off what has waited for long, whoever else needs the machine', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 0 })
  expect(await machine.waited(200, 60_000)).toBe(600)
  expect(await machine.waited(200, 60_001)).toBe(0)
})

test('waiting for a disk does not count as processor use', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 70, own: 0 })
  expect(await machine.waited(200, backlogMs)).toBe(0)
})

test('believes the last look until enough time has passed for another', async () => {
  const machine = new Machine()
  machine.pass(99, { busy: 198, own: 0 })
  expect(await machine.waited(10, backlogMs)).toBe(0)
  machine.pass(1, { busy: 2, own: 0 })
  expect(await machine.waited(10, backlogMs)).toBe(30)
})

test('a wait ends when the worker stops', async () => {
  const machine = new Machine()
  machine.pass(500, { busy: 1000, own: 0 })
  machine.stop()
  expect(await machine.yield(200, backlogMs)).toBe(stopped)
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

test('busy is all that the processors do, whoever they do it for', () => {
  const times = { user: 1, nice: 2, sys: 4, irq: 8, idle: 1000 }
  vi.mocked(cpus).mockReturnValueOnce([1, 2].map(() => ({ model: '', speed: 1, times })))
  const usage = vi.spyOn(process, 'cpuUsage').mockReturnValueOnce({ user: 3000, system: 5000 })
  expect(readProcessorTimes()).toMatchObject({ busy: 30, own: 8, processors: 2 })
  usage.mockRestore()
})
