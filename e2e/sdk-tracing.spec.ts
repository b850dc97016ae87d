import type { SpanPayload } from '@afterimage/protocol/span'
import type { SamplingContext } from '@afterimage/sdk-core/sampling-context'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { processSpan } from '../packages/server/src/process/items/span/index.ts'
import { itemContext } from '../packages/server/src/testing/recorded-items.ts'
import { processTransaction } from '../packages/server/src/process/items/transaction/index.ts'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type ReceivedEnvelope, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Tracing and web vitals in real Chromium, read by the protocol package and by our own processing. */

const key = 'a'.repeat(32)
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

function script(options: string): string {
  return `
import * as afterimage from '@afterimage/browser'
import * as tracing from '@afterimage/browser/tracing'
import { routeNames } from '@afterimage/browser/route-names'
Object.assign(window, { afterimage, tracing })
afterimage.init({
  dsn: 'https://${key}@errors.test/42', release: 'shop@1', environment: 'test',
  integrations: [tracing.browserTracing({ ${options} })],
})`
}

const shop = `<h1>The shop</h1><img src="/hero.svg" width="300" height="200" alt="">
<p id="moved" style="height:200px">goods</p>
<button id="slow" aria-label="Buy for Bob" onclick="const end = performance.now() + 120; while (performance.now() < end);">Buy</button>`
const sentryTrace = `${traceId}-${parentId}-1`
const baggage = `sentry-trace_id=${traceId},sentry-public_key=${key},sentry-sampled=true,sentry-sample_rand=0.5,sentry-sample_rate=1`
const manifest = `nameOfPath: routeNames({ dynamicRoutes: [{ path: '/:shop', regex: '^/([^/]+)$' }, { path: '/orders/:id', regex: '^/orders/([^/]+)$' }] })`

let browser: Browser
let server: SdkServer
let elsewhere: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  elsewhere = await startSdkServer({ shop: { html: 'other' } })
  const pages = {
    shop: { html: shop, script: script('') },
    quick: { html: shop, script: script('idleTimeoutMs: 100') },
    patient: { html: shop, script: script('idleTimeoutMs: 600000, finalTimeoutMs: 600000') },
    final: { html: shop, script: script('finalTimeoutMs: 1500') },
    unsampled: { html: shop, script: script('tracesSampleRate: 0') },
    routes: { html: shop, script: script(`idleTimeoutMs: 100, ${manifest}`) },
    ignored: {
      html: shop,
      script: script(`idleTimeoutMs: 100, ignoreTransactions: [/^\\/ignored$/]`),
    },
    hooked: {
      html: shop,
      script: script(
        `idleTimeoutMs: 100, beforeSendSpan: (span) => span.op === 'ui.interaction.click' ? null : { ...span, data: { ...span.data, seen: true } }`,
      ),
    },
    targets: {
      html: shop,
      script: script(
        `propagateTraceparent: true, tracePropagationTargets: ['${elsewhere.url}/', /^\\/status/]`,
      ),
    },
    mocked: {
      before: `window.fetch = (...values) => { window.fetched = values; return 'no promise' }`,
      script: script(''),
    },
    meta: {
      html: `<meta name="sentry-trace" content="${sentryTrace}"><meta name="baggage" content="${baggage}">`,
      script: script('idleTimeoutMs: 100'),
    },
    timing: {
      html: shop,
      script: script('idleTimeoutMs: 100'),
      headers: {
        'server-timing': `db;dur=5, sentry-trace;desc="${sentryTrace}", baggage;desc="${baggage}"`,
      },
    },
  }
  server = await startSdkServer(pages, {
    '/hero.svg': {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>',
    },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
  await elsewhere.close()
})

beforeEach(() => {
  server.clear()
  elsewhere.clear()
})

function transactions(): TransactionPayload[] {
  return server.items<TransactionPayload>('transaction')
}

function transaction(op: string, name?: string): Promise<TransactionPayload> {
  return until(`the ${op} ${name ?? ''} came`, () =>
    transactions().find(
      (it) => it.contexts.trace.op === op && (name === undefined || it.transaction === name),
    ),
  )
}

async function open(name: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${server.url}/${name}`)
  return page
}

function envelopeWith(type: string): ReceivedEnvelope {
  return server.envelopes.find(({ items }) => items.some(({ header }) => header.type === type))!
}

test('S9 S11 a page load is a transaction: the raw path, its source url, every one by default', async () => {
  const page = await open('shop?email=bob@shop.test')
  const load = await transaction('pageload')
  const trace = load.contexts.trace
  expect(load).toMatchObject({
    type: 'transaction',
    transaction: '/shop',
    transaction_info: { source: 'url' },
    release: 'shop@1',
    request: { url: `${server.url}/shop?email=*` },
    measurements: { fcp: { unit: 'millisecond' }, fp: {}, ttfb: {}, 'ttfb.requestTime': {} },
  })
  expect(trace).toMatchObject({
    op: 'pageload',
    status: 'ok',
    origin: 'auto.pageload.browser',
    data: { 'sentry.idle_span_finish_reason': 'idleTimeout' },
  })
  const header = envelopeWith('transaction').header.trace as SamplingContext
  expect(header).toMatchObject({
    trace_id: trace.trace_id,
    public_key: key,
    sampled: 'true',
    sample_rate: '1',
    release: 'shop@1',
    environment: 'test',
  })
  expect(header).not.toHaveProperty('transaction')
  const ops = load.spans!.map(({ op }) => op)
  expect(ops).toEqual(
    expect.arrayContaining([
      'browser.request',
      'browser.response',
      'resource.img',
      'resource.script',
    ]),
  )
  expect(load.spans!.find(({ op }) => op === 'resource.img')).toMatchObject({
    description: '/hero.svg',
    parent_span_id: trace.span_id,
    data: { 'url.same_origin': true },
  })
  const origin = await page.evaluate(() => performance.timeOrigin)
  expect(load.start_timestamp * 1000).toBeCloseTo(origin, 0)
  expect(Math.max(...load.spans!.map(({ timestamp }) => timestamp))).toBe(load.timestamp)
  expect(JSON.stringify(load)).not.toContain('bob@shop.test')
  await page.close()
})

test('a change of the address by pushState, and back, is a navigation in a trace of its own', async () => {
  const page = await open('quick')
  const load = await transaction('pageload')
  await page.evaluate(() => history.pushState(null, '', '/cart?item=7'))
  const push = await transaction('navigation', '/cart')
  await page.goBack()
  const back = await transaction('navigation', '/quick')
  expect(push.contexts.trace.data).toMatchObject({ 'navigation.type': 'push' })
  expect(back.contexts.trace.data).toMatchObject({ 'navigation.type': 'pop' })
  const traces = new Set([load, push, back].map((it) => it.contexts.trace.trace_id))
  expect(traces.size).toBe(3)
  // Nothing was loaded: it has taken until the next frame, not until the timer.
  expect(push.timestamp - push.start_timestamp).toBeLessThan(0.1)
  await page.evaluate(() => history.pushState(null, '', '#part'))
  await page.evaluate(() => fetch('/status/200').then(() => undefined))
  expect(transactions()).toHaveLength(3)
  await page.close()
})

test('a change soon after the last is a redirect; after a click it is a navigation', async () => {
  const page = await open('shop')
  await page.evaluate(() => history.replaceState(null, '', '/redirected'))
  const load = await transaction('pageload')
  expect(load.spans).toContainEqual(
    expect.objectContaining({ op: 'navigation.redirect', description: '/redirected' }),
  )
  await page.click('#slow')
  await page.evaluate(() => history.pushState(null, '', '/first'))
  await page.click('#slow')
  await page.evaluate(() => history.pushState(null, '', '/second'))
  const first = await transaction('navigation', '/first')
  expect(first.contexts.trace.data).toMatchObject({ 'sentry.idle_span_finish_reason': 'cancelled' })
  await transaction('navigation', '/second')
  await page.close()
})

test('fetch and XMLHttpRequest are spans, and tell the own server their trace', async () => {
  const page = await open('patient')
  await page.evaluate(async () => {
    await fetch('/status/404?token=secret', { headers: { 'x-own': '1' } })
    await fetch(new Request('/status/201', { headers: { baggage: 'vendor=1' } }))
    const xhr = new XMLHttpRequest()
    xhr.open('GET', '/status/503')
    xhr.setRequestHeader('baggage', 'vendor=2')
    xhr.send()
    await new Promise((resolve) => xhr.addEventListener('loadend', resolve))
    await fetch('/status/200', { headers: { 'sentry-trace': 'their-own' } })
    await fetch('http://127.0.0.1:1/refused').catch(() => undefined)
    const abort = new AbortController()
    const aborted = fetch('/status/200', { signal: abort.signal }).catch(() => undefined)
    abort.abort()
    await aborted
    history.pushState(null, '', '/done')
  })
  await page.goto('about:blank')
  const load = await transaction('pageload')
  const { trace_id, span_id } = load.contexts.trace
  const spans = load.spans!.filter(({ op }) => op === 'http.client')
  expect(spans).toMatchObject([
    {
      description: 'GET /status/404',
      status: 'not_found',
      parent_span_id: span_id,
      data: {
        type: 'fetch',
        url: `${server.url}/status/404?token=*`,
        'http.request.method': 'GET',
        'http.response.status_code': 404,
      },
    },
    { description: 'GET /status/201', status: 'ok' },
    { description: 'GET /status/503', status: 'unavailable', data: { type: 'xhr' } },
    { description: 'GET /status/200', status: 'ok' },
    { description: 'GET http://127.0.0.1:1/refused', status: 'internal_error' },
    { status: 'cancelled' },
  ])
  const received = (path: string): Record<string, unknown> =>
    server.requests.find((it) => it.path.startsWith(path))!.headers
  expect(received('/status/404')).toMatchObject({
    'sentry-trace': `${trace_id}-${spans[0]!.span_id}-1`,
    baggage: expect.stringContaining(`sentry-trace_id=${trace_id}`),
    'x-own': '1',
  })
  expect(received('/status/404')).not.toHaveProperty('traceparent')
  expect(received('/status/201')['baggage']).toMatch(/^vendor=1, ?sentry-environment=test,/)
  expect(received('/status/503')).toMatchObject({
    'sentry-trace': `${trace_id}-${spans[2]!.span_id}-1`,
    baggage: expect.stringMatching(/^vendor=2, ?sentry-environment=test,/),
  })
  expect(received('/status/200')['sentry-trace']).toBe('their-own')
  expect(JSON.stringify(load)).not.toContain('secret')
  await page.close()
})

test('another origin is told nothing unless it is a target; then with traceparent if wanted', async () => {
  const url = `${elsewhere.url}/status/200`
  const page = await open('patient')
  await page.evaluate((address) => fetch(address, { mode: 'no-cors' }).then(() => undefined), url)
  expect(elsewhere.requests).toMatchObject([{ method: 'GET' }])
  for (const name of ['sentry-trace', 'baggage', 'traceparent']) {
    expect(elsewhere.requests[0]!.headers).not.toHaveProperty(name)
  }
  await page.goto(`${server.url}/targets`)
  await page.evaluate(async (address) => {
    await fetch(address).catch(() => undefined)
    await fetch('/status/200')
    await fetch('/elsewhere')
  }, url)
  // The browser asks first whether it may send what we added.
  const asked = elsewhere.requests.find(({ method }) => method === 'OPTIONS')
  expect(asked?.headers['access-control-request-headers']).toBe('baggage,sentry-trace,traceparent')
  const own = server.requests.find(({ path }) => path === '/status/200')!.headers
  expect(own['traceparent']).toBe(`00-${String(own['sentry-trace']).slice(0, 49)}-01`)
  expect(server.requests.find(({ path }) => path === '/elsewhere')!.headers).not.toHaveProperty(
    'sentry-trace',
  )
  await page.close()
})

test('S13 the baggage of a request stays within 8192 with what the page itself put there', async () => {
  const page = await open('patient')
  const lengths = await page.evaluate(async () => {
    const sizes: (number | undefined)[] = []
    for (const size of [10, 8000, 8180, 8300]) {
      const theirs = `vendor=${'x'.repeat(size - 7)}`
      await fetch(`/size/${size}`, { headers: { baggage: theirs } })
      const xhr = new XMLHttpRequest()
      xhr.open('GET', `/size/${size}`)
      xhr.setRequestHeader('Baggage', theirs)
      xhr.send()
      await new Promise((resolve) => xhr.addEventListener('loadend', resolve))
      sizes.push(size)
    }
    return sizes
  })
  for (const size of lengths) {
    for (const { headers } of server.requests.filter((it) => it.path === `/size/${size}`)) {
      const sent = String(headers['baggage'])
      // The page's own members stay whole; ours fill the rest.
      expect(sent.startsWith(`vendor=${'x'.repeat(size! - 7)}`)).toBe(true)
      expect(sent.length).toBeLessThanOrEqual(Math.max(8192, size!))
      expect(sent.includes('sentry-trace_id')).toBe(size! <= 8000)
    }
  }
  await page.close()
})

test('requests arrive as the page made them', async () => {
  const page = await open('patient')
  const answers = await page.evaluate(async () => {
    const headers = new Headers({ 'x-a': '1' })
    await fetch('/plain/1', { headers })
    await fetch('/plain/2', { headers: [['x-a', '2']] })
    await fetch(new URL('/plain/3', location.href), { method: 'GET', cache: 'no-store' })
    await fetch('/plain/4', new Request('/ignored', { headers: { 'x-a': '4' } }))
    const bad = await fetch('/plain/5', { headers: { 'not allowed': '1' } }).catch(
      (it: Error) => it.name,
    )
    const none = await (fetch as (...values: unknown[]) => Promise<Response>)().catch(
      (it: Error) => it.name,
    )
    return { bad, none, left: [...headers.keys()] }
  })
  expect(answers).toEqual({ bad: 'TypeError', none: 'TypeError', left: ['x-a'] })
  const names = server.requests.filter(({ path }) => path.startsWith('/plain/'))
  expect(
    names.map(({ path, headers }) => [path, headers['x-a'] ?? null, 'sentry-trace' in headers]),
  ).toEqual([
    ['/plain/1', '1', true],
    ['/plain/2', '2', true],
    ['/plain/3', null, true],
    ['/plain/4', '4', false],
  ])
  await page.close()
})

test('a request that fails and that nobody handles is an error, as it is without us', async () => {
  const page = await open('patient')
  await page.addScriptTag({ content: `fetch('http://127.0.0.1:1/refused')` })
  const error = await until('the error came', () => server.items<Record<string, never>>('event')[0])
  expect(error).toMatchObject({
    exception: { values: [{ type: 'TypeError', mechanism: { handled: false } }] },
  })
  await page.close()
})

test('a page that has put something else in the place of fetch goes on with it', async () => {
  const page = await open('mocked')
  expect(await page.evaluate(() => fetch('/status/200'))).toBe('no promise')
  await page.close()
})

test('LCP, CLS, INP, FCP and TTFB arrive; late ones as spans that name their page load', async () => {
  const page = await open('shop')
  const load = await transaction('pageload')
  await page.click('#slow')
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        // A shift soon after input would not count.
        setTimeout(() => {
          document.querySelector('h1')!.style.marginTop = '300px'
          requestAnimationFrame(() => setTimeout(resolve, 100))
        }, 600)
      }),
  )
  await page.goto('about:blank')
  const spans = await until('the vitals came', () => {
    const sent = server.items<SpanPayload>('span')
    return sent.length >= 3 ? sent : undefined
  })
  const measured = Object.assign({}, load.measurements, ...spans.map((it) => it.measurements))
  expect(Object.keys(measured).sort()).toEqual([
    'cls',
    'fcp',
    'fp',
    'inp',
    'lcp',
    'ttfb',
    'ttfb.requestTime',
  ])
  expect(measured.cls.value).toBeGreaterThan(0)
  expect(measured.inp.value).toBeGreaterThan(100)
  for (const span of spans) {
    expect(span).toMatchObject({
      trace_id: load.contexts.trace.trace_id,
      parent_span_id: load.contexts.trace.span_id,
      data: {
        transaction: '/shop',
        'sentry.pageload.span_id': load.contexts.trace.span_id,
        release: 'shop@1',
      },
    })
  }
  expect(spans.find(({ measurements }) => measurements?.inp)).toMatchObject({
    op: 'ui.interaction.click',
    description: 'body > button#slow',
  })
  expect(JSON.stringify(spans)).not.toContain('Bob')
  // Vitals at the end of the page travelled together, with the page's trace.
  const late = server.envelopes.filter(({ items }) =>
    items.some(({ header }) => header.type === 'span'),
  )
  expect(late.at(-1)!.header.trace).toMatchObject({ trace_id: load.contexts.trace.trace_id })
  await page.close()
})

test.each(['meta', 'timing'])('a page load continues the trace of its server: %s', async (name) => {
  const page = await open(name)
  const load = await transaction('pageload')
  expect(load.contexts.trace).toMatchObject({ trace_id: traceId, parent_span_id: parentId })
  expect(envelopeWith('transaction').header.trace).toEqual({
    trace_id: traceId,
    public_key: key,
    sampled: 'true',
    sample_rand: '0.5',
    sample_rate: '1',
  })
  await page.evaluate(() => fetch('/status/200').then(() => undefined))
  const { headers } = server.requests.find(({ path }) => path === '/status/200')!
  expect(headers['baggage']).toBe(baggage)
  expect(headers['sentry-trace']).toBe(`${traceId}-${load.contexts.trace.span_id}-1`)
  await page.close()
})

test('a page that never rests ends after the final timeout', async () => {
  const page = await open('final')
  await page.evaluate(() => {
    setInterval(() => fetch('/status/200'), 200)
  })
  const load = await transaction('pageload')
  expect(load.contexts.trace).toMatchObject({
    status: 'deadline_exceeded',
    data: { 'sentry.idle_span_finish_reason': 'finalTimeout' },
  })
  expect(load.timestamp - load.start_timestamp).toBeLessThanOrEqual(1.5)
  await page.close()
})

test('a frame that kept the page from answering is a span, named after what took so long', async () => {
  const page = await open('patient')
  await page.click('#slow')
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
  )
  await page.goto('about:blank')
  const load = await transaction('pageload')
  // A busy machine has other long frames as well.
  const frame = load.spans!.find(
    ({ op, description }) =>
      op === 'ui.long-animation-frame' && description === 'BUTTON#slow.onclick',
  )
  expect(frame!.timestamp - frame!.start_timestamp).toBeGreaterThanOrEqual(0.12)
  expect(frame?.data?.['browser.blocking_duration']).toBeGreaterThan(50)
  await page.close()
})

test('a tab that is hidden ends what is open, and sends it', async () => {
  const page = await open('patient')
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  })
  const load = await transaction('pageload')
  expect(load.contexts.trace).toMatchObject({
    status: 'cancelled',
    data: {
      'sentry.idle_span_finish_reason': 'documentHidden',
      'sentry.cancellation_reason': 'document.hidden',
    },
  })
  await page.close()
})

test('errors carry the page they happened on, and what nothing caught fails it', async () => {
  const page = await open('patient')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('boom')
    })
  })
  const error = await until('the error came', () => server.items<Record<string, never>>('event')[0])
  await page.goto('about:blank')
  const load = await transaction('pageload')
  expect(error).toMatchObject({
    transaction: '/patient',
    contexts: {
      trace: { trace_id: load.contexts.trace.trace_id, span_id: load.contexts.trace.span_id },
    },
  })
  expect(envelopeWith('event').header.trace).toMatchObject({
    trace_id: load.contexts.trace.trace_id,
  })
  await page.close()
})

test('an unhandled error turns the status of its page', async () => {
  const page = await open('shop')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new TypeError('boom')
    })
  })
  expect((await transaction('pageload')).contexts.trace.status).toBe('internal_error')
  await page.close()
})

test('S11 a trace that is not sampled sends nothing, and tells servers so', async () => {
  const page = await open('unsampled')
  await page.evaluate(() => fetch('/status/200').then(() => undefined))
  const { headers } = server.requests.find(({ path }) => path === '/status/200')!
  expect(headers['sentry-trace']).toMatch(/-0$/)
  expect(headers['baggage']).toContain('sentry-sampled=false')
  await page.goto('about:blank')
  const report = await until(
    'the report came',
    () => server.items<Record<string, never>>('client_report')[0],
  )
  expect(report).toMatchObject({
    discarded_events: expect.arrayContaining([
      { reason: 'sample_rate', category: 'transaction', quantity: 1 },
    ]),
  })
  // By trace: the page before may send its largest paint as late as this.
  const [traceId] = String(headers['sentry-trace']).split('-')
  const spans = server.items<{ trace_id: string }>('span')
  expect(transactions().filter((it) => it.contexts.trace.trace_id === traceId)).toEqual([])
  expect(spans.filter((it) => it.trace_id === traceId)).toEqual([])
  await page.close()
})

test('S9 a manifest names pages by their routes', async () => {
  const page = await open('routes')
  await transaction('pageload', '/:shop')
  await page.evaluate(() => history.pushState(null, '', '/orders/4711/'))
  const order = await transaction('navigation', '/orders/:id')
  expect(order.transaction_info).toEqual({ source: 'route' })
  const envelope = server.envelopes.findLast(
    ({ items }) => items[0]?.header.type === 'transaction',
  )!
  expect(envelope.header.trace).toMatchObject({ transaction: '/orders/:id' })
  await page.close()
})

test('S10 transactions that are ignored are counted as discarded, and so are their vitals', async () => {
  const page = await open('ignored')
  const discards = (): Promise<Record<string, number>> =>
    page.evaluate(() => {
      const { afterimage } = window as unknown as {
        afterimage: typeof import('@afterimage/browser')
      }
      return Object.fromEntries(afterimage.getClient()!.discards)
    })
  await until(
    'the page load was discarded',
    async () => (await discards())['event_processor:transaction'],
  )
  await page.goto('about:blank')
  const report = await until(
    'the report came',
    () => server.items<{ discarded_events: { category: string }[] }>('client_report')[0],
  )
  expect(report.discarded_events.map(({ category }) => category)).toContain('transaction')
  // The page of the test before may still have said something as it closed.
  const spans = server.items<{ data: { transaction: string } }>('span')
  expect(spans.filter(({ data }) => data.transaction === '/ignored')).toEqual([])
  expect(transactions().filter((it) => it.transaction === '/ignored')).toEqual([])
  await page.close()
})

test('beforeSendSpan sees every span of a page and its late vitals; what it discards is counted', async () => {
  const page = await open('hooked')
  const load = await transaction('pageload', '/hooked')
  expect(load.contexts.trace).toMatchObject({ data: { seen: true } })
  expect(load.spans?.length).toBeGreaterThan(0)
  for (const span of load.spans ?? []) expect(span).toMatchObject({ data: { seen: true } })
  await page.click('#slow')
  await page.goto('about:blank')
  const isOfPage = (it: SpanPayload): boolean => it.trace_id === load.contexts.trace.trace_id
  const late = await until('a late vital came', () => {
    const sent = server.items<SpanPayload>('span').filter(isOfPage)
    return sent[0] && sent
  })
  for (const span of late) {
    expect(span).toMatchObject({ data: { seen: true } })
    expect(span.measurements).not.toHaveProperty('inp')
  }
  const counts = await until('the report came', () =>
    server
      .items<{ discarded_events: { reason: string }[] }>('client_report')
      .flatMap((it) => it.discarded_events)
      .find(({ reason }) => reason === 'before_send'),
  )
  expect(counts).toEqual({ reason: 'before_send', category: 'span', quantity: 1 })
  await page.close()
})

test('our own server reads pages, durations and vitals from it', async () => {
  const page = await open('shop')
  await page.evaluate(() => fetch('/status/200').then(() => undefined))
  await transaction('pageload')
  await page.click('#slow')
  // An interaction is measured when its result was painted.
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))),
  )
  await page.goto('about:blank')
  await until('the vitals came', () =>
    server.items<SpanPayload>('span').find((it) => it.measurements?.['inp']),
  )
  const rows = server.envelopes.flatMap((envelope) =>
    envelope.items.flatMap(({ header, payload }, index) => {
      const item = { header, payload }
      const context = itemContext({ header: envelope.header, items: [...envelope.items] }, index)
      if (header.type === 'transaction') return processTransaction(item, context)
      return header.type === 'span' ? processSpan(item, context) : []
    }),
  )
  expect(rows.map(({ refusal }) => refusal)).toEqual(rows.map(() => null))
  const found = rows.flatMap((it) => it.rows)
  const pages = found.flatMap((it) => (it.table === 'transactions' ? [it.columns] : []))
  expect(pages).toMatchObject([
    { name: '/shop', op: 'pageload', source: 'url', status: 'ok', release: 'shop@1' },
  ])
  expect(pages[0]!.durationMs).toBeGreaterThan(0)
  const spans = found.filter(({ table }) => table === 'spans').map(({ columns }) => columns)
  expect(spans).toContainEqual(
    expect.objectContaining({
      op: 'http.client',
      name: 'GET /status/200',
      status: 'ok',
      segmentName: '/shop',
    }),
  )
  const vitals = found.filter(({ table }) => table === 'vitals').map(({ columns }) => columns)
  for (const name of ['lcp', 'fcp', 'ttfb', 'inp']) {
    expect(vitals).toContainEqual(
      expect.objectContaining({
        name,
        segmentName: '/shop',
        segmentId: pages[0]!.spanId,
        browser: expect.stringContaining('Chrome'),
      }),
    )
  }
  await page.close()
})
