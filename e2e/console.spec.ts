import { globSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import { launchBrowser, signIn } from './support/browser.ts'
import { owner, startProduct, type Product } from './support/product.ts'
import { startSdkServer } from './support/sdk-server.ts'
import { send } from './support/shares.ts'
import { until } from './support/until.ts'

/** The pages that only members see; each folder is a part of their addresses. */
const productPages = fileURLToPath(new URL('../apps/console/app/(in)/', import.meta.url))

let product: Product
let browser: Browser
let page: Page
/** The DSN of the project `shop`. */
let dsn: string

beforeAll(async () => {
  product = await startProduct()
  browser = await launchBrowser()
  ;({ dsn } = await product.createProject('shop', { platform: 'javascript-nextjs' }))
  for (const [index, type] of ['TypeError', 'RangeError', 'SyntaxError'].entries()) {
    await send(product, dsn, errorEnvelope(dsn, type, index))
    await send(product, dsn, errorEnvelope(dsn, type, index + 10))
  }
  await until('three issues with two events each', async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
    return issues.length === 3 && issues.every((issue) => issue.count === '2')
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  page = await context.newPage()
  await signIn(page, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

function frame(name: string, file: string, inApp: boolean) {
  return {
    function: name,
    filename: `https://shop.example/${file}`,
    lineno: 87,
    colno: 5,
    in_app: inApp,
    ...(inApp ? { context_line: `  ${name}(order)` } : {}),
  }
}

/** An error of one kind at line 87, thrown after a click. `index` makes its person. */
function errorEnvelope(dsn: string, type: string, index: number): string {
  const at = Date.now() / 1000 - 60 + index
  const vendor = frame('run', 'node_modules/react-dom/index.js', false)
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: at,
    platform: 'javascript',
    release: 'shop@2.14.0',
    user: { id: `person-${index}` },
    exception: {
      values: [
        {
          type,
          value: 'price is undefined',
          stacktrace: {
            frames: [
              frame('submit', 'form.tsx', true),
              vendor,
              vendor,
              frame(type, 'price.tsx', true),
            ],
          },
        },
      ],
    },
    breadcrumbs: [{ timestamp: at - 6.4, category: 'ui.click', message: 'button.apply' }],
  }
  return [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')
}

const rows = () => page.locator('[data-issue]')

async function openStream(search = ''): Promise<void> {
  await page.goto(`${product.url}/issues${search}`)
  await page.locator('[data-issue], [data-state]').first().waitFor()
  // The keyboard is there once the page has become alive.
  await page.waitForLoadState('networkidle')
}

test('a visitor without a session signs in and comes back to where they were going', async () => {
  const context = await browser.newContext()
  const visitor = await context.newPage()
  await visitor.goto(`${product.url}/issues?query=level%3Aerror`)
  expect(new URL(visitor.url()).pathname).toBe('/sign-in')
  await visitor.getByLabel('E-mail').fill('nobody@example.test')
  await visitor.getByLabel('Password', { exact: true }).fill('wrong password')
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await visitor.getByText('E-mail or password is wrong.').waitFor()
  await visitor.getByLabel('E-mail').fill(owner.email)
  await visitor.getByLabel('Password', { exact: true }).fill(owner.password)
  await visitor.getByRole('button', { name: 'Sign in' }).click()
  await visitor.waitForURL((url) => url.searchParams.get('query') === 'level:error')
  expect(new URL(visitor.url()).pathname).toBe('/issues')
  await context.close()
})

test.each(['//evil.example', '/\t/evil.example', '/\\evil.example', 'https://evil.example/'])(
  'signing in leads to this server, whatever %j asks for',
  async (to) => {
    const context = await browser.newContext()
    const visitor = await context.newPage()
    await visitor.goto(`${product.url}/sign-in?${new URLSearchParams({ to })}`)
    await visitor.getByLabel('E-mail').fill(owner.email)
    await visitor.getByLabel('Password', { exact: true }).fill(owner.password)
    await visitor.getByRole('button', { name: 'Sign in' }).click()
    await visitor.waitForURL(`${product.url}/issues`)
    await context.close()
  },
)

test('no page of the product is drawn for a visitor without a session', async () => {
  const [issue] = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
  const values: Readonly<Record<string, string>> = { issue: issue?.id ?? '', slug: 'shop' }
  const pages = globSync('**/page.tsx', { cwd: productPages }).map((file) =>
    dirname(file).replaceAll(/\[(\w+)\]/g, (_, name: string) => values[name] ?? 'a'.repeat(32)),
  )
  expect(pages).toContain('settings/tunnel')
  for (const path of pages) {
    for (const headers of [{}, { cookie: 'afterimage.session_token=forged.forged' }]) {
      const answer = await fetch(`${product.url}/${path}`, { redirect: 'manual', headers })
      const leadsTo = new URL(answer.headers.get('location') ?? '/', product.url).pathname
      expect([path, answer.status, leadsTo]).toEqual([path, 307, '/sign-in'])
    }
    // The data of a transition in the browser lead there as well, and show nothing.
    const data = await (await fetch(`${product.url}/${path}`, { headers: { rsc: '1' } })).text()
    expect([path, data.includes('price is undefined')]).toEqual([path, false])
  }
})

test('the stream says what is new, and its numbers set the filter', async () => {
  await openStream()
  expect(await page.locator('h1').innerText()).toMatch(
    /^Since 2\.14\.0, .+ ago: three new issues, felt by six people\.$/,
  )
  expect(await rows().count()).toBe(3)
  await page.locator('h1').getByText('three new issues').click()
  await page.waitForURL((url) => url.searchParams.get('query')?.startsWith('firstSeen:') === true)
  await page.goBack()
  await page.waitForURL((url) => !url.search.includes('firstSeen'))
})

test('the keyboard moves, selects, resolves, and takes it back', async () => {
  await openStream()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('2 selected').waitFor()
  await page.getByText('4 events, 4 people').waitFor()
  await page.keyboard.press('e')
  await page.getByText('2 issues resolved').waitFor()
  await until('one row is left', async () => (await rows().count()) === 1)
  await page.keyboard.press('u')
  await until('all rows are back', async () => (await rows().count()) === 3)
  // The rows come back at once; the server hears of it afterwards.
  await until('all are unresolved and new again', async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
    const open = issues.filter((it) => it.status === 'unresolved' && it.substatus === 'new')
    return issues.length === 3 && open.length === 3
  })
})

test('an id typed into the palette is what Enter opens, whatever is called alike', async () => {
  const [issue] = await product.api<ApiIssue[]>('organizations/main/issues/?query=')
  await openStream()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.type(issue?.shortId ?? '')
  await page.getByRole('option', { name: `Open ${issue?.shortId}`, selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/issues/${issue?.id}`)
})

test('the search offers keys and values, and what hides everything is cleared', async () => {
  await openStream()
  await page.keyboard.press('/')
  await page.keyboard.type('rel')
  await page.getByRole('option', { name: 'release:', selected: true }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'release:shop@2.14.0' }).click()
  await page.waitForURL((url) => url.searchParams.get('query')?.includes('shop@2.14.0') === true)
  expect(await rows().count()).toBe(3)

  await openStream('?query=is%3Aunresolved+nothing-is-called-that')
  expect(await page.locator('[data-state]').getAttribute('data-state')).toBe('nothing')
  await page.getByRole('link', { name: 'Clear filters' }).click()
  await until('the rows are back', async () => (await rows().count()) === 3)
})

test('Tab completes what is typed, and a word can still be meant as a word', async () => {
  await openStream()
  const box = page.getByRole('combobox', { name: 'Search issues' })
  await box.pressSequentially('bro')
  await page.getByRole('option', { name: 'browser:', selected: true }).waitFor()
  await page.keyboard.press('Tab')
  expect(await box.inputValue()).toBe('browser:')
  await box.fill('err')
  await page.getByRole('option', { name: /^err as words/ }).click()
  await page.waitForURL((url) => url.searchParams.get('query') === 'is:unresolved err')
})

test('a part of the search that means nothing is marked, and the rest is listed', async () => {
  await openStream('?query=is%3Aunresolved+level%3Aeror+timesSeen%3Amany')
  expect(await rows().count()).toBe(3)
  await page.getByText('level:eror is left out: there is no level "eror"').waitFor()
  await page.getByText('timesSeen:many is left out').waitFor()
  await page.getByRole('button', { name: 'Remove level:eror' }).click()
  await page.getByText('level:eror is left out').waitFor({ state: 'detached' })
  await openStream('?query=release%3A2.14.0')
  expect(await rows().count()).toBe(3)
  await page.goto(`${product.url}/replays?query=nope%3A1`)
  await page.getByText('nope:1 is left out').waitFor()
})

test('a project in view stays with every way of going, and one that does not exist is said', async () => {
  await openStream('?project=shop')
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await page.waitForURL('**/traces?project=shop')
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog').getByRole('combobox').fill('repl')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/replays?project=shop')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('ControlOrMeta+k')
  const typed = page.getByRole('dialog').getByRole('combobox')
  await expect.poll(() => typed.inputValue()).toBe('')
  await page.keyboard.press('Escape')
  const answer = await page.goto(`${product.url}/traces?project=nope`)
  expect(answer?.status()).toBe(404)
  await page.getByText('There is no project called “nope”.').waitFor()
  await page.getByRole('link', { name: 'Traces of all projects' }).click()
  await page.waitForURL(`${product.url}/traces`)
})

test('an exact time shows over its row, and a click on it opens the row', async () => {
  await openStream()
  const time = rows().first().locator('time').first()
  const isOnTop = await time.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, top + height / 2) === element
  })
  expect(isOnTop).toBe(true)
  expect(await time.getAttribute('title')).toMatch(/\d{4}/)
  await time.click()
  await page.waitForURL(/\/issues\/\d+/)
})

test('new events wait behind a line until they are asked for', async () => {
  await openStream()
  const [project] = await product.api<{ slug: string }[]>('organizations/main/projects/')
  const keys = await product.api<{ dsn: { public: string } }[]>(
    `projects/main/${project?.slug}/keys/`,
  )
  const dsn = keys[0]?.dsn.public ?? ''
  await send(product, dsn, errorEnvelope(dsn, 'TypeError', 30))
  const line = page.getByRole('button', { name: /1 new event in 1 issue, show/ })
  await line.waitFor({ timeout: 40_000 })
  await line.click()
  await line.waitFor({ state: 'detached' })
})

test('an issue that does not exist is a 404, and drawn as one', async () => {
  const answer = await page.goto(`${product.url}/issues/999999`)
  expect(answer?.status()).toBe(404)
  await page.getByText('This page could not be found.').waitFor()
  const typeface = (selector: string) =>
    page.locator(selector).evaluate((it) => getComputedStyle(it).fontFamily.split(',')[0])
  const drawn = await Promise.all([typeface('h1'), typeface('h2')])
  await openStream()
  await page.getByRole('link', { name: /^RangeError/ }).click()
  await page.waitForURL(/\/issues\/\d+/)
  expect(drawn).toEqual(await Promise.all([typeface('nav code'), typeface('h1')]))
})

test('an issue shows what happened, its steps on the clock of the error, and folded frames', async () => {
  await openStream()
  await page.getByRole('link', { name: /^RangeError/ }).click()
  await page.waitForURL(/\/issues\/\d+/)
  expect(await page.locator('h1').innerText()).toBe('price is undefined')
  await page.setViewportSize({ width: 1920, height: 900 })
  const left = async (selector: string) => (await page.locator(selector).boundingBox())?.x
  expect(await left('nav[aria-label=Breadcrumb] a >> nth=0')).toBe(await left('h1'))
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByText('Here it follows a click on').waitFor()
  const step = page.locator('#seconds li').filter({ hasText: 'button.apply' })
  expect(await step.innerText()).toContain('−6.4 s')
  await page.getByText('2 frames in react-dom').click()
  await until(
    'the frames are unfolded',
    async () => (await page.getByText('react-dom/index.js').count()) === 2,
  )
  await page.getByText('Event 2 of 2').waitFor()
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('[')
  await page.getByText('Event 1 of 2').waitFor()
  expect(new URL(page.url()).searchParams.get('event')).toMatch(/^[0-9a-f]{32}$/)
})

test('onboarding turns by itself when the sample event arrives', async () => {
  await page.goto(`${product.url}/projects/new`)
  await page.getByLabel('Name').fill('Tea shop')
  await page.getByRole('button', { name: 'Create the project' }).click()
  await page.waitForURL(/\/projects\/tea-shop\/start/)
  const address = await page.locator('pre').filter({ hasText: 'AFTERIMAGE_DSN=' }).innerText()
  const id = /\/(\d+)\s*$/.exec(address)?.[1]
  expect(Number(id)).toBeGreaterThan(0)
  await page.getByText('The address answers').waitFor()
  await page.getByRole('button', { name: 'Send a sample event' }).click()
  await page.getByText('The first event has arrived.').waitFor({ timeout: 20_000 })
  await page.getByRole('link', { name: 'Open the issue' }).click()
  await page.getByRole('heading', { name: 'This is what an error looks like' }).waitFor()
})

test('the settings of clients are saved, and clients follow them', async () => {
  const sdk = await startSdkServer({
    kiosk: {
      script: `import * as afterimage from '@afterimage/browser'
        import { remoteSettings } from '@afterimage/browser/remote-settings'
        window.afterimage = afterimage
        afterimage.init({ dsn: '${dsn}', tunnel: '${product.url}/monitoring', integrations: [remoteSettings()] })`,
    },
  })
  const kiosk = await page.context().newPage()
  try {
    await page.goto(`${product.url}/settings`)
    await page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: 'shop', exact: true }) })
      .getByRole('link', { name: 'Client settings' })
      .click()
    await page.getByLabel('Elements to mask').fill('.price\n::nothing')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('“::nothing” is not a valid selector.').waitFor()
    await page.getByLabel('Elements to mask').fill('.price\n\n .name')
    await page.getByLabel('Errors sent').fill('0.5')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved. It takes effect at a visitor’s next session.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Elements to mask').inputValue()).toBe('.price\n.name')
    expect(await page.getByLabel('Errors sent').inputValue()).toBe('0.5')

    const keptOf = () => kiosk.evaluate(() => localStorage.getItem('afterimageSettings') ?? '')
    await kiosk.goto(`${sdk.url}/kiosk`)
    const followed = await until('the client has the settings', keptOf)
    expect(JSON.parse(followed)).toMatchObject({
      settings: { sampleRate: 0.5, mask: ['.price', '.name'] },
    })
    await page.getByRole('button', { name: 'Stop clients' }).click()
    await page.getByText('Clients are stopped').waitFor()
    const asked = await fetch(`${product.url}/monitoring?k=${new URL(dsn).username}`)
    expect(asked.headers.get('cache-control')).toBe('public, max-age=60')
    await until('the front door has the change', async () => {
      const answer = await fetch(asked.url)
      return ((await answer.json()) as { enabled?: boolean }).enabled === false
    })
    await kiosk.evaluate(() => sessionStorage.clear())
    await kiosk.reload()
    await kiosk.waitForFunction('afterimage.getClient() === null')
    await page.getByRole('button', { name: 'Let clients report' }).click()
    await page.getByText('Clients report', { exact: true }).waitFor()
    expect(await page.getByLabel('Errors sent').inputValue()).toBe('0.5')
  } finally {
    await kiosk.close()
    await sdk.close()
  }
})

test('the project’s own suggestions and environments are offered, not those of another', async () => {
  const other = await product.createProject('other', { platform: 'javascript' })
  const foreign = errorEnvelope(other.dsn, 'TypeError', 40)
    .replace('shop@2.14.0', 'other@9.9.9')
    .replace('"platform"', '"environment":"elsewhere","platform"')
  await send(product, other.dsn, foreign)
  await until('the other project has its release', async () => {
    const path = 'organizations/main/tags/release/values/'
    return (await product.api<{ value: string }[]>(path)).some((it) => it.value === 'other@9.9.9')
  })
  await openStream('?project=shop')
  await page.getByRole('combobox', { name: 'Search issues' }).pressSequentially('release:')
  await page.getByRole('option', { name: 'release:shop@2.14.0' }).waitFor()
  expect(await page.getByRole('option', { name: /other/ }).count()).toBe(0)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'All environments' }).click()
  await page.getByRole('menuitem', { name: 'All environments' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'elsewhere' }).count()).toBe(0)
})

test('all that match are selected over all pages, changed together, and taken back', async () => {
  const other = await product.createProject('many', { platform: 'javascript' })
  const kinds = Array.from({ length: 60 }, (_, index) => `Kind${'x'.repeat(index + 1)}`)
  for (const kind of kinds) await send(product, other.dsn, errorEnvelope(other.dsn, kind, 50))
  const open = async () =>
    (await product.apiAll<ApiIssue>('organizations/main/issues/?project=many&query=is:unresolved'))
      .length
  await until('sixty issues', async () => (await open()) === 60)
  await openStream('?project=many')
  await page.getByRole('checkbox', { name: 'Select all' }).click()
  await page.getByText('50 selected').waitFor()
  await page.getByRole('button', { name: 'Select all 60 that match' }).click()
  await page.getByText('60 selected').waitFor()
  await page.getByText('60 events, 60 people').waitFor()
  await page.keyboard.press('e')
  await page.getByText('60 issues resolved').waitFor()
  await until('none is open', async () => (await open()) === 0)
  await page.keyboard.press('u')
  await until('all are open again', async () => (await open()) === 60)
})

/** Markup that runs a script, or asks another server, wherever it is taken for markup. */
const hostile = `"'><img src="https://evil.invalid/x" onerror="hurt=1"><script>hurt=1</script>`
const hostileAddress = 'javascript:hurt=1//<script>hurt=1</script>'

/** An error whose every field is hostile. */
function hostileEnvelope(dsn: string): string {
  const data = { [hostile]: hostile, url: hostileAddress, list: [hostile, { [hostile]: hostile }] }
  const event = {
    event_id: crypto.randomUUID().replaceAll('-', ''),
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    level: 'error',
    ...Object.fromEntries(
      ['release', 'environment', 'dist', 'transaction', 'server_name', 'logger'].map((name) => [
        name,
        `${name} ${hostile}`,
      ]),
    ),
    fingerprint: [hostile],
    logentry: { message: hostile, formatted: hostile },
    user: { id: hostile, email: hostile, username: hostile, data },
    tags: { [hostile]: hostile, url: hostileAddress, browser: hostile },
    extra: data,
    contexts: { [hostile]: data, browser: { name: hostile, version: hostile }, os: data },
    modules: { [hostile]: hostile },
    sdk: { name: hostile, version: hostile },
    request: {
      url: hostileAddress,
      method: hostile,
      query_string: hostile,
      headers: { [hostile]: hostile, Referer: hostileAddress },
      cookies: hostile,
      data,
    },
    exception: {
      values: [
        {
          type: hostile,
          value: `hurt ${hostile}`,
          module: hostile,
          mechanism: { type: hostile, handled: false, help_link: hostileAddress, data },
          stacktrace: {
            frames: [hostileAddress, hostile].map((filename) => ({
              filename,
              abs_path: filename,
              function: hostile,
              module: hostile,
              context_line: hostile,
              pre_context: [hostile],
              post_context: [hostile],
              vars: data,
              lineno: 1,
              colno: 1,
              in_app: true,
            })),
          },
        },
      ],
    },
    breadcrumbs: ['navigation', 'fetch', 'ui.click', 'console', hostile].map((category) => ({
      timestamp: Date.now() / 1000 - 1,
      type: hostile,
      category,
      message: hostile,
      level: hostile,
      data: { ...data, from: hostileAddress, to: hostileAddress, method: hostile },
    })),
  }
  return [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line)).join('\n')
}

test('markup in any field of an event is shown as text: nothing runs, and nobody else is asked', async () => {
  const { dsn } = await product.createProject('hostile', { platform: 'javascript' })
  await send(product, dsn, hostileEnvelope(dsn))
  const id = await until('the issue is there', async () => {
    const issues = await product.api<ApiIssue[]>(
      'organizations/main/issues/?project=hostile&query=',
    )
    return issues[0]?.id ?? null
  })
  const visitor = await page.context().newPage()
  const foreign: string[] = []
  visitor.on('request', (request) => {
    if (/^(?!data:|blob:|about:)/.test(request.url()) && !request.url().startsWith(product.url))
      foreign.push(request.url())
  })
  await visitor.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      Object.assign(window, { refused: event.blockedURI })
    })
  })
  for (const path of ['/issues?project=hostile', `/issues/${id}`, `/issues/${id}/events`]) {
    await visitor.goto(product.url + path, { waitUntil: 'networkidle' })
    const found = await visitor.evaluate(() => ({
      isShown: document.body.innerText.includes('<script>hurt=1</script>'),
      ran: 'hurt' in window,
      refused: 'refused' in window ? window.refused : null,
      taken: [
        ...document.querySelectorAll('[onerror], [src*="evil"], [href^="javascript:" i]'),
      ].map((element) => element.outerHTML),
    }))
    expect([path, found]).toEqual([path, { isShown: true, ran: false, refused: null, taken: [] }])
  }
  expect(foreign).toEqual([])
  await visitor.close()
})
