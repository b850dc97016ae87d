import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Our web vitals beside those of the library by the people who define them, on one page. */

const script = `
import { onCLS, onFCP, onINP, onLCP } from 'web-vitals'
import { measureVitals } from './packages/browser/src/tracing/measure-vitals.ts'
Object.assign(window, { ours: [], theirs: [], slowOnes: [] })
measureVitals((name, { value, entry }) => ours.push([name, value, entry?.startTime]))
for (const on of [onCLS, onFCP, onINP, onLCP]) {
  on(({ name, value, entries }) => {
    // The largest of several shifts.
    const [entry] = [...entries].sort((one, other) => (other.value ?? 0) - (one.value ?? 0))
    theirs.push([name.toLowerCase(), value, entry?.startTime])
  })
}
// Comes after both, whose observers are older.
new PerformanceObserver((list) => {
  slowOnes.push(...list.getEntries().map(({ target }) => target?.id))
}).observe({ type: 'event', durationThreshold: 40 })`

const html = `<h1>The shop</h1><p id="moved" style="margin-top:0">goods</p>
<button id="slow" onclick="const end = performance.now() + 120; while (performance.now() < end);">Buy</button>
<button id="slower" onclick="const end = performance.now() + 240; while (performance.now() < end);">Pay</button>
<input id="quick">`

/** Hides the page for its scripts, or shows it. */
const showAs = `window.showAs = (state) => {
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
}`

type Told = readonly (readonly [name: string, value: number, startTime?: number])[]

interface Win extends Window {
  readonly ours: Told
  readonly theirs: Told
  /** Ids of the elements of slow events that the browser has told. */
  readonly slowOnes: readonly string[]
  readonly showAs: (state: 'hidden' | 'visible') => void
}

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer({
    page: { html, before: showAs, script },
    hidden: { html, before: `${showAs}\nshowAs('hidden')`, script },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

/** Waits for the frames that follow, and until the page rests: entries have then been delivered. */
function rest(page: Page): Promise<unknown> {
  return page.evaluate(
    () =>
      new Promise((resolve) =>
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            requestIdleCallback(() => requestIdleCallback(() => setTimeout(resolve))),
          ),
        ),
      ),
  )
}

/** Clicks a slow button, and waits until the browser has told how slow it was. */
async function clickSlowly(page: Page, id: string): Promise<void> {
  await page.click(`#${id}`)
  await until('the slow click was told', () =>
    page.evaluate((it) => (window as unknown as Win).slowOnes.includes(it), id),
  )
  await rest(page)
}

/** Moves the page's content, `afterMs` later: shifts soon after input do not count. */
async function shift(page: Page, pixels: number, afterMs = 0): Promise<void> {
  await page.evaluate(
    ([top, ms]) =>
      new Promise((resolve) =>
        setTimeout(() => {
          document.querySelector<HTMLElement>('#moved')!.style.marginTop = `${top}px`
          resolve(undefined)
        }, ms),
      ),
    [pixels, afterMs] as const,
  )
  await rest(page)
}

async function told(page: Page): Promise<{ readonly ours: Told; readonly theirs: Told }> {
  const { ours, theirs } = await page.evaluate(() => {
    const { ours: own, theirs: other } = window as unknown as Win
    return { ours: own, theirs: other }
  })
  return { ours: sorted(ours), theirs: sorted(theirs) }
}

/** In the order of vitals: at one moment each may tell its own first. */
function sorted(list: Told): Told {
  return [...list].sort(([one], [other]) => one.localeCompare(other))
}

function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  return page.evaluate((it) => (window as unknown as Win).showAs(it), state)
}

test('our vitals are those of web-vitals: shifts, slow clicks and keys, hidden and shown again', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/page`)
  await until('FCP was told', async () => (await told(page)).theirs.length === 1)
  await shift(page, 40)
  await shift(page, 90)
  await shift(page, 120, 1100)
  await clickSlowly(page, 'slow')
  await until('LCP was told', async () =>
    (await told(page)).theirs.some(([name]) => name === 'lcp'),
  )
  await page.type('#quick', 'lamp')
  await rest(page)
  await setVisibility(page, 'hidden')
  const first = await told(page)
  expect(first.ours).toEqual(first.theirs)
  expect(first.ours.map(([name]) => name)).toEqual(['cls', 'fcp', 'inp', 'lcp'])
  expect(first.ours[0]![1]).toBeGreaterThan(0)
  expect(first.ours[2]![1]).toBeGreaterThan(100)

  await setVisibility(page, 'visible')
  await clickSlowly(page, 'slower')
  await shift(page, 400, 1600)
  await setVisibility(page, 'hidden')
  await setVisibility(page, 'visible')
  await setVisibility(page, 'hidden')
  const second = await told(page)
  expect(second.ours).toEqual(second.theirs)
  expect(second.ours.map(([name]) => name)).toEqual(['cls', 'cls', 'fcp', 'inp', 'inp', 'lcp'])

  // After 50 interactions the worst is forgiven.
  await setVisibility(page, 'visible')
  await page.type('#quick', 'l'.repeat(50))
  await rest(page)
  await setVisibility(page, 'hidden')
  const third = await told(page)
  expect(third.ours).toEqual(third.theirs)
  expect(third.ours.at(-2)).toEqual(first.ours[2])
  await page.close()
})

test('a page that comes back is measured anew, as web-vitals does', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/page`)
  await until('FCP was told', async () => (await told(page)).theirs.length === 1)
  await shift(page, 60)
  await clickSlowly(page, 'slow')
  await setVisibility(page, 'hidden')
  const before = (await told(page)).ours.length
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    ;(window as unknown as Win).showAs('visible')
  })
  await until('FCP and LCP were told again', async () => {
    const { ours, theirs } = await told(page)
    return ours.length === before + 2 && theirs.length === before + 2
  })
  await clickSlowly(page, 'slower')
  await setVisibility(page, 'hidden')
  const { ours, theirs } = await told(page)
  expect(ours.map(([name]) => name)).toEqual(theirs.map(([name]) => name))
  // The return is measured by each with a clock of its own.
  for (const name of ['cls', 'inp']) {
    expect(ours.filter(([it]) => it === name)).toEqual(theirs.filter(([it]) => it === name))
  }
  await page.close()
})

test('a page that loads hidden tells neither paints nor shifts, as web-vitals', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/hidden`)
  await setVisibility(page, 'visible')
  await shift(page, 60)
  await clickSlowly(page, 'slow')
  await setVisibility(page, 'hidden')
  const { ours, theirs } = await told(page)
  expect(ours).toEqual(theirs)
  expect(ours.map(([name]) => name)).toEqual(['inp'])
  await page.close()
})
