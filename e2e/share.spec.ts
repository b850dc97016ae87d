import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { recordedReplay } from './support/recorded-replay.ts'
import { send } from './support/shares.ts'
import { until } from './support/until.ts'

let product: Product
let browser: Browser
let owner: Page
let visitor: BrowserContext
let issueId: string
const replayId = 'b'.repeat(32)

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  const { dsn } = await product.createProject('shop', { platform: 'javascript' })
  const at = Date.now() - 40_000
  await send(product, dsn, recordedReplay({ replayId, at, dsn }))
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: (at + 4_000) / 1000,
    platform: 'javascript',
    user: { email: 'ada@example.test' },
    tags: { replayId, plan: 'secret-plan' },
    exception: { values: [{ type: 'TypeError', value: 'price is undefined' }] },
  }
  const lines = [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line))
  await send(product, dsn, lines.join('\n'))
  issueId = await until('the issue has its replay', async () => {
    const [issue] = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
    return issue?.replayCount === 1 ? issue.id : null
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  owner = await context.newPage()
  await signIn(owner, product.url)
  visitor = await browser.newContext()
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

async function openDialog(path: string): Promise<void> {
  await owner.goto(product.url + path, { waitUntil: 'networkidle' })
  if (path.startsWith('/issues')) {
    await owner.getByRole('button', { name: 'More' }).click()
    await owner.getByRole('menuitem', { name: /link/ }).click()
  } else await owner.getByRole('button', { name: 'Share' }).click()
  await owner.getByRole('dialog').waitFor()
}

/** Makes a link in the dialog of a page and returns its address. */
async function share(path: string): Promise<string> {
  await openDialog(path)
  await owner.getByRole('button', { name: 'Make a link' }).click()
  return owner.getByLabel('Shared link').inputValue()
}

let issueLink: string
let replayLink: string

test('an issue and a replay are shared from their pages', async () => {
  issueLink = await share(`/issues/${issueId}`)
  expect(issueLink).toMatch(/\/share\/issue\/[\w-]{8,}$/)
  replayLink = await share(`/replays/${replayId}`)
  expect(replayLink).toMatch(/\/share\/replay\/[\w-]{8,}$/)
})

test('the links open without a session and lead to each other', async () => {
  const page = await visitor.newPage()
  const answer = await page.goto(issueLink)
  expect(answer?.headers()['x-robots-tag']).toContain('noindex')
  await page.getByRole('heading', { level: 1, name: 'price is undefined' }).waitFor()
  await page.getByRole('link', { name: /the replay/i }).click()
  await page.waitForURL(replayLink)
  const recorded = page.frameLocator('iframe').frameLocator('iframe')
  await recorded.getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.getByRole('link', { name: /the issue/i }).click()
  await page.waitForURL(issueLink)
  await page.close()
})

test('a shared issue says nothing of who it happened to, and its reader has no way in', async () => {
  const page = await visitor.newPage()
  await page.goto(issueLink)
  const html = await page.content()
  expect(html).not.toContain('ada@example.test')
  expect(html).not.toContain('secret-plan')
  expect(await page.locator('a[href^="/issues"], a[href^="/replays"]').count()).toBe(0)
  await page.goto(`${product.url}/issues/${issueId}`)
  expect(new URL(page.url()).pathname).toBe('/sign-in')
  await page.close()
})

test('pages of any kind load from their own server only, and the embedded replay alone may be framed', async () => {
  const paths = ['/sign-in', '/share/issue/none', '/embed/replay/none', '/errors/QUEUE_FULL', '/%']
  for (const path of paths) {
    const { headers } = await fetch(product.url + path)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy, path).toContain(`default-src 'self'`)
    expect(policy.includes('frame-ancestors'), path).toBe(!path.startsWith('/embed/'))
    expect(headers.get('referrer-policy'), path).toBe('same-origin')
  }
})

test('an ended link is a 404, and the other one no longer leads to it', async () => {
  await openDialog(`/replays/${replayId}`)
  await owner.getByRole('button', { name: /end the link/i }).click()
  await owner.getByRole('button', { name: 'Make a link' }).waitFor()
  const page = await visitor.newPage()
  expect((await page.goto(replayLink))?.status()).toBe(404)
  await page.getByText('This page could not be found.').waitFor()
  expect((await page.goto(issueLink))?.status()).toBe(200)
  expect(await page.getByRole('link', { name: /the replay/i }).count()).toBe(0)

  await openDialog(`/issues/${issueId}`)
  await owner.getByRole('button', { name: /end the link/i }).click()
  await owner.getByRole('button', { name: 'Make a link' }).waitFor()
  expect((await page.goto(issueLink))?.status()).toBe(404)
  await page.close()
})

test('sharing is in the issue’s history', async () => {
  await owner.goto(`${product.url}/issues/${issueId}`)
  await owner.getByText('made a link to share it').waitFor()
  await owner.getByText('ended the shared link').waitFor()
})
