import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue, ApiIssueDetail } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { owner, startProduct, type Product } from './support/product.ts'
import { recordedReplay } from './support/recorded-replay.ts'
import { send } from './support/shares.ts'
import { until } from './support/until.ts'

/** Actions on issues: on one, on several at once, and undone. */

let product: Product
let browser: Browser
let page: Page
let ids: readonly string[]
const replayId = 'c'.repeat(32)
const types = ['TypeError', 'RangeError', 'SyntaxError'] as const

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  const { dsn } = await product.createProject('shop', { platform: 'javascript' })
  const at = Date.now() - 40_000
  await send(product, dsn, recordedReplay({ replayId, at, dsn }))
  for (const type of types) {
    const event = {
      event_id: crypto.randomUUID().replaceAll('-', ''),
      timestamp: (at + 4_000) / 1000,
      platform: 'javascript',
      user: { id: `person of ${type}` },
      exception: { values: [{ type, value: 'price is undefined' }] },
      breadcrumbs: [
        {
          timestamp: (at + 1_000) / 1000,
          category: 'ui.click',
          message: 'body > form > button#pay[type="submit"][aria-label="Pay now"]',
        },
        { timestamp: (at + 3_500) / 1000, category: 'console', message: 'price is late' },
      ],
      ...(type === 'TypeError' ? { tags: { replayId } } : {}),
    }
    const lines = [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line))
    await send(product, dsn, lines.join('\n'))
  }
  ids = await until('the issues are there', async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
    const found = types.map((type) => issues.find((it) => it.metadata.type === type)?.id ?? '')
    return found.includes('') ? null : found
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, product.url)
})

beforeEach(async () => {
  // Each test begins with three new issues of nobody.
  const search = ids.map((id) => `id=${id}`).join('&')
  const answer = await fetch(`${product.url}/api/0/organizations/main/issues/?${search}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${product.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ status: 'unresolved', substatus: 'new', assignedTo: null }),
  })
  expect(answer.ok).toBe(true)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

const rows = () => page.locator('[data-issue]')
const detail = (index: number) =>
  product.api<ApiIssueDetail>(`organizations/main/issues/${ids[index]}/`)

/** Opens a page, and waits until React has taken it over: a key pressed before is lost. */
async function open(path: string): Promise<void> {
  await page.goto(product.url + path, { waitUntil: 'networkidle' })
  await page.waitForFunction(() =>
    Object.keys(document.querySelector('h1') ?? {}).some((it) => it.startsWith('__reactProps')),
  )
}

test('several at once: the sum is said first, then all of them change, and one undo takes it back', async () => {
  await open('/issues')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected issues' })
  expect(await bar.innerText()).toMatch(/3 selected[^]*3 events, 3 people/)
  await bar.getByRole('button', { name: 'Archive i' }).click()
  await page.getByText('3 issues archived until they escalate').waitFor()
  await expect.poll(() => rows().count()).toBe(0)
  await page.getByRole('button', { name: /undo/i }).click()
  await expect.poll(() => rows().count()).toBe(3)
  for (const index of [0, 1, 2]) {
    // The rows are back before the server has taken the change back.
    await expect
      .poll(() => detail(index), { timeout: 10_000 })
      .toMatchObject({ status: 'unresolved', substatus: 'new' })
  }
})

test('several at once are assigned to a person, and are found as hers', async () => {
  await open('/issues')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  const bar = page.getByRole('toolbar', { name: 'Selected issues' })
  await bar.getByRole('button', { name: 'Assign' }).click()
  await page
    .getByRole('menuitem')
    .filter({ hasNotText: /nobody/i })
    .first()
    .click()
  await page.getByText(/^3 issues assigned to /).waitFor()
  await expect
    .poll(async () => (await detail(2)).assignedTo?.email ?? null, { timeout: 10_000 })
    .toBe(owner.email)
  await open('/issues?query=is%3Aunresolved+assigned%3Ame')
  expect(await rows().count()).toBe(3)
})

test.each([
  ['A day has passed', 'archived for a day', { ignoreUntil: expect.any(String) }],
  ['10 times', 'archived until 10 more events', { ignoreCount: 10 }],
  ['By 10 more people', 'archived until 10 more people', { ignoreUserCount: 10 }],
  ['Forever', 'archived forever', {}],
])('archived: %s', async (choice, said, details) => {
  await open(`/issues/${ids[1]}`)
  await page.getByRole('button', { name: 'Archive i' }).click()
  await page.getByRole('menuitem', { name: choice }).click()
  await page.getByText(said).first().waitFor()
  await page.getByRole('button', { name: 'Open again' }).waitFor()
  await expect
    .poll(() => detail(1), { timeout: 10_000 })
    .toMatchObject({ status: 'ignored', statusDetails: details })

  await page.keyboard.press('u')
  await page.getByRole('button', { name: 'Resolve e' }).waitFor()
  await expect
    .poll(() => detail(1), { timeout: 10_000 })
    .toMatchObject({ status: 'unresolved', substatus: 'new', statusDetails: {} })
})

test('an issue is resolved in the next release, and opened again', async () => {
  await open(`/issues/${ids[1]}`)
  await page.getByRole('button', { name: /^Resolve in the next release/ }).click()
  await page.getByRole('menuitem', { name: 'In the next release' }).click()
  await page.getByText('resolved in the next release').first().waitFor()
  await page.getByRole('button', { name: 'Open again' }).click()
  await page.getByRole('button', { name: 'Resolve e' }).waitFor()
  await expect.poll(async () => (await detail(1)).status).toBe('unresolved')
})

test('an issue is assigned with the keyboard, and its history says by whom', async () => {
  await open(`/issues/${ids[1]}`)
  await page.keyboard.press('a')
  await page.getByRole('menu').waitFor()
  await page
    .getByRole('menuitem')
    .filter({ hasNotText: /nobody/i })
    .first()
    .click()
  await page
    .getByText(/assigned to /)
    .first()
    .waitFor()
  await expect.poll(async () => (await detail(1)).assignedTo?.email).toBe(owner.email)
  const aside = page.getByRole('complementary', { name: 'About this issue' })
  await aside
    .getByText(/assigned it to/)
    .first()
    .waitFor()
})

test('a comment stays, with who wrote it, and is counted in the stream', async () => {
  await open(`/issues/${ids[2]}`)
  await page.getByRole('button', { name: 'Comment' }).click()
  await page.getByLabel('Comment', { exact: true }).fill('Known since <b>Tuesday</b> & harmless')
  await page.getByRole('button', { name: 'Comment' }).last().click()
  await page.getByText('Known since <b>Tuesday</b> & harmless').waitFor()
  await open('/issues')
  const row = rows().filter({ hasText: 'SyntaxError' })
  await row.getByTitle('1 comment').waitFor()
})

test('a change that the server refuses is taken back and said', async () => {
  await open(`/issues/${ids[2]}`)
  await page.route('**/api/0/organizations/main/issues/?**', (route) =>
    route.fulfill({ status: 503, json: { detail: 'The disk is full.' } }),
  )
  await page.keyboard.press('e')
  const notice = page.getByRole('region', { name: 'Notifications' })
  await notice.getByText('Nothing was changed. The disk is full.').waitFor()
  await page.getByRole('button', { name: 'Resolve e' }).waitFor()
  await page.unroute('**/api/0/organizations/main/issues/?**')
})

test('the clip and the steps have one cursor: on the error first, then where a row is clicked', async () => {
  await open(`/issues/${ids[0]}`)
  await page.getByText('Here it follows a click on “Pay now”').waitFor()
  const clip = page.frameLocator('#seconds iframe').frameLocator('iframe')
  await clip.getByRole('heading', { name: 'Paid in full' }).waitFor()
  const current = page.locator('#seconds [aria-current=true]')
  await expect.poll(() => current.innerText()).toContain('TypeError')
  await page.getByRole('button', { name: /Clicked “Pay now”/ }).click()
  await clip.getByRole('heading', { name: 'Your cart' }).waitFor()
  await expect.poll(() => current.innerText()).toContain('Pay now')
  const href = await page.getByRole('link', { name: /Open the replay/ }).getAttribute('href')
  expect(href).toMatch(new RegExp(`^/replays/${replayId}\\?at=\\d{13}$`))
})
