import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ApiFeedback } from '@afterimage/protocol/api/items'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import type { ReplayIntegration } from '@afterimage/replay'
import { launchBrowser } from './support/browser.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { decodeSegments, joinSegments } from './support/replay-decode.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** The feedback widget in real Chromium, on a page that forbids inline styles. */

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The source of rrweb's events about inputs. */
const inputSource = 5

declare const afterimage: typeof import('@afterimage/browser')
declare const feedback: typeof import('@afterimage/browser/feedback-widget')
declare const replay: ReplayIntegration
declare const seen: { keys: string[]; violations: string[] }

const script = `
import * as afterimage from '@afterimage/browser'
import * as feedback from '@afterimage/browser/feedback-widget'
import { replayIntegration } from '@afterimage/replay'
const dsn = new URLSearchParams(location.search).get('dsn') ?? 'https://${'a'.repeat(32)}@errors.test/42'
const seen = { keys: [], violations: [] }
addEventListener('securitypolicyviolation', ({ violatedDirective }) => seen.violations.push(violatedDirective))
document.addEventListener('keydown', ({ key }) => seen.keys.push(key))
const widget = feedback.feedbackWidget()
const replay = replayIntegration({ sessionSampleRate: 1, minMs: 0, unmask: 'html' })
afterimage.setUser({ name: 'Ada', email: 'ada@example.test' })
const integrations = location.search.includes('recorded') ? [widget, replay] : [widget]
afterimage.init({ dsn, integrations })
widget.attachTo(document.querySelector('#help'))
Object.assign(window, { afterimage, feedback, seen, replay })`

let product: Product
let project: Project
let server: SdkServer
let browser: Browser

beforeAll(async () => {
  const page = {
    html: '<main><h1>Shop</h1><button id="help">Help</button></main>',
    script,
    headers: {
      'content-security-policy':
        "default-src 'self'; worker-src blob:; require-trusted-types-for 'script'",
    },
  }
  ;[product, server, browser] = await Promise.all([
    startProduct(),
    startSdkServer({ shop: page }),
    launchBrowser(),
  ])
  project = await product.createProject('shop', { platform: 'javascript' })
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
  await product?.[Symbol.asyncDispose]()
})

beforeEach(() => {
  server.clear()
  server.answer = { status: 200 }
  server.forwardTo = null
})

async function openShop(query = ''): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${server.url}/shop?${query}`)
  return page
}

/** Returns the innermost element with the focus, by its id or its text. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    let it = document.activeElement
    while (it?.shadowRoot?.activeElement) it = it.shadowRoot.activeElement
    return it?.id || it?.textContent || ''
  })
}

function said(page: Page, role: 'status' | 'alert', text: RegExp): Promise<void> {
  return page.getByRole(role).filter({ hasText: text }).waitFor()
}

test('with the keyboard alone a person reports a problem, which the API answers', async () => {
  server.forwardTo = product.url
  const page = await openShop(`dsn=${encodeURIComponent(project.dsn)}`)
  const eventId = await page.evaluate(() => afterimage.captureException(new Error('not paid')))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Report a problem')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Report a problem' })
  await dialog.waitFor()
  expect(await focused(page)).toBe('name')
  expect(await page.getByLabel('Email').inputValue()).toBe('ada@example.test')
  // The message is missing.
  await page.keyboard.press('Enter')
  await said(page, 'alert', /Fill in this field/)
  expect(await focused(page)).toBe('message')
  expect(await page.getByLabel('What happened?').getAttribute('aria-invalid')).toBe('true')
  await page.keyboard.type('The total is wrong')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await said(page, 'status', /was sent/)
  expect(await focused(page)).toBe('Close')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await focused(page)).toBe('Report a problem')
  // The page heard of the keys before the widget had the focus, and of none after.
  const { keys, violations } = await page.evaluate(() => seen)
  expect(keys).toEqual(['Tab', 'Tab'])
  expect(violations).toEqual([])
  const [row] = await until('the report', async () => {
    const rows = await product.api<ApiFeedback[]>('projects/main/shop/user-feedback/')
    return rows.length > 0 ? rows : null
  })
  expect(row).toMatchObject({
    comments: 'The total is wrong',
    name: 'Ada',
    email: 'ada@example.test',
    eventID: eventId,
    source: 'widget',
  })
  await page.close()
})

test('words stay when the server refuses them, and wait while the network is away', async () => {
  const page = await openShop()
  await page.click('#help')
  const message = page.getByLabel('What happened?')
  await message.fill('It is too dear')
  await page.getByLabel('Email').fill('ada')
  await page.getByRole('button', { name: 'Send' }).click()
  await said(page, 'alert', /Enter an address/)
  await page.getByLabel('Email').fill('')
  server.answer = { status: 400 }
  await page.getByRole('button', { name: 'Send' }).click()
  await said(page, 'alert', /could not be sent/)
  await page.keyboard.press('Escape')
  expect(await focused(page)).toBe('help')
  await page.click('#help')
  expect(await message.inputValue()).toBe('It is too dear')
  server.answer = null
  await page.getByRole('button', { name: 'Send' }).click()
  await said(page, 'status', /You are offline/)
  await page.close()
})

test.each(['light', 'dark'] as const)(
  'axe finds nothing serious in the %s theme',
  async (theme) => {
    const page = await openShop()
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.click('#help')
    await page.getByRole('button', { name: 'Send' }).click()
    await said(page, 'alert', /Fill in this field/)
    const background = await page
      .getByRole('dialog')
      .evaluate((dialog) => getComputedStyle(dialog).backgroundColor)
    expect(background).toBe(theme === 'light' ? 'rgb(255, 255, 255)' : 'rgb(29, 29, 33)')
    await page.evaluate(axe)
    const found = await page.evaluate(async () => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') }
      const { violations } = await axe.run()
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .map(({ id, nodes }) => `${id}: ${nodes.map((it) => it.html).join(' ')}`)
    })
    expect(found).toEqual([])
    await page.close()
  },
)

test('the report names its event and the replay, which has no word of it', async () => {
  const page = await openShop('recorded')
  await page.getByRole('button', { name: 'Report a problem' }).waitFor()
  await page.waitForFunction(() => replay.state().name === 'running')
  await page.evaluate(() => feedback.showReportDialog({ eventId: 'e'.repeat(32), name: 'hidden' }))
  const dialog = page.getByRole('dialog', { name: /something went wrong/ })
  await dialog.getByLabel('What happened?').pressSequentially('Secret words')
  expect(await dialog.getByLabel('Name').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Send' }).click()
  await said(page, 'status', /was sent/)
  await dialog.getByRole('button', { name: 'Close' }).click()
  await page.locator('afterimage-feedback').nth(1).waitFor({ state: 'detached' })
  const recording = await until('the recording has the typing', async () => {
    await page.evaluate(() => afterimage.flush())
    const events = joinSegments(decodeSegments(server.envelopes))
    return events.some(({ data }) => data['source'] === inputSource) && JSON.stringify(events)
  })
  expect(recording).not.toMatch(/Secret|words|was sent|ada@/)
  const [report] = server.items<SdkEvent>('feedback')
  expect(report?.contexts?.['feedback']).toMatchObject({
    message: 'Secret words',
    associated_event_id: 'e'.repeat(32),
    replay_id: decodeSegments(server.envelopes)[0]?.description.replay_id,
    source: 'report-dialog',
  })
  await page.close()
})

test('the page changes the words of the dialog, and its looks by custom properties', async () => {
  const page = await openShop()
  await page.evaluate(() => {
    document.documentElement.style.setProperty('--afterimage-feedback-accent', 'rgb(1, 2, 3)')
    const texts = { title: 'Fehler melden', send: 'Senden' }
    feedback.showReportDialog({ texts, lang: 'de', email: 'required' })
  })
  const dialog = page.getByRole('dialog', { name: 'Fehler melden' })
  const send = dialog.getByRole('button', { name: 'Senden' })
  expect(await send.evaluate((it) => getComputedStyle(it).backgroundColor)).toBe('rgb(1, 2, 3)')
  expect(await dialog.getByLabel('Email (required)').getAttribute('autocomplete')).toBe('email')
  expect(await page.locator('afterimage-feedback[lang=de]').count()).toBe(1)
  await page.close()
})

test('closing the client takes the widget and its listeners off the page', async () => {
  const page = await openShop()
  await page.click('#help')
  await page.getByRole('dialog').waitFor()
  await page.evaluate(() => afterimage.close())
  expect(await page.locator('afterimage-feedback').count()).toBe(0)
  expect(await focused(page)).toBe('help')
  await page.click('#help')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.close()
})
