import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiEvent, ApiIssue, ApiStats, RecordingEvent } from '@afterimage/protocol/api'
import { expectNoLeaks } from './support/audited.ts'
import { closeVisit, launchBrowser } from './support/browser.ts'
import {
  buildHalm,
  shopDsn,
  shopKey,
  shopProject,
  startHalm,
  type SentItem,
} from './support/halm.ts'
import { startProduct, type Product } from './support/product.ts'
import { until } from './support/until.ts'

/** The example shop, built and started, against the started product: its bugs arrive as issues. */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
let product: Product
let browser: Browser

const clientException =
  'Application error: a client-side exception has occurred while loading localhost (see the browser console for more information).'

interface Router {
  push(url: string): Promise<boolean>
  prefetch(url: string): Promise<void>
}

beforeAll(async () => {
  await buildHalm('')
  await buildHalm('scan')
  product = await startProduct()
  await product.createProject('halm', { id: shopProject, keys: [shopKey], platform: 'javascript' })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

/** Visits a shop that is started for this visitor alone, so that all its reports are theirs. */
async function visit(
  path: string,
  act: (page: Page, sent: readonly SentItem[]) => Promise<void>,
  { routes = '', prepare }: { routes?: 'scan' | ''; prepare?: (page: Page) => unknown } = {},
): Promise<void> {
  await using shop = await startHalm(product.url, routes)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await prepare?.(page)
    await page.goto(shop.url + path)
    await act(page, shop.sent)
  } finally {
    await closeVisit(context)
  }
}

async function issue(title: RegExp): Promise<ApiIssue> {
  return until(`an issue ${title}`, async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?statsPeriod=24h')
    return issues.find((it) => title.test(it.title))
  })
}

async function eventOf(title: RegExp): Promise<ApiEvent> {
  const { id } = await issue(title)
  return product.api<ApiEvent>(`issues/${id}/events/latest/`)
}

function tagsOf(event: ApiEvent): Record<string, string> {
  return Object.fromEntries(event.tags.map(({ key, value }) => [key, value]))
}

interface Transaction {
  readonly transaction: string
  readonly contexts: { readonly trace: { readonly op: string } }
  readonly transaction_info: { readonly source: string }
}

/** Transactions among what was sent, as `op name source`. */
function pagesOf(sent: readonly SentItem[]): string[] {
  return sent.flatMap(({ type, json }) => {
    if (type !== 'transaction' || json === null) return []
    const { contexts, transaction, transaction_info: info } = json as unknown as Transaction
    return [`${contexts.trace.op} ${transaction} ${info.source}`]
  })
}

const eventsOf = (sent: readonly SentItem[]) =>
  sent.filter(({ type }) => type === 'event').map(({ json }) => json)

/** Without those of the shop's own server. */
const inBrowser = (sent: readonly SentItem[]) =>
  eventsOf(sent).filter((event) => !JSON.stringify(event?.tags ?? {}).includes('"server"'))

function discardsOf(sent: readonly SentItem[]): { reason: string; category: string }[] {
  return sent
    .filter(({ type }) => type === 'client_report')
    .flatMap(({ json }) => json?.discarded_events as { reason: string; category: string }[])
}

/** The recorder comes once the page is idle, and keeps its session in the tab. */
async function recording(page: Page): Promise<void> {
  await page.waitForFunction(() => sessionStorage.getItem('afterimageReplay') !== null)
}

/** One page load in ten is recorded from its start; those of these tests are not. */
const inBufferMode = {
  prepare: (page: Page) =>
    page.addInitScript(() => {
      const random = Math.random
      Math.random = () => 0.2 + 0.8 * random()
    }),
}

/** Leaves the page as visitors do, which sends everything held back. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
}

test('a crash in checkout: an unhandled issue with the steps before it, named by its page', async () => {
  await visit('/products/morning-jug', async (page) => {
    await page.getByRole('button', { name: 'Add to basket' }).click()
    await page.getByRole('link', { name: /^Basket/ }).click()
    await page.getByRole('link', { name: 'Check out' }).click()
    await page.getByRole('button', { name: 'I pick it up' }).click()
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('button', { name: 'Place the order' }).click()
    const found = await issue(/^TypeError: Cannot read properties of null \(reading 'town'\)/)
    expect(found).toMatchObject({
      isUnhandled: true,
      culprit: expect.stringContaining('/checkout'),
    })
    const event = await eventOf(/reading 'town'/)
    expect(tagsOf(event)).toMatchObject({ transaction: '/checkout' })
    expect(event.release?.version).toBe('shop@1.0.0')
    const told = JSON.stringify(event.entries)
    expect(told).toContain('"category":"ui.click"')
    expect(told).toContain('"to":"/checkout"')
    expect(told).not.toContain('Ada')
  })
})

test('an error brings the replay of what led to it', async () => {
  await visit(
    '/checkout',
    async (page, sent) => {
      await page.getByRole('button', { name: 'I pick it up' }).click()
      await page.getByLabel('Name').fill('Ada')
      await recording(page)
      await page.getByRole('button', { name: 'Place the order' }).click()
      const event = await until('the error was sent', () => eventsOf(sent)[0])
      const segment = await until('a segment was sent', () =>
        sent.find(({ type }) => type === 'replay_event'),
      )
      expect(segment.json).toMatchObject({ error_ids: [event.event_id], replay_type: 'buffer' })
      const { replay_id: replayId } = segment.json as { replay_id: string }
      await until('the server has it', async () => {
        const { data } = await product.api<{ data: { count_errors: number } }>(
          `organizations/main/replays/${replayId}/`,
        )
        return data.count_errors === 1
      })
    },
    inBufferMode,
  )
})

test('the dead button and the trap for furious clicks stand in the replay of a later error', async () => {
  await visit(
    '/products/morning-jug',
    async (page, sent) => {
      await recording(page)
      await page.getByRole('button', { name: 'Keep for later' }).click()
      // Nothing happens, and only after 7 s is that known.
      await page.waitForTimeout(7_300)
      await page.getByRole('button', { name: 'Add to basket' }).click()
      await page.getByRole('link', { name: /^Basket/ }).click()
      const more = page.getByRole('button', { name: 'One more' })
      for (let click = 0; click < 5; click += 1) await more.click()
      await page.getByRole('status').getByText('2').waitFor()
      await page.getByRole('link', { name: 'Check out' }).click()
      await page.getByRole('button', { name: 'I pick it up' }).click()
      await page.getByLabel('Name').fill('Ada')
      await page.getByRole('button', { name: 'Place the order' }).click()
      const segment = await until('a segment was sent', () =>
        sent.find(({ type }) => type === 'replay_event'),
      )
      const { replay_id: id } = segment.json as { replay_id: string }
      const clicks = await until('the server has the clicks', async () => {
        const segments = await product.api<RecordingEvent[][]>(
          `projects/main/halm/replays/${id}/recording-segments/?download=true`,
        )
        const found = segments
          .flat()
          .map((event) => JSON.stringify(event))
          .filter((text) => /"category":"ui\.slowClickDetected".*"endReason":"timeout"/.test(text))
        return found.length >= 2 ? found : null
      })
      expect(clicks.map((text) => /"clickCount":(\d+)/.exec(text)?.[1])).toEqual(['1', '5'])
    },
    inBufferMode,
  )
})

test('every file of a build has a debug id, and events name those of their frames', async () => {
  await visit('/checkout', async (page, sent) => {
    await page.getByRole('button', { name: 'I pick it up' }).click()
    await page.getByLabel('Name').fill('Ada')
    await page.getByRole('button', { name: 'Place the order' }).click()
    const event = await until('an event was sent', () => eventsOf(sent)[0])
    const { images } = event.debug_meta as {
      images: { type: string; code_file: string; debug_id: string }[]
    }
    expect(images.length).toBeGreaterThan(0)
    for (const { type, code_file, debug_id } of images) {
      expect(type).toBe('sourcemap')
      const code = await (await fetch(code_file)).text()
      expect(code).toContain(`//# debugId=${debug_id}`)
      expect(code).not.toContain('sourceMappingURL=0')
    }
  })
})

test('a failing API: the server says why, by route, and the browser what came of it', async () => {
  await visit('/products/reading-lamp', async (page, sent) => {
    await page.getByRole('button', { name: 'How many are left?' }).click()
    const event = await eventOf(/^Error: The warehouse in Malmö does not answer/)
    expect(tagsOf(event)).toMatchObject({
      transaction: 'GET /api/stock/[slug]',
      runtime: 'server',
    })
    expect(event.contexts.next).toMatchObject({
      router_path: '/api/stock/[slug]',
      route_type: 'route',
    })
    const text = JSON.stringify(event)
    expect(text).toContain('app:///_next/server/')
    expect(text).not.toContain(process.cwd())
    const told = await until('the page told', () => inBrowser(sent)[0])
    expect(told).toMatchObject({ transaction: '/products/reading-lamp' })
    const found = await issue(/^SyntaxError: .*JSON/)
    expect(found.isUnhandled).toBe(true)
  })
})

test('S7 S8 the tunnel of the built shop takes its own project, and neither others nor what is too large', async () => {
  await using shop = await startHalm(product.url)
  const post = (body: BodyInit) =>
    fetch(`${shop.url}/monitoring?o=1&p=${shopProject}`, { method: 'POST', body })
  const id = 'c'.repeat(32)
  const envelope = `{"event_id":"${id}","dsn":"${shopDsn}"}\n{"type":"event"}\n{"message":"by hand"}`
  const taken = await post(envelope)
  expect([taken.status, await taken.json()]).toEqual([200, { id }])
  expect((await post(envelope.replace(shopKey, 'd'.repeat(32)))).status).toBe(403)
  expect((await post('hello')).status).toBe(400)
  expect((await post(envelope + ' '.repeat(21 * 1024 * 1024))).status).toBe(413)
  expect(shop.sent).toHaveLength(1)
  await issue(/^by hand$/)
})

test('a slow page: its load lasts as long as the four requests it waits for', async () => {
  await visit('/journal', async (page, sent) => {
    await page.locator('.note h2').first().waitFor()
    const load = await until('the page load was sent', () =>
      sent.find(({ type }) => type === 'transaction'),
    )
    const { start_timestamp, timestamp, spans } = load.json as {
      start_timestamp: number
      timestamp: number
      spans: { op: string; description: string }[]
    }
    expect(timestamp - start_timestamp).toBeGreaterThan(2.8)
    expect(spans.filter(({ description }) => /supplier/.test(description)).length).toBeGreaterThan(
      3,
    )
  })
})

test('a hydration mismatch has a stable title and is grouped by its page', async () => {
  await visit('/delivery', async () => {
    const found = await issue(/^HydrationError: Hydration failed because/)
    expect(found.culprit).toContain('/delivery')
    const event = await product.api<ApiEvent>(`issues/${found.id}/events/latest/`)
    expect(tagsOf(event)).toMatchObject({ 'next.error': 'hydration', transaction: '/delivery' })
  })
})

test('S3 in the app mode the error behind the client-side-exception message is reported, once', async () => {
  await visit(
    '/products',
    async (page, sent) => {
      await page.getByText(clientException).waitFor()
      const event = await eventOf(/^RangeError: prices fail on purpose/)
      expect(tagsOf(event)).toMatchObject({ transaction: '/products' })
      await leave(page)
      await until('the page was sent', () => pagesOf(sent).length > 0)
      expect(eventsOf(sent).filter((it) => JSON.stringify(it).includes('on purpose'))).toHaveLength(
        1,
      )
    },
    {
      prepare: (page) =>
        page.addInitScript(() => {
          Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
            get() {
              throw new RangeError('prices fail on purpose')
            },
          })
        }),
    },
  )
})

test('S3 in the pages mode the error behind the message is reported, with its component stack', async () => {
  await visit('/gift/first-home', async (page) => {
    await page.route('**/_next/data/**/receipt/*.json*', (route) =>
      route.fulfill({ json: { pageProps: { order: 'LU-1' }, __N_SSP: true } }),
    )
    await push(page, '/receipt/LU-4abcd')
    await page.getByText(clientException).waitFor()
    const event = await eventOf(/^TypeError: .*reading 'from'/)
    expect(JSON.stringify(event.contexts.react)).toContain('componentStack')
    expect((await issue(/reading 'from'/)).isUnhandled).toBe(true)
  })
})

test('S6 a page whose data fails is reported under its stable title, at hydration and on a transition', async () => {
  const visits: (readonly SentItem[])[] = []
  await visit('/gift/spring-cleaning', async (page, sent) => {
    const event = await until('the page told', () => inBrowser(sent)[0])
    expect(event).toMatchObject({
      fingerprint: ['next', 'failed-static-props'],
      tags: { 'next.error': 'failed-static-props' },
      transaction: '/gift/spring-cleaning',
    })
    visits.push(sent)
  })
  await visit('/gift/first-home', async (page, sent) => {
    await page.route('**/_next/data/**', (route) => route.fulfill({ status: 503 }))
    await push(page, '/gift/long-winter')
    const event = await until('the page told', () => inBrowser(sent)[0])
    expect(event).toMatchObject({ fingerprint: ['next', 'failed-static-props'] })
    visits.push(sent)
  })
  const found = await issue(/^FailedStaticProps: Failed to load static props$/)
  await until('both are one issue', async () => {
    const { count } = await product.api<ApiIssue>(`organizations/main/issues/${found.id}/`)
    // Next loads the first page anew, and its data fails anew: it may have told more than once.
    return Number(count) === visits.flatMap(inBrowser).length
  })
})

test('S6 an invalid relative URL has a stable title, whatever the URL', async () => {
  await visit('/gift/first-home', async (page) => {
    for (const url of ['https://elsewhere.example/x?token=secret', 'https://other.example/']) {
      await withRouter(page, (router, to) => void router.prefetch(to), url)
    }
    const event = await eventOf(/^InvalidRelativeUrl: invalid relative URL$/)
    expect(tagsOf(event)).toMatchObject({ 'next.error': 'invalid-relative-url' })
    expect(JSON.stringify(event)).not.toContain('secret')
  })
})

test('S6 a cancelled navigation is never reported, and counted as dropped', async () => {
  await visit('/gift/first-home', async (page, sent) => {
    await page.route('**/receipt/*.json*', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue().catch(() => null)
    })
    await push(page, '/receipt/LU-9slow')
    await push(page, '/gift/long-winter')
    await page.waitForURL('**/gift/long-winter')
    await leave(page)
    await until('the page told what it dropped', () => discardsOf(sent).length > 0)
    expect(discardsOf(sent)).toContainEqual(
      expect.objectContaining({ reason: 'route_cancelled', category: 'error' }),
    )
    const told = eventsOf(sent).map((event) => JSON.stringify([event?.exception, event?.tags]))
    expect(told).toEqual([])
  })
})

test('S9 with the empty manifest pages are their raw path, and the source is url', async () => {
  await visit('/products/stem-vase', async (page, sent) => {
    await page.getByRole('link', { name: /^Basket/ }).click()
    await page.waitForURL('**/basket')
    await leave(page)
    await until('both pages were sent', () => pagesOf(sent).length === 2)
    expect(pagesOf(sent)).toEqual(['pageload /products/stem-vase url', 'navigation /basket url'])
  })
  await visit('/gift/first-home', async (page, sent) => {
    await page.getByRole('link', { name: 'For a long winter' }).click()
    await page.waitForURL('**/long-winter')
    // A page that is left before it is drawn does not count as a navigation.
    await page.getByRole('heading', { name: 'For a long winter' }).waitFor()
    await leave(page)
    await until('both pages were sent', () => pagesOf(sent).length === 2)
    expect(pagesOf(sent)).toEqual([
      'pageload /gift/first-home url',
      'navigation /gift/long-winter url',
    ])
  })
  await until('the server has them under these names', async () => {
    const rows = await product.apiAll<{ transaction: string; op: string }>(
      'organizations/main/transactions/?statsPeriod=24h',
    )
    const names = rows.map(({ op, transaction }) => `${op} ${transaction}`)
    return names.includes('navigation /gift/long-winter') && names.includes('navigation /basket')
  })
})

test('S9 a manifest names pages by their routes, in both router modes', async () => {
  await visit(
    '/products/stem-vase',
    async (page, sent) => {
      await page.getByRole('link', { name: /^Morning jug/ }).click()
      await page.waitForURL('**/morning-jug')
      await page.getByRole('link', { name: /^Basket/ }).click()
      await page.waitForURL('**/basket')
      await leave(page)
      await until('all pages were sent', () => pagesOf(sent).length === 3)
      expect(pagesOf(sent)).toEqual([
        'pageload /products/:slug route',
        'navigation /products/:slug route',
        'navigation /basket url',
      ])
    },
    { routes: 'scan' },
  )
  await visit(
    '/gift/first-home',
    async (page, sent) => {
      await page.getByRole('link', { name: 'For a long winter' }).click()
      await page.waitForURL('**/long-winter')
      // A page that is left before it is drawn does not count as a navigation.
      await page.getByRole('heading', { name: 'For a long winter' }).waitFor()
      await leave(page)
      await until('both pages were sent', () => pagesOf(sent).length === 2)
      expect(pagesOf(sent)).toEqual(['pageload /gift/:slug route', 'navigation /gift/:slug route'])
    },
    { routes: 'scan' },
  )
})

test('S10 the 404 page makes no transaction, in either mode; the loss is counted and reported', async () => {
  for (const path of ['/no/such/page', '/404', '/receipt/x']) {
    await visit(path, async (page, sent) => {
      await page.getByText('That shelf is empty.').waitFor()
      await leave(page)
      await until('the page told what it dropped', () => discardsOf(sent).length > 0)
      expect(discardsOf(sent)).toContainEqual(
        expect.objectContaining({
          reason: 'event_processor',
          category: 'transaction',
          quantity: 1,
        }),
      )
      expect(pagesOf(sent)).toEqual([])
    })
  }
  await until('the server counts them', async () => {
    const { groups } = await product.api<ApiStats>(
      'organizations/main/stats_v2/?field=sum(quantity)&groupBy=outcome&groupBy=category&statsPeriod=24h&interval=1d',
    )
    const found = groups.find(
      ({ by }) => by.outcome === 'client_discard' && by.category === 'transaction',
    )
    return (found?.totals['sum(quantity)'] ?? 0) >= 3
  })
})

test('S10 the framework’s redirect errors are dropped and counted, and others are not', async () => {
  await visit('/products', async (page, sent) => {
    await page.evaluate(() => {
      const redirect = Object.assign(new Error('NEXT_REDIRECT'), {
        digest: 'NEXT_REDIRECT;replace;/basket;307;',
      })
      setTimeout(() => {
        throw redirect
      })
      setTimeout(() => {
        throw Object.assign(new Error('wrapped'), { cause: redirect })
      })
      setTimeout(() => {
        throw new Error('NEXT_REDIRECTED by hand')
      })
    })
    await until('the honest one was sent', () => eventsOf(sent).length > 0)
    await leave(page)
    await until('the page told what it dropped', () => discardsOf(sent).length > 0)
    expect(JSON.stringify(eventsOf(sent).map((it) => it?.exception))).toContain('by hand')
    expect(eventsOf(sent)).toHaveLength(1)
    expect(discardsOf(sent)).toContainEqual(
      expect.objectContaining({ reason: 'event_processor', category: 'error', quantity: 2 }),
    )
  })
})

/** A transition in the browser, as a link makes it. Does not wait for its end. */
async function push(page: Page, path: string): Promise<void> {
  await withRouter(page, (router, to) => void router.push(to), path)
}

async function withRouter(
  page: Page,
  act: (router: Router, value: string) => void,
  value: string,
): Promise<void> {
  await page.waitForFunction('typeof window.next?.router?.push === "function"')
  await page.evaluate(`(${act.toString()})(window.next.router, ${JSON.stringify(value)})`)
}

// It mostly waits for what may still be sent.
test.runIf(isLong)('no secret leaves the shop', { timeout: 300_000 }, async () => {
  await using shop = await startHalm(product.url, 'scan')
  const all = ['event', 'replay_recording', 'transaction']
  await expectNoLeaks(shop.url, all, { ignored: ['_rsc=', '/_next/', '/api/'] })
})
