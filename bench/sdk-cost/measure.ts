import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { comeAndGo, fetchMany, fillPage, mutateCells, storm } from './in-page.ts'
import type { Variant } from './variants.ts'

/** One number of one run: milliseconds of the main thread, or bytes. */
export type Figures = Map<string, number>

interface Globals {
  begin(): void
  isRecording(): boolean
  snapshot?(): void
}

/** Work that comes in pieces is over when the main thread did little for so long; some clients never do nothing. */
const quietMs = 120
const quietTaskMs = 8
const settleMsMax = 20_000
/** Longer than any client waits before it sends. */
const sendMs = 8000
/** Clients that send after five seconds do so in this time, and then not before the next lines are over. */
const flushMs = 6000

const cellCounts = [500, 1000, 2000, 4000, 8000] as const

/** The measured pages: an empty one, one of so many nodes, one whose nodes come and go. */
export const pageNames = ['empty', '5000', '50000', 'memory'] as const
export type PageName = (typeof pageNames)[number]

/** One page with one variant, watched through the browser's own account of its main thread. */
class Probe {
  readonly page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.page = page
    this.#session = session
  }

  static async open(browser: Browser, url: string, variant: Variant): Promise<Probe> {
    const context = await browser.newContext()
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Performance.enable')
    await page.goto(`${url}/page?${variant}`)
    return new Probe(page, session)
  }

  /** Main-thread milliseconds of what happens until the page is quiet. */
  async cost(act: () => Promise<unknown>): Promise<number> {
    await this.settle()
    const before = await this.metric('TaskDuration')
    await act()
    await this.settle()
    return ((await this.metric('TaskDuration')) - before) * 1000
  }

  async settle(): Promise<void> {
    const endAt = Date.now() + settleMsMax
    let last = await this.metric('TaskDuration')
    for (let quietTimes = 0; quietTimes < 2 && Date.now() < endAt;) {
      await new Promise((resolve) => setTimeout(resolve, quietMs))
      const now = await this.metric('TaskDuration')
      quietTimes = (now - last) * 1000 < quietTaskMs ? quietTimes + 1 : 0
      last = now
    }
  }

  /** Bytes of JavaScript's heap after a collection. */
  async heap(): Promise<number> {
    await this.#session.send('HeapProfiler.collectGarbage')
    await this.#session.send('HeapProfiler.collectGarbage')
    return this.metric('JSHeapUsedSize')
  }

  /** The heap once everything that waits to be sent has been. */
  async rest(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, sendMs))
    return this.heap()
  }

  async begin(): Promise<void> {
    await this.page.evaluate(() => (globalThis as unknown as Globals).begin())
    await this.page.waitForFunction(() => (globalThis as unknown as Globals).isRecording())
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  async metric(name: string): Promise<number> {
    const { metrics } = await this.#session.send('Performance.getMetrics')
    return metrics.find((it) => it.name === name)?.value ?? 0
  }
}

/** The lines of these pages of one variant, once. */
export async function measure(
  browser: Browser,
  url: string,
  variant: Variant,
  pages: readonly PageName[],
  stormSeconds: number,
): Promise<Figures> {
  const figures: Figures = new Map()
  for (const name of pages) {
    const probe = await Probe.open(browser, url, variant)
    if (name === 'empty') await measureEmpty(probe, figures, stormSeconds)
    else if (name === 'memory') await measureMemory(probe, figures)
    else await measureFull(probe, figures, Number(name))
    await probe.close()
  }
  return figures
}

async function measureEmpty(probe: Probe, figures: Figures, stormSeconds: number): Promise<void> {
  const { page } = probe
  figures.set('init', await probe.cost(() => probe.begin()))
  if (stormSeconds > 0) {
    const heap = await probe.heap()
    figures.set('storm', await probe.cost(() => page.evaluate(storm, stormSeconds)))
    figures.set('heap', (await probe.heap()) - heap)
  }
  figures.set('1,000 fetches', await probe.cost(() => page.evaluate(fetchMany, 1000)))
}

async function measureFull(probe: Probe, figures: Figures, nodes: number): Promise<void> {
  const { page } = probe
  await page.evaluate(fillPage, nodes)
  const name = `${nodes.toLocaleString('en')} nodes`
  figures.set(`start with ${name}`, await probe.cost(() => probe.begin()))
  figures.set(`snapshot of ${name}`, await snapshot(probe))
  if (nodes !== 50_000) return
  // A line of its own: else it is part of whichever line it falls into, which is not the same for all.
  figures.set(`sending of ${name}`, await probe.cost(() => sleep(flushMs)))
  for (const count of cellCounts) {
    // Garbage of the line before must not count as a cost of this one.
    await probe.heap()
    const cost = await probe.cost(() => page.evaluate(mutateCells, count))
    figures.set(`${count.toLocaleString('en')} cells`, cost)
  }
}

/** A few rounds before the base is taken, so that code and tables have the size they keep. */
async function measureMemory(probe: Probe, figures: Figures): Promise<void> {
  await probe.begin()
  await probe.page.evaluate(comeAndGo, { nodes: 10_000, times: 10 })
  const base = await probe.rest()
  await probe.page.evaluate(comeAndGo, { nodes: 10_000, times: 50 })
  figures.set('memory after 50 × 10,000 nodes', (await probe.rest()) - base)
}

/** Returns NaN where no snapshot can be asked for: only rrweb and ours allow it. */
async function snapshot(probe: Probe): Promise<number> {
  const isPossible = await probe.page.evaluate(() => 'snapshot' in globalThis)
  if (!isPossible) return Number.NaN
  return probe.cost(() =>
    probe.page.evaluate(() => (globalThis as unknown as Required<Globals>).snapshot()),
  )
}
