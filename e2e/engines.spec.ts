import type { SpanPayload } from '@afterimage/protocol/span'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { build } from 'esbuild'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { buildSdk } from '../tools/build/sdk.ts'
import { canonicalDom, canonicalElement, canonicalText } from './support/canonical-dom.ts'
import { engines, type Engine, type Tab } from './support/engine.ts'
import { hostilePages } from './support/hostile-pages.ts'
import { decodeSegments, joinSegments, type ReplayedEvent } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** The client and the recorder in engines other than Chromium's: the same journeys in each. */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'

const key = 'a'.repeat(32)

/** Runs in the page, where these are globals. */
declare const afterimage: typeof import('@afterimage/browser')
declare const replay: { state(): { name: string; mode?: string }; replayId(): string | null }
/** Directives of its policy that the page violated. */
declare const violated: string[]
/** Frames that came into a page. */
declare const framed: unknown[]
/** Messages of errors that reached a hostile page. */
declare const thrown: string[]
/** Set once the page came back from the back/forward cache. */
declare const hasComeBack: boolean | undefined

/** Starts the client with tracing, and with a recorder of these options. */
function script(recorder: string): string {
  return `
import * as afterimage from '@afterimage/browser'
import { browserTracing } from '@afterimage/browser/tracing'
import { replayIntegration } from '@afterimage/replay'
const violated = []
addEventListener('securitypolicyviolation', (it) => violated.push(it.effectiveDirective))
addEventListener('pageshow', (it) => { if (it.persisted) window.hasComeBack = true })
const replay = replayIntegration(${recorder})
Object.assign(window, { afterimage, replay, violated })
afterimage.init({ dsn: 'https://${key}@errors.test/42', release: 'shop@1',
  integrations: [browserTracing({ idleTimeoutMs: 100 }), replay] })`
}

/** A page whose load lasts until its picture is there, however late that comes. */
const off = `import { startInactiveSpan } from '@afterimage/browser/tracing'
${script('{ sessionSampleRate: 0, onErrorSampleRate: 0 }')}
const picture = document.querySelector('img')
if (!picture.complete) {
  const span = startInactiveSpan({ name: 'picture' })
  picture.addEventListener('load', () => span.end())
}`
const session = script('{ sessionSampleRate: 1, minMs: 0 }')
const buffering = script('{ sessionSampleRate: 0, onErrorSampleRate: 1, minMs: 0 }')
const hosted = script("{ sessionSampleRate: 1, minMs: 0, workerUrl: '/compress.worker.js' }")

/** The script of a page without a bundler, which runs before the client is there. */
const initScript = `Afterimage.onLoad(() => Afterimage.init({ dsn: 'https://${key}@errors.test/42', release: 'tag@1',
  integrations: [Afterimage.browserTracing(), Afterimage.replayIntegration({ sessionSampleRate: 1, minMs: 0 })] }))
throw new EvalError('thrown early')`

/** Errors whose lines are known. */
const shopScript = `const on = (id, act) => document.getElementById(id).addEventListener('click', act)
function pay(cart) {
  if (cart) throw new TypeError('paid twice')
}
on('boom', function checkout() {
  pay({ lines: 3 })
})
on('reject', async function decline() {
  throw new RangeError('declined')
})
on('text', () => {
  throw 'only text'
})
on('evaluate', function evaluated() {
  eval('missing()')
})
on('slow', () => {
  const end = performance.now() + 150
  while (performance.now() < end);
})
`

const shop = `<h1>The shop</h1><img src="/hero.svg" width="300" height="200" alt="">
<p id="goods" style="height: 100px">goods</p>
<button id="boom">Pay</button><button id="reject">No</button><button id="text">Text</button>
<button id="evaluate">Code</button><button id="slow">Buy</button>
<form id="form"><input name="email" placeholder="canary-placeholder"></form>
<div title="canary-title"><b id="quiet" title="canary">canary</b></div><script src="/shop.js"></script>`

const recorded = `<h1 title="For Bob" class="head">Hello Bob</h1>
<p id="p" data-user="bob" aria-label="Bob's words">Some words <b>bold</b></p>
<a href="/orders?email=bob@x.test&page=2#top">Orders</a><img src="/hero.svg" alt="Bob"><canvas id="c"></canvas>
<p class="afterimage-unmask" title="open">Opening hours <i>9 to 5</i>, card 4111 1111 1111 1111</p>
<form><input id="a" name="a" value="Bob" placeholder="Your name"><input type="hidden" name="h" value="bob">
<input type="password" name="p"><textarea name="t">Dear Bob</textarea><select name="s"><option value="bob">Bob</option></select>
<input type="checkbox" name="c" value="bob" checked><input class="afterimage-unmask" name="shown" value="visible"></form>
<div class="afterimage-block"><p>Bob</p></div><div id="host"></div><iframe id="f" src="/frame"></iframe>
<script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<p title="Bob">in Bob</p><slot></slot>'</script>`

const policy = "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'"
const pages: Record<string, SdkPage> = {
  shop: { html: shop, script: off },
  recorded: { html: recorded, script: session },
  frame: {
    html: '<p id="inner-frame" title="Bob">inner Bob</p><input name="i" value="inner-bob">',
  },
  one: { html: '<p>One</p>', script: session },
  two: { html: '<p>Two</p>', script: session },
  kept: { html: '<p>Kept</p>', script: buffering },
  strict: {
    html: '<p>Strict</p>',
    script: session,
    headers: { 'content-security-policy': policy },
  },
  hosted: {
    html: '<p>Hosted</p>',
    script: hosted,
    headers: { 'content-security-policy': `${policy}; worker-src 'self'` },
  },
  typed: {
    html: '<p>Typed</p>',
    script: session,
    headers: {
      'content-security-policy': `${policy}; worker-src blob:; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  },
  feedback: {
    html: '<button id="help">Help</button>',
    script: `import { init, close } from '@afterimage/browser'
      import { feedbackWidget } from '@afterimage/browser/feedback-widget'
      window.afterimage = { close }
      const widget = feedbackWidget()
      init({ dsn: 'https://${key}@errors.test/42', integrations: [widget] })
      widget.attachTo(document.getElementById('help'))`,
    headers: {
      'content-security-policy': `${policy}; require-trusted-types-for 'script'; trusted-types 'none'`,
    },
  },
  player: {
    script: `import { Replayer } from '@rrweb/replay'\nObject.assign(window, { Replayer })`,
  },
  tag: { html: '<script src="/sdk/loader.js"></script><script src="/init.js"></script>' },
  'typed-tag': {
    html: `<script src="/violations.js"></script><script src="/sdk/loader.js"></script><script src="/init.js"></script>`,
    headers: {
      'content-security-policy': `${policy}; require-trusted-types-for 'script'; trusted-types afterimage`,
    },
  },
  storm: {
    before: `window.framed = []
      new MutationObserver((all) => all.forEach((it) => it.addedNodes.forEach((node) => {
      if (node.localName === 'iframe') framed.push(node)
    }))).observe(document, { childList: true, subtree: true })`,
    script: `import { record } from '@rrweb/record'\nwindow.mirror = record.mirror\n${session}`,
    html: '<div id="s"></div>',
  },
  clicks: {
    script: script('{ sessionSampleRate: 1, minMs: 0, slowClickMs: 1000 }'),
    html: `<button id="dead" aria-label="Pay Bob">Pay Bob now</button><button id="live">Live</button>
      <button id="opens" popovertarget="up">More</button><div id="up" popover>Up</div><div id="card"></div>
      <script>
      document.getElementById('live').onclick = () => document.body.append('ok')
      const root = document.getElementById('card').attachShadow({ mode: 'open' })
      root.innerHTML = '<p>In a card</p>'
      root.adoptedStyleSheets = [new CSSStyleSheet()]
      root.adoptedStyleSheets[0].replaceSync('p { color: red }')</script>`,
  },
}
for (const [name, before] of Object.entries(hostilePages)) {
  pages[name] = {
    before: `window.thrown = []
      addEventListener('error', (it) => thrown.push(it.message))
      addEventListener('unhandledrejection', (it) => thrown.push(String(it.reason)))
      ${before}`,
    // The code that esbuild makes of `import *` does not bear each of these pages itself.
    script: `import { captureException, flush, init, setExtra, withScope } from '@afterimage/browser'
      window.afterimage = { captureException, flush, setExtra, withScope }
      init({ dsn: 'https://${key}@errors.test/42', release: 'shop@1' })`,
  }
}

let server: SdkServer

beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@afterimage/replay/compress.worker'))],
    bundle: true,
    write: false,
    format: 'iife',
  })
  const folder = await buildSdk(() => {})
  const sdk = readdirSync(folder).map((name) => [
    `/sdk/${name}`,
    { type: 'text/javascript', body: readFileSync(`${folder}/${name}`, 'utf8') },
  ])
  server = await startSdkServer(pages, {
    ...Object.fromEntries(sdk),
    '/init.js': { type: 'text/javascript', body: initScript },
    '/violations.js': {
      type: 'text/javascript',
      body: `window.violated = []
        addEventListener('securitypolicyviolation', (it) => violated.push(it.effectiveDirective))`,
    },
    '/shop.js': { type: 'text/javascript', body: shopScript },
    '/compress.worker.js': { type: 'text/javascript', body: outputFiles[0]!.text },
    '/hero.svg': {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>',
    },
  })
})

afterAll(() => server.close())

function events(): SdkEvent[] {
  return server.items<SdkEvent>('event')
}

async function eventsCame(count: number): Promise<SdkEvent[]> {
  await until(`${count} events came`, () => events().length >= count)
  return events()
}

function transaction(name: string): Promise<TransactionPayload> {
  return until(`the transaction ${name} came`, () =>
    server.items<TransactionPayload>('transaction').find((it) => it.transaction === name),
  )
}

/** The source of the comparison of documents, for pages to run. */
const canonicalSource = `${canonicalText};${canonicalElement};return ${canonicalDom}`

/** The vitals that each engine measures. */
const measured = {
  Firefox: ['fcp', 'inp', 'lcp', 'ttfb', 'ttfb.requestTime'],
  WebKit: ['fcp', 'ttfb', 'ttfb.requestTime'],
}

for (const { name, start } of engines) {
  describe.runIf(start !== null)(name, () => {
    let engine: Engine
    let tab: Tab

    beforeAll(async () => {
      engine = await start!()
    })
    afterAll(() => engine?.close())
    beforeEach(async () => {
      // The page of the last test may still send that it was left.
      await server.moveOn()
      server.answer = { status: 200 }
      tab = await engine.openTab()
    })
    afterEach(() => tab?.close())

    function open(path: string): Promise<void> {
      return tab.goto(`${server.url}/${path}`)
    }

    function running(): Promise<unknown> {
      return until('the recorder runs', () => tab.evaluate(() => replay.state().name === 'running'))
    }

    async function openRecorded(path: string): Promise<void> {
      await open(path)
      await running()
    }

    /** Changes the page in a way that a recording can be told by: an id is not masked. */
    function mark(id: string): Promise<void> {
      return tab.evaluate((id) => {
        document.body.append(Object.assign(document.createElement('hr'), { id }))
      }, id)
    }

    /** Reads the recording, once all of these marks are in it. */
    function cameWith(marks: readonly string[]): Promise<ReplayedEvent[]> {
      return until(`the recording came, with ${marks.join(', ')}`, async () => {
        await tab.evaluate(() => afterimage.flush())
        const text = JSON.stringify(joinSegments(decodeSegments(server.envelopes)))
        return marks.every((it) => text.includes(`"${it}"`)) && JSON.parse(text)
      })
    }

    test('S7 errors have their types, their causes, and the lines where they were thrown', async () => {
      await open('shop')
      for (const [index, id] of ['boom', 'reject', 'text', 'evaluate'].entries()) {
        await tab.click(`#${id}`)
        await eventsCame(index + 1)
      }
      await tab.evaluate(() =>
        afterimage.captureException(new Error('outer', { cause: new Error('inner') })),
      )
      const found = await eventsCame(5)
      expect(server.refused).toEqual([])
      const values = found.map((it) => it.exception!.values.at(-1)!)
      expect(values).toMatchObject([
        { type: 'TypeError', value: 'paid twice', mechanism: { type: 'onerror', handled: false } },
        { type: 'RangeError', value: 'declined', mechanism: { type: 'onunhandledrejection' } },
        { type: 'Error', value: 'only text' },
        { type: 'ReferenceError' },
        { type: 'Error', value: 'outer', mechanism: { handled: true } },
      ])
      const places = values.map((it) =>
        it
          .stacktrace!.frames.filter(({ filename }) => filename === `${server.url}/shop.js`)
          .map(({ function: name, lineno }) => `${name}:${lineno}`),
      )
      expect(places[0]).toEqual(['checkout:6', 'pay:3'])
      // WebKit has a second frame of an async function, and Firefox one of evaluated code.
      expect(places.map((it) => it.at(-1)?.replace(/.*:/, ''))).toEqual([
        '3',
        '9',
        '12',
        '15',
        undefined,
      ])
      expect(found[4]!.exception!.values.map((it) => it.value)).toEqual(['inner', 'outer'])
    })

    test('breadcrumbs of every kind, and nothing of what people write or see', async () => {
      await open('shop')
      await tab.click('#quiet')
      await tab.type('[name=email]', 'canary-typed')
      await tab.evaluate(async () => {
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
        afterimage.captureMessage('now')
      })
      const [event] = await eventsCame(1)
      const crumbs = event!.breadcrumbs!.map((it) => ({ ...it, timestamp: undefined }))
      const typing = { category: 'ui.input', message: 'body > form#form > input[name="email"]' }
      expect(crumbs.filter((it) => it.category === 'ui.input').at(0)).toEqual(typing)
      expect(crumbs.filter((it) => it.category !== 'ui.input')).toEqual([
        { category: 'ui.click', message: 'body > div > b#quiet' },
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
        { category: 'navigation', data: { from: '/shop', to: '/cart?coupon=*' } },
      ])
      expect(server.envelopes.map((it) => it.bytes.toString()).join('\n')).not.toContain('canary')
    })

    test('S9 S11 page loads and navigations are traces, which requests and errors carry', async () => {
      await open('shop?email=bob@shop.test')
      const load = await transaction('/shop')
      expect(load.spans!.map(({ op }) => op)).toEqual(
        expect.arrayContaining([
          expect.stringMatching(/^browser\./),
          'resource.img',
          'resource.script',
        ]),
      )
      expect(load.request?.url).toBe(`${server.url}/shop?email=*`)
      await tab.evaluate(async () => {
        history.pushState(null, '', '/cart?item=7')
        reportError(new TypeError('boom'))
        await fetch('/status/200')
        const xhr = new XMLHttpRequest()
        xhr.open('GET', '/status/404')
        xhr.send()
        await new Promise((resolve) => xhr.addEventListener('loadend', resolve))
      })
      const push = await transaction('/cart')
      const { trace_id } = push.contexts.trace
      expect(push.contexts.trace).toMatchObject({ op: 'navigation', status: 'internal_error' })
      expect(trace_id).not.toBe(load.contexts.trace.trace_id)
      const requests = push.spans!.filter(({ op }) => op === 'http.client')
      expect(requests).toMatchObject([
        { description: 'GET /status/200', status: 'ok', data: { type: 'fetch' } },
        { description: 'GET /status/404', status: 'not_found', data: { type: 'xhr' } },
      ])
      const headers = ['/status/200', '/status/404'].map(
        (path) => server.requests.find((it) => it.path === path)!.headers,
      )
      expect(headers.map((it) => it['sentry-trace'])).toEqual(
        requests.map(({ span_id }) => `${trace_id}-${span_id}-1`),
      )
      const [error] = await eventsCame(1)
      expect(error).toMatchObject({ transaction: '/cart', contexts: { trace: { trace_id } } })
    })

    test('the vitals that the engine measures arrive', async () => {
      await open('shop')
      const load = await transaction('/shop')
      await tab.click('#slow')
      // An interaction is measured when its result was painted.
      await tab.evaluate(
        () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
      )
      await open('frame')
      const found = await until('the vitals came', () => {
        const spans = server.items<SpanPayload>('span')
        const all = Object.assign({}, load.measurements, ...spans.map((it) => it.measurements))
        return measured[name].every((it) => it in all) && all
      })
      expect(Object.keys(found).sort()).toEqual(measured[name])
    })

    test('S17 a recorded page plays back as it was, masked', async () => {
      await openRecorded('recorded?token=bob#bob')
      await tab.evaluate(() => {
        document.querySelector('#p')!.firstChild!.nodeValue = 'Changed by Bob'
        document.querySelector('#p')!.setAttribute('aria-label', 'Bob again')
        document.querySelector('h1')!.insertAdjacentHTML('afterend', '<p title="new Bob">added</p>')
        document.querySelector('b')!.remove()
        document.querySelector('#host')!.shadowRoot!.append('late Bob')
        document.querySelector('iframe')!.contentDocument!.querySelector('p')!.textContent =
          'later Bob'
      })
      await tab.type('#a', 'by')
      await tab.click('[name=c]')
      await mark('at-the-end')
      const expected = await tab.evaluate((source) => {
        const canonical = new Function(source)() as typeof canonicalDom
        return canonical(document, true)
      }, canonicalSource)
      const recording = await cameWith(['at-the-end', 'inner-frame'])
      expect(server.refused).toEqual([])
      expect(JSON.stringify(recording).match(/.{60}(bob|4111).{20}/i)?.[0] ?? null).toBeNull()
      await open('player')
      await tab.evaluate((given) => {
        const { Replayer } = window as unknown as {
          Replayer: new (
            events: unknown,
            options: unknown,
          ) => {
            pause(ms: number): void
            getMetaData(): { totalTime: number }
            iframe: HTMLIFrameElement
          }
        }
        const replayer = new Replayer(given, { mouseTail: false })
        replayer.pause(replayer.getMetaData().totalTime + 1)
        Object.assign(window, { replayer })
      }, recording)
      // Frames inside of it are built when they have loaded.
      await expect
        .poll(
          () =>
            tab.evaluate((source) => {
              const { replayer } = window as unknown as { replayer: { iframe: HTMLIFrameElement } }
              const canonical = new Function(source)() as typeof canonicalDom
              return canonical(replayer.iframe.contentDocument!, false)
            }, canonicalSource),
          { timeout: 10_000 },
        )
        .toBe(expected)
    })

    test('an error brings the page before it, and says which replay it is in', async () => {
      await openRecorded('kept?step=1')
      await mark('on-the-first-page')
      const id = await tab.evaluate(() => replay.replayId())
      await openRecorded('kept?step=2')
      expect(await tab.evaluate(() => replay.replayId())).toBe(id)
      expect(server.items('replay_event')).toEqual([])
      await tab.evaluate(() => {
        setTimeout(() => {
          throw new TypeError('paid twice')
        })
      })
      const [error] = await eventsCame(1)
      expect(error).toMatchObject({ tags: { replayId: id } })
      await mark('after-the-error')
      await cameWith(['on-the-first-page', 'after-the-error'])
      const [first] = decodeSegments(server.envelopes)
      expect(first!.description).toMatchObject({
        replay_id: id,
        segment_id: 0,
        replay_type: 'buffer',
        error_ids: [error!.event_id],
      })
    })

    /** Opens a page that will be kept for the way back: nothing of it may be in flight when it is left. */
    async function openKept(path: string): Promise<void> {
      await openRecorded(path)
      await transaction(`/${path}`)
      await tab.evaluate(() => afterimage.flush())
    }

    /** Through the history of the tab, as its buttons go. */
    async function go(delta: number, path: string): Promise<void> {
      await tab.evaluate((delta) => void setTimeout(() => history.go(delta)), delta)
      await until(`${path} is back from the cache`, () =>
        tab.evaluate((path) => location.pathname === path && hasComeBack, `/${path}`),
      )
      await running()
    }

    test('back and forward through the cache of pages: nothing is lost, and each number comes once', async () => {
      const ids = new Set<string | null>()
      const step = async (id: string): Promise<void> => {
        ids.add(await tab.evaluate(() => replay.replayId()))
        await mark(id)
      }
      await openKept('one')
      await step('at-first')
      await openKept('two')
      await step('on-two')
      await go(-1, 'one')
      await step('back-on-one')
      await go(1, 'two')
      await step('forward-on-two')
      await cameWith(['at-first', 'on-two', 'back-on-one', 'forward-on-two'])
      const segments = decodeSegments(server.envelopes)
      const numbers = [...ids].map((id) =>
        segments
          .filter((it) => it.description.replay_id === id)
          .map((it) => it.description.segment_id),
      )
      // Firefox hides from a page that comes back what the others have sent: its replay is another.
      expect(ids.size).toBe(name === 'Firefox' ? 3 : 1)
      expect(numbers).toEqual(numbers.map((it) => it.map((_, index) => index)))
    })

    test('an error after going back brings what came before it on that page', async () => {
      await openKept('kept')
      await openRecorded('kept?step=2')
      await go(-1, 'kept')
      await mark('back')
      await tab.evaluate(() => afterimage.captureException(new Error('x')))
      const [error] = await eventsCame(1)
      await cameWith(['back'])
      expect(server.items('replay_event')).toContainEqual(
        expect.objectContaining({ replay_type: 'buffer', error_ids: [error!.event_id] }),
      )
    })

    test.each([
      ['strict', ['worker-src']],
      ['hosted', ['worker-src']],
      ['typed', ['require-trusted-types-for']],
    ])(
      'a page with a %s policy has its errors and its replay, compressed',
      async (path, expected) => {
        await openRecorded(path)
        await until('a segment came compressed', async () => {
          await tab.evaluate(() => document.body.append('x'.repeat(60_000)))
          await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
          await tab.evaluate(() => afterimage.flush())
          return decodeSegments(server.envelopes).some((it) => it.isCompressed)
        })
        await mark('at-the-end')
        await cameWith(['at-the-end'])
        await tab.evaluate(() => {
          setTimeout(() => {
            throw new TypeError('boom')
          })
        })
        expect(await eventsCame(1)).toMatchObject([{ exception: { values: [{ value: 'boom' }] } }])
        expect(await tab.evaluate(() => violated)).toEqual(expected)
      },
    )

    test('a page that goes at once still sends its last error and its recording', async () => {
      await openRecorded('one')
      await tab.evaluate(() => {
        addEventListener('pagehide', () => afterimage.captureException(new Error('last words')))
      })
      await mark('last-mark')
      await open('frame')
      expect(await eventsCame(1)).toMatchObject([
        { exception: { values: [{ value: 'last words' }] } },
      ])
      await until('the recording came', () =>
        JSON.stringify(decodeSegments(server.envelopes)).includes('"last-mark"'),
      )
    })

    test('the feedback dialog opens with its style, sends, and gives the focus back', async () => {
      await tab.goto(`${server.url}/feedback`)
      await tab.click('#help')
      const opened = await tab.evaluate(() => {
        const root = document.querySelector('afterimage-feedback')!.shadowRoot!
        root.querySelector('textarea')!.value = 'too dear'
        const send = root.querySelector<HTMLElement>('[type=submit]')!
        send.click()
        return [root.querySelector('dialog')!.open, getComputedStyle(send).minHeight]
      })
      expect(opened).toEqual([true, '44px'])
      await until('the dialog says that the report was sent', () =>
        tab.evaluate(() => {
          const root = document.querySelector('afterimage-feedback')!.shadowRoot!
          return root.querySelector('[role=status]')!.textContent.includes('was sent')
        }),
      )
      expect(server.items('feedback')).toMatchObject([
        { contexts: { feedback: { message: 'too dear' } } },
      ])
      const left = await tab.evaluate(() => {
        void afterimage.close()
        return [document.querySelector('afterimage-feedback'), document.activeElement?.id]
      })
      expect(left).toEqual([null, 'help'])
    })

    test('an envelope that could not be sent survives a reload', async () => {
      await open('shop')
      server.answer = null
      await tab.evaluate(() => afterimage.captureException(new Error('offline')))
      const [{ event_id: id }] = (await eventsCame(1)) as [SdkEvent]
      await until('it is kept', () =>
        tab.evaluate(
          () =>
            new Promise<boolean>((resolve) => {
              const request = indexedDB.open('afterimage', 1)
              request.addEventListener('success', () => {
                const count = request.result
                  .transaction('envelopes')
                  .objectStore('envelopes')
                  .count()
                count.addEventListener('success', () => {
                  request.result.close()
                  resolve(count.result > 0)
                })
              })
            }),
        ),
      )
      server.clear()
      server.answer = { status: 200 }
      await open('shop')
      const events = await eventsCame(1)
      expect(events.map((it) => it.event_id)).toEqual([id])
    })

    test.each(['tag', 'typed-tag'])(
      'the loader of a %s brings an error from before the client, a trace and a replay',
      async (path) => {
        await open(path)
        expect(await eventsCame(1)).toMatchObject([
          {
            exception: {
              values: [
                {
                  type: 'EvalError',
                  stacktrace: { frames: [{ filename: `${server.url}/init.js` }] },
                },
              ],
            },
          },
        ])
        await until('a replay', async () => {
          await tab.evaluate(() =>
            (window as unknown as { Afterimage: typeof afterimage }).Afterimage.flush(),
          )
          return decodeSegments(server.envelopes)[0]
        })
        await transaction(`/${path}`)
        if (path === 'typed-tag') expect(await tab.evaluate(() => violated)).toEqual([])
      },
    )

    test('S22 10,001 mutations at once end the recording, 10,000 do not; the page gets no frame', async () => {
      for (const [count, state] of [
        [10_000, 'running'],
        [10_001, 'stopped'],
      ] as const) {
        await openRecorded('storm')
        await tab.evaluate((count) => {
          const target = document.getElementById('s')!
          for (let n = 0; n < count; n += 1) target.setAttribute('class', `c${n}`)
        }, count)
        expect(await tab.evaluate(() => [replay.state().name, framed.length])).toEqual([state, 0])
      }
    })

    test.runIf(isLong)('what is pending at a navigation always comes', async () => {
      await openRecorded('one')
      for (const [at, size] of [100, 30_000, 200_000].entries()) {
        await tab.evaluate((size) => document.body.append('a '.repeat(size / 2)), size)
        await mark(`pending-${at}`)
        await openRecorded(`one?page=${at}`)
      }
      await cameWith(['pending-0', 'pending-1', 'pending-2'])
    })

    test.runIf(isLong).each(Object.keys(hostilePages))(
      'a page that is %s works as if we were not there',
      async (path) => {
        await open(path)
        const answer = await tab.evaluate(async () => {
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
          afterimage.setExtra('big', 1n)
          console.log(Object.create(null), hostile)
          history.pushState({}, '', '#there')
          await afterimage.flush(500)
          return afterimage.withScope(() => 'the page lives')
        })
        expect([answer, await tab.evaluate(() => thrown)]).toEqual(['the page lives', []])
        if (path === 'frozen' || path === 'hostile') await eventsCame(2)
      },
    )

    test.runIf(isLong)('S23 a click on a dead button, and on none that answers', async () => {
      await openRecorded('clicks')
      for (const id of ['opens', 'live', 'dead']) await tab.click(`#${id}`)
      const events = await until('a slow click', async () => {
        await tab.evaluate(() => afterimage.flush())
        const all = joinSegments(decodeSegments(server.envelopes))
        return all.some(({ data }) => data.payload?.category === 'ui.slowClickDetected')
          ? all
          : null
      })
      const slow = events
        .map((it) => it.data.payload)
        .filter((it) => it?.category === 'ui.slowClickDetected')
      expect(slow).toMatchObject([
        { message: 'body > button#dead', data: { node: { textContent: '*** *** ***' } } },
      ])
      // The style sheet that the shadow root has adopted.
      expect(events.filter((it) => it.data['source'] === 15)).toHaveLength(1)
    })

    test.runIf(isLong)('removed nodes are released, also those in shadow roots', async () => {
      await openRecorded('storm')
      const count = (): Promise<number> =>
        tab.evaluate(
          () => (window as unknown as { mirror: { getIds(): number[] } }).mirror.getIds().length,
        )
      const before = await count()
      await tab.evaluate(async () => {
        for (let round = 0; round < 5; round += 1) {
          const host = document.createElement('section')
          host.attachShadow({ mode: 'open' }).innerHTML = '<p>x</p>'.repeat(200)
          document.body.append(host)
          await new Promise((resolve) => setTimeout(resolve))
          host.remove()
          await new Promise((resolve) => setTimeout(resolve))
        }
      })
      await until('the nodes are forgotten', async () => (await count()) <= before + 5)
    })
  })
}
