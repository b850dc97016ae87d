import { readdirSync, readFileSync } from 'node:fs'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { buildSdk } from '../tools/build/sdk.ts'
import { launchBrowser } from './support/browser.ts'
import { hostilePages } from './support/hostile-pages.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Our client in real Chromium, against a server that reads envelopes with the protocol package. */

const key = 'a'.repeat(32)

/** Runs in the page, where the client is a global. */
declare const afterimage: typeof import('@afterimage/browser')

/** A page that starts the client with these options, written as JavaScript. */
function script(options = '', dsn = `'https://${key}@errors.test/42'`): string {
  return `import * as afterimage from '@afterimage/browser'
globalThis.afterimage = afterimage
afterimage.init({
  dsn: ${dsn}, release: 'shop@1', environment: 'test', ${options}
})`
}

const called = 'captureException, flush, init, setContext, setExtra, withScope'

function throwLater(code: string): string {
  return `onclick="setTimeout(() => { ${code} })"`
}

const pages: Record<string, SdkPage> = {
  standard: {
    script: script(),
    html: `<button id="boom" ${throwLater(`throw new TypeError('paid twice')`)}>Pay</button>
      <button id="reject" ${throwLater(`Promise.reject(new RangeError('declined'))`)}>No</button>
      <button id="text" ${throwLater(`throw 'only text'`)}>Text</button>
      <form id="form"><input name="email" value="canary-value" placeholder="canary-placeholder">
        <input type="hidden" name="id" value="canary-hidden"></form>
      <div aria-label="canary-label" title="canary-title"><b id="quiet" title="canary">canary</b></div>
      <div class="afterimage-unmask"><button class="open  wide" aria-label="Open">Cart</button></div>`,
  },
  direct: {
    script: script('tunnel: false', `'http://${key}@localhost:' + location.port + '/42'`),
  },
  path: { script: script(`tunnelPath: '/tunnel/here', region: 'de'`) },
  frozen: {
    script: script(),
    before: hostilePages.frozen,
  },
  hostile: {
    script: script(),
    before: hostilePages.hostile,
  },
  extended: {
    // The code that esbuild makes of `import *` does not bear such a page itself.
    script: script().replace(
      /^import \* as afterimage (.*)\n(.*)afterimage$/m,
      (_, from, global) =>
        `import { ${called} } ${from}\n${global}{ ${called} }; const { afterimage } = globalThis`,
    ),
    before: hostilePages.extended,
  },
  bare: {
    script: script(),
    before: hostilePages.bare,
  },
  policy: {
    script: script(),
    headers: { 'content-security-policy': `default-src 'none'; script-src 'self'` },
  },
  unreleased: { script: script().replace(`release: 'shop@1', `, '') },
  wrapped: {
    script: script(),
    before: `const own = window.fetch; window.calls = 0
      window.fetch = function () { window.calls += 1; return own.apply(this, arguments) }`,
  },
}

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer(pages)
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(() => {
  server.clear()
  server.answer = { status: 200 }
})

/** Opens a page, does something there, and closes it. */
async function visit(path: string, run: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await browser.newPage()
  try {
    await page.goto(`${server.url}/${path}`)
    await run(page)
  } finally {
    await page.close()
  }
}

function events(): SdkEvent[] {
  return server.items<SdkEvent>('event')
}

async function eventsCame(count: number): Promise<SdkEvent[]> {
  await until(`${count} events came`, () => events().length >= count)
  return events()
}

test('S7 an uncaught error reaches the tunnel: organisation, then project, and no key', async () => {
  await visit('standard?token=canary-query#canary-fragment', async (page) => {
    await page.click('#boom')
    const [event] = await eventsCame(1)
    const envelope = server.envelopes.find((it) => it.header.event_id === event?.event_id)
    expect(envelope?.path).toBe('/monitoring?o=1&p=42')
    expect(envelope?.header.dsn).toBe(`https://${key}@errors.test/42`)
    expect(server.refused).toEqual([])
    expect(event).toMatchObject({
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'paid twice',
            mechanism: { type: 'onerror', handled: false },
            stacktrace: { frames: [{ filename: `${server.url}/standard?token=*`, in_app: true }] },
          },
        ],
      },
      breadcrumbs: [{ category: 'ui.click', message: 'body > button#boom' }],
      release: 'shop@1',
      environment: 'test',
      request: { url: `${server.url}/standard?token=*` },
    })
  })
})

test('S7 the path may be another, and a region comes last', async () => {
  await visit('path', async (page) => {
    await page.evaluate(() => afterimage.captureMessage('hello'))
    await eventsCame(1)
    expect(server.envelopes.map((it) => it.path)).toContain('/tunnel/here?o=1&p=42&r=de')
  })
})

test('without the tunnel it posts to the host of the DSN, with no key in the address and no question before', async () => {
  await visit('direct', async (page) => {
    await page.evaluate(() => afterimage.captureMessage('hello', 'warning'))
    expect(await eventsCame(1)).toMatchObject([{ message: 'hello', level: 'warning' }])
    expect(server.envelopes.at(-1)?.path).toBe('/api/42/envelope/')
    expect(server.requests.filter((it) => it.method === 'OPTIONS')).toEqual([])
  })
})

test('rejections, thrown texts, captured errors and their causes are told; one object once', async () => {
  await visit('standard', async (page) => {
    await page.click('#reject')
    await eventsCame(1)
    await page.click('#text')
    await eventsCame(2)
    await page.evaluate(() => {
      const error = new Error('outer', { cause: new Error('inner') })
      afterimage.captureException(error)
      setTimeout(() => {
        throw error
      })
    })
    await eventsCame(3)
    const id = await page.evaluate(() => afterimage.captureException({ code: 7 }))
    const events = await eventsCame(4)
    expect(events.map((it) => it.exception?.values.map((value) => value.value))).toEqual([
      ['declined'],
      ['only text'],
      ['inner', 'outer'],
      ['Object captured as exception with keys: code'],
    ])
    expect(events[0]?.exception?.values[0]?.mechanism).toMatchObject({
      type: 'onunhandledrejection',
      handled: false,
    })
    expect(events[1]?.exception?.values[0]?.stacktrace?.frames).toHaveLength(1)
    expect(events[3]?.event_id).toBe(id)
  })
})

test('breadcrumbs of every kind, and nothing of what people write or see', async () => {
  await visit('standard', async (page) => {
    await page.click('#quiet')
    await page.fill('input[name=email]', 'canary-typed')
    await page.click('.open')
    await page.evaluate(async () => {
      console.warn('low stock', 3, { canary: 'canary-object' })
      await fetch('/status/503?secret=canary')
      await fetch('http://127.0.0.1:1/never').catch(() => undefined)
      await new Promise((resolve) => {
        const xhr = new XMLHttpRequest()
        xhr.open('put', '/status/404')
        xhr.addEventListener('loadend', resolve)
        xhr.send('canary-body')
      })
      history.pushState({}, '', '/cart?coupon=canary#canary')
      afterimage.addBreadcrumb({ category: 'shop', message: 'own words', data: { step: 2 } })
      afterimage.captureMessage('now')
    })
    const [event] = await eventsCame(1)
    expect(event?.breadcrumbs?.map((crumb) => ({ ...crumb, timestamp: undefined }))).toEqual([
      { category: 'ui.click', message: 'body > div > b#quiet' },
      { category: 'ui.input', message: 'body > form#form > input[name="email"]' },
      {
        category: 'ui.click',
        message: 'body > div.afterimage-unmask > button.open.wide[aria-label="Open"]',
      },
      { category: 'console', level: 'warning', message: 'low stock 3 [object Object]' },
      {
        type: 'http',
        category: 'fetch',
        level: 'error',
        data: { method: 'GET', url: '/status/503?secret=*', status_code: 503 },
      },
      {
        type: 'http',
        category: 'fetch',
        level: 'error',
        data: { method: 'GET', url: 'http://127.0.0.1:1/never' },
      },
      {
        type: 'http',
        category: 'xhr',
        level: 'warning',
        data: { method: 'PUT', url: '/status/404', status_code: 404 },
      },
      { category: 'navigation', data: { from: '/standard', to: '/cart?coupon=*' } },
      { category: 'shop', message: 'own words', data: { step: 2 } },
    ])
    expect(server.envelopes.map((it) => it.bytes.toString()).join('\n')).not.toContain('canary')
  })
})

test('the client leaves no breadcrumbs of its own requests, and takes the page as it finds it', async () => {
  await visit('wrapped', async (page) => {
    await page.evaluate(() => afterimage.captureMessage('one'))
    await eventsCame(1)
    await page.evaluate(() => afterimage.captureMessage('two'))
    expect((await eventsCame(2))[1]?.breadcrumbs).toEqual([])
    expect(await page.evaluate(() => (globalThis as { calls?: number }).calls)).toBeGreaterThan(1)
  })
})

test('debug ids of files in the stack travel with the error', async () => {
  await visit('standard', async (page) => {
    await page.evaluate(() => {
      const { origin } = location
      Object.assign(globalThis, {
        _sentryDebugIds: { [`Error\n    at ${origin}/a.js:1:1`]: 'id-a' },
        _afterimageDebugIds: {
          [`Error\n    at ${origin}/b.js:1:1`]: 'id-b',
          [`Error\n    at ${origin}/not-in-the-stack.js:1:1`]: 'id-c',
        },
      })
      const error = new Error('mapped')
      error.stack = `Error: mapped\n    at one (${origin}/a.js:5:5)\n    at two (${origin}/b.js:6:6)`
      afterimage.captureException(error)
    })
    expect((await eventsCame(1))[0]?.debug_meta?.images).toEqual([
      { type: 'sourcemap', code_file: `${server.url}/a.js`, debug_id: 'id-a' },
      { type: 'sourcemap', code_file: `${server.url}/b.js`, debug_id: 'id-b' },
    ])
  })
})

test.each(['frozen', 'hostile', 'bare', 'policy', 'extended'])(
  'a %s page works as if we were not there',
  async (name) => {
    const page = await browser.newPage()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${server.url}/${name}`)
    const answer = await page.evaluate(async () => {
      const hostile = new Proxy(new Error('hostile'), {
        get: () => {
          throw new Error('a trap')
        },
        getPrototypeOf: () => {
          throw new Error('a trap')
        },
      })
      afterimage.captureException(hostile)
      afterimage.captureException(null)
      afterimage.setContext('odd', {
        get trap() {
          throw new Error('a trap')
        },
      })
      afterimage.setExtra('big', 1n)
      console.log(Object.create(null), hostile)
      history.pushState({}, '', '#there')
      await afterimage.flush(500)
      return afterimage.withScope(() => 'the page lives')
    })
    expect(answer).toBe('the page lives')
    expect(problems).toEqual([])
    if (name === 'frozen' || name === 'hostile') {
      expect((await eventsCame(2)).length).toBeGreaterThanOrEqual(2)
    }
    await page.close()
  },
)

test('an error of a page that goes away at once is still sent', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await page.evaluate(() => {
    addEventListener('pagehide', () => afterimage.captureException(new Error('last words')))
  })
  await page.goto('about:blank')
  const [event] = await eventsCame(1)
  expect(event?.exception?.values[0]?.value).toBe('last words')
  await page.close()
})

test('after close the page has its own functions back, and nothing is captured', async () => {
  await visit('standard', async (page) => {
    const isNative = await page.evaluate(async () => {
      await afterimage.close()
      const functions = [fetch, XMLHttpRequest.prototype.send, history.pushState, console.log]
      setTimeout(() => {
        throw new Error('nobody listens')
      })
      afterimage.captureMessage('nobody listens')
      return functions.every((it) => /\[native code\]/.test(Function.prototype.toString.call(it)))
    })
    expect(isNative).toBe(true)
    await page.evaluate(() => fetch('/status/200'))
    expect(server.items('event')).toEqual([])
  })
})

test('a session is announced once, and again when an error happened; nothing without a release', async () => {
  await visit('standard', async (page) => {
    await page.evaluate(() => afterimage.setUser({ id: 'u-1' }))
    await until('a session', () => server.items('session').length > 0)
    // The page of the test before may have told of its own as it went.
    const updates = () => server.items('session').filter(({ init }) => init === false)
    await page.evaluate(() => afterimage.captureException(new Error('handled')))
    const { sid } = await until('an update', () => updates()[0])
    expect(server.items('session').filter((it) => it['sid'] === sid && it['init'])).toMatchObject([
      { status: 'ok', errors: 0, attrs: { release: 'shop@1' } },
    ])
    await page.click('#boom')
    await eventsCame(2)
    await page.click('#text')
    await eventsCame(3)
    expect(updates()).toMatchObject([
      { sid, status: 'ok', errors: 1, did: 'u-1' },
      { sid, status: 'unhandled', errors: 1 },
    ])
    const types = server.envelopes.map((it) => it.items[0]?.header.type)
    expect(types[types.indexOf('event') - 1]).toBe('session')
  })
  server.clear()
  await visit('unreleased', async (page) => {
    await page.evaluate(() => afterimage.captureException(new Error('handled')))
    await eventsCame(1)
    expect(server.items('session')).toEqual([])
  })
})

test('discarded items are reported when the page is left, by reason and category', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await page.evaluate(() => {
    for (let round = 0; round < 3; round += 1) afterimage.captureMessage('again')
    afterimage.captureException(new Error('ResizeObserver loop limit exceeded'))
  })
  await eventsCame(1)
  await page.goto('about:blank')
  const report = await until('a report', () => server.items('client_report')[0])
  expect(report['discarded_events']).toEqual([
    { reason: 'event_processor', category: 'error', quantity: 3 },
  ])
  await page.close()
})

test('feedback travels with its screenshot', async () => {
  await visit('standard', async (page) => {
    const id = await page.evaluate(() =>
      afterimage.captureFeedback({
        message: 'The button is dead',
        email: 'ada@example.test',
        attachments: [{ filename: 'a.bin', data: new Uint8Array([10, 0, 10]) }],
      }),
    )
    const [feedback] = await until('feedback', () => {
      const items = server.items<SdkEvent>('feedback')
      return items.length > 0 ? items : null
    })
    expect(feedback).toMatchObject({
      event_id: id,
      contexts: {
        feedback: {
          message: 'The button is dead',
          contact_email: 'ada@example.test',
          url: `${server.url}/standard`,
        },
      },
    })
    const envelope = server.envelopes.find((it) => it.header.event_id === id)
    expect(envelope?.items[1]).toMatchObject({
      header: { type: 'attachment', filename: 'a.bin', length: 3 },
      payload: Buffer.from([10, 0, 10]),
    })
  })
})

test('an envelope that could not be sent survives a reload, and carries the time of its sending', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await until('the session', () => server.items('session').length > 0)
  server.answer = null
  server.clear()
  const id = await page.evaluate(() => afterimage.captureException(new Error('offline')))
  await until('it was tried', () => server.envelopes.some((it) => it.header.event_id === id))
  const triedAt = Date.parse(server.envelopes.at(-1)?.header.sent_at ?? '')
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const look = (): void => {
          const request = indexedDB.open('afterimage', 1)
          request.addEventListener('success', () => {
            const count = request.result.transaction('envelopes').objectStore('envelopes').count()
            count.addEventListener('success', () => {
              request.result.close()
              if (count.result > 0) resolve()
              else setTimeout(look, 20)
            })
          })
        }
        look()
      }),
  )
  server.clear()
  server.answer = { status: 200 }
  await page.reload()
  const [event] = await eventsCame(1)
  expect(event?.event_id).toBe(id)
  const again = server.envelopes.find((it) => it.header.event_id === id)
  expect(Date.parse(again?.header.sent_at ?? '')).toBeGreaterThan(triedAt)
  server.clear()
  await page.reload()
  await until('the session', () => server.items('session').length > 0)
  await page.evaluate(() => afterimage.captureMessage('later'))
  expect((await eventsCame(1)).map((it) => it.message)).toEqual(['later'])
  await page.close()
})

test('an envelope queued offline and then refused is counted', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/unreleased`)
  server.answer = null
  const discarded = (key: string): Promise<number | undefined> =>
    page.evaluate((name) => afterimage.getClient()?.discards.get(name), key)
  await page.evaluate(() => afterimage.captureMessage('refused'))
  await eventsCame(1)
  server.answer = { status: 413 }
  await until('it is tried again and discarded', async () => {
    await page.evaluate(() => dispatchEvent(new Event('online')))
    return (await discarded('send_error:error')) === 1
  })
  server.clear()
  await page.reload()
  await page.evaluate(() => afterimage.captureMessage('later'))
  expect((await eventsCame(1)).map((it) => it.message)).toEqual(['later'])
  await page.close()
})

test('the loader of the script tag holds init, too, and all that was said after it', async () => {
  const folder = await buildSdk(() => {})
  const fixed = Object.fromEntries(
    readdirSync(folder).map((name) => [
      `/sdk/${name}`,
      { type: 'text/javascript', body: readFileSync(`${folder}/${name}`, 'utf8') },
    ]),
  )
  const html = `<script src="/sdk/loader.js"></script><script>
    Afterimage.init({ dsn: 'https://${key}@errors.test/42', release: 'tag@1' })
    Afterimage.withScope((scope) => {
      scope.setTag('area', 'head')
      Afterimage.captureEvent({ message: 'said early' })
    })
    throw new EvalError('thrown early')
  </script>`
  const tagged = await startSdkServer({ plain: { html } }, fixed)
  const page = await browser.newPage()
  await page.goto(`${tagged.url}/plain`)
  const found = await until('both events', () => {
    const all = tagged.items<SdkEvent>('event')
    return all.length === 2 ? all : null
  })
  expect(found).toContainEqual(
    expect.objectContaining({ message: 'said early', release: 'tag@1', tags: { area: 'head' } }),
  )
  expect(found.map((it) => it.exception?.values[0]?.value)).toContain('thrown early')
  await page.close()
  await tagged.close()
})

test('a rate limit of the answer is obeyed, and what it withheld is reported', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await until('the session', () => server.items('session').length > 0)
  server.answer = { status: 200, headers: { 'x-sentry-rate-limits': '60:error:key' } }
  await page.evaluate(async () => {
    afterimage.captureMessage('first')
    await afterimage.flush()
    afterimage.captureMessage('second')
  })
  await page.goto('about:blank')
  const report = await until('a report', () => server.items('client_report')[0])
  expect(report['discarded_events']).toEqual([
    { reason: 'ratelimit_backoff', category: 'error', quantity: 1 },
  ])
  expect(events().map((it) => it.message)).toEqual(['first'])
  await page.close()
})

test('the offline queue is bounded: 30 envelopes, three days; the rest is reported', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/standard`)
  await until('the session', () => server.items('session').length > 0)
  server.answer = null
  await page.evaluate(async () => {
    for (let round = 0; round < 31; round += 1) {
      afterimage.captureMessage(`offline ${round}`)
      await afterimage.flush()
    }
  })
  const overflow = await until('one was discarded', () =>
    page.evaluate(() => afterimage.getClient()?.discards.get('cache_overflow:error')),
  )
  expect(overflow).toBe(1)
  const counted = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const request = indexedDB.open('afterimage', 1)
        request.addEventListener('success', () => {
          const store = request.result
            .transaction('envelopes', 'readwrite')
            .objectStore('envelopes')
          const cursor = store.openCursor()
          let seen = 0
          cursor.addEventListener('success', () => {
            const at = cursor.result
            if (at === null) return resolve(seen)
            seen += 1
            // All but one are made older than is worth sending.
            const ageMs = 3 * 24 * 60 * 60 * 1000 + 1000
            if (seen > 1) at.update({ ...at.value, at: at.value.at - ageMs })
            at.continue()
          })
        })
      }),
  )
  expect(counted).toBe(30)
  server.clear()
  server.answer = { status: 200 }
  await page.reload()
  expect((await eventsCame(1)).map((it) => it.message)).toEqual(['offline 0'])
  await until('the old ones are counted', () =>
    page.evaluate(() => afterimage.getClient()?.discards.get('cache_overflow:error') === 29),
  )
  expect(events()).toHaveLength(1)
  await page.close()
})

test('an envelope that another page is sending is tried again, as that page may be left before the end', async () => {
  const context = await browser.newContext()
  const [other, page] = [await context.newPage(), await context.newPage()]
  await other.goto(`${server.url}/unreleased`)
  await page.clock.install()
  await page.goto(`${server.url}/unreleased`)
  server.answer = null
  await page.evaluate(() => afterimage.captureMessage('left'))
  await eventsCame(1)
  await other.evaluate(
    () =>
      new Promise<void>((held) => {
        void navigator.locks.request('afterimage-offline', () => {
          held()
          return new Promise((release) => Object.assign(window, { release }))
        })
      }),
  )
  server.clear()
  server.answer = { status: 200 }
  await page.reload()
  await page.evaluate(() => afterimage.flush())
  await other.evaluate('release()')
  await until('the next page sends it', async () => {
    await page.clock.runFor(500)
    return server.items('event').length > 0
  })
  await context.close()
})

test('the offline queue is tried again after five seconds, and after twice as long each time', async () => {
  const page = await browser.newPage()
  await page.clock.install()
  await page.goto(`${server.url}/unreleased`)
  server.answer = null
  // The page has looked for what an earlier one left: it would send this at once.
  await page.waitForFunction(async () => {
    const databases = await indexedDB.databases()
    return databases.some((it) => it.name === 'afterimage')
  })
  await page.evaluate(() => afterimage.captureMessage('patient'))
  await eventsCame(1)
  // Chromium itself repeats a request whose connection broke, with the same bytes.
  const attempts = (): number[] => [
    ...new Set(server.envelopes.map((it) => Date.parse(it.header.sent_at ?? ''))),
  ]
  await until('three attempts', async () => {
    await page.clock.runFor(500)
    return attempts().length >= 3
  })
  const [first = 0, second = 0, third = 0] = attempts()
  expect(second - first).toBeGreaterThanOrEqual(5000)
  expect(third - second).toBeGreaterThanOrEqual(10_000)
  expect(third - second).toBeLessThan(20_000)
  server.answer = { status: 200 }
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await until('it is sent', () => attempts().length >= 4)
  await page.close()
})
