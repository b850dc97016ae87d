import type { Page } from 'playwright-core'
import { UsageError } from '../usage-error.ts'
import { startCapture, type Capture, type SentRequest } from './capture.ts'
import { findChromium, loadDriver } from './browser.ts'
import { drive } from './drive.ts'
import { findCanaries, type Leak } from './find.ts'
import { plantedPath, type Place } from './place.ts'
import { earlyScript } from './seed.ts'

export interface AuditOptions {
  /** Path of the browser; found when it is not given. */
  readonly chromium?: string
  /** Requests whose address contains one of these are the page's own, and not looked at. */
  readonly ignored?: readonly string[]
  readonly onStep?: (step: string) => void
}

export interface AuditResult {
  readonly places: readonly Place[]
  readonly leaks: readonly Leak[]
  /** Canaries that may be sent, and were. */
  readonly told: readonly Leak[]
  /** Requests with a body: without any, nothing watches the page. */
  readonly reports: readonly SentRequest[]
  /** Requests whose bodies could not be read: their contents are unknown. */
  readonly unread: readonly string[]
}

/** Nothing sent for so long: the recorder flushes at least every 5.5 s. */
const quietMs = 6500
const settleMsMax = 40_000

/** Canaries of what a page that is not made for the audit has itself. */
const ownPlaces: readonly Place[] = [
  { name: 'inputs that the page has itself', canary: 'canaryownaz', id: '' },
  { name: 'texts that the page has itself', canary: 'canaryownbz', id: '' },
]

/**
 * Opens a page in Chromium, with a canary in every place; types, clicks, navigates and throws; leaves
 * it and comes back; and looks for the canaries in every byte that was sent.
 * @throws UsageError when there is no browser, or the page cannot be opened
 */
export async function audit(
  address: string,
  given: readonly Place[],
  { chromium, ignored = [], onStep = () => {} }: AuditOptions = {},
): Promise<AuditResult> {
  const driver = await loadDriver()
  const executablePath = findChromium(chromium)
  const places = [...given, ...ownPlaces]
  const canaryOf = (name: string): string => places.find((it) => it.name === name)?.canary ?? ''
  const target = new URL(address)
  target.searchParams.set('audit', canaryOf('address that the page begins with'))
  target.hash = `audit=${canaryOf('address that the page begins with')}`

  const capture = await startCapture(target.href)
  const browser = await driver.launch({
    executablePath,
    // Quiet: the browser makes no requests of its own.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    proxy: { server: capture.proxyAddress, bypass: '<-loopback>' },
  })
  try {
    // A page's own policy would keep the canaries out, not the reports in.
    const context = await browser.newContext({ bypassCSP: true, ignoreHTTPSErrors: true })
    await context.addInitScript(earlyScript(places))
    await capture.watch(context)
    const page = await context.newPage()
    onStep('opening the page')
    await openFrom(page, `${plantedPath}/from?secret=${canaryOf('referrer')}`, target)
    await settle(capture, 1500)
    onStep('filling in, clicking, throwing')
    await drive(page, places, {
      input: canaryOf('inputs that the page has itself'),
      text: canaryOf('texts that the page has itself'),
    })
    onStep('waiting for what is still to be sent')
    await settle(capture, quietMs)
    onStep('leaving, and coming back')
    await page.goto(`${target.origin}${plantedPath}/from`)
    await settle(capture, 1000)
    await page.goto(target.href)
    await settle(capture, quietMs)
    await page.goto('about:blank')
    await settle(capture, 1000)
  } finally {
    await browser.close()
    await capture.close()
  }
  return judge(capture, places, target.origin, ignored)
}

/** Follows a link of a page of ours, so that there is a referrer; the page may lead to another. */
async function openFrom(page: Page, start: string, target: URL): Promise<void> {
  try {
    await page.goto(target.origin + start)
    const left = page.waitForURL(({ pathname }) => !pathname.startsWith(plantedPath))
    await Promise.all([left, page.click('#go')])
    await page.waitForLoadState('load')
  } catch (error) {
    const [reason] = String(error).split('\n')
    const { origin, pathname } = target
    throw new UsageError(`privacy-audit: ${origin}${pathname} could not be opened: ${reason}`)
  }
}

/** Until nothing was sent for `quietMs`. */
async function settle({ sent }: Capture, quiet: number): Promise<void> {
  const endAt = Date.now() + settleMsMax
  let count = -1
  while (count !== sent.length && Date.now() < endAt) {
    count = sent.length
    await new Promise((resolve) => setTimeout(resolve, quiet))
  }
}

function judge(
  { sent, unread }: Capture,
  places: readonly Place[],
  origin: string,
  ignored: readonly string[],
): AuditResult {
  const isLookedAt = (url: string): boolean => !ignored.some((it) => url.includes(it))
  const requests = sent.filter(({ url }) => isLookedAt(url))
  const found = new Map<string, Leak>()
  for (const request of requests) {
    for (const leak of findCanaries(request, places, origin)) {
      found.set(`${leak.place.name}|${leak.request}|${leak.where}`, leak)
    }
  }
  const all = [...found.values()]
  return {
    places,
    leaks: all.filter(({ place }) => place.told === undefined),
    told: all.filter(({ place }) => place.told !== undefined),
    reports: requests.filter(({ body }) => body.length > 0),
    unread: unread.filter(isLookedAt),
  }
}
