import { createServer, type IncomingMessage, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  eventEnvelope,
  key,
  startFrontDoor,
  type FrontDoorUnderTest,
} from './front-door.fixture.ts'
import { webFiguresPath, webReadinessPath } from './inner-addresses.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

let folder: string
let web: Server
/** The status of web's own readiness. */
let readiness: number
let seen: Seen[]
/** Connections that have carried a request. */
let used: WeakSet<Socket>
let door: FrontDoorUnderTest

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterimage-web-'))
  seen = []
  readiness = 200
  used = new WeakSet()
  web = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
    const { socket } = request
    if (url === '/worn-out' && used.has(socket)) return void socket.destroy()
    used.add(socket)
    if (url === webReadinessPath) return void response.writeHead(readiness).end('of web')
    if (url === webFiguresPath) return void response.end('of_web 1\n')
    if (url === '/breaks-off') {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      response.socket?.destroySoon()
      return
    }
    response.setHeader('set-cookie', ['a=1', 'b=2'])
    response.writeHead(207, { 'x-from': 'web' }).end(`web saw ${url}`)
  })
  web.on('upgrade', (request, socket) => {
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: ${request.headers.upgrade}\r\nconnection: upgrade\r\n\r\n`,
    )
    socket.on('data', (chunk: Buffer) => socket.write(`echo ${chunk.toString()}`))
    socket.on('end', () => socket.end()).on('error', () => {})
  })
  const socketPath = join(folder, 'web.sock')
  await new Promise<void>((resolve) => web.listen(socketPath, resolve))
  door = await startFrontDoor({ settings: { web: { socketPath } } })
})
afterEach(async () => {
  await door.close()
  await stopWeb()
  await rm(folder, { recursive: true })
})

async function stopWeb(): Promise<void> {
  web.closeAllConnections()
  await new Promise((resolve) => web.close(resolve))
}

describe('everything that is not for ingest', () => {
  it('is asked again where web closed a kept connection, unless it changes something', async () => {
    await door.send('/', { method: 'GET' })
    expect((await door.send('/worn-out', { method: 'GET' })).status).toBe(207)
    expect(seen.filter(({ url }) => url === '/worn-out').length).toBe(2)
    expect((await door.send('/worn-out', { method: 'POST', body: 'x' })).status).toBe(503)
    expect(seen.filter(({ url }) => url === '/worn-out').length).toBe(3)
  })

  it('goes to web and comes back as it was', async () => {
    const paths = [
      '/',
      '/issues/1?query=a%20b',
      '/api/0/projects/',
      '/api/auth/session',
      '/_next/x',
      '//x',
    ]
    for (const path of [...paths, '/monitoringx', '/api/42/unknown/', '/api/0/envelope/']) {
      const answer = await door.send(path, { method: 'GET', headers: { cookie: 'session=1' } })
      expect([path, answer.status, answer.text]).toEqual([path, 207, `web saw ${path}`])
      expect(answer.headers['set-cookie']).toEqual(['a=1', 'b=2'])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(seen.at(-1)?.headers.cookie).toBe('session=1')
      expect(seen.at(-1)?.headers.host).toBe(`127.0.0.1:${door.port}`)
    }
  })

  it('is not what the front door alone may ask web', async () => {
    for (const path of [webReadinessPath, webFiguresPath, `${webFiguresPath}?x`]) {
      const answer = await door.send(path, { method: 'GET' })
      expect(answer.text).toBe('web saw /status/404')
      expect(seen.at(-1)).toMatchObject({
        url: '/status/404',
        headers: { 'x-afterimage-status': '404' },
      })
    }
  })

  it('keeps its method and body, of known length or chunked', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'GET']) {
      for (const headers of [{ 'content-length': '5' }, { 'transfer-encoding': 'chunked' }]) {
        await door.send('/api/0/x', { method, headers, body: 'hello' })
        expect(seen.at(-1)).toMatchObject({ method, body: 'hello' })
      }
    }
    expect(seen).toHaveLength(8)
  })

  it('cannot smuggle a second request in a body', async () => {
    const inner = 'GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n'
    for (const method of ['GET', 'DELETE', 'OPTIONS']) {
      const headers = { 'transfer-encoding': 'chunked' }
      await door.send('/outer', { method, headers, body: inner })
    }
    await door.send('/after', { method: 'GET' })
    expect(seen.map((one) => one.url)).toEqual(['/outer', '/outer', '/outer', '/after'])
  })

  it('tells web the sender, and believes nobody else about it', async () => {
    const headers = {
      'x-forwarded-for': '6.6.6.6',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'for=6.6.6.6',
    }
    await door.send('/', { method: 'GET', headers })
    expect(seen[0]?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': `127.0.0.1:${door.port}`,
    })
    expect(seen[0]?.headers.forwarded).toBeUndefined()
  })

  it('passes on what a trusted proxy says', async () => {
    const socketPath = join(folder, 'web.sock')
    const behind = await startFrontDoor({
      settings: { web: { socketPath }, trustProxy: { type: 'hops', count: 1 } },
    })
    const headers = {
      'x-forwarded-for': '6.6.6.6, 192.0.2.9',
      'x-forwarded-host': 'errors.example',
      'x-forwarded-proto': 'https',
    }
    await behind.send('/', { method: 'GET', headers })
    expect(seen[0]?.headers).toMatchObject({ ...headers, 'x-forwarded-for': '192.0.2.9' })
    await behind.send(`/api/42/envelope/?sentry_key=${key}`, { headers, body: eventEnvelope() })
    expect(behind.deliveries[0]?.remoteAddress).toBe('192.0.2.9')
    await behind.close()
  })

  it('is told when web breaks off', async () => {
    await expect(door.send('/breaks-off', { method: 'GET' })).rejects.toThrow()
  })

  it('may upgrade its connection', async () => {
    const socket = connect(door.port, '127.0.0.1')
    let heard = ''
    socket.on('data', (chunk) => {
      heard += chunk.toString()
      if (heard.endsWith('\r\n\r\n')) socket.write('hello')
      if (heard.endsWith('echo hello')) socket.destroy()
    })
    socket.write(
      'GET /hmr HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    await new Promise((resolve) => socket.on('close', resolve))
    expect(heard).toMatch(/^HTTP\/1.1 101 /)
    expect(heard).toMatch(/echo hello$/)
  })

  it('closes upgraded connections at a stop', async () => {
    const socket = connect(door.port, '127.0.0.1')
    socket.write(
      'GET /hmr HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n',
    )
    await new Promise((resolve) => socket.once('data', resolve))
    const closed = new Promise((resolve) => socket.resume().on('close', resolve))
    await door.close()
    await closed
  })
})

async function figures(): Promise<string> {
  return (await door.send('/metrics', { method: 'GET' })).text
}

it('the figures of web stand beside those of the front door, while it answers', async () => {
  expect(await figures()).toMatch(/^afterimage_queue_waiting 0$[^]*^of_web 1$/m)
  await stopWeb()
  expect(await figures()).toMatch(/^afterimage_queue_waiting 0$/m)
  expect(await figures()).not.toContain('of_web')
  web.listen(join(folder, 'again.sock'))
})

function askReadiness() {
  return door.send('/readyz', { method: 'GET' })
}

describe('readiness', () => {
  it('is that of the queue, and of the pages and the API', async () => {
    expect((await askReadiness()).status).toBe(200)
    readiness = 503
    await expect
      .poll(askReadiness, { timeout: 5000 })
      .toMatchObject({ status: 503, headers: { 'retry-after': '5' } })
    readiness = 200
    await expect.poll(async () => (await askReadiness()).status, { timeout: 5000 }).toBe(200)
  })

  it('is found out once, however many ask', async () => {
    await Promise.all(Array.from({ length: 20 }, askReadiness))
    expect(seen.filter(({ url }) => url === webReadinessPath)).toHaveLength(1)
  })

  it('is missing while web is', async () => {
    await stopWeb()
    const answer = await askReadiness()
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([503, { status: 'not ready' }])
    expect((await door.send('/healthz', { method: 'GET' })).status).toBe(200)
    await new Promise<void>((resolve) => web.listen(join(folder, 'again.sock'), resolve))
  })
})

describe('while web is down', () => {
  beforeEach(() => stopWeb())
  afterEach(() => new Promise<void>((resolve) => web.listen(join(folder, 'again.sock'), resolve)))

  it('pages get the generic error page, which needs nothing else', async () => {
    const answer = await door.send('/issues/1', { method: 'GET', headers: { accept: 'text/html' } })
    expect(answer.status).toBe(503)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.text).toContain('An unexpected error has occurred')
    expect(answer.text).not.toMatch(/src=|href=|url\(|<script/)
    expect((await door.send('/', { method: 'HEAD' })).text).toBe('')
  })

  it('programs get JSON', async () => {
    for (const [path, headers] of [
      ['/api/0/projects/', {}],
      ['/_next/data/x/a.json', { 'x-nextjs-data': '1' }],
      ['/x', { accept: 'application/json' }],
    ] as const) {
      const answer = await door.send(path, { method: 'GET', headers })
      expect(answer.status).toBe(503)
      expect(Object.keys(JSON.parse(answer.text) as object)).toEqual(['detail'])
    }
  })

  it('changes are answered too, and envelopes still taken', async () => {
    const headers = { cookie: 'session=1' }
    const answer = await door.send('/api/0/notes/', { body: Buffer.alloc(1_000_000), headers })
    expect(answer.status).toBe(503)
    const path = `/api/42/envelope/?sentry_key=${key}`
    expect((await door.send(path, { body: eventEnvelope() })).status).toBe(200)
    const { text } = await door.send('/metrics', { method: 'GET' })
    expect(text).toContain('afterimage_ingest_web_failures_total 1')
  })
})
