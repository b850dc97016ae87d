import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { captureException, close, init } from '@afterimage/browser/errors'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { traceRouter, type DataRouter } from './data-router.ts'
import { routerTracing } from '@afterimage/browser/routed-pages'

/** A router of our own making on a virtual clock; the real ones are driven in end-to-end tests. */

type State = DataRouter['state']

let network: FakeNetwork
let move: (href: string) => void

beforeEach(() => {
  vi.useFakeTimers()
  network = fakeNetwork()
  const document = Object.assign(new EventTarget(), {
    readyState: 'complete',
    referrer: '',
    visibilityState: 'visible',
    baseURI: 'https://shop.test/',
    querySelector: () => null,
  })
  vi.stubGlobal('document', document)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('XMLHttpRequest', EventTarget)
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => setTimeout(run, 16))
  move = (href) => vi.stubGlobal('location', new URL(href, 'https://shop.test'))
  move('/')
  vi.stubGlobal('history', {
    pushState: (_state: unknown, _title: string, href: string) => move(href),
    replaceState: () => undefined,
  })
})

afterEach(async () => {
  await close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function at(pathname: string): State['location'] {
  return { pathname, search: '', hash: '' }
}

/** A router at a page; `tell` passes a new state to its listener. */
function routerAt(pathname: string, path: string) {
  let listener: ((state: State) => void) | undefined
  let state: State = { location: at(pathname), matches: [{ route: { path } }], navigation: {} }
  const tell = (next: Partial<State>): void => {
    state = { ...state, navigation: {}, ...next }
    listener?.(state)
  }
  const router = {
    get state() {
      return state
    },
    subscribe(given: (state: State) => void) {
      listener = given
      return () => undefined
    },
    createHref: (location: { readonly pathname: string }) => location.pathname,
  }
  traceRouter(router)
  return {
    load: (pathname: string) => tell({ navigation: { location: at(pathname) } }),
    show(pathname: string, path: string, rest: Partial<State> = {}) {
      history.pushState(null, '', pathname)
      tell({ location: at(pathname), matches: [{ route: { path } }], ...rest })
    },
    abandon: () => tell({}),
  }
}

function start(): void {
  init({ dsn, integrations: [routerTracing()] })
}

async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

/** Op and name of each page that was sent. */
function pages(): (readonly [string | undefined, string])[] {
  return network.envelopes
    .flatMap(({ items }) => items)
    .filter(({ header }) => header.type === 'transaction')
    .map(({ payload }) => JSON.parse(new TextDecoder().decode(payload)) as TransactionPayload)
    .map(({ contexts, transaction }) => [contexts.trace.op, transaction ?? ''])
}

function press(): void {
  window.dispatchEvent(new Event('click'))
}

test('a navigation lasts while its loaders do, and has the name of what is shown', async () => {
  start()
  const router = routerAt('/', '/')
  await wait(2000)
  press()
  router.load('/users/7')
  await wait(10_000)
  expect(pages()).toEqual([['pageload', '/']])
  router.show('/users/7', '/users/:id')
  await wait(2000)
  expect(pages()).toEqual([
    ['pageload', '/'],
    ['navigation', '/users/:id'],
  ])
})

test('a redirect keeps the navigation; a click begins another', async () => {
  start()
  const router = routerAt('/', '/')
  press()
  router.load('/old')
  await wait(100)
  router.load('/users/7')
  await wait(100)
  press()
  router.load('/cart')
  router.show('/cart', '/cart')
  await wait(2000)
  expect(pages()).toEqual([
    ['pageload', '/'],
    ['navigation', '/old'],
    ['navigation', '/cart'],
  ])
})

test('a page that was abandoned can be begun again', async () => {
  start()
  const router = routerAt('/', '/')
  await wait(2000)
  for (const attempt of [1, 2]) {
    press()
    router.load('/cart')
    router.abandon()
    await wait(2000)
    expect(pages()).toHaveLength(attempt + 1)
  }
})

test.each([
  [{ status: 404, internal: true }, '/nowhere'],
  [{ status: 404, internal: false }, '/:any'],
  [new Error('failed'), '/:any'],
  [null, '/:any'],
])('a page that failed with %j is named %s', async (error, name) => {
  start()
  const router = routerAt('/', '/')
  await wait(2000)
  press()
  router.show('/nowhere', '/:any', { errors: { root: error } })
  await wait(2000)
  expect(pages().at(-1)).toEqual(['navigation', name])
})

test('an error has the route on which it happened, also after its page was sent', async () => {
  start()
  routerAt('/', '/:home?')
  await wait(5000)
  captureException(new Error('failed'))
  await wait(100)
  expect(network.events()[0]?.transaction).toBe('/:home?')
})

test('without a client the router works as before', () => {
  const router = routerAt('/', '/')
  router.load('/cart')
  router.show('/cart', '/cart')
  expect(location.pathname).toBe('/cart')
})
