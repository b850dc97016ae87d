import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { owner, startProduct, type Product } from './support/product.ts'
import { sendTrace } from './support/recorded-trace.ts'
import { send, shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'

/** Every main page under axe, in both themes; and what a reader without a pointer needs. */

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'

let product: Product
let browser: Browser
let shares: Shares
let traceId: string
let issueId: string
/** Issue of an error whose message, page and source are wider than any screen. */
let longIssueId: string

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  shares = await shareSomething(product)
  const project = await product.createProject('empty', { platform: 'javascript' })
  traceId = await sendTrace(product, project.dsn)
  await product.createProject('waiting', { platform: 'javascript-react' })
  await uploadFile(product, 'empty')
  const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=is:unresolved')
  issueId = issues.find((issue) => issue.replayCount > 0)?.id ?? ''
  await send(product, project.dsn, longError(project.dsn))
  await until('the long error is an issue', async () => {
    const path = 'organizations/main/issues/?query=LongError'
    longIssueId = (await product.api<ApiIssue[]>(path))[0]?.id ?? ''
    return longIssueId !== ''
  })
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

/** Uploads one file of a release with a long name. */
async function uploadFile(to: Product, project: string): Promise<void> {
  const release = encodeURIComponent(`shop@${'1'.repeat(100)}`)
  const body = new FormData()
  body.append('file', new File(['a()'], 'a.js'))
  body.append('name', '~/a.js')
  const path = `/api/0/projects/main/${project}/releases/${release}/files/`
  const headers = { authorization: `Bearer ${to.token}` }
  const answer = await fetch(`${to.url}${path}`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
}

function longError(dsn: string): string {
  const path = `/catalogue/${'a-very-long-part-'.repeat(40)}`
  const frame = {
    function: 'submit',
    filename: 'https://shop.example/form.tsx',
    lineno: 12,
    colno: 9,
    in_app: true,
    pre_context: ['/* what happens', '   on submit */'],
    context_line: `  const total = await price(order.items) // ${'and so on '.repeat(30)}`,
  }
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    release: 'shop@2.14.0',
    environment: 'production',
    user: { id: 'someone' },
    transaction: path,
    request: { url: `https://shop.example${path}` },
    exception: {
      values: [
        {
          type: 'LongError',
          value: `${'the price is not a number and '.repeat(10)}${'unbroken'.repeat(40)}`,
          stacktrace: { frames: [frame] },
        },
      ],
    },
  }
  return [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')
}

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * Returns axe's findings, one line each with its place. The recorded page is not ours, and the
 * sentinels that keep the focus inside of what is open take it only to hand it on.
 */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found = await page.evaluate(async () => {
    const { axe } = window as unknown as {
      axe: { run(context: object, options: object): Promise<{ violations: Violation[] }> }
    }
    const { violations } = await axe.run(
      { exclude: ['iframe', '[data-base-ui-focus-guard]'] },
      { iframes: false },
    )
    return violations
  })
  return found.flatMap((one) =>
    one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ''}`),
  )
}

const outside = () => [
  '/sign-in',
  '/setup?token=0123456789abcdef',
  '/setup',
  `/share/issue/${shares.issue}`,
  `/share/replay/${shares.replay}`,
  `/embed/replay/${shares.replay}`,
  '/errors/QUEUE_FULL',
  '/no/such/page',
  `/share/issue/${'0'.repeat(16)}`,
]

const inside = () => [
  '/issues',
  '/issues?query=is%3Aunresolved+nothing-is-called-that',
  '/issues?query=is%3Aunresolved+level%3Aeror',
  '/issues?project=waiting',
  `/issues/${issueId}`,
  `/issues/${issueId}/events`,
  `/issues/${longIssueId}`,
  '/issues/999999',
  '/replays',
  `/replays/${shares.replayId}?t=2`,
  '/traces',
  `/traces/${traceId}`,
  '/settings',
  '/projects/new',
  '/projects/waiting/start',
  '/projects/waiting/client-settings',
  '/projects/waiting/source-maps',
  '/projects/empty/source-maps',
]

/**
 * Visits pages with one theme and collects what is wrong, by page: axe's findings, errors of the
 * browser's console and uncaught ones, and a width beyond the screen's.
 */
async function visitAll(context: BrowserContext, paths: readonly string[]) {
  const wrong: Record<string, string[]> = {}
  const page = await context.newPage()
  const errors: string[] = []
  let asked = ''
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // A page that is a 404 is one for the console too.
    const isDocument = message.location().url === asked
    if (message.type() === 'error' && !isDocument) errors.push(`console: ${message.text()}`)
  })
  for (const path of paths) {
    asked = product.url + path
    await page.goto(asked, { waitUntil: 'load' })
    // The data of a page that is made on its first request comes after the document.
    await page.locator('h1').first().waitFor()
    // Elements that fade in do not have their own colours yet.
    await page.evaluate(() =>
      Promise.allSettled(document.getAnimations().map((one) => one.finished)),
    )
    const found = [...(await violations(page)), ...errors.splice(0)]
    const { isWider, width } = await page.evaluate(() => ({
      isWider: document.documentElement.scrollWidth > innerWidth,
      width: document.documentElement.scrollWidth,
    }))
    if (isWider) found.push(`the page scrolls sideways, to ${width} px`)
    if (found.length > 0) wrong[path] = found
  }
  await page.close()
  return wrong
}

describe.each(['light', 'dark'] as const)('%s', (colorScheme) => {
  test('pages for anybody have no violation', async () => {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' })
    expect(await visitAll(context, outside())).toEqual({})
    await context.close()
  })

  test('pages of the console have no violation', async () => {
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 1440, height: 900 },
    })
    const page = await context.newPage()
    await signIn(page, product.url)
    expect(await visitAll(context, inside())).toEqual({})
    await context.close()
  })

  // A phone has another layout; its colours are those of the theme. `npm run test:long` asks both.
  test.runIf(colorScheme === 'light' || isLong)('neither have they on a phone', async () => {
    const context = await browser.newContext({
      colorScheme,
      reducedMotion: 'reduce',
      viewport: { width: 390, height: 844 },
    })
    const page = await context.newPage()
    await signIn(page, product.url)
    expect(await visitAll(context, [...outside(), ...inside()])).toEqual({})
    await context.close()
  })
})

test('the page that waits for a first event is at rest between its looks', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  await signIn(page, product.url)
  const looked = page.waitForResponse((answer) => answer.url().includes('/stats_v2/'))
  await page.goto(`${product.url}/projects/waiting/start`, { waitUntil: 'networkidle' })
  await looked
  await context.close()
})

test('the facts of an issue stand apart, however long its page’s path is', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await signIn(page, product.url)
  await page.goto(`${product.url}/issues/${longIssueId}`, { waitUntil: 'load' })
  const overlaps = await page.evaluate(() => {
    const range = document.createRange()
    const labels = [...document.querySelectorAll('dl[data-few] dt')].map((label) => {
      range.selectNodeContents(label)
      return range.getBoundingClientRect()
    })
    return labels.filter((label, index) => label.right > (labels[index + 1]?.left ?? Infinity))
  })
  expect(overlaps).toEqual([])
  await context.close()
})

test('on a wide screen the breadcrumb begins where its page does', async () => {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } })
  const page = await context.newPage()
  await signIn(page, product.url)
  // Content edges, since paddings differ.
  const left = (selector: string) =>
    page.locator(selector).evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      return range.getBoundingClientRect().left
    })
  for (const [path, isCentred] of [
    [`/issues/${issueId}`, true],
    [`/issues/${issueId}/events`, false],
  ] as const) {
    await page.goto(product.url + path, { waitUntil: 'load' })
    const title = await left('h1')
    expect([path, title > 240]).toEqual([path, isCentred])
    expect([path, await left('nav[aria-label=Breadcrumb]')]).toEqual([path, title])
  }
  await context.close()
})

test('menus and dialogs over the page have no violation either', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, product.url)
  await page.goto(`${product.url}/issues/${issueId}`, { waitUntil: 'networkidle' })
  const found: Record<string, string[]> = {}
  const look = async (name: string) => {
    // A menu stands at the end of the document, in no landmark: while it is open there is nothing else.
    const wrong = (await violations(page)).filter((one) => !one.startsWith('region: '))
    if (wrong.length > 0) found[name] = wrong
    await page.keyboard.press('Escape')
  }
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').waitFor()
  await look('palette')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog').waitFor()
  await look('keys')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archive i' }).click()
  await page.getByRole('menuitem', { name: 'Forever' }).waitFor()
  await look('archive menu')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /link/ }).click()
  await page.getByRole('dialog').waitFor()
  await look('share')
  expect(found).toEqual({})
  await context.close()
})

/** Presses Tab until the focus is on what has this name; fails after so many presses. */
async function tabTo(page: Page, name: RegExp, most = 80): Promise<void> {
  for (let pressed = 0; pressed < most; pressed++) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(() => {
      const element = document.activeElement
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })
    if (name.test(focused.trim())) return
  }
  throw new Error(`Tab never reached ${name}`)
}

/** Tells whether the focused element, or its row, is drawn differently from its neighbours. */
function focusIsVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const isMarked = (element: Element | null): boolean => {
      if (element === null || element === document.body) return false
      const style = getComputedStyle(element)
      if (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2) return true
      return (
        (element.matches('li, tr, div, label') && style.boxShadow !== 'none') ||
        isMarked(element.parentElement)
      )
    }
    return isMarked(document.activeElement)
  })
}

test('the main actions are reached by Tab, and the focus is seen', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${product.url}/sign-in`)
  for (const label of ['E-mail', 'Password']) {
    await page.getByLabel(label, { exact: true }).focus()
    expect([label, await focusIsVisible(page)]).toEqual([label, true])
  }
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/issues**')
  const reached: readonly (readonly [string, readonly RegExp[]])[] = [
    ['/issues', [/^Replays$/, /^Jump to/, /Last 14 days/, /^Select all$/, /price is undefined$/]],
    [`/issues/${issueId}`, [/^Resolve/, /^Archive/, /^More$/, /^The seconds before/, /^Comment$/]],
    [`/replays/${shares.replayId}`, [/^Link at/, /^Share/, /^Play$/, /^Steps/]],
    [`/traces/${traceId}`, [/^By self time$/, /\/checkout/]],
    ['/settings', [/New project/, /Add a key/]],
  ]
  for (const [path, names] of reached) {
    await page.goto(product.url + path, { waitUntil: 'networkidle' })
    for (const name of names) {
      await tabTo(page, name)
      expect([path, String(name), await focusIsVisible(page)]).toEqual([path, String(name), true])
    }
  }
  await context.close()
})

test('with reduced motion nothing moves by itself', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, product.url)
  for (const path of ['/issues', '/projects/waiting/start', `/replays/${shares.replayId}`]) {
    await page.goto(product.url + path, { waitUntil: 'load' })
    await page.locator('h1').first().waitFor()
    const running = await page.evaluate(() =>
      document
        .getAnimations()
        .filter((one) => one.playState === 'running')
        .map((one) => (one as CSSAnimation).animationName),
    )
    expect([path, running]).toEqual([path, []])
  }
  await context.close()
})
