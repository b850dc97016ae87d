import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SdkEvent } from '@afterimage/browser'
import { captureServerException, initServer, onRequestError, register } from './server.ts'

const key = 'a'.repeat(32)
const request = {
  path: '/products/reading-lamp?token=secret',
  method: 'GET',
  headers: { cookie: 'session=secret', 'user-agent': 'Firefox', authorization: 'secret' },
}
const context = {
  routerKind: 'App Router',
  routePath: '/products/[slug]',
  routeType: 'render',
  renderSource: 'react-server-components',
}

interface ReceivedItem {
  readonly type: string
  readonly json: Record<string, never>
}

let server: Server
let dsn: string
let items: ReceivedItem[]
let answer: { readonly status: number; readonly headers?: Record<string, string> }
let url: string | undefined

beforeEach(async () => {
  items = []
  answer = { status: 200 }
  server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    url = incoming.url
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const envelope = decodeEnvelope(Buffer.concat(chunks))
      if (isRefusal(envelope)) throw new Error(envelope.detail)
      expect(envelope.header.dsn).toBe(dsn)
      for (const { header, payload } of envelope.items) {
        items.push({
          type: header.type,
          json: JSON.parse(Buffer.from(payload).toString()) as never,
        })
      }
      response.writeHead(answer.status, answer.headers).end('{}')
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  dsn = `http://${key}@127.0.0.1:${(server.address() as AddressInfo).port}/42`
  vi.stubEnv('AFTERIMAGE_DSN', undefined)
  vi.stubEnv('AFTERIMAGE_SERVER', undefined)
  initServer({ dsn, release: 'shop@1', environment: 'test' })
})

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  server.closeAllConnections()
  server.close()
})

const eventSent = () => items.find(({ type }) => type === 'event')?.json

test('an error of a request is an event: named by its route, and without what is the visitor’s own', async () => {
  const error = Object.assign(new RangeError('no such lamp', { cause: new Error('gone') }), {
    digest: '123',
  })
  await onRequestError(error, request, context)
  expect(url).toBe('/api/42/envelope/')
  expect(eventSent()).toMatchObject({
    platform: 'javascript',
    release: 'shop@1',
    environment: 'test',
    transaction: 'GET /products/[slug]',
    exception: {
      values: [
        { type: 'Error', value: 'gone' },
        {
          type: 'RangeError',
          value: 'no such lamp',
          mechanism: { type: 'next.on_request_error', handled: false },
        },
      ],
    },
    request: {
      method: 'GET',
      url: '/products/reading-lamp?token=*',
      headers: { 'User-Agent': 'Firefox' },
    },
    tags: { runtime: 'server', 'next.digest': '123' },
    contexts: { next: { router_kind: 'App Router', router_path: '/products/[slug]' } },
    sdk: { name: 'afterimage.javascript.next' },
  })
  expect(JSON.stringify(items)).not.toContain('secret')
  expect(JSON.stringify(items)).not.toContain(process.cwd())
})

test('frames are in the application or not, and say nothing of the machine', async () => {
  const error = new Error('x')
  error.stack = `Error: x
    at Page (${process.cwd()}/.next/server/chunks/ssr/_page_1.js:2:10)
    at other (/srv/build/.next/builds/a/server/app/page.js:1:1)
    at render (${process.cwd()}/node_modules/next/dist/server/render.js:3:1)
    at own (file://${process.cwd()}/lib/own.js:4:1)
    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)`
  await captureServerException(error)
  const exception = eventSent()?.exception as unknown as SdkEvent['exception'] | undefined
  const frames = exception?.values[0]?.stacktrace?.frames ?? []
  expect(frames.map(({ filename, in_app: isOwn }) => `${filename} ${isOwn}`)).toEqual([
    'node:internal/process/task_queues false',
    'app:///lib/own.js true',
    'app:///node_modules/next/dist/server/render.js false',
    'app:///_next/server/app/page.js true',
    'app:///_next/server/chunks/ssr/_page_1.js true',
  ])
})

test('a value that frameworks throw to leave a function is not an error', async () => {
  for (const digest of [
    'NEXT_REDIRECT;replace;/a;307;',
    'NEXT_HTTP_ERROR_FALLBACK;404',
    'DYNAMIC_SERVER_USAGE',
    'BAILOUT_TO_CLIENT_SIDE_RENDERING',
  ]) {
    await onRequestError(Object.assign(new Error('x'), { digest }), request, context)
  }
  expect(items).toEqual([])
})

test('anything can be thrown', async () => {
  for (const thrown of ['text', null, undefined, 42, { a: 1 }]) {
    await onRequestError(thrown, request, context)
  }
  expect(items.filter(({ type }) => type === 'event')).toHaveLength(5)
})

test('drops are reported with the next event', async () => {
  initServer({ dsn, beforeSend: (event) => (event.tags?.keep ? event : null) })
  expect(await captureServerException(new Error('a'))).toBe('')
  expect(
    await captureServerException(new Error('b'), { words: { tags: { keep: 'yes' } } }),
  ).toMatch(/^[\da-f]{32}$/)
  expect(items.map(({ type }) => type)).toEqual(['event', 'client_report'])
  expect(items[1]?.json.discarded_events).toEqual([
    { reason: 'before_send', category: 'error', quantity: 1 },
  ])
})

test('rate limits are obeyed, and what they cost is counted', async () => {
  answer = { status: 429, headers: { 'x-sentry-rate-limits': '60:error:key' } }
  expect(await captureServerException(new Error('a'))).toBe('')
  expect(await captureServerException(new Error('b'))).toBe('')
  expect(items).toHaveLength(1)
})

function fail(): never {
  throw new Error('mine')
}

test('a missing server, or an application’s function that throws, does not disturb the caller', async () => {
  initServer({ dsn, beforeSend: fail })
  expect(await captureServerException(new Error('a'))).toBe('')
  initServer({ dsn, server: 'http://127.0.0.1:1' })
  expect(await captureServerException(new Error('a'))).toBe('')
  expect(items).toEqual([])
})

test('the environment names DSN and server; without a DSN nothing is sent, and that is said', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  vi.stubEnv('AFTERIMAGE_DSN', `https://${key}@nowhere.example/42`)
  vi.stubEnv('AFTERIMAGE_SERVER', dsn.replace(`${key}@`, '').replace(/\/42$/, '/below/'))
  dsn = `https://${key}@nowhere.example/42`
  register()
  await captureServerException(new Error('a'))
  expect(url).toBe('/below/api/42/envelope/')
  for (const text of [undefined, 'hello']) {
    items = []
    vi.stubEnv('AFTERIMAGE_DSN', text)
    register()
    expect(await captureServerException(new Error('a'))).toBe('')
    expect(items).toEqual([])
  }
  expect(warn).toHaveBeenCalledTimes(2)
})
