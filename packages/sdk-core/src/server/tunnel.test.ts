import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { tunnelDrainBytesMax } from './limits.ts'
import { createTunnel, type Tunnel, type TunnelOptions } from './tunnel.ts'
import { createBodyReader } from './tunnel-body.ts'

const key = 'a'.repeat(32)
const dsn = `https://${key}@errors.example/42`
const id = '9ec79c33ec9942ab8353589fcb2e04dc'

interface Received {
  readonly url: string
  readonly headers: Record<string, string | string[] | undefined>
  readonly body: Buffer
}

let server: Server
let address: string
let received: Received[]
/** The server's answer; null keeps it waiting. */
let answer: {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
} | null

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url = '', headers } = request
      received.push({ url, headers, body: Buffer.concat(chunks) })
      if (answer === null) return
      response.writeHead(answer.status, answer.headers).end(answer.body ?? `{"id":"${id}"}`)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

beforeEach(() => {
  received = []
  answer = { status: 200, headers: { 'content-type': 'application/json' } }
})

function tunnel(options: Partial<TunnelOptions> = {}): Tunnel {
  return createTunnel({ server: address, dsns: [dsn], ...options })
}

function envelope(header: object = { event_id: id, dsn }, payload = '{"message":"hello"}'): string {
  return `${JSON.stringify(header)}\n{"type":"event","length":${Buffer.byteLength(payload)}}\n${payload}`
}

function post(
  body: BodyInit | null,
  { headers = {}, path = '/monitoring?o=1&p=42' }: { headers?: HeadersInit; path?: string } = {},
): Request {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  return new Request(`https://shop.example${path}`, init)
}

async function detailOf(response: Response): Promise<string> {
  return ((await response.json()) as { detail: string }).detail
}

test('hands an envelope on to the configured server, byte by byte, and its answer back', async () => {
  const response = await tunnel()(post(envelope(), { headers: { 'user-agent': 'Firefox' } }))
  expect([response.status, await response.json()]).toEqual([200, { id }])
  expect(received).toHaveLength(1)
  expect(received[0]?.url).toBe('/api/42/envelope/')
  expect(received[0]?.body.toString()).toBe(envelope())
  expect(received[0]?.headers).toMatchObject({
    'content-type': 'application/x-sentry-envelope',
    'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key}`,
    'user-agent': 'Firefox',
  })
})

test('asks the configured server for settings, without a word about the visitor', async () => {
  const headers = { etag: '"1"', 'cache-control': 'public, max-age=60', 'set-cookie': 'a=b' }
  answer = { status: 200, headers, body: '{"enabled":false}' }
  const page = { cookie: 'session=1', 'user-agent': 'Firefox' }
  const ask = (path: string, more: Record<string, string> = {}) =>
    tunnel({ trustProxy: 0 })(
      new Request(`https://shop.example${path}`, { headers: { ...page, ...more } }),
      '10.0.0.1',
    )
  const path = `/monitoring?o=1&p=42&k=${key}`
  const settings = await ask(path)
  expect([settings.status, await settings.text()]).toEqual([200, '{"enabled":false}'])
  expect(Object.fromEntries(settings.headers)).toMatchObject({
    etag: '"1"',
    'cache-control': 'public, max-age=60',
  })
  expect(settings.headers.get('set-cookie')).toBeNull()
  expect(received[0]?.url).toBe(`/api/42/envelope/?k=${key}`)
  expect(received[0]?.headers).not.toHaveProperty('cookie')
  expect(received[0]?.headers).not.toHaveProperty('x-forwarded-for')
  expect(received[0]?.headers['user-agent']).not.toBe('Firefox')

  answer = { status: 304, headers: { etag: '"1"' }, body: '' }
  const known = await ask(path, { 'if-none-match': '"1"' })
  expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"1"', ''])
  expect(received[1]?.headers['if-none-match']).toBe('"1"')
  answer = null
  const late = await tunnel({ answerMsMax: 50 })(new Request(`https://shop.example${path}`))
  expect(late.status).toBe(503)
})

test.each([
  [`/monitoring?p=42&k=${'b'.repeat(32)}`, 403],
  [`/monitoring?p=43&k=${key}`, 403],
  [`/monitoring?k=${key}`, 403],
  ['/monitoring?p=42', 405],
])('answers no settings to %s: %i', async (path, status) => {
  expect((await tunnel()(new Request(`https://shop.example${path}`))).status).toBe(status)
  expect(received).toEqual([])
})

test('never contacts a host that a DSN names, and passes on no cookie', async () => {
  const elsewhere = `https://${key}@127.0.0.1:1/42`
  const body = envelope({ dsn: elsewhere })
  const response = await tunnel()(post(body, { headers: { cookie: 'session=1' } }))
  expect(response.status).toBe(200)
  expect(received[0]?.headers.cookie).toBeUndefined()
})

test('a path of the server is kept', async () => {
  await tunnel({ server: `${address}/afterimage/` })(post(envelope()))
  expect(received[0]?.url).toBe('/afterimage/api/42/envelope/')
})

test.each([
  ['another key', `https://${'b'.repeat(32)}@errors.example/42`],
  ['another project', `https://${key}@errors.example/43`],
])('refuses a DSN that it does not know: %s', async (_, other) => {
  const response = await tunnel()(post(envelope({ dsn: other })))
  expect([response.status, await detailOf(response)]).toEqual([
    403,
    'this tunnel is not for that DSN',
  ])
  expect(received).toEqual([])
})

test.each([
  ['nothing', null],
  ['no bytes', ''],
  ['no JSON', 'hello'],
  ['no DSN', envelope({})],
  ['an invalid DSN', envelope({ dsn: 'https://errors.example' })],
  ['a DSN that is not a text', envelope({ dsn: 42 })],
  ['an item cut off', envelope().slice(0, -1)],
  ['a header without end', `{"dsn":"${'x'.repeat(70_000)}`],
])('refuses an invalid envelope: %s', async (_, body) => {
  const response = await tunnel()(post(body))
  expect(response.status).toBe(400)
  expect(response.headers.get('x-sentry-error')).not.toBe(null)
  expect(received).toEqual([])
})

test('a body that somebody has read, or is reading, is refused and not thrown at the caller', async () => {
  const [read, locked] = [envelope(), envelope()].map(
    (body) => new Request('https://shop.example/monitoring', { method: 'POST', body }),
  ) as [Request, Request]
  await read.text()
  locked.body?.getReader()
  for (const it of [read, locked]) {
    const refused = await tunnel()(it)
    expect([refused.status, refused.headers.get('x-sentry-error')]).toEqual([
      400,
      'the body has been read before',
    ])
  }
  expect(received).toEqual([])
})

test('an empty encoding means no encoding', async () => {
  const headers = { 'content-encoding': '' }
  const request = new Request('https://shop.example/monitoring', {
    method: 'POST',
    body: envelope(),
    headers,
  })
  expect((await tunnel()(request)).status).toBe(200)
})

test('takes a body of the limit and refuses one byte more', async () => {
  const bodyBytesMax = Buffer.byteLength(envelope())
  expect((await tunnel({ bodyBytesMax })(post(envelope()))).status).toBe(200)
  expect((await tunnel({ bodyBytesMax: bodyBytesMax - 1 })(post(envelope()))).status).toBe(413)
})

test('refuses a body that states to be too large before a byte of it came', async () => {
  const headers = { 'content-length': '999' }
  expect((await tunnel({ bodyBytesMax: 998 })(post(envelope(), { headers }))).status).toBe(413)
})

test('refuses while the body comes: an unknown DSN and what is too large are not read to the end', async () => {
  for (const [header, status] of [
    [{ dsn }, 413],
    [{ dsn: `https://${key}@errors.example/7` }, 403],
  ] as const) {
    let pulls = 0
    let isCancelled = false
    const endless = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        pulls += 1
        controller.enqueue(
          new TextEncoder().encode(
            pulls === 1 ? `${JSON.stringify(header)}\n{"type":"event"}\n` : 'x'.repeat(100),
          ),
        )
      },
      cancel: () => void (isCancelled = true),
    })
    expect((await tunnel({ bodyBytesMax: 1000 })(post(endless))).status).toBe(status)
    await expect.poll(() => isCancelled, { timeout: 20_000 }).toBe(true)
    expect(pulls).toBeLessThan(tunnelDrainBytesMax / 100 + 20)
  }
})

test('reads a refused body on for a while: senders that are cut off never see the answer', async () => {
  let isCancelled = false
  let pulls = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      pulls += 1
      if (pulls > 50) return controller.close()
      controller.enqueue(new TextEncoder().encode(pulls === 1 ? `{"dsn":"${dsn}7"}\n` : 'x'))
    },
    cancel: () => void (isCancelled = true),
  })
  expect((await tunnel()(post(body))).status).toBe(403)
  await expect.poll(() => pulls, { timeout: 20_000 }).toBe(51)
  expect(isCancelled).toBe(false)
})

test('answers 413 to a body that the application itself finds too large', async () => {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => controller.error(Object.assign(new Error('too large'), { status: 413 })),
  })
  const answer = await tunnel()(post(body))
  expect(answer.status).toBe(413)
  expect(answer.headers.get('x-sentry-error')).toBe(
    'the application itself takes no body this large',
  )
})

test('reads compressed bodies and limits what they become', async () => {
  const bytes = gzipSync(envelope({ dsn }, JSON.stringify('0'.repeat(1_000_000))))
  const headers = { 'content-encoding': 'gzip' }
  const small = tunnel({ bodyBytesMax: 500_000 })
  expect((await small(post(bytes, { headers }))).status).toBe(413)
  expect((await tunnel()(post(gzipSync(envelope()), { headers }))).status).toBe(200)
  expect(received[0]?.body.toString()).toBe(envelope())
  expect((await tunnel()(post(gzipSync(envelope()).subarray(0, 30), { headers }))).status).toBe(400)
  expect((await tunnel()(post(envelope(), { headers: { 'content-encoding': 'br' } }))).status).toBe(
    415,
  )
})

test('a body that never ends is given up', async () => {
  const silent = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(`{"dsn":"${dsn}"}\n`)),
  })
  const read = createBodyReader(1000, 20)
  expect(await read(post(silent), () => null)).toMatchObject({ status: 408 })
})

test('passes status, body and rate limits of the server through unchanged', async () => {
  answer = {
    status: 429,
    body: '{"detail":"quota"}',
    headers: {
      'retry-after': '60',
      'x-sentry-rate-limits': '60:error;transaction:key:quota, 2700::organization',
      'x-sentry-error': 'quota',
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
      'set-cookie': 'a=b',
    },
  }
  const response = await tunnel()(post(envelope()))
  expect([response.status, await response.text()]).toEqual([429, '{"detail":"quota"}'])
  expect(Object.fromEntries(response.headers)).toEqual({
    'retry-after': '60',
    'x-sentry-rate-limits': '60:error;transaction:key:quota, 2700::organization',
    'x-sentry-error': 'quota',
    'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
  })
})

test('rate limits come through with a 200 too', async () => {
  answer = { status: 200, headers: { 'x-sentry-rate-limits': '60:replay:key' } }
  const response = await tunnel()(post(envelope()))
  expect(response.headers.get('x-sentry-rate-limits')).toBe('60:replay:key')
})

test('answers 503 when the server is silent, gone, or points elsewhere', async () => {
  answer = null
  const silent = await tunnel({ answerMsMax: 30 })(post(envelope()))
  expect([silent.status, silent.headers.get('retry-after')]).toEqual([503, '5'])
  expect((await tunnel({ server: 'http://127.0.0.1:1' })(post(envelope()))).status).toBe(503)
  answer = { status: 302, headers: { location: `${address}/elsewhere` } }
  expect((await tunnel()(post(envelope()))).status).toBe(503)
  expect(received.map((it) => it.url)).toEqual(['/api/42/envelope/', '/api/42/envelope/'])
})

test('answers 503 to an answer that goes on and on', async () => {
  answer = { status: 200, body: 'x'.repeat(65 * 1024) }
  expect((await tunnel()(post(envelope()))).status).toBe(503)
})

test('adds the address of the client only when told whom to believe', async () => {
  const headers = { 'x-forwarded-for': '6.6.6.6, 203.0.113.9, [2001:db8::1]:443' }
  const connection = '::ffff:198.51.100.4'
  const passed = async (trustProxy?: boolean | number): Promise<unknown> => {
    received = []
    const options = trustProxy === undefined ? {} : { trustProxy }
    await tunnel(options)(post(envelope(), { headers }), connection)
    return received[0]?.headers['x-forwarded-for']
  }
  expect(await passed()).toBeUndefined()
  expect(await passed(false)).toBeUndefined()
  expect(await passed(0)).toBe('198.51.100.4')
  expect(await passed(true)).toBe('2001:db8::1')
  expect(await passed(2)).toBe('203.0.113.9')
})

test('an invalid address is not passed on', async () => {
  for (const text of ['unknown', '_hidden', 'a\tb', '1.2.3', '']) {
    await tunnel({ trustProxy: 1 })(post(envelope(), { headers: { 'x-forwarded-for': text } }))
  }
  expect(received.map((it) => it.headers['x-forwarded-for'])).toEqual(Array(5).fill(undefined))
})

test('sends a listed region to its own server, and any other to ours', async () => {
  const regions = { us: `${address}/us` }
  for (const path of ['/monitoring?o=1&p=42&r=us', '/monitoring?o=1&p=42&r=de']) {
    await tunnel({ regions })(post(envelope(), { path }))
  }
  expect(received.map((it) => it.url)).toEqual(['/us/api/42/envelope/', '/api/42/envelope/'])
})

test('answers 405 to anything but POST', async () => {
  const response = await tunnel()(new Request('https://shop.example/monitoring'))
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

test('gives the room of every body back, also of refused ones', async () => {
  const take = tunnel()
  const large = envelope({ dsn }, JSON.stringify('0'.repeat(15_000_000)))
  for (let count = 0; count < 10; count += 1) {
    expect((await take(post(count % 2 === 0 ? large : large.slice(0, -1)))).status).toBe(
      count % 2 === 0 ? 200 : 400,
    )
  }
})

test.each([
  ['an invalid server address', { server: 'errors.example' }],
  ['a server of another scheme', { server: 'file:///etc' }],
  ['an invalid DSN', { dsns: ['hello'] }],
  ['no DSN', { dsns: [] }],
  ['an invalid region address', { regions: { us: 'hello' } }],
])('a malformed configuration is said at once: %s', (_, options) => {
  expect(() => tunnel(options)).toThrow(TypeError)
})
