import type { Browser, CDPSession, Page } from 'playwright-core'
import { fetchMany, fillPage, mutateCells, storm } from './in-page.ts'
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

export const cellCounts = [500, 1000, 2000, 4000, 8000] as const

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

/** All lines of one variant, once. */
export async function measure(
  browser: Browser,
  url: string,
  variant: Variant,
  stormSeconds: number,
): Promise<Figures> {
  const figures: Figures = new Map()
  const small = await Probe.open(browser, url, variant)
  figures.set('init', await small.cost(() => small.begin()))
  if (stormSeconds > 0) {
    const heap = await small.heap()
    figures.set('storm', await small.cost(() => small.page.evaluate(storm, stormSeconds)))
    figures.set('heap', (await small.heap()) - heap)
  }
  figures.set('1,000 fetches', await small.cost(() => small.page.evaluate(fetchMany, 1000)))
  await small.close()
  for (const nodes of [5000, 50_000]) {
    const probe = await Probe.open(browser, url, variant)
    await probe.page.evaluate(fillPage, nodes)
    const name = `${nodes.toLocaleString('en')} nodes`
    figures.set(`start with ${name}`, await probe.cost(() => probe.begin()))
    figures.set(`snapshot of ${name}`, await snapshot(probe))
    if (nodes === 50_000) {
      for (const count of cellCounts) {
        const cost = await probe.cost(() => probe.page.evaluate(mutateCells, count))
        figures.set(`${count.toLocaleString('en')} cells`, cost)
      }
    }
    await probe.close()
  }
  return figures
}

/** Only where it can be asked for: of rrweb and of ours. NaN elsewhere. */
async function snapshot(probe: Probe): Promise<number> {
  const isPossible = await probe.page.evaluate(() => 'snapshot' in globalThis)
  if (!isPossible) return Number.NaN
  return probe.cost(() =>
    probe.page.evaluate(() => (globalThis as unknown as Required<Globals>).snapshot()),
  )
}
