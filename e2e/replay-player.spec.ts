import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { send, shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'

let product: Product
let browser: Browser
let shares: Shares
let page: Page

beforeAll(async () => {
  product = await startProduct()
  shares = await shareSomething(product)
  browser = await launchBrowser()
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

/** The recorded page, two frames in: ours with its policy, and the one the recording is drawn in. */
const recorded = () => page.frameLocator('iframe').frameLocator('iframe')
const clock = () => page.getByRole('slider', { name: 'Time in the recording' })

test('the list names the person, the pages and what went wrong, and leads to the replay', async () => {
  await page.goto(`${product.url}/replays`)
  const row = page.getByRole('row', { name: /ada@example\.test/ })
  await row.waitFor()
  expect(await row.innerText()).toContain('/cart')
  await page.getByRole('link', { name: 'ada@example.test' }).click()
  await page.waitForURL(`**/replays/${shares.replayId}`)
})

test('the player shows the recorded text of the moment', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}?t=1`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.goto(`${product.url}/replays/${shares.replayId}?t=3.2`)
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
})

test('a click on a row seeks, the address carries the time at rest, and keys move the cursor', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByRole('button', { name: /price is late/ }).click()
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
  expect(new URL(page.url()).searchParams.get('t')).toBe('3.5')
  const current = steps.locator('[aria-current=true]')
  expect(await current.innerText()).toContain('price is late')

  // Back to the failed request, then to the start: signs, clicks left out.
  await page.keyboard.press('Shift+ArrowLeft')
  expect(await clock().getAttribute('aria-valuetext')).toContain('00:02.0')
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.keyboard.press('ArrowRight')
  expect(await clock().getAttribute('aria-valuetext')).toContain('00:12.0')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Speed 2×' }).waitFor()
})

test('playing moves the cursor, skips idle time, and changes the address only when it rests', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}?t=2.5`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.keyboard.press(' ')
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
  expect(new URL(page.url()).searchParams.get('t')).toBe('2.5')
  await expect
    .poll(async () => Number(await clock().getAttribute('aria-valuenow')), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(29)
  await page.getByRole('button', { name: 'Play' }).waitFor()
  expect(Number(new URL(page.url()).searchParams.get('t'))).toBeGreaterThanOrEqual(29)
})

test('panes search and filter, and say when nothing matches', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}`)
  await page.getByRole('list', { name: 'Steps' }).waitFor()
  await page.getByPlaceholder('Search steps').fill('no such step')
  await page.getByText('Nothing matches').waitFor()
  await page.getByPlaceholder('Search steps').fill('')
  await page.getByRole('tab', { name: /Console/ }).click()
  await page.getByRole('button', { name: /price is late/ }).waitFor()
  await page.getByRole('button', { name: /Failed/ }).click()
  expect(await page.getByRole('list', { name: 'Requests' }).innerText()).toContain('/api/price')
})

test('an error of a server shows the visit of the browser, and none where the replay never came', async () => {
  const { dsn } = await product.createProject('api', { platform: 'node' })
  for (const [value, replayId] of [
    ['the shop is in a visit', shares.replayId],
    ['the visit was not sent', 'e'.repeat(32)],
  ]) {
    const breadcrumbs = [{ timestamp: Date.now() / 1000, category: 'query', message: 'select 1' }]
    const exception = { values: [{ type: 'Error', value }] }
    const event = { exception, breadcrumbs, tags: { replayId } }
    const lines = [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line))
    await send(product, dsn, lines.join('\n'))
  }
  const issueOf = (text: string) =>
    until(`the issue of ${text}`, async () => {
      const search = `project=api&query=${encodeURIComponent(`"${text}"`)}`
      const [issue] = await product.api<ApiIssue[]>(`organizations/main/issues/?${search}`)
      return issue?.id ?? null
    })
  await page.goto(`${product.url}/issues/${await issueOf('in a visit')}`)
  await recorded().getByRole('heading').first().waitFor()
  await page.getByRole('link', { name: 'Open the replay' }).waitFor()
  await page.goto(`${product.url}/issues/${await issueOf('not sent')}`)
  await page.getByText('select 1').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await page.getByText('could not be loaded').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Open the replay' }).count()).toBe(0)
})

test('the embedded player and the shared page play without a session', async () => {
  const stranger = await browser.newContext()
  const visitor = await stranger.newPage()
  for (const path of [
    `/embed/replay/${shares.replay}?t=3.2`,
    `/share/replay/${shares.replay}?t=3.2`,
  ]) {
    await visitor.goto(product.url + path)
    await visitor
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Paid in full' })
      .waitFor()
  }
  expect(await visitor.content()).not.toContain('ada@example.test')
  await stranger.close()
})
