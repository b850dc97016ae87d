import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '@afterimage/sdk-core/client'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { pageNameAt, startNavigation, startPageLoad, watchPages } from './pages.ts'
import { startTracing } from './tracer.ts'
import type { TracingOptions } from './tracing-options.ts'

/** Page loads and navigations on a virtual clock; the journeys in Chromium are end-to-end tests. */

let network: FakeNetwork
let page: EventTarget & { readyState: string }
let undo: readonly (() => void)[]

beforeEach(() => {
  vi.useFakeTimers()
  network = fakeNetwork()
  page = Object.assign(new EventTarget(), {
    readyState: 'complete',
    referrer: '',
    visibilityState: 'visible',
    querySelector: () => null,
  })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('location', new URL('https://shop.test/cart/'))
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
})

afterEach(() => {
  undo.forEach((step) => step())
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function start(options: TracingOptions = {}): void {
  const given = { pageLoad: false, navigation: false, ...options }
  const stop = startTracing(createClient({ dsn }, [])!, given, [])
  undo = [...watchPages(), stop]
}

async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

function sent(): TransactionPayload[] {
  return network.envelopes.map(
    ({ items }) => JSON.parse(new TextDecoder().decode(items[0]!.payload)) as TransactionPayload,
  )
}

test('S9 without a manifest a page is named by its raw path, without the last `/`, and the source is url', async () => {
  start()
  startPageLoad()
  await wait(1000)
  expect(sent()).toMatchObject([
    {
      transaction: '/cart',
      transaction_info: { source: 'url' },
      contexts: { trace: { op: 'pageload' } },
    },
  ])
})

test('S9 a name from the manifest has the source route; without one the raw path stays', async () => {
  start({ nameOfPath: (path) => (path === '/cart' ? '/:shop' : null) })
  startPageLoad()
  await wait(1000)
  vi.stubGlobal('location', new URL('https://shop.test/'))
  startNavigation()
  await wait(1000)
  expect(sent()).toMatchObject([
    { transaction: '/:shop', transaction_info: { source: 'route' } },
    { transaction: '/', transaction_info: { source: 'url' } },
  ])
})

test('a framework may name pages itself', async () => {
  start()
  startNavigation({
    name: '/orders/[id]',
    source: 'route',
    attributes: { 'navigation.type': 'router.push' },
  })
  await wait(1000)
  expect(sent()).toMatchObject([
    {
      transaction: '/orders/[id]',
      contexts: { trace: { data: { 'navigation.type': 'router.push' } } },
    },
  ])
})

test.each([
  [1500, null, 1],
  [1501, null, 2],
  [1500, 0, 2],
  [1400, -101, 1],
])(
  'a change after %i ms, with a key pressed after %s ms, leaves %i pages',
  async (changedMs, pressedMs, pages) => {
    start({ idleTimeoutMs: 5000 })
    if (pressedMs !== null && pressedMs < 0) {
      window.dispatchEvent(new Event('keydown'))
      await wait(-pressedMs)
    }
    startNavigation({ name: '/a' })
    if (pressedMs === 0) {
      window.dispatchEvent(new Event('keydown'))
    }
    await wait(changedMs)
    startNavigation({ name: '/b' })
    await wait(30_000)
    expect(sent()).toHaveLength(pages)
    expect(sent()[0]!.spans).toMatchObject(
      pages === 1 ? [{ op: 'navigation.redirect', description: '/b' }] : [],
    )
  },
)

test('a page load waits until the document is loaded', async () => {
  page.readyState = 'loading'
  start()
  startPageLoad()
  await wait(5000)
  expect(sent()).toEqual([])
  page.readyState = 'interactive'
  page.dispatchEvent(new Event('readystatechange'))
  await wait(1000)
  expect(sent()).toHaveLength(1)
})

test('a document that comes back from the cache is a page of its own, however soon', async () => {
  vi.stubGlobal('history', { pushState: () => undefined, replaceState: () => undefined })
  start({ navigation: true })
  startPageLoad()
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false }))
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  await wait(1000)
  expect(sent()).toMatchObject([
    { contexts: { trace: { op: 'pageload' } } },
    { contexts: { trace: { op: 'navigation', data: { 'navigation.type': 'bfcache' } } } },
  ])
})

test('a time belongs to the page that was shown then', async () => {
  start({ idleTimeoutMs: 10 })
  const before = Date.now() - 1
  startNavigation({ name: '/a' })
  await wait(5000)
  const first = Date.now() - 1
  startNavigation({ name: '/b' })
  await wait(5000)
  expect([before, first, Date.now()].map(pageNameAt)).toEqual([undefined, '/a', '/b'])
})
