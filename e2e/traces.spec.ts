import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { recordedReplay } from './support/recorded-replay.ts'
import { sendTrace } from './support/recorded-trace.ts'
import { send } from './support/shares.ts'

let product: Product
let browser: Browser
let page: Page
let traceId: string
const replayId = 'a'.repeat(32)

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  const { dsn } = await product.createProject('shop', { platform: 'javascript' })
  await send(product, dsn, recordedReplay({ replayId, at: Date.now() - 40_000, dsn }))
  traceId = await sendTrace(product, dsn, { replayId, hasError: true })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

const spans = () => page.getByRole('list', { name: 'Spans' }).getByRole('listitem')
const drawer = () => page.getByRole('complementary', { name: 'Span' })
const chosen = () => page.locator('[data-chosen=true]')

async function openTrace(search = ''): Promise<void> {
  await page.goto(`${product.url}/traces/${traceId}${search}`, { waitUntil: 'networkidle' })
  await spans().first().waitFor()
}

test('the list names the pages with their durations, and leads to a trace', async () => {
  await page.goto(`${product.url}/traces`)
  const row = page.getByRole('row', { name: /\/checkout/ }).first()
  await row.waitFor()
  // Percentiles come from buckets: near, not exact.
  expect(await row.innerText()).toContain('1 time')
  expect(await row.innerText()).toMatch(/4\.\d+ s/)
  await page.goto(`${product.url}/traces?query=transaction%3A%2Fcheckout`)
  await page.locator(`a[href*="/traces/${traceId}"]`).first().click()
  await page.waitForURL(`**/traces/${traceId}**`)
  await page.getByRole('heading', { level: 1, name: /^\/checkout took 4\.3 s/ }).waitFor()
})

test('the waterfall shows every span of both services, the vitals, and what failed', async () => {
  await openTrace()
  expect(await spans().count()).toBe(5)
  expect(await page.getByText('1 failed').count()).toBe(1)
  const lcp = page.locator('dl > div').filter({ hasText: 'LCP' }).first()
  expect(await lcp.innerText()).toMatch(/4\.21 s\s+poor/)
  await page.getByPlaceholder('Search 5 spans').fill('rates')
  await expect.poll(() => spans().filter({ hasText: 'select * from rates' }).count()).toBe(1)
  await page.getByPlaceholder('Search 5 spans').fill('')
  await page.getByRole('button', { name: 'By self time' }).click()
  expect(await spans().first().innerText()).toContain('pageload')
  expect(await spans().nth(1).innerText()).toContain('select * from rates')
})

test('a span opens beside the waterfall, is in the address, and closes', async () => {
  await openTrace()
  await spans().filter({ hasText: 'select * from rates' }).getByRole('button').last().click()
  await drawer().getByRole('heading', { name: 'select * from rates' }).waitFor()
  expect(await drawer().innerText()).toContain('1.9 s')
  const id = new URL(page.url()).searchParams.get('span')
  expect(id).toMatch(/^[0-9a-f]{16}$/)
  await drawer().getByRole('button', { name: 'Previous span' }).click()
  await drawer().getByRole('heading', { name: 'GET /api/shipping' }).waitFor()
  await drawer().getByRole('button', { name: 'Close' }).click()
  await drawer().waitFor({ state: 'detached' })
  await openTrace(`?span=${id}`)
  await drawer().getByRole('heading', { name: 'select * from rates' }).waitFor()
})

test('the keyboard walks, folds and unfolds', async () => {
  await openTrace()
  await page.keyboard.press('ArrowDown')
  await drawer().waitFor()
  expect(await chosen().innerText()).toContain('pageload')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => spans().count()).toBe(1)
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => spans().count()).toBe(5)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await expect.poll(() => chosen().getAttribute('data-index')).toBe('1')
  await page.keyboard.press('Escape')
  await drawer().waitFor({ state: 'detached' })
})

test('a fold is a button that says what is under it', async () => {
  await openTrace()
  await page.getByRole('button', { name: /^Fold 4 spans under/ }).click()
  await expect.poll(() => spans().count()).toBe(1)
  await page.getByRole('button', { name: /^Unfold 4 spans under/ }).click()
  await expect.poll(() => spans().count()).toBe(5)
})

test('a trace leads to what was on the screen, and to the issue', async () => {
  await openTrace()
  await spans().filter({ hasText: 'select * from rates' }).getByRole('button').last().click()
  await drawer()
    .getByRole('link', { name: /TimeoutError/ })
    .waitFor()
  await drawer().getByRole('link', { name: 'On screen at this moment' }).click()
  await page.waitForURL(`**/replays/${replayId}?**`)
  const clock = page.getByRole('slider', { name: 'Time in the recording' })
  await expect.poll(() => clock.getAttribute('aria-valuetext')).toMatch(/^00:11/)
  await openTrace()
  await page.getByRole('link', { name: /SHOP-/ }).click()
  await page.waitForURL('**/issues/**')
  await page.getByRole('heading', { name: 'rates did not answer' }).waitFor()
})

test('a trace that does not exist says so', async () => {
  const answer = await page.goto(`${product.url}/traces/${'f'.repeat(32)}`)
  expect(answer?.status()).toBe(404)
})
