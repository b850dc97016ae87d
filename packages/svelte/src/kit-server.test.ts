import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  afterimageHandle,
  captureServerException,
  handle,
  handleError,
  handleErrorWithAfterimage,
  init,
  initServer,
  type KitEvent,
} from './kit-server.ts'

interface ReceivedItem {
  readonly type: string
  readonly json: Readonly<Record<string, never>>
}

const key = 'a'.repeat(32)
let server: Server
let url: string
let dsn: string
let items: ReceivedItem[]

beforeEach(async () => {
  items = []
  server = createServer((incoming, response) => {
    void buffer(incoming).then((bytes) => {
      const envelope = decodeEnvelope(bytes)
      if (isRefusal(envelope)) throw new Error(envelope.detail)
      for (const { header, payload } of envelope.items) {
        const json = JSON.parse(Buffer.from(payload).toString()) as never
        items.push({ type: header.type, json })
      }
      return response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  dsn = `${url.replace('//', `//${key}@`)}/42`
  vi.stubEnv('AFTERIMAGE_DSN', dsn)
  vi.stubEnv('AFTERIMAGE_SERVER', undefined)
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  initServer({ release: 'shop@1' })
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

function eventOf(path: string, more: RequestInit & { route?: string | null } = {}): KitEvent {
  const { route = null, ...given } = more
  const request = new Request(`https://shop.test${path}`, given)
  return {
    request,
    url: new URL(request.url),
    route: { id: route },
    getClientAddress: () => '127.0.0.1',
  }
}

const document = '<!doctype html><html><head lang="en"><title>A</title></head><body></body></html>'

/** Answers as SvelteKit does when it draws a page. */
async function draw(
  _event: unknown,
  options: { transformPageChunk?(chunk: { readonly html: string }): string } = {},
): Promise<Response> {
  return new Response(options.transformPageChunk?.({ html: document }) ?? document)
}

function reportTo(project: string): Uint8Array<ArrayBuffer> {
  const item = { header: { type: 'event' }, payload: '{"message":"hello"}' }
  return encodeEnvelope({ dsn: project }, [item])
}

function sent(type: string): Readonly<Record<string, never>>[] {
  return items.filter((it) => it.type === type).map(({ json }) => json)
}

test('an error of a request is an event: named by its route, and without what is the visitor’s own', async () => {
  const event = eventOf('/users/7?token=secret', {
    route: '/users/[id]',
    headers: { cookie: 'session=secret', 'user-agent': 'Firefox' },
  })
  handleError({ error: new RangeError('failed'), kind: 'unknown', event })
  await expect.poll(() => sent('event')).toHaveLength(1)
  expect(sent('event')).toMatchObject([
    {
      release: 'shop@1',
      environment: 'production',
      transaction: 'GET /users/[id]',
      exception: {
        values: [
          {
            type: 'RangeError',
            mechanism: { type: 'sveltekit.handle_error', handled: false },
          },
        ],
      },
      request: { method: 'GET', url: '/users/7?token=*', headers: { 'User-Agent': 'Firefox' } },
      contexts: { sveltekit: { route_id: '/users/[id]' } },
      tags: { runtime: 'server' },
      sdk: { name: 'afterimage.javascript.svelte' },
    },
  ])
  expect(JSON.stringify(items)).not.toContain('secret')
})

test.each([
  [{ kind: 'unknown' }, 1],
  [{ kind: 'app' }, 0],
  [{ kind: 'framework' }, 0],
  [{ kind: 'validation', issues: [] }, 0],
  [{ status: 500 }, 1],
  [{ status: 404 }, 0],
])('of an error with %j, %d is reported', async (facts, count) => {
  handleError({ error: new Error('given'), ...facts, event: eventOf('/') })
  await captureServerException(new Error('last'))
  await expect.poll(() => JSON.stringify(items)).toContain('last')
  await expect.poll(() => sent('event')).toHaveLength(count + 1)
})

test('the application’s own hook gives the answer, and logs as it likes', () => {
  const error = new Error('failed')
  const input = { error, kind: 'unknown', event: eventOf('/') }
  const own = vi.fn(() => ({ message: 'Sorry' }))
  expect(handleErrorWithAfterimage(own)(input)).toEqual({ message: 'Sorry' })
  expect(own).toHaveBeenCalledWith(input)
  expect(console.error).not.toHaveBeenCalled()
  handleError(input)
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error)
})

test('a page continues the trace of its request, which is measured and whose errors are in it', async () => {
  const event = eventOf('/users/7', { route: '/users/[id]' })
  const response = await handle({
    event,
    resolve: (given, options) => {
      handleError({ error: new Error('failed'), kind: 'unknown', event: given })
      return draw(given, options)
    },
  })
  const html = await response.text()
  const [, traceId, spanId] =
    /<head lang="en"><meta name="sentry-trace" content="(\w{32})-(\w{16})-1"/.exec(html) ?? []
  expect(html).toContain(
    `<meta name="baggage" content="sentry-public_key=${key},sentry-release=shop%401`,
  )
  await expect.poll(() => items).toHaveLength(2)
  const trace = { trace_id: traceId, span_id: spanId }
  expect(sent('event')).toMatchObject([{ contexts: { trace } }])
  expect(sent('transaction')).toMatchObject([
    {
      transaction: 'GET /users/[id]',
      transaction_info: { source: 'route' },
      contexts: {
        trace: {
          ...trace,
          op: 'http.server',
          status: 'ok',
          data: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
        },
      },
    },
  ])
})

test('a request of a page belongs to the page’s trace', async () => {
  const [traceId, spanId] = ['b'.repeat(32), 'c'.repeat(16)]
  const headers = { 'sentry-trace': `${traceId}-${spanId}-1`, baggage: 'sentry-sample_rand=0.5' }
  await handle({ event: eventOf('/api', { route: '/api', headers }), resolve: draw })
  await expect
    .poll(() => sent('transaction'))
    .toMatchObject([{ contexts: { trace: { trace_id: traceId, parent_span_id: spanId } } }])
})

test('a page made by the build has no trace, and neither has one without a DSN', async () => {
  const event = {
    ...eventOf('/about', { route: '/about' }),
    getClientAddress: () => {
      throw new Error('Cannot read clientAddress during prerendering')
    },
  }
  expect(await (await handle({ event, resolve: draw })).text()).toBe(document)
  vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.stubEnv('AFTERIMAGE_DSN', undefined)
  init()
  const other = eventOf('/about', { route: '/about' })
  expect(await (await handle({ event: other, resolve: draw })).text()).toBe(document)
  expect(items).toEqual([])
})

test('the rate decides about the page as well', async () => {
  initServer({ tracesSampleRate: 0 })
  const response = await handle({ event: eventOf('/', { route: '/' }), resolve: draw })
  expect(await response.text()).toMatch(/content="\w{32}-\w{16}-0"/)
  await captureServerException(new Error('last'))
  expect(items.map(({ type }) => type)).toEqual(['event'])
})

test('reports of pages are answered by the tunnel, and no other request', async () => {
  const resolve = vi.fn(draw)
  const post = (body: BodyInit, path = '/shop/reports?o=1&p=42') =>
    afterimageHandle({ tunnelPath: '/shop/reports' })({
      event: eventOf(path, { method: 'POST', body }),
      resolve,
    })
  expect((await post(reportTo(dsn))).status).toBe(200)
  expect(sent('event')).toMatchObject([{ message: 'hello' }])
  expect((await post(reportTo(`${dsn}7`))).status).toBe(403)
  const get = (path: string) =>
    afterimageHandle({ tunnelPath: '/shop/reports' })({ event: eventOf(path), resolve })
  expect((await get(`/shop/reports?p=7&k=${'9'.repeat(32)}`)).status).toBe(403)
  expect(resolve).not.toHaveBeenCalled()
  await post('text', '/shop/reports/of-mine')
  expect(resolve).toHaveBeenCalledOnce()
})
