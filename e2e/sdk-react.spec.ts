import type { EventPayload } from '@afterimage/protocol/event-payload'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { bundleProject, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** `@afterimage/react` in real Chromium: boundaries, the errors of the root, the profiler. */

const head = `
import { createRoot } from 'react-dom/client'
import { useState } from 'react'
import { ErrorBoundary, init, reactErrorHandler, withErrorBoundary, withProfiler } from '@afterimage/react'
const dsn = 'https://${'a'.repeat(32)}@errors.test/42'`

const boundaries = `${head}
import { browserTracing } from '@afterimage/react'
init({ dsn, integrations: [browserTracing({ idleTimeoutMs: 60_000 })] })
window.told = []

function Price({ order }) { return <p id="price">{order.lines.length}</p> }
const Cart = withProfiler(function Cart({ count }) { return <p id="cart">{count}</p> }, { name: 'Cart' })
function Fallback({ error, eventId, componentStack, resetError }) {
  const [note, setNote] = useState('')
  return <div id="fallback" data-event={eventId} data-stack={componentStack}>
    {error.message}<input id="note" value={note} onChange={(it) => setNote(it.target.value)} />
    <button id="reset" onClick={resetError}>Again</button>
  </div>
}
const Alone = withErrorBoundary(Price, { fallback: <p id="alone">Something failed</p> })

function Shop() {
  const [order, setOrder] = useState({ lines: [] })
  const [key, setKey] = useState(1)
  const [count, setCount] = useState(1)
  return <>
    <ErrorBoundary
      fallback={(failure) => <Fallback {...failure} />} resetKeys={[key]}
      beforeCapture={(scope) => scope.setTag('part', 'price')}
      onError={(error, stack, id) => told.push(['error', error.message, id])}
      onReset={(error, stack, id) => { told.push(['reset', error.message, id]); setOrder({ lines: [1] }) }}>
      <Price order={order} />
    </ErrorBoundary>
    <Cart count={count} />
    <button id="break" onClick={() => setOrder({ name: 'first' })}>Break</button>
    <button id="again" onClick={() => setCount(count + 1)}>Render</button>
    <button id="key" onClick={() => setKey(key + 1)}>Key</button>
    <button id="update" onClick={() => setCount(count + 1)}>Update</button>
  </>
}
createRoot(document.querySelector('#root')).render(location.search ? <Alone order={{}} /> : <Shop />)`

const roots = `${head}
init({ dsn })
function Broken({ message }) { throw new Error(message) }
const Bounded = withErrorBoundary(Broken, { fallback: null })
const seen = (error, info, eventId) => document.body.append(eventId)
createRoot(document.querySelector('#root'), {
  onCaughtError: reactErrorHandler(seen), onUncaughtError: reactErrorHandler(),
}).render(location.search ? <Bounded message="caught by a boundary" /> : <Broken message="caught by nobody" />)`

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  const pages: Record<string, { html: string }> = {}
  const scripts: Record<string, { type: string; body: string }> = {}
  for (const [name, source] of Object.entries({ boundaries, roots })) {
    const folder = writeProject(`react-${name}`, { 'main.jsx': source })
    const body = await bundleProject(folder, 'main.jsx')
    scripts[`/${name}.js`] = { type: 'text/javascript', body }
    pages[name] = { html: `<div id="root"></div><script src="/${name}.js"></script>` }
  }
  server = await startSdkServer(pages, scripts)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(() => server.clear())

async function open(path: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${server.url}/${path}`)
  return page
}

function errorEvent(message: string): Promise<EventPayload> {
  return until(`the error "${message}"`, () =>
    server
      .items<EventPayload>('event')
      .find((it) => it.exception?.values.some(({ value }) => value === message)),
  )
}

test('a boundary reports what it catches once, with its components, and draws its fallback', async () => {
  const page = await open('boundaries')
  await page.click('#break')
  await page.waitForSelector('#fallback')
  const event = await errorEvent("Cannot read properties of undefined (reading 'length')")
  expect(event.exception?.values[0]?.mechanism).toMatchObject({
    type: 'react.boundary',
    handled: true,
  })
  expect(event.contexts?.['react']).toMatchObject({ version: expect.stringMatching(/^19\./) })
  expect(event.contexts?.['react']?.['componentStack']).toMatch(
    /^\s+at Price .*\n\s+at ErrorBoundary /,
  )
  expect(event.tags).toEqual({ part: 'price' })
  expect(await page.getAttribute('#fallback', 'data-event')).toBe(event.event_id)
  expect(await page.getAttribute('#fallback', 'data-stack')).toContain('at Price')
  expect(await page.evaluate('told')).toEqual([
    ['error', event.exception?.values[0]?.value, event.event_id],
  ])
  expect(server.items('event')).toHaveLength(1)
  await page.close()
})

test('a fallback keeps its state while the page renders, and resets its boundary', async () => {
  const page = await open('boundaries')
  await page.click('#break')
  await page.fill('#note', 'it broke')
  await page.click('#again')
  expect(await page.inputValue('#note')).toBe('it broke')
  await page.click('#reset')
  await page.waitForSelector('#price')
  expect(await page.evaluate('told.map(([what]) => what)')).toEqual(['error', 'reset'])
  await page.close()
})

test('a boundary resets itself when one of its keys changes', async () => {
  const page = await open('boundaries')
  await page.click('#break')
  await page.waitForSelector('#fallback')
  await page.click('#key')
  await page.waitForSelector('#price')
  await page.close()
})

test('a component inside a boundary of its own', async () => {
  const page = await open('boundaries?alone')
  await page.waitForSelector('#alone')
  const event = await errorEvent("Cannot read properties of undefined (reading 'length')")
  expect(event.contexts?.['react']?.['componentStack']).toContain('at errorBoundary(Price)')
  await page.close()
})

test('the root reports what a boundary caught, and what nobody did, once each', async () => {
  const page = await open('roots')
  const uncaught = await errorEvent('caught by nobody')
  expect(uncaught.exception?.values[0]?.mechanism).toMatchObject({
    type: 'react.root',
    handled: false,
  })
  expect(uncaught.contexts?.['react']?.['componentStack']).toContain('at Broken')
  await page.goto(`${server.url}/roots?bounded`)
  const caught = await errorEvent('caught by a boundary')
  expect(caught.exception?.values[0]?.mechanism).toMatchObject({ handled: true })
  expect(await page.textContent('body')).toContain(caught.event_id)
  expect(server.items('event')).toHaveLength(2)
  await page.close()
})

test('a profiled component has a span for its mounting, and one for an update by names alone', async () => {
  const page = await open('boundaries')
  await page.click('#update')
  await page.waitForFunction("document.querySelector('#cart').textContent === '2'")
  await page.goto('about:blank')
  const [load] = await until('the page load', () => {
    const loads = server.items<TransactionPayload>('transaction')
    return loads.length > 0 ? loads : null
  })
  const own = load?.spans?.filter(({ description }) => description === '<Cart>')
  expect(own).toMatchObject([
    { op: 'ui.react.mount', origin: 'auto.ui.react.profiler' },
    { op: 'ui.react.update', data: { 'ui.react.changed_props': ['count'] } },
  ])
  await page.close()
})
