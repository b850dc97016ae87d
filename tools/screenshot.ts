/**
 * `node tools/screenshot.ts`: the pictures of the README. Starts the product, lets people of flesh and
 * Chromium visit a small shop under the official SDK, and photographs the console that shows it.
 * Needs the packages of `e2e/sdks` (`npm ci --prefix e2e/sdks`).
 */
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue, ApiReplay } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from '../e2e/support/browser.ts'
import { startProduct, type Product, type Project } from '../e2e/support/product.ts'
import { until } from '../e2e/support/until.ts'
import { startTeaShop } from './tea-shop-server.ts'

const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
const HOUR_MS = 3_600_000

interface Visit {
  readonly user: string
  readonly release: string
  /** Age, ms. */
  readonly ago: number
  /** Applies the voucher that breaks the price. */
  readonly hasVoucher: boolean
  readonly hasReplay?: boolean
}

await using product = await startProduct({ environment: { AFTERIMAGE_TEST_CLOCK: '1' } })
await using shop = await startTeaShop(product.url)
const browser = await launchBrowser()
try {
  const project = await product.createProject('storefront', { platform: 'javascript' })
  for (const visit of visits()) await visitShop(browser, shop.url, project, visit)
  await photograph(browser, product)
} finally {
  await browser.close()
}

/** Quiet hours on 2.13.4, then 2.14.0 with the bug, and last the visit that is looked at. */
function visits(): Visit[] {
  const before = [21, 17.2, 12.6, 8.4, 5.1, 3.6].map((hours, index) => ({
    user: `customer-${index}`,
    release: 'storefront@2.13.4',
    ago: hours * HOUR_MS,
    hasVoucher: false,
  }))
  const after = [2.9, 2.6, 2.2, 1.9, 1.7, 1.5, 1.2, 1.1, 0.9, 0.6, 0.4, 0.2, 0.1]
  return [
    ...before,
    ...after.map((hours, index) => ({
      user: `customer-${20 + index}`,
      release: 'storefront@2.14.0',
      ago: hours * HOUR_MS,
      hasVoucher: true,
    })),
    {
      user: 'customer-81f4',
      release: 'storefront@2.14.0',
      ago: 0,
      hasVoucher: true,
      hasReplay: true,
    },
  ]
}

async function visitShop(
  browser: Browser,
  shopUrl: string,
  project: Project,
  visit: Visit,
): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`,
  })
  const page = await context.newPage()
  await page.addInitScript((watched) => Object.assign(window, { watched }), {
    dsn: project.dsn,
    tunnel: `/monitoring?o=1&p=${project.id}&ago=${visit.ago}`,
    release: visit.release,
    user: visit.user,
    hasReplay: visit.hasReplay === true,
  })
  await page.goto(`${shopUrl}/teas`)
  await page.waitForSelector('body[data-ready=true]')
  await buy(page, visit)
  await page.evaluate(() => (window as unknown as { finish(): Promise<void> }).finish())
  await page.waitForTimeout(visit.hasReplay === true ? 1500 : 100)
  await context.close()
}

/** Fills the basket and applies a voucher; unhurried where it is recorded. */
async function buy(page: Page, visit: Visit): Promise<void> {
  const isSlow = visit.hasReplay === true
  const think = (ms: number) => page.waitForTimeout(isSlow ? ms : 10)
  const click = async (selector: string) => {
    const box = await page.locator(selector).boundingBox()
    if (box === null) throw new Error(`Nothing to click: ${selector}`)
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: isSlow ? 25 : 1 })
    await page.mouse.down()
    await page.mouse.up()
  }
  await think(1800)
  await click('[data-add="0"]')
  await think(1500)
  await click('[data-add="2"]')
  await think(1200)
  await click('#basket')
  await page.waitForSelector('.apply')
  if (!visit.hasVoucher) return
  await think(2000)
  await click('input[name=voucher]')
  await page.keyboard.type('FALL20', { delay: isSlow ? 160 : 0 })
  await think(1200)
  await click('.apply')
  await page.waitForFunction(() => document.querySelector('#total')?.textContent === '€–.––')
  await think(2600)
}

async function photograph(browser: Browser, product: Product): Promise<void> {
  const issue = await until('the issue and its replay are there', async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=is:unresolved')
    return issues.find((it) => it.replayCount > 0 && Number(it.count) > 10)
  })
  const replay = await until('the replay is there', async () => {
    const { data } = await product.api<{ data: ApiReplay[] }>('organizations/main/replays/')
    return data.find((it) => it.count_errors > 0)
  })
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await signIn(page, product.url)
  const shoot = async (path: string, file: string) => {
    await page.goto(product.url + path)
    const drawn = page.frameLocator('iframe').first().frameLocator('iframe')
    await drawn.getByRole('heading', { name: 'Checkout' }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: images + file })
  }
  await shoot(`/issues/${issue.id}`, 'issue.png')
  const events = await product.api<{ dateCreated: string }[]>(
    `organizations/main/issues/${issue.id}/events/`,
  )
  const at = Math.max(...events.map((event) => Date.parse(event.dateCreated)))
  await shoot(`/replays/${replay.id}?at=${at}`, 'replay.png')
  await context.close()
}
