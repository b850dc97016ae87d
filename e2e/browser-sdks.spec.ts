import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  ApiEvent,
  ApiEventSummary,
  ApiIssue,
  ApiReplay,
  ApiTrace,
  RecordingEvent,
} from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { startShop, type ShopServer } from './support/shop-page.ts'
import { until } from './support/until.ts'

/**
 * The official browser SDKs against the started product: their traffic is in the API and on the
 * screen.
 */

const majors = [8, 9, 10, 11] as const
let product: Product
let shop: ShopServer
let browser: Browser
let project: Project

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('shop', { platform: 'javascript' })
  const bundles = Object.fromEntries(
    majors.map((major) => [
      `browser-${major}`,
      { page: 'shop.js', sdk: `sentry-browser-${major}` },
    ]),
  )
  shop = await startShop(product.url, {
    ...bundles,
    'react-11': { page: 'react.js', sdk: 'sentry-react-11' },
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await product?.stop()
  await product?.remove()
})

interface Visit {
  readonly bundle: string
  readonly label: string
  readonly via: 'tunnel' | 'direct'
  readonly replay?: 'session' | 'buffer'
}

async function openShop(page: Page, visit: Visit): Promise<void> {
  const url = new URL('/shop', shop.url)
  const dsn = project.dsn.replace('localhost', '127.0.0.1')
  url.search = new URLSearchParams({
    bundle: visit.bundle,
    dsn,
    label: visit.label,
    ...(visit.via === 'tunnel' ? { tunnel: `/monitoring?o=1&p=${project.id}` } : {}),
    ...(visit.replay === undefined ? {} : { replay: visit.replay }),
  }).toString()
  await page.goto(url.href)
  await page.waitForSelector('body[data-ready=true]')
}

async function issuesOf(label: string): Promise<readonly ApiIssue[]> {
  return product.api<ApiIssue[]>(
    `organizations/main/issues/?statsPeriod=24h&query=${encodeURIComponent(`journey:${label}`)}`,
  )
}

async function issue(label: string, title: RegExp): Promise<ApiIssue> {
  return until(`an issue ${title} of ${label}`, async () =>
    (await issuesOf(label)).find((it) => title.test(it.title)),
  )
}

for (const major of majors) {
  for (const replay of ['session', 'buffer'] as const) {
    const via = replay === 'session' ? 'tunnel' : 'direct'
    const label = `b${major}${replay}`

    test(`@sentry/browser ${major}, replay in ${replay} mode, ${via}: issues, pages, and a replay that plays`, async () => {
      const page = await browser.newPage()
      await openShop(page, { bundle: `browser-${major}`, label, via, replay })
      await page.click('#order')
      await page.waitForFunction(() => document.body.innerText.includes('Order number 2'))
      await page.click('#go')
      await page.click('#message')
      await page.click('#chained')
      await page.click('#boom')
      await page
        .waitForRequest((request) => request.postData()?.includes('replay_recording') ?? false, {
          timeout: 1000,
        })
        .catch(() => null)
      const replayId = await page.evaluate(() =>
        (globalThis as unknown as { finish(): Promise<string> }).finish(),
      )
      await page.close()

      const typeError = await issue(label, /^TypeError: Cannot read properties of undefined/)
      const message = await issue(label, new RegExp(`^Hello from ${label}$`))
      const chained = await issue(label, /^RangeError: cannot total the basket/)
      expect(typeError).toMatchObject({
        level: 'error',
        isUnhandled: true,
        count: '1',
        userCount: 1,
      })
      expect(message).toMatchObject({ level: 'warning', count: '1' })
      expect(chained).toMatchObject({ isUnhandled: false })

      const event = await product.api<ApiEvent>(`issues/${typeError.id}/events/latest/`)
      expect(event.release?.version).toBe('shop@1.4.0')
      expect(event.user?.id).toBe(`user-${label}`)
      const exception = event.entries.find((entry) => entry.type === 'exception')
      expect(JSON.stringify(exception)).toContain('onBoomClick')
      const breadcrumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')
      expect(JSON.stringify(breadcrumbs)).toContain('the basket is gone')

      await expectReplay(replayId ?? '', label, replay)
      await expectPages(label, event)
    })
  }
}

async function expectReplay(replayId: string, label: string, mode: string): Promise<void> {
  expect(replayId).toMatch(/^[0-9a-f]{32}$/)
  const { data } = await until('the replay is stored', () =>
    product.api<{ data: ApiReplay }>(`organizations/main/replays/${replayId}/`),
  )
  expect(data).toMatchObject({ id: replayId, replay_type: mode })
  expect(data.user.id).toBe(`user-${label}`)
  const segments = await product.api<RecordingEvent[][]>(
    `projects/main/shop/replays/${replayId}/recording-segments/?download=true`,
  )
  const events = segments.flat()
  expect(events.some((event) => event.type === 2)).toBe(true)
  expect(JSON.stringify(events)).toContain(`Order number 2 for ${label}`)
  await until('the errors are linked to the replay', async () => {
    const answer = await product.api<{ data: ApiReplay }>(`organizations/main/replays/${replayId}/`)
    return answer.data.count_errors >= 1
  })
}

async function expectPages(label: string, event: ApiEvent): Promise<void> {
  expect(event.traceId).toMatch(/^[0-9a-f]{32}$/)
  const pages = await until('pages are measured', async () => {
    const rows = await product.apiAll<{ transaction: string; op: string; count: number }>(
      'organizations/main/transactions/?statsPeriod=24h',
    )
    return rows.some((row) => row.transaction === '/shop' && row.op === 'pageload') ? rows : null
  })
  expect(pages.some((row) => row.op === 'navigation')).toBe(true)
  void label
}

test('@sentry/react 11: the error boundary’s error is an issue with its component stack', async () => {
  const page = await browser.newPage()
  await openShop(page, { bundle: 'react-11', label: 'react11', via: 'tunnel' })
  await page.click('#break')
  await page.waitForSelector('#fallback')
  await page.evaluate(() => (globalThis as unknown as { finish(): Promise<string> }).finish())
  await page.close()
  const issues = await until('the issue is there', async () => {
    const all = await product.api<ApiIssue[]>(
      'organizations/main/issues/?statsPeriod=24h&query=length',
    )
    return all.find((it) => it.title.includes("reading 'length'"))
  })
  const event = await product.api<ApiEvent>(`issues/${issues.id}/events/latest/`)
  const exceptions = event.entries.find((entry) => entry.type === 'exception')
  expect(JSON.stringify(exceptions)).toContain('PriceSummary')
})

test('the console shows what the SDKs sent: stream, issue, replay at the right time, trace', async () => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, product.url)
  await page.goto(`${product.url}/issues?project=shop`)
  await page.getByText('Cannot read properties of undefined').first().waitFor()

  const typeError = await issue('b11session', /^TypeError/)
  await page.goto(`${product.url}/issues/${typeError.id}`)
  await page.getByRole('heading', { name: /Cannot read properties of undefined/ }).waitFor()
  await page.getByText('onBoomClick').first().waitFor()

  // The same error of other majors is the same issue: this journey's own event is meant.
  const [own] = await product.apiAll<ApiEventSummary>(
    `issues/${typeError.id}/events/?query=${encodeURIComponent('journey:b11session')}`,
  )
  const event = await product.api<ApiEvent>(`issues/${typeError.id}/events/${own?.eventID}/`)
  const replayId = event.replayId ?? ''
  const segments = await product.api<RecordingEvent[][]>(
    `projects/main/shop/replays/${replayId}/recording-segments/?download=true`,
  )
  // Some majors stamp custom events in seconds; events of the document are in milliseconds.
  const events = segments
    .flat()
    .filter((it) => it.type !== 5)
    .sort((a, b) => a.timestamp - b.timestamp)
  const ordered = events.find((it) => JSON.stringify(it).includes('Order number 2'))
  const startedAt = events[0]?.timestamp ?? 0
  const seconds = ((ordered?.timestamp ?? 0) - startedAt) / 1000
  await page.goto(`${product.url}/replays/${replayId}?t=${Math.max(0, seconds - 0.05).toFixed(3)}`)
  await expectRecordedText(page, 'Order number 1 for b11session')
  await page.goto(`${product.url}/replays/${replayId}?t=${(seconds + 0.2).toFixed(3)}`)
  await expectRecordedText(page, 'Order number 2 for b11session')

  const trace = await product.api<ApiTrace>(`organizations/main/traces/${event.traceId}/`)
  expect(trace.span_count).toBeGreaterThan(0)
  await page.goto(`${product.url}/traces/${event.traceId}`)
  await page
    .getByText(trace.spans[0]?.transaction ?? '')
    .first()
    .waitFor()
  await page.close()
})

/** The recorded page's own text: the frames that draw it run no scripts, so the page around them reads it. */
async function expectRecordedText(page: Page, text: string): Promise<void> {
  await until(`the player shows "${text}"`, () =>
    page.evaluate((wanted) => {
      const textOf = (root: Document): string =>
        [...root.querySelectorAll('iframe')]
          .map((frame) => frame.contentDocument)
          .filter((inner) => inner !== null)
          .map((inner) => `${inner.body?.textContent ?? ''} ${textOf(inner)}`)
          .join(' ')
      return textOf(document).includes(wanted)
    }, text),
  )
}
