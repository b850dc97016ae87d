import type { Browser, Page, Request, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeVisit, launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { watchSentItems, type SentItem } from './support/sent-items.ts'
import { shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'

/** Files that never arrive, or fail: at the first load and on transitions, in both router modes. */

const limitMs = 3800
const shortenedMs = 1500

let product: Product
let browser: Browser
let shares: Shares

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  shares = await shareSomething(product)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

interface Visit {
  readonly page: Page
  readonly sent: readonly SentItem[]
  /** Paths of the documents that were asked for, but for those given up for another navigation. */
  readonly documents: readonly string[]
  /** Paths that are asked for and never answered, from `hang` on. */
  readonly hanging: readonly string[]
  /** Nothing that this holds for is answered from now on. */
  hang(isHanging: (path: string, request: Request) => boolean): Promise<unknown>
  /** Files that this holds for fail in this way from now on. */
  fail(isFailing: (path: string) => boolean, failure: Failure): Promise<unknown>
}

type Failure = (route: Route) => Promise<void>

const blocked: Failure = (route) => route.abort('blockedbyclient')
const answeredWith =
  (status: number): Failure =>
  (route) =>
    route.fulfill({ status, body: '' })

async function visit(act: (visit: Visit) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await shortenLimit(page)
  const documents: string[] = []
  const hanging: string[] = []
  const unanswered = new Set<Request>()
  page.on('request', (request) => {
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) {
      documents.push(new URL(request.url()).pathname)
      unanswered.add(request)
    }
  })
  page.on('response', (response) => unanswered.delete(response.request()))
  // Next has a limit of its own in the pages mode, and navigates once more to the same address.
  page.on('requestfailed', (request) => {
    if (!unanswered.delete(request)) return
    documents.splice(documents.lastIndexOf(new URL(request.url()).pathname), 1)
  })
  try {
    await act({
      page,
      sent: watchSentItems(page),
      documents,
      hanging,
      hang: (isHanging) =>
        page.route('**/*', (route, request) => {
          const { pathname } = new URL(request.url())
          if (!isHanging(pathname, request)) return route.fallback()
          hanging.push(pathname)
          return undefined
        }),
      fail: (isFailing, failure) =>
        page.route('**/*', (route, request) =>
          isFailing(new URL(request.url()).pathname) ? failure(route) : route.fallback(),
        ),
    })
  } finally {
    await closeVisit(context)
  }
}

const isManifest = (path: string) => path.endsWith('/_buildManifest.js')
const isScript = (path: string) => /^\/_next\/static\/.*\.js$/.test(path)
const isSheet = (path: string) => /^\/_next\/static\/.*\.css$/.test(path)

/**
 * The product's limit runs in these pages in less than half of its time, and only the limit: a timer
 * of another length than 3800 ms is what it is.
 */
async function shortenLimit(page: Page): Promise<void> {
  await page.addInitScript(
    ([limit, shortened]) => {
      const { setTimeout: original } = window
      window.setTimeout = ((run: () => void, ms?: number, ...rest: unknown[]) =>
        original(run, ms === limit ? shortened : ms, ...rest)) as typeof setTimeout
    },
    [limitMs, shortenedMs] as const,
  )
}

async function expectGenericPage(page: Page): Promise<void> {
  const title = () => page.title().catch(() => 'navigating')
  await expect.poll(title, { timeout: 30_000 }).toBe('An unexpected error has occurred')
  expect(await page.locator('main.ai-plain').innerText()).toBe('An unexpected error has occurred.')
}

const notLoaded = (sent: readonly SentItem[]) =>
  sent.filter(({ json }) => JSON.stringify(json?.fingerprint) === '["next","page-not-loaded"]')

/** Names of transactions, by what was measured. */
const pagesOf = (sent: readonly SentItem[]) =>
  sent
    .filter(({ type }) => type === 'transaction')
    .map(({ json }) => {
      const { contexts, transaction } = json as {
        contexts?: { trace?: { op?: string } }
        transaction?: string
      }
      return `${contexts?.trace?.op} ${transaction}`
    })

/** Files that the document of a path names. */
async function filesOf(path: string): Promise<readonly string[]> {
  const html = await (await fetch(product.url + path)).text()
  return [...html.matchAll(/(?:src|href)="(\/_next\/static\/[^"]+)"/g)].map((it) => it[1] ?? '')
}

const isRuntime = (path: string) => path.includes('/turbopack')

test.each<[string, string, (path: string) => boolean, Failure | 'hangs']>([
  ['the build manifest, in the pages mode', 'share', isManifest, 'hangs'],
  ['the build manifest, where the document was built', '/errors/QUEUE_FULL', isManifest, 'hangs'],
  ['a script, in the app mode', '/sign-in', isRuntime, 'hangs'],
  ['a style sheet, in the app mode', '/sign-in', isSheet, 'hangs'],
  ['a script that the browser blocks, in the pages mode', 'share', isScript, blocked],
  ['a script that is answered with 404, in the app mode', '/sign-in', isRuntime, answeredWith(404)],
])(
  'S5 at the first load without %s, the document is loaded anew after 3800 ms, once; then it is the generic page, and reported',
  async (_, place, isMissing, failure) => {
    const path = place === 'share' ? `/share/replay/${shares.replay}` : place
    await visit(async ({ page, sent, documents, hang, fail }) => {
      await (failure === 'hangs' ? hang(isMissing) : fail(isMissing, failure))
      await page.goto(product.url + path, { waitUntil: 'commit' })
      await expectGenericPage(page)
      const report = await until('it is reported', () => notLoaded(sent)[0])
      expect(JSON.stringify(report)).not.toContain(shares.replay)
      expect(report.json).toMatchObject({
        transaction: path.replace(shares.replay, '*'),
        exception: { values: [{ type: 'PageNotLoaded' }] },
        release: expect.stringMatching(/^afterimage@/),
      })
      expect(pagesOf(sent)).toEqual([])
      expect(documents).toEqual([path, path])
    })
  },
)

test.each([
  ['all scripts, in the pages mode', 'share', isScript],
  ['a script, in the app mode', '/sign-in', isRuntime],
])(
  'S5 at the first load with a 503 for %s, the page appears once the server is back, without a report',
  async (_, place, isMissing) => {
    const path = place === 'share' ? `/share/replay/${shares.replay}` : place
    await visit(async ({ page, sent, documents, fail }) => {
      // The web server restarts between the document and its files, and is back for the next.
      await fail((file) => isMissing(file) && documents.length < 2, answeredWith(503))
      await page.goto(product.url + path, { waitUntil: 'commit' })
      const title = () => page.title().catch(() => 'navigating')
      await until('the page is drawn', () =>
        page
          .evaluate(() => sessionStorage.getItem('afterimageHardAttempt') === null)
          .then((isOver) => isOver && documents.length === 2),
      )
      expect(await title()).not.toBe('An unexpected error has occurred')
      expect(documents).toEqual([path, path])
      expect(notLoaded(sent)).toEqual([])
    })
  },
)

test.each([
  ['script', isScript],
  ['style sheet', isSheet],
])(
  'S5 a transition of the pages mode whose %s never arrives ends, after 3800 ms, in a hard navigation',
  async (_, isOfKind) => {
    const [from, to] = [`/share/issue/${shares.issue}`, `/share/replay/${shares.replay}`]
    const known = await filesOf(from)
    await visit(async ({ page, sent, documents, hanging, hang }) => {
      // The first page's files and the recorder arrive; those that only the second page needs do not.
      const missing = (await filesOf(to)).filter((path) => isOfKind(path) && !known.includes(path))
      await hang((path) => missing.includes(path))
      await page.goto(product.url + from)
      const link = page.getByRole('link', { name: /the replay/i })
      // Before React has the link, a click is the browser's own and makes two attempts.
      await expect
        .poll(() => link.evaluate((it) => Object.keys(it).some((key) => key.startsWith('__react'))))
        .toBe(true)
      await link.click()
      await until('the file is asked for', () => hanging.length > 0)
      // The hard navigation is the one attempt. Nothing is asked of a page that is on its way.
      await until('it is reported', () => notLoaded(sent)[0])
      await expectGenericPage(page)
      expect(pagesOf(sent).filter((name) => name.startsWith('navigation'))).toEqual([])
      expect(documents).toEqual([from, to])
    })
  },
)

test('S5 a transition of the app mode whose data never arrive ends, after 3800 ms, in a hard navigation', async () => {
  await visit(async ({ page, sent, documents, hanging, hang }) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
    await hang((path, request) => path === '/replays' && request.headers()['rsc'] === '1')
    await page.getByRole('link', { name: 'Replays', exact: true }).first().click()
    await until('the data are asked for', () => hanging.length > 0)
    await page.waitForURL('**/replays')
    expect(documents.at(-1)).toBe('/replays')
    await expect.poll(() => page.title()).toBe('Replays · Afterimage')
    await page.goto('about:blank')
    expect(pagesOf(sent).filter((name) => name === 'navigation /replays')).toEqual([])
    expect(notLoaded(sent)).toEqual([])
  })
})

test('S5 a transition of the app mode whose script never arrives ends in a hard navigation, then in the generic page', async () => {
  await visit(async ({ page, sent, documents, hanging, hang }) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
    await hang(isScript)
    await page.getByRole('link', { name: 'Replays', exact: true }).first().click()
    await until('the script is asked for', () => hanging.length > 0)
    await expectGenericPage(page)
    await until('it is reported', () => notLoaded(sent)[0])
    expect(pagesOf(sent).filter((name) => name === 'navigation /replays')).toEqual([])
    expect(documents.slice(-2)).toEqual(['/issues', '/replays'])
  })
})

test('S5 a page that appears is not asked for again: the same address, and back', async () => {
  await visit(async ({ page, documents }) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/issues`, { waitUntil: 'networkidle' })
    const before = documents.length
    await page.getByRole('link', { name: 'Issues', exact: true }).first().click()
    await page.waitForLoadState('networkidle')
    await page.getByRole('link', { name: 'Traces', exact: true }).first().click()
    await page.waitForURL('**/traces')
    await page.goBack()
    await page.waitForURL('**/issues')
    // Longer than the limit, by the same clock.
    await page.evaluate(
      (ms) =>
        new Promise((resolve) => {
          setTimeout(resolve, ms)
        }),
      shortenedMs + 500,
    )
    expect(documents.slice(before)).toEqual([])
  })
})
