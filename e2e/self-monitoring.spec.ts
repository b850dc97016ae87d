import { randomUUID } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type {
  ApiEvent,
  ApiIssue,
  ApiProject,
  ApiProjectKey,
  ApiReplay,
  ApiStats,
} from '@afterimage/protocol/api'
import { closeVisit, launchBrowser, signIn } from './support/browser.ts'
import { watchSentItems, type SentItem } from './support/sent-items.ts'
import { startProduct, type Product } from './support/product.ts'
import { shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'

/** The console reports to its own server: both router modes, the server's half, and the test of the tunnel. */

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

interface Router {
  push(url: string): Promise<boolean>
  prefetch(url: string): Promise<void>
}

/** Opens a page as a visitor of its own, and watches its reports. */
async function visit(act: (page: Page, sent: SentItem[]) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  try {
    await act(page, watchSentItems(page))
  } finally {
    await closeVisit(context)
  }
}

async function issue(title: RegExp): Promise<ApiIssue> {
  return until(`an issue ${title}`, async () => {
    const issues = await product.api<ApiIssue[]>(
      'organizations/main/issues/?project=afterimage&statsPeriod=24h',
    )
    return issues.find((it) => title.test(it.title))
  })
}

async function eventOf(title: RegExp): Promise<ApiEvent> {
  return product.api<ApiEvent>(`issues/${(await issue(title)).id}/events/latest/`)
}

function tagsOf(event: ApiEvent): Record<string, string> {
  return Object.fromEntries(event.tags.map(({ key, value }) => [key, value]))
}

const eventsOf = (sent: readonly SentItem[]) =>
  sent.filter(({ type }) => type === 'event').map(({ json }) => json)

/** Leaves the page as visitors do, which sends everything held back. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank')
}

const clientException =
  'Application error: a client-side exception has occurred while loading localhost (see the browser console for more information).'

test('the project is there from the first start, last in the list, and no project of anybody’s', async () => {
  const own = await startProduct()
  try {
    const projects = await own.api<ApiProject[]>('organizations/main/projects/')
    expect(projects.map(({ slug, name }) => [slug, name])).toEqual([
      ['afterimage', 'Afterimage itself'],
    ])
    expect((await own.createProject('zebra')).id).toBe('1')
    expect(
      (await own.api<ApiProject[]>('organizations/main/projects/')).map(({ slug }) => slug),
    ).toEqual(['zebra', 'afterimage'])
    const made = new DatabaseSync(join(own.dataDir, 'metadata.db'))
    made.exec("delete from projects where slug = 'zebra'")
    made.close()
    await visit(async (page) => {
      await signIn(page, own.url)
      await page.goto(`${own.url}/issues`)
      await page.getByRole('heading', { name: 'Begin with a project.' }).waitFor()
    })
  } finally {
    await own[Symbol.asyncDispose]()
  }
})

test('S3 in the app mode the error behind the client-side-exception message is an issue of the project afterimage', async () => {
  await visit(async (page, sent) => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat.prototype.resolvedOptions = () => {
        throw new RangeError('broken on purpose in the app mode')
      }
    })
    await page.goto(`${product.url}/sign-in`)
    await page.getByText(clientException).waitFor()
    const event = await eventOf(/^RangeError: broken on purpose in the app mode/)
    expect(tagsOf(event)).toMatchObject({ transaction: '/sign-in', environment: 'production' })
    expect(event.release?.version).toMatch(/^afterimage@\d/)
    await leave(page)
    expect(eventsOf(sent)).toHaveLength(1)
  })
  expect((await issue(/in the app mode/)).isUnhandled).toBe(true)
})

test('S3 in the pages mode it is reported too, once, with its component stack', async () => {
  await visit(async (page, sent) => {
    await page.route('**/_next/data/**', (route) =>
      route.fulfill({
        json: { pageProps: { shared: { replay: null, errors: [] }, token: 'x' }, __N_SSP: true },
      }),
    )
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.getByText(clientException).waitFor()
    const event = await eventOf(/^TypeError: .*null/)
    expect(JSON.stringify(event.contexts.react)).toContain('componentStack')
    await leave(page)
    expect(eventsOf(sent)).toHaveLength(1)
  })
  expect((await issue(/^TypeError: .*null/)).isUnhandled).toBe(true)
})

/**
 * Waits for so many failed data fetches in one issue. Asked of the server: Next loads the page anew at
 * once, and nobody sees what a page posts while it goes.
 */
function failedFetches(count: number): Promise<ApiIssue> {
  return until(`${count} failures are one issue`, async () => {
    const [found] = await product.api<ApiIssue[]>(
      'organizations/main/issues/?project=afterimage&statsPeriod=24h&query=FailedStaticProps',
    )
    return found !== undefined && Number(found.count) >= count ? found : null
  })
}

test('S6 a failed data fetch is named and grouped, at hydration and on a transition', async () => {
  await visit(async (page) => {
    // The document was made when the console was built: a script brings what it reports with. Three
    // requests, and Next loads the page anew: without an end to the failures it would do so forever.
    await page.route('**/_next/data/**', (route) => route.fulfill({ status: 503 }), { times: 3 })
    await page.goto(`${product.url}/errors/SHUTTING_DOWN`, { waitUntil: 'commit' })
    const found = await failedFetches(1)
    expect(found.title).toBe('FailedStaticProps: Failed to load static props')
    const event = await product.api<ApiEvent>(`issues/${found.id}/events/latest/`)
    expect(tagsOf(event)).toMatchObject({ 'next.error': 'failed-static-props' })
  })
  await visit(async (page) => {
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.route('**/_next/data/**', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await withRouter(page, (router, to) => void router.push(to), '/errors/QUEUE_FULL')
    await failedFetches(2)
  })
})

test('S6 a cancelled navigation is not reported; an invalid relative URL is named', async () => {
  await visit(async (page, sent) => {
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.route(`**/share/replay/${shares.replay}.json*`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue().catch(() => null)
    })
    await withRouter(
      page,
      (router, to) => void router.push(to).catch(() => null),
      `/share/replay/${shares.replay}`,
    )
    await withRouter(
      page,
      (router, to) => void router.push(to),
      `/share/issue/${shares.issue}?again=1`,
    )
    await page.waitForURL('**again=1')
    await withRouter(
      page,
      (router, to) => void router.prefetch(to),
      'https://elsewhere.example/x?token=secret',
    )
    const event = await eventOf(/^InvalidRelativeUrl: invalid relative URL$/)
    expect(tagsOf(event)).toMatchObject({ 'next.error': 'invalid-relative-url' })
    expect(JSON.stringify(event)).not.toContain('secret')
    await leave(page)
    expect(eventsOf(sent)).toHaveLength(1)
  })
})

test('a page load of the console is among its transactions, by its raw path; the tunnel is never measured', async () => {
  await visit(async (page, sent) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/settings/tunnel`)
    await page.getByRole('button', { name: 'Send them' }).click()
    await page.locator('[data-verdict="arrived"]').nth(1).waitFor()
    const pages = await until('the page load was sent', () => {
      const found = sent.filter(({ type }) => type === 'transaction')
      return found.some(({ json }) => json?.transaction === '/settings/tunnel') ? found : null
    })
    for (const { json } of pages) {
      const told = JSON.stringify(json?.spans ?? [])
      expect(told).not.toContain('/monitoring')
      expect(told).not.toMatch(/\/api\/\d+\/envelope/)
    }
    const load = pages.find(({ json }) => json?.transaction === '/settings/tunnel')?.json
    expect(load?.transaction_info).toEqual({ source: 'url' })
  })
  await until('the server has it', async () => {
    const rows = await product.apiAll<{ transaction: string; op: string }>(
      'organizations/main/transactions/?project=afterimage&statsPeriod=24h',
    )
    return rows.some((row) => row.op === 'pageload' && row.transaction === '/settings/tunnel')
  })
})

test('S9 tokens of share links are in nothing that a page reports or records', async () => {
  const context = await browser.newContext()
  const page = await context.newPage()
  const posted: Buffer[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/monitoring') {
      posted.push(request.postDataBuffer() ?? Buffer.of())
    }
  })
  const sent = watchSentItems(page)
  try {
    await recordFromTheStart(page)
    await page.goto(`${product.url}/share/issue/${shares.issue}`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.waitForURL(`**/share/replay/${shares.replay}`)
    await page.locator('[data-afterimage-block] iframe').waitFor({ state: 'attached' })
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error(`failed at the shared replay`)
      })
    })
    await until('the error was sent', () => eventsOf(sent)[0])
    // A visit of less than five seconds has no replay.
    await until('what was recorded was sent', () =>
      sent.some(({ type }) => type === 'replay_recording'),
    )
    await leave(page)
    const names = sent.flatMap(({ type, json }) =>
      type === 'transaction' || type === 'event' ? [json?.transaction] : [],
    )
    expect(new Set(names)).toEqual(new Set(['/share/issue/*', '/share/replay/*']))
    const recorded = await until('the server has the recording', async () => {
      const { data } = await product.api<{ data: ApiReplay[] }>(
        'organizations/main/replays/?project=afterimage&statsPeriod=24h',
      )
      const found = data.find((it) => it.urls.some((url) => url.endsWith('/share/replay/*')))
      if (found === undefined) return null
      const segments = await product.api<unknown[][]>(
        `projects/main/afterimage/replays/${found.id}/recording-segments/?download=true`,
      )
      return JSON.stringify([found, segments])
    })
    // The frame of the breadcrumbs, the addresses of requests, links and the page itself.
    expect(recorded).toContain('/share/replay/*')
    expect(recorded).toContain('/api/0/shared/replays/*')
    const told = recorded + Buffer.concat(posted).toString('latin1')
    expect([told.includes(shares.issue), told.includes(shares.replay)]).toEqual([false, false])
  } finally {
    await closeVisit(context)
  }
})

test('S27 the console runs with the settings of the specification, and shows them', async () => {
  await visit(async (page, sent) => {
    await recordFromTheStart(page)
    const envelopes: { url: string; header: { trace?: Record<string, string> } }[] = []
    page.on('request', (request) => {
      const body = request.postDataBuffer()?.toString('latin1') ?? ''
      if (new URL(request.url()).pathname !== '/monitoring') return
      envelopes.push({ url: request.url(), header: JSON.parse(body.split('\n', 1)[0] ?? '{}') })
    })
    await signIn(page, product.url)
    await page.goto(`${product.url}/settings`)
    const facts = page.locator('#client dl')
    await facts.getByText('running, mode session').waitFor()
    const texts = async (tag: string) => facts.locator(tag).allInnerTexts()
    const [names, values] = [await texts('dt'), await texts('dd')]
    const shown = Object.fromEntries(names.map((name, index) => [name, values[index]]))
    expect(shown).toMatchObject(specifiedFacts)
    expect(Object.keys(shown)).toEqual(expect.arrayContaining(['Tunnel', 'Dropped in 24 hours']))
    expect(shown['Tunnel']).toMatch(/^\/monitoring\?o=1&p=\d+$/)
    // An error that only redirects, here to the page itself, is dropped in the client and shown.
    await page.evaluate(() => {
      setTimeout(() => {
        const digest = 'NEXT_REDIRECT;replace;/settings;307;'
        throw Object.assign(new Error('NEXT_REDIRECT'), { digest })
      })
    })
    await facts.getByText('event_processor:error 1').waitFor()
    // Checks the running settings too: the tunnel's query, sampling, names, and the recorder's options.
    const load = await until('a page load was sent', () =>
      sent.find(({ type, json }) => type === 'transaction' && json?.transaction === '/settings'),
    )
    expect(load.json?.transaction_info).toEqual({ source: 'url' })
    for (const { url } of envelopes) expect(new URL(url).search).toMatch(/^\?o=1&p=\d+$/)
    const sampled = envelopes.flatMap(({ header }) => header.trace?.sample_rate ?? [])
    expect(new Set(sampled)).toEqual(new Set(['1']))
    const options = await until('the recording’s options are there', () => recordedOptions(sent))
    expect(options).toMatchObject({
      sessionSampleRate: 0.1,
      errorSampleRate: 1,
      maskAllText: true,
      maskAllInputs: true,
      blockAllMedia: true,
      networkDetailHasUrls: false,
    })
  })
})

test('an error of the console brings a masked replay without the recording that it was playing', async () => {
  const secret = 'Hänsel & Gretel GmbH'
  let told = ''
  let stage: RecordedNode | undefined
  await visit(async (page) => {
    // Not among the sampled tenth: this replay is only sent because of the error.
    await page.addInitScript(() => {
      const { random } = Math
      Math.random = () => 0.5 + random() / 2
    })
    await page.goto(`${product.url}/share/replay/${shares.replay}`)
    await page.locator('[data-afterimage-block] iframe').waitFor({ state: 'attached' })
    await page.evaluate((text) => {
      const place = document.createElement('p')
      place.textContent = text
      document.body.append(place)
    }, secret)
    await page.waitForFunction(() => sessionStorage.getItem('afterimageReplay') !== null)
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('an error with a replay')
      })
    })
    await issue(/^Error: an error with a replay/)
    // It is sent once it is 5 s long; the page stays until all of it has arrived.
    told = await until('its replay arrived, with the text and the stage', async () => {
      const { data } = await product.api<{ data: ApiReplay[] }>(
        'organizations/main/replays/?project=afterimage&statsPeriod=24h',
      )
      const replay = data.find((it) => it.error_ids.length > 0 && it.replay_type === 'buffer')
      if (replay === undefined) return null
      const segments = await product.api<unknown[][]>(
        `projects/main/afterimage/replays/${replay.id}/recording-segments/?download=true`,
      )
      const text = JSON.stringify(segments)
      stage = nodesOf(segments).find(
        ({ attributes }) =>
          attributes?.rr_width !== undefined && /stage/.test(attributes.class ?? ''),
      )
      return stage !== undefined && text.includes(secret.replace(/\S/g, '*')) ? text : null
    })
  })
  // The stage is a box of its size, and nothing is in it.
  expect(stage).toMatchObject({ childNodes: [] })
  expect(told).not.toContain(secret)
  expect(told).not.toContain('recorded-page')
  const texts = [...told.matchAll(/"textContent":"((?:[^"\\]|\\.)*)"/g)].map((it) => it[1] ?? '')
  expect(texts.filter((text) => /\*{3}/.test(text)).length).toBeGreaterThan(3)
  expect(told).not.toContain('Shared replay')
})

test('the recorder is a chunk of the own origin that comes after the page has loaded', async () => {
  await visit(async (page) => {
    await page.goto(`${product.url}/sign-in`)
    const late = await until('the recorder was loaded', () =>
      page.evaluate(() => {
        const { loadEventStart } = performance.getEntriesByType(
          'navigation',
        )[0] as PerformanceNavigationTiming
        const scripts = performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.endsWith('.js'))
        const after = scripts.filter(({ startTime }) => startTime > loadEventStart)
        return after.length === 0 || loadEventStart === 0
          ? null
          : { after: after.map(({ name }) => name), all: scripts.map(({ name }) => name) }
      }),
    )
    expect(late.all.every((name) => name.startsWith(`${product.url}/_next/static/`))).toBe(true)
    for (const name of late.all) {
      if (!late.after.includes(name)) expect([name, await isRecorder(name)]).toEqual([name, false])
    }
  })
})

test('a report that cannot be processed brings about no other', async () => {
  const { id } = (await product.api<ApiProject[]>('organizations/main/projects/')).find(
    ({ slug }) => slug === 'afterimage',
  ) as ApiProject
  const [key] = await product.api<ApiProjectKey[]>('projects/main/afterimage/keys/')
  const eventsThatWere = async (outcome: string) => {
    const { groups } = await product.api<ApiStats>(
      'organizations/main/stats_v2/?project=afterimage&type=event&field=sum(items)&groupBy=outcome&statsPeriod=24h&interval=1d',
    )
    return groups.find(({ by }) => by.outcome === outcome)?.totals['sum(items)'] ?? 0
  }
  const [accepted, invalid] = [await eventsThatWere('accepted'), await eventsThatWere('invalid')]
  const answer = await fetch(`${product.url}/monitoring?o=1&p=${id}`, {
    method: 'POST',
    body: `${JSON.stringify({ dsn: key?.dsn.public })}\n{"type":"event"}\nnot JSON`,
  })
  expect(answer.status).toBe(200)
  await until(
    'it was counted as invalid',
    async () => (await eventsThatWere('invalid')) === invalid + 1,
  )
  expect(await eventsThatWere('accepted')).toBe(accepted)
})

test('an error while a page is drawn on the server is reported by the server', async () => {
  const database = new DatabaseSync(join(product.dataDir, 'metadata.db'))
  await visit(async (page) => {
    await signIn(page, product.url)
    database.exec('alter table sessions rename to sessions_away')
    try {
      await page.goto(`${product.url}/settings?secret=${randomUUID()}`)
    } finally {
      database.exec('alter table sessions_away rename to sessions')
      database.close()
    }
  })
  const found = await until('the server told', async () => {
    const issues = await product.api<ApiIssue[]>(
      'organizations/main/issues/?project=afterimage&statsPeriod=24h',
    )
    for (const one of issues) {
      const event = await product.api<ApiEvent>(`issues/${one.id}/events/latest/`)
      if (tagsOf(event)['runtime'] === 'server') return event
    }
    return null
  })
  expect(tagsOf(found)['transaction']).toMatch(/^GET \//)
  // The API's own error, not its answer.
  expect(found.title).not.toMatch(/written to the log|^Error: [A-Z]+_/)
  expect(found.contexts.next).toMatchObject({ router_kind: 'App Router' })
  expect(JSON.stringify(found)).not.toContain(process.cwd())
})

test('the test of the tunnel says OK, and what blocked it when it is blocked', async () => {
  await visit(async (page) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/settings`)
    await page.getByRole('link', { name: 'Does the tunnel work?' }).click()
    await page.getByRole('button', { name: 'Send them' }).click()
    const row = (way: string) => page.locator(`[data-way="${way}"]`)
    await row('tunnel').getByText('The tunnel works.').waitFor()
    await row('direct').getByText('The direct way works.').waitFor()
    await issue(/^Somebody tested whether the tunnel works$/)

    await page.route('**/monitoring?*', (route) => route.abort('blockedbyclient'))
    await page.getByRole('button', { name: 'Send them' }).click()
    await row('tunnel').getByText('It was blocked on its way out.').waitFor()
    expect(await row('tunnel').innerText()).toContain('AFTERIMAGE_TUNNEL_PATH')
    await row('direct').getByText('The direct way works.').waitFor()

    await page.unroute('**/monitoring?*')
    await page.route('**/monitoring?*', (route) =>
      route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>Welcome</h1>' }),
    )
    await page.getByRole('button', { name: 'Send them' }).click()
    await row('tunnel').getByText('Something else answered.').waitFor()

    await page.unroute('**/monitoring?*')
    await page.route('**/monitoring?*', (route) => route.fulfill({ status: 404, body: 'no' }))
    await page.getByRole('button', { name: 'Send them' }).click()
    await row('tunnel').getByText('Refused with 404.').waitFor()

    await page.unroute('**/monitoring?*')
    await page.evaluate(() => {
      const policy = document.createElement('meta')
      policy.httpEquiv = 'Content-Security-Policy'
      policy.content = "connect-src 'none'"
      document.head.append(policy)
    })
    await page.getByRole('button', { name: 'Send them' }).click()
    await row('tunnel').getByText('A content security policy blocked it.').waitFor()
    expect(await row('tunnel').innerText()).toContain("connect-src 'self'")
    await row('direct').getByText('A content security policy blocked it.').waitFor()
  })
})

test('switched off, nothing is sent and no page knows where to', async () => {
  const off = await startProduct({ environment: { AFTERIMAGE_SELF_MONITORING: 'off' } })
  try {
    expect(await off.api<ApiProject[]>('organizations/main/projects/')).toEqual([])
    await visit(async (page) => {
      const posted: string[] = []
      page.on('request', (request) => {
        if (request.method() === 'POST') posted.push(new URL(request.url()).pathname)
      })
      await signIn(page, off.url)
      await page.goto(`${off.url}/settings/tunnel`)
      await page.getByText('The console does not monitor itself').waitFor()
      for (const path of ['/settings', '/errors/QUEUE_FULL', '/share/issue/nothing-here']) {
        await page.goto(off.url + path, { waitUntil: 'networkidle' })
        await page.evaluate(() => {
          setTimeout(() => {
            throw new Error('heard by nobody')
          })
        })
        const root = page.locator('html')
        expect(await root.getAttribute('data-afterimage-self')).toBeNull()
      }
      await leave(page)
      expect(posted.filter((path) => !path.startsWith('/api/auth/'))).toEqual([])
    })
  } finally {
    await off[Symbol.asyncDispose]()
  }
})

/** The limits of docs/specification.md, in the words of the settings. */
const specifiedFacts = {
  'Traces sampled': '1',
  'Sessions recorded': '0.1',
  'Errors with a replay': '1',
  'Breadcrumbs on an event': '100',
  'Trace header': '8,192 characters',
  'A message': '2,048 characters',
  'Flush delay': '5,000 ms',
  'Longest flush delay': '5,500 ms',
  'Shortest replay': '5,000 ms',
  'Longest replay': '3,600,000 ms',
  'Idle pause': '300,000 ms',
  'Idle expiry': '900,000 ms',
  'Recorded events waiting': '20,000,000 characters',
  'Mutations at once': '10,000',
  'Mutations worth a breadcrumb': '750',
  'Slow click': '7,000 ms',
  'Requests for a segment': '4',
  'A recorded body': '150,000 characters',
  'Recorder events at once': '300',
  'At once means within': '5,000 ms',
}

/** This visit is among the tenth that is recorded from its start. */
async function recordFromTheStart(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Math.random = () => 0.01
  })
}

/** Returns the recording's own options; null until a segment with them arrives. */
async function recordedOptions(sent: readonly SentItem[]): Promise<unknown> {
  const replay = sent.find(({ type }) => type === 'replay_event')?.json
  if (replay === undefined) return null
  const segments = await product.api<{ data: { tag?: string; payload?: unknown } }[][]>(
    `projects/main/afterimage/replays/${String(replay?.replay_id)}/recording-segments/?download=true`,
  )
  return segments.flat().find(({ data }) => data.tag === 'options')?.data.payload ?? null
}

interface RecordedNode {
  readonly attributes?: { readonly class?: string; readonly rr_width?: string }
  readonly childNodes?: readonly RecordedNode[]
}

/** Every node that is recorded anywhere in these events. */
function nodesOf(value: unknown): RecordedNode[] {
  if (typeof value !== 'object' || value === null) return []
  const inside = Object.values(value).flatMap(nodesOf)
  return 'childNodes' in value ? [value as RecordedNode, ...inside] : inside
}

async function isRecorder(address: string): Promise<boolean> {
  return (await (await fetch(address)).text()).includes('rrweb')
}

async function withRouter(
  page: Page,
  act: (router: Router, value: string) => void,
  value: string,
): Promise<void> {
  await expect.poll(() => page.evaluate('typeof window.next?.router?.push')).toBe('function')
  await page.evaluate(`(${act.toString()})(window.next.router, ${JSON.stringify(value)})`)
}
