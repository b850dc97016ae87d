import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { send } from './support/shares.ts'
import { until } from './support/until.ts'

/** The console with a slow server, and with a part of the server gone. */

let product: Product
let browser: Browser
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  const { dsn } = await product.createProject('shop', { platform: 'javascript' })
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    exception: { values: [{ type: 'TypeError', value: 'price is undefined' }] },
  }
  await send(
    product,
    dsn,
    [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n'),
  )
  await until('the issue is there', async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
    return issues.length === 1
  })
  page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await signIn(page, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

test('a page that takes its time is announced, and the one before stays readable', async () => {
  await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
  const answered = Promise.withResolvers<void>()
  await page.route('**/replays?_rsc=**', async (route) => {
    await answered.promise
    await route.continue()
  })
  await page.getByRole('link', { name: 'Replays', exact: true }).first().click()
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  expect(await page.getByText('price is undefined').count()).toBeGreaterThan(0)
  answered.resolve()
  await page.waitForURL('**/replays')
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
  await page.unroute('**/replays?_rsc=**')
})

test('while the console’s server is gone, what is done is taken back and said; then it goes on', async () => {
  await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
  const pids = await product.rolePids()
  const web = pids.get('web')
  if (web === undefined) throw new Error('There is no web role.')
  process.kill(web, 'SIGKILL')
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page
    .getByText(/^Nothing was changed\./)
    .first()
    .waitFor()
  await expect.poll(() => page.locator('[data-issue]').count()).toBe(1)
  await until('the web role is back', async () => {
    const again = (await product.rolePids()).get('web')
    return again !== undefined && again !== web && (await fetch(`${product.url}/sign-in`)).ok
  })
  await page.keyboard.press('e')
  await page
    .getByText(/SHOP-1 resolved/)
    .first()
    .waitFor()
  await expect.poll(() => page.locator('[data-issue]').count()).toBe(0)
})
