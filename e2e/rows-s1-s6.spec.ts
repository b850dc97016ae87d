import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page, Request } from 'playwright-core'
import { closeVisit, launchBrowser, signIn } from './support/browser.ts'
import { owner, startProduct, type Product } from './support/product.ts'
import { watchSentItems } from './support/sent-items.ts'
import { shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'

let product: Product
let browser: Browser
let shares: Shares
let host: string

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  shares = await shareSomething(product)
  host = new URL(product.url).hostname
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

/** A page of a visitor of their own, closed at the end. */
async function visit(act: (page: Page) => Promise<void>): Promise<void> {
  const context = await browser.newContext()
  try {
    await act(await context.newPage())
  } finally {
    await closeVisit(context)
  }
}

const title = (html: string) => /<title[^>]*>([^<]*)<\/title>/.exec(html)?.[1]
/** Names of the transactions among what was sent. */
const pagesOf = (sent: ReturnType<typeof watchSentItems>) =>
  sent.flatMap(({ type, json }) => (type === 'transaction' ? [String(json?.transaction)] : []))
const heading = (page: Page) => page.locator('main h2').innerText()
const isData = (request: Request) => new URL(request.url()).pathname.includes('/_next/data/')
const clientException = (hostname: string) =>
  `Application error: a client-side exception has occurred while loading ${hostname} (see the browser console for more information).`

interface NextRouter {
  push(url: string): Promise<boolean>
  prefetch(url: string): Promise<void>
  events: { on(name: string, listener: (error: Error & { cancelled?: boolean }) => void): void }
}

test('S1 the console is rendered on the server, in the app mode and in the pages mode', async () => {
  const inside = await (await fetch(`${product.url}/sign-in`)).text()
  expect(inside).toMatch(/sign in/i)
  expect(inside).toContain('self.__next_f')
  expect(inside).not.toContain('__NEXT_DATA__')

  const shared = await fetch(`${product.url}/share/issue/${shares.issue}`)
  const whole = await shared.text()
  expect(shared.status).toBe(200)
  expect(whole).toContain(shares.issueTitle)
  expect(whole).toContain('id="__NEXT_DATA__"')
  expect(shared.headers.get('x-robots-tag')).toContain('noindex')
  expect(shared.headers.get('cache-control')).toContain('no-store')
})

test('S1 a revoked link shows nothing, and two shared pages lead to each other', async () => {
  await visit(async (page) => {
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.waitForURL(`**/share/replay/${shares.replay}`)
    await page.getByRole('link', { name: /the issue/i }).click()
    await page.waitForURL(`**/share/issue/${shares.issue}`)
  })
  const revoked = await fetch(`${product.url}/share/issue/${shares.revoked}`)
  expect(revoked.status).toBe(404)
  expect(title(await revoked.text())).toBe('404: This page could not be found')
})

test('S2 the generic error page has the title of its status, and the answer has that status', async () => {
  const cases = [
    { path: '/no/such/page', method: 'GET', status: 404, text: 'This page could not be found' },
    {
      path: '/share/issue/0123456789abcdef',
      method: 'GET',
      status: 404,
      text: 'This page could not be found',
    },
    { path: '/%E0%A4%A', method: 'GET', status: 400, text: 'Bad Request' },
    { path: '/errors/NOPE', method: 'GET', status: 404, text: 'This page could not be found' },
    { path: '/sign-in', method: 'POST', status: 405, text: 'Method Not Allowed' },
    {
      path: `/share/issue/${shares.issue}`,
      method: 'DELETE',
      status: 405,
      text: 'Method Not Allowed',
    },
  ]
  for (const { path, method, status, text } of cases) {
    const answer = await fetch(product.url + path, { method })
    const html = await answer.text()
    expect([path, answer.status, title(html)]).toEqual([path, status, `${status}: ${text}`])
    expect(html.replaceAll('<!-- -->', '')).toContain(`${text}.</h2>`)
    expect(answer.headers.get('content-type')).toContain('text/html')
  }
  const long = 'x'.repeat(20_000)
  const odd: [number, string, RequestInit][] = [
    [405, `/share/issue/${shares.issue}`, { method: 'POST', headers: { 'next-action': '7f' } }],
    [400, '/no/such', { headers: { rsc: '1', 'next-router-state-tree': '' } }],
    [400, '/issues', { headers: { rsc: '1', 'next-router-state-tree': '{}' } }],
    [400, '/%0A/', {}],
    [413, '/issues', { method: 'POST', body: long.repeat(4) }],
    [414, `/${long}`, {}],
    [431, '/issues', { headers: { cookie: `a=${long.repeat(2)}` } }],
    [431, '/issues', { headers: { cookie: `a=${long.repeat(4)}` } }],
  ]
  for (const [status, path, init] of odd) {
    const answer = await fetch(product.url + path, { ...init, redirect: 'manual' })
    const html = await answer.text()
    expect([path.slice(0, 30), answer.status]).toEqual([path.slice(0, 30), status])
    expect(answer.headers.get('content-type')).toContain('text/html')
    expect(html.replaceAll('<!-- -->', '')).toMatch(
      /(Bad Request|Method Not Allowed|An unexpected error has occurred)\.<\/h2>/,
    )
  }
  const allowed = await fetch(`${product.url}/sign-in`, { method: 'POST' })
  expect(allowed.headers.get('allow')).toBe('GET, HEAD')
})

test('S2 a store that fails is a 500 in both modes, and over when the store is back', async () => {
  const sheltered = `/share/issue/${shares.issue}`
  const headers = { cookie: await sessionCookie() }
  // Every page reads this first: without it no answer of ours can be right.
  const database = new DatabaseSync(join(product.dataDir, 'metadata.db'))
  database.exec('pragma busy_timeout = 5000')
  const rename = (from: string, to: string) => database.exec(`alter table ${from} rename to ${to}`)
  rename('shares', 'shares_away')
  rename('users', 'users_away')
  try {
    for (const path of ['/issues', sheltered]) {
      const answer = await fetch(product.url + path, { headers })
      const html = await answer.text()
      expect([path, answer.status]).toEqual([path, 500])
      expect(answer.headers.get('content-type')).toContain('text/html')
      expect(html).not.toContain('users_away')
      await visit(async (page) => {
        await page.setExtraHTTPHeaders(headers)
        await page.goto(product.url + path)
        await page.locator('main h1', { hasText: '500' }).waitFor()
        expect(await heading(page)).toBe('Internal Server Error.')
        expect(await page.title()).toBe('500: Internal Server Error')
      })
    }
  } finally {
    rename('users_away', 'users')
    rename('shares_away', 'shares')
    database.close()
  }
  expect((await fetch(product.url + sheltered)).status).toBe(200)
  expect((await fetch(`${product.url}/issues`, { headers })).status).toBe(200)
})

test('S2 a page whose main read fails is a 500, and no empty list', async () => {
  const headers = { cookie: await sessionCookie() }
  const found = await product.api<{ id: string }[]>('organizations/main/issues/?query=')
  const issue = found[0]?.id
  const cases = [
    ['projects', '/settings'],
    ['projects', '/issues'],
    ['issues', `/issues/${issue}`],
    ['issues', '/issues'],
    ['api_tokens', '/settings'],
  ] as const
  const database = new DatabaseSync(join(product.dataDir, 'metadata.db'))
  database.exec('pragma busy_timeout = 5000')
  try {
    for (const [table, path] of cases) {
      database.exec(`alter table ${table} rename to ${table}_away`)
      try {
        const answer = await fetch(product.url + path, { headers })
        expect([table, path, answer.status]).toEqual([table, path, 500])
        expect(answer.headers.get('content-type')).toContain('text/html')
        await visit(async (page) => {
          await page.setExtraHTTPHeaders(headers)
          await page.goto(product.url + path)
          await page.locator('h1', { hasText: '500' }).waitFor()
          expect(await page.locator('.ai-plain h2').innerText()).toBe('Internal Server Error.')
          expect(await page.title()).toBe('500: Internal Server Error')
        })
      } finally {
        database.exec(`alter table ${table}_away rename to ${table}`)
      }
      expect([path, (await fetch(product.url + path, { headers })).status]).toEqual([path, 200])
    }
  } finally {
    database.close()
  }
})

test('S2 a page of the product that is not there has the tab title of its status', async () => {
  await visit(async (page) => {
    await signIn(page, product.url)
    const missing = 'f'.repeat(32)
    for (const path of [
      '/issues/424242',
      '/issues/424242/events',
      `/replays/${missing}`,
      `/traces/${missing}`,
      '/projects/no-such/start',
    ]) {
      const answer = await page.goto(product.url + path)
      expect([path, answer?.status(), await page.title()]).toEqual([
        path,
        404,
        '404: This page could not be found',
      ])
    }
  })
})

test('S2 a router state that cannot be read is a bad request, and never plain text', async () => {
  for (const tree of ['', 'x', '[1]']) {
    for (const path of ['/no/such/page', '/sign-in']) {
      const answer = await fetch(product.url + path, {
        headers: { rsc: '1', 'next-router-state-tree': tree },
      })
      const html = await answer.text()
      expect([path, tree, answer.status, title(html)]).toEqual([
        path,
        tree,
        400,
        '400: Bad Request',
      ])
    }
  }
})

test('S2 the page of statuses has no address of its own', async () => {
  for (const path of ['/status/405', '/status/200', '/status/500']) {
    expect([path, (await fetch(product.url + path)).status]).toEqual([path, 404])
  }
})

test('S2 a transition in the browser to nothing is the same 404 page', async () => {
  await visit(async (page) => {
    await page.route('**/_next/data/**', (route) =>
      route.fulfill({ status: 404, json: { notFound: true } }),
    )
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.locator('main h1', { hasText: '404' }).waitFor()
    expect(await heading(page)).toBe('This page could not be found.')
    expect(await page.title()).toBe('404: This page could not be found')
  })
})

test('S3 an error in the browser ends in the client-side-exception message, in the pages mode', async () => {
  await visit(async (page) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.route('**/_next/data/**', (route) =>
      route.fulfill({
        json: { pageProps: { shared: { replay: null, errors: [] }, token: 'x' }, __N_SSP: true },
      }),
    )
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.getByRole('heading', { name: 'Application error' }).waitFor()
    expect(await heading(page)).toBe(clientException(host))
    expect(errors.length).toBeGreaterThan(0)
    await expect
      .poll(() => page.title())
      .toBe('Application error: a client-side exception has occurred')
  })
})

test('S3 an error in the browser inside the product has the same message, under its head, with a way to try again', async () => {
  await visit(async (page) => {
    await signIn(page, product.url)
    // Breaks a function that the settings use to write numbers.
    await page.evaluate(() => {
      const { format } = Object.getOwnPropertyDescriptors(Intl.NumberFormat.prototype)
      Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
        get() {
          throw new RangeError('a secret of the product')
        },
        configurable: true,
      })
      Object.assign(window, {
        mend: () => Object.defineProperty(Intl.NumberFormat.prototype, 'format', format),
      })
    })
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Application error' }).waitFor()
    // Data that the transition still fetches draws the page again, mended or not.
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.ai-plain h2').innerText()).toBe(clientException(host))
    // The title of the page before stays until the new page's is there.
    await expect
      .poll(() => page.title())
      .toBe('Application error: a client-side exception has occurred')
    expect(await page.locator('body').innerText()).not.toContain('a secret of the product')
    await page.evaluate('window.mend()')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'This server' }).waitFor()
  })
})

test('S3 an error in the browser ends in the client-side-exception message, in the app mode', async () => {
  await visit(async (page) => {
    await page.addInitScript(() => {
      Intl.DateTimeFormat.prototype.resolvedOptions = () => {
        throw new Error('broken on purpose')
      }
    })
    await page.goto(`${product.url}/sign-in`)
    await page.getByRole('heading', { name: 'Application error' }).waitFor()
    expect(await heading(page)).toBe(clientException(host))
  })
})

test('S4 at hydration up to three data requests are made on 5xx, after a transition one', async () => {
  await visit(async (page) => {
    const asked: Request[] = []
    page.on('request', (request) => {
      if (isData(request)) asked.push(request)
    })
    await page.route('**/_next/data/**/SHUTTING_DOWN.json*', (route) =>
      route.fulfill({ status: 503, body: 'not now' }),
    )
    await page.goto(`${product.url}/errors/SHUTTING_DOWN`)
    await expect.poll(() => asked.length, { timeout: 10_000 }).toBe(3)
    // A fourth would come at once: there is no delay between them.
    await page.waitForTimeout(500)
    expect(asked.length).toBe(3)
    expect(asked.map((request) => request.method())).toEqual(['GET', 'GET', 'GET'])
    expect(asked.map((request) => request.headers()['x-nextjs-data'])).toEqual(['1', '1', '1'])
  })
  await visit(async (page) => {
    const asked: string[] = []
    await page.goto(`${product.url}/errors/QUEUE_FULL`)
    await page.getByRole('link', { name: 'STORAGE_FAILED' }).waitFor()
    await page.getByRole('link', { name: 'STORAGE_FAILED' }).click()
    await page.waitForURL('**/errors/STORAGE_FAILED')
    await page.getByText('A store could not be read or written.').waitFor()
    page.on('request', (request) => {
      if (isData(request)) asked.push(request.url())
    })
    await page.route('**/_next/data/**/MIGRATION_FAILED.json*', (route) =>
      route.fulfill({ status: 503, body: 'not now' }),
    )
    const hard = page.waitForEvent('framenavigated')
    // Not by a click: the pointer over a link already prefetches, and that is a request of its own.
    await push(page, '/errors/MIGRATION_FAILED')
    await hard
    expect(asked.filter((url) => url.includes('MIGRATION_FAILED.json')).length).toBe(1)
  })
})

test('S4 the page whose data comes after the document is drawn when they have come', async () => {
  await visit(async (page) => {
    await page.goto(`${product.url}/errors/DATA_DIR_LOCKED`)
    await page.getByText('Two servers cannot write into one data directory.').waitFor()
    expect(await page.title()).toBe('DATA_DIR_LOCKED')
    await page.goto(`${product.url}/errors/NO_SUCH_CODE`)
    await page.locator('main h1', { hasText: '404' }).waitFor()
  })
})

test('S5 everything is loaded from the own origin', async () => {
  for (const path of [
    '/sign-in',
    `/share/issue/${shares.issue}`,
    `/share/replay/${shares.replay}`,
  ]) {
    await visit(async (page) => {
      const asked: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      await page.goto(product.url + path, { waitUntil: 'networkidle' })
      const foreign = asked.filter(
        (url) => !url.startsWith(`${product.url}/`) && !/^(?:data|blob|about):/.test(url),
      )
      expect([path, foreign]).toEqual([path, []])
      const assets = asked.filter((url) => /\.(?:js|css|woff2)(?:\?|$)/.test(url))
      expect(assets.length).toBeGreaterThan(0)
      expect(assets.every((url) => url.startsWith(`${product.url}/_next/static/`))).toBe(true)
    })
  }
})

test('S5 no script runs that the server has not written, and its own are not hindered', async () => {
  await visit(async (page) => {
    const violations: string[] = []
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) violations.push(message.text())
    })
    await signIn(page, product.url)
    for (const path of [
      '/issues',
      '/settings',
      '/no/such/page',
      '/errors/QUEUE_FULL',
      '/errors/NOPE',
      `/share/issue/${shares.issue}`,
      `/share/replay/${shares.replay}`,
      `/embed/replay/${shares.replay}`,
    ]) {
      const answer = await page.goto(product.url + path)
      const policy = /script-src[^;]*/.exec(answer?.headers()['content-security-policy'] ?? '')?.[0]
      expect([path, policy]).toEqual([path, expect.stringMatching(/'nonce-[\w+/=]{20,}'/)])
      expect(policy).not.toMatch(/unsafe|\*|https?:/)
      // The page's own scripts have drawn it.
      await until('the recorder is there', () =>
        page.evaluate('sessionStorage.getItem("afterimageReplay") !== null'),
      )
      expect([path, violations]).toEqual([path, []])
      const ran = await page.evaluate(() => {
        const script = document.createElement('script')
        script.textContent = 'window.injected = true'
        document.head.append(script)
        document.body.insertAdjacentHTML(
          'beforeend',
          '<img src="x:" onerror="window.injected = true">',
        )
        return new Promise((resolve) => {
          setTimeout(() => resolve('injected' in window), 50)
        })
      })
      expect([path, ran]).toEqual([path, false])
      violations.length = 0
    }
  })
})

test('S10 a transition to a page that does not exist makes no transaction, in either mode', async () => {
  await visit(async (page) => {
    const sent = watchSentItems(page)
    await page.route('**/_next/data/**', (route) =>
      route.fulfill({ status: 404, json: { notFound: true } }),
    )
    await page.goto(`${product.url}/share/issue/${shares.issue}`, { waitUntil: 'networkidle' })
    await page.getByRole('link', { name: /the replay/i }).click()
    await page.locator('main h1', { hasText: '404' }).waitFor()
    await page.goto('about:blank')
    await until('the page load was sent', () => pagesOf(sent).length > 0)
    expect(pagesOf(sent)).toEqual(['/share/issue/*'])
  })
  await visit(async (page) => {
    await signIn(page, product.url)
    await page.goto(`${product.url}/settings`, { waitUntil: 'networkidle' })
    const sent = watchSentItems(page)
    // A link of the list whose issue is gone by now.
    await page.route(
      (url) => /^\/issues\/\d+$/.test(url.pathname),
      (route, request) =>
        route.continue({ url: request.url().replace(/\/issues\/\d+/, '/issues/424242') }),
    )
    await page.getByRole('link', { name: 'Issues', exact: true }).first().click()
    await page.waitForURL('**/issues')
    await page.locator('[data-issue] a').first().click()
    await page.locator('h1', { hasText: '404' }).waitFor()
    await page.goto(`${product.url}/settings`)
    await until('the list was sent', () => pagesOf(sent).length > 0)
    await page.goto('about:blank')
    expect(pagesOf(sent).filter((name) => /^\/issues\/\d+$/.test(name))).toEqual([])
    expect(pagesOf(sent)).toContain('/issues')
  })
})

test('S6 failures of the framework bear their names, and a cancelled navigation says that it was', async () => {
  await visit(async (page) => {
    await page.goto(`${product.url}/share/issue/${shares.issue}`)
    await expect.poll(() => page.evaluate('typeof window.next?.router?.push')).toBe('function')
    await listenForRouteErrors(page)

    // A navigation that another one overtakes is cancelled: by name, and marked.
    await page.route(`**/share/replay/${shares.replay}.json*`, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1_000))
      await route.continue().catch(() => {})
    })
    await page.evaluate(
      ([replay, issue]) => {
        const { router } = (window as unknown as { next: { router: NextRouter } }).next
        void router.push(`/share/replay/${replay}`)
        setTimeout(() => void router.push(`/share/issue/${issue}?again=1`), 100)
      },
      [shares.replay, shares.issue],
    )
    await page.waitForURL('**again=1')
    const cancelled = await routeErrors(page)
    expect(cancelled).toContainEqual({ message: 'Route Cancelled', isCancelled: true })

    const invalid = await page.evaluate(async () => {
      const { router } = (window as unknown as { next: { router: NextRouter } }).next
      return router.prefetch('https://elsewhere.example/x').then(
        () => null,
        (error: Error) => error.message,
      )
    })
    expect(invalid).toMatch(
      /^invariant: invalid relative URL, router received https:\/\/elsewhere\.example\/x/,
    )
  })
  await visit(async (page) => {
    const messages: string[] = []
    page.on('pageerror', (error) => messages.push(error.message))
    page.on('console', (message) => messages.push(message.text()))
    await page.route('**/_next/data/**/INPUT_INVALID.json*', (route) =>
      route.fulfill({ status: 503 }),
    )
    await page.goto(`${product.url}/errors/INPUT_INVALID`)
    await expect
      .poll(() => messages.some((text) => text.includes('Failed to load static props')), {
        timeout: 10_000,
      })
      .toBe(true)
  })
})

/** The cookie of the owner who has signed in. */
async function sessionCookie(): Promise<string> {
  const answer = await fetch(`${product.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.url },
    body: JSON.stringify(owner),
  })
  expect(answer.status).toBe(200)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

/** A transition in the browser, as a link makes it. Does not wait for its end. */
async function push(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const { router } = (window as unknown as { next: { router: NextRouter } }).next
    void router.push(to)
  }, path)
}

async function listenForRouteErrors(page: Page): Promise<void> {
  await page.evaluate(() => {
    const holder = window as unknown as {
      next: { router: NextRouter }
      routeErrors: { message: string; isCancelled: boolean }[]
    }
    holder.routeErrors = []
    holder.next.router.events.on('routeChangeError', (error) =>
      holder.routeErrors.push({ message: error.message, isCancelled: error.cancelled === true }),
    )
  })
}

function routeErrors(page: Page): Promise<{ message: string; isCancelled: boolean }[]> {
  return page.evaluate(
    () =>
      (window as unknown as { routeErrors: { message: string; isCancelled: boolean }[] })
        .routeErrors,
  )
}
