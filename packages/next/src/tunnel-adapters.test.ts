import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTunnel } from './tunnel.ts'
import { tunnelListener } from './tunnel-node.ts'
import { tunnelRoute } from './tunnel-route.ts'

/** The same tunnel where applications run: each is asked the same questions. */

const key = 'a'.repeat(32)
const dsn = `https://${key}@errors.example/42`
const good = `{"dsn":"${dsn}"}\n{"type":"event"}\n{"message":"hello"}`
const unknown = good.replace('/42', '/43')

let servers: Server[]
let received: string[]
let upstream: string

beforeEach(async () => {
  servers = []
  received = []
  upstream = await listen((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push(`${request.headers['x-forwarded-for'] ?? ''} ${Buffer.concat(chunks)}`)
      response.writeHead(200, { 'x-sentry-rate-limits': '60:replay:key' }).end('{"id":"1"}')
    })
  })
})

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})

async function listen(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const options = () => ({ server: upstream, dsns: [dsn], bodyBytesMax: 5_000_000 })

/** Sends what a browser sends, and what it should not. */
async function ask(send: (body: string) => Promise<Response>): Promise<void> {
  const answer = await send(good)
  expect([answer.status, await answer.text()]).toEqual([200, '{"id":"1"}'])
  expect(answer.headers.get('x-sentry-rate-limits')).toBe('60:replay:key')
  expect(received[0]?.endsWith(` ${good}`)).toBe(true)
  expect((await send(unknown)).status).toBe(403)
  expect((await send('hello')).status).toBe(400)
  expect((await send(good + ' '.repeat(5_000_000))).status).toBe(413)
  expect(received).toHaveLength(1)
}

function overHttp(address: string): (body: string) => Promise<Response> {
  return (body) => fetch(`${address}/monitoring?o=1&p=42`, { method: 'POST', body })
}

test('plain Node', async () => {
  await ask(overHttp(await listen(tunnelListener(createTunnel(options())))))
})

test('Express, with its parsers in front', async () => {
  const app = express()
  app.use(express.json())
  app.post('/monitoring', tunnelListener(createTunnel(options())))
  await ask(overHttp(await listen(app)))
})

test('Express, when a parser has taken the body as text', async () => {
  const app = express()
  app.use(express.text({ type: () => true, limit: '50mb' }))
  app.post('/monitoring', tunnelListener(createTunnel(options())))
  await ask(overHttp(await listen(app)))
})

test('Express, when a parser has decompressed the body, or made something else of it', async () => {
  const app = express()
  app.use(express.json({ type: 'application/json' }), express.raw({ type: 'text/plain' }))
  app.post('/monitoring', tunnelListener(createTunnel(options())))
  const url = `${await listen(app)}/monitoring`
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
  const packed = await fetch(url, { method: 'POST', headers, body: gzipSync(good) })
  expect(packed.status).toBe(200)
  const type = { 'content-type': 'application/json' }
  const eaten = await fetch(url, { method: 'POST', headers: type, body: '{"dsn":1}' })
  expect(eaten.status).toBe(400)
})

test('Hono', async () => {
  const tunnel = createTunnel(options())
  const app = new Hono()
  app.post('/monitoring', (c) => tunnel(c.req.raw))
  await ask(async (body) => app.request('/monitoring?o=1&p=42', { method: 'POST', body }))
})

test('Remix and SvelteKit, whose actions get a Request and give a Response', async () => {
  const tunnel = createTunnel(options())
  const action = ({ request }: { readonly request: Request }): Promise<Response> => tunnel(request)
  await ask((body) =>
    action({ request: new Request('https://shop.example/monitoring', { method: 'POST', body }) }),
  )
})

test('a route of Next', async () => {
  const { GET, POST } = tunnelRoute(options())
  const settings = new Request(`https://shop.example/monitoring?p=42&k=${'9'.repeat(32)}`)
  expect((await GET(settings)).status).toBe(403)
  await ask((body) =>
    POST(new Request('https://shop.example/monitoring', { method: 'POST', body })),
  )
})

test('a route of Next without configuration answers 503, and says once per request what is missing', async () => {
  const said: unknown[] = []
  const { error } = console
  console.error = (text) => said.push(text)
  try {
    const request = new Request('https://shop.example/monitoring', { method: 'POST', body: good })
    expect((await tunnelRoute().POST(request)).status).toBe(503)
  } finally {
    console.error = error
  }
  expect(said).toEqual(['Afterimage: AFTERIMAGE_DSN is not set: the tunnel has no DSN.'])
})

test('the connection itself is the client when no proxy is in front', async () => {
  const tunnel = createTunnel({ ...options(), trustProxy: 0 })
  await overHttp(await listen(tunnelListener(tunnel)))(good)
  expect(received[0]).toBe(`127.0.0.1 ${good}`)
})

test('a sender that hangs up is not waited for, and nothing is forwarded', async () => {
  const listener = tunnelListener(createTunnel(options()))
  const ended = new Promise<void>((resolve) => {
    void listen((request, response) => {
      response.on('close', resolve)
      listener(request, response)
    }).then((address) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1')
      socket.write(`POST /monitoring HTTP/1.1\r\nhost: a\r\ncontent-length: 500\r\n\r\n${good}`)
      socket.once('connect', () => setImmediate(() => socket.destroy()))
      return undefined
    })
  })
  await ended
  expect(received).toEqual([])
})
