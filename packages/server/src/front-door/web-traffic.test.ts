/** Attacks of strangers on `web`, and on those who wait for it, through the front door. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FrontDoorLimits } from './limits.ts'
import { webServerOptions } from '../web/http-server.ts'
import { key, startFrontDoor, type FrontDoorUnderTest } from './front-door.fixture.ts'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly bytes: number
}

let folder: string
let socketPath: string
let web: Server
/** Requests that have come with all of their body. */
let seen: Seen[]
let working: number
let workingMost: number
/** Requests whose front door closed the connection before they were answered. */
let cancelled: number
/** Answers of the requests that are held. */
let held: ServerResponse[]
let door: FrontDoorUnderTest
const sockets: Socket[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterimage-web-'))
  socketPath = join(folder, 'web.sock')
  seen = []
  held = []
  working = 0
  workingMost = 0
  cancelled = 0
  web = createServer(webServerOptions, (request, response) => void answer(request, response))
  await new Promise<void>((resolve) => web.listen(socketPath, resolve))
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await door.close()
  web.closeAllConnections()
  await new Promise((resolve) => web.close(resolve))
  await rm(folder, { recursive: true })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  working += 1
  workingMost = Math.max(workingMost, working)
  response.on('close', () => {
    working -= 1
    if (!response.writableFinished) cancelled += 1
  })
  let bytes = 0
  for await (const chunk of request) bytes += (chunk as Buffer).length
  const { method = '', url = '', headers } = request
  seen.push({ method, url, headers, bytes })
  const status = /^\/status\/(\d+)$/.exec(url)?.[1]
  if (status !== undefined) response.writeHead(Number(status)).end(`the page of ${status}`)
  else if (url.startsWith('/held')) held.push(response)
  else response.end(`web saw ${url.slice(0, 100)}`)
}

async function open(
  limits: Partial<FrontDoorLimits> = {},
  settings: { readonly baseUrl?: string } = {},
): Promise<void> {
  door = await startFrontDoor({ settings: { web: { socketPath }, ...settings }, limits })
}

/** A connection on which so many requests are sent without waiting for an answer. */
function pipeline(path: string, count: number): { readonly socket: Socket; heard(): string } {
  let heard = ''
  const socket = connect(door.port, '127.0.0.1')
  sockets.push(socket)
  socket.on('data', (chunk) => (heard += chunk.toString())).on('error', () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`.repeat(count))
  return { socket, heard: () => heard }
}

function closed(socket: Socket): Promise<unknown> {
  return socket.closed ? Promise.resolve() : new Promise((resolve) => socket.on('close', resolve))
}

describe('many requests on one connection', () => {
  it('are handed to web one after the other, and answered in order', async () => {
    await open()
    const { heard } = pipeline('/page', 10)
    await expect.poll(() => heard().match(/web saw \/page/g)?.length).toBe(10)
    expect(workingMost).toBe(1)
  })

  it('end their connection where there are more than anybody needs', async () => {
    await open({ pipelinedMax: 4 })
    const { socket } = pipeline('/held', 2000)
    await closed(socket)
    await expect.poll(() => working).toBe(0)
    expect(seen.length).toBeLessThanOrEqual(1)
  })

  it('are forgotten when the sender goes: web hears of no other', async () => {
    await open()
    const { socket } = pipeline('/held', 10)
    await expect.poll(() => working).toBe(1)
    socket.destroy()
    await expect.poll(() => cancelled).toBe(1)
    expect((await door.send('/page', { method: 'GET' })).status).toBe(200)
    expect(seen.map(({ url }) => url)).toEqual(['/held', '/page'])
  })
})

describe('many connections', () => {
  it('get no more of web at once than it can take, and a visitor is answered among them', async () => {
    await open({ webRequestsMax: 4 })
    const crowd = Array.from({ length: 30 }, () => pipeline('/held', 5))
    await expect.poll(() => held.length).toBe(4)
    const visitor = door.send('/page', { method: 'GET' })
    // Each answer that ends lets in the next: the visitor is one of them.
    while (seen.every(({ url }) => url !== '/page')) {
      await expect.poll(() => held.length).toBeGreaterThan(0)
      held.shift()?.end('there')
    }
    expect((await visitor).text).toBe('web saw /page')
    expect(workingMost).toBe(4)
    for (const { socket } of crowd) socket.destroy()
    await expect.poll(() => working).toBe(0)
    // A client that has gone no longer waits.
    expect((await door.send('/page', { method: 'GET' })).status).toBe(200)
  })

  it('are told to come back when too many wait', async () => {
    await open({ webRequestsMax: 1, webWaitingMax: 1 })
    pipeline('/held', 1)
    await expect.poll(() => held.length).toBe(1)
    const waiting = door.send('/page', { method: 'GET' })
    const refused = await door.send('/page', { method: 'GET' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5'])
    held[0]?.end()
    expect((await waiting).status).toBe(200)
  })

  it('cannot hold web by reading slowly', async () => {
    await open({ webRequestsMax: 1, webTurnMs: 20 })
    pipeline('/held', 1)
    await expect.poll(() => held.length).toBe(1)
    held[0]?.write('the beginning')
    expect((await door.send('/page', { method: 'GET' })).status).toBe(200)
  })

  it('wait where web has no room for one more, instead of an error page', async () => {
    const fullPath = join(folder, 'full.sock')
    const gate = new SharedArrayBuffer(4)
    // It listens with room for hardly anybody, and takes nobody before the gate opens.
    const worker = new Worker(
      `const { createServer } = require('node:http')
       const { parentPort, workerData } = require('node:worker_threads')
       const server = createServer((request, response) => response.end('taken at last'))
       server.listen({ path: workerData.fullPath, backlog: 1 }, () => {
         parentPort.postMessage('full')
         Atomics.wait(new Int32Array(workerData.gate), 0, 0)
       })`,
      { eval: true, workerData: { fullPath, gate } },
    )
    await new Promise((resolve) => worker.once('message', resolve))
    door = await startFrontDoor({ settings: { web: { socketPath: fullPath } } })
    const answers = Array.from({ length: 20 }, (_, index) =>
      door.send(`/${index}`, { method: index % 2 === 0 ? 'GET' : 'POST', body: '' }),
    )
    // Answered after those before it have been tried: most were turned away.
    await door.send('/healthz', { method: 'GET' })
    Atomics.store(new Int32Array(gate), 0, 1)
    Atomics.notify(new Int32Array(gate), 0)
    const texts = (await Promise.all(answers)).map(({ text }) => text)
    expect(new Set(texts)).toEqual(new Set(['taken at last']))
    await worker.terminate()
  })
})

describe('a body', () => {
  const credentials = { cookie: 'session=1' }

  it('is read up to the limit of its address before web hears of it', async () => {
    await open()
    const cases: [number, string, number, Record<string, string>][] = [
      [200, '/api/auth/sign-in/email', 65_536, {}],
      [413, '/api/auth/sign-in/email', 65_537, {}],
      [413, '/api/auth/sign-in/email', 65_537, credentials],
      [413, '/issues', 65_537, credentials],
      [413, '/api/0/organizations/main/issues/', 65_537, {}],
      [200, '/api/0/organizations/main/issues/', 1_000_000, credentials],
      [200, '/api/0/organizations/main/issues/', 1_000_000, { authorization: 'Bearer x' }],
      [413, '/api/0/organizations/main/issues/', 1_048_577, credentials],
    ]
    for (const [status, path, length, headers] of cases) {
      for (const framing of [
        { 'content-length': String(length) },
        { 'transfer-encoding': 'chunked' },
      ]) {
        seen = []
        const body = Buffer.alloc(length)
        const got = await door.send(path, { body, headers: { ...headers, ...framing } })
        expect([path, length, got.status]).toEqual([path, length, status])
        const heard = seen.filter(({ url }) => url === path)
        expect(heard.map(({ bytes }) => bytes)).toEqual(status === 200 ? [length] : [])
      }
    }
  })

  it('that comes too slowly is told so, and takes nobody else’s turn', async () => {
    await open({ bodyIdleMs: 30, webRequestsMax: 1, drainMs: 20 })
    const { socket, heard } = pipeline('/page', 0)
    socket.write(
      'POST /api/auth/sign-in/email HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\nhalf',
    )
    expect((await door.send('/page', { method: 'GET' })).status).toBe(200)
    await closed(socket)
    expect(heard()).toMatch(/^HTTP\/1.1 408 /)
    expect(seen.map(({ url }) => url)).toEqual(['/page'])
  })

  it('that breaks off is never heard of', async () => {
    await open()
    for (const framing of ['content-length: 900', 'transfer-encoding: chunked']) {
      const { socket } = pipeline('/page', 0)
      socket.end(`POST /api/auth/sign-in/email HTTP/1.1\r\nhost: x\r\n${framing}\r\n\r\n5\r\nhalf`)
      await closed(socket.resume())
    }
    expect((await door.send('/page', { method: 'GET' })).status).toBe(200)
    expect(seen.map(({ url }) => url)).toEqual(['/page'])
  })
})

function path(length: number): string {
  return `/${'a'.repeat(length - 1)}`
}

describe('an address and headers', () => {
  it('pass whole up to one limit, and are refused with their own status beyond it', async () => {
    await open()
    const cases: [number, string, Record<string, string>][] = [
      [200, path(16_384), { 'x-a': 'a'.repeat(15_000) }],
      [414, path(16_385), {}],
      [200, '/', { 'x-a': 'a'.repeat(32_000) }],
      [431, '/', { 'x-a': 'a'.repeat(33_000) }],
      [431, '/', { 'x-a': 'a'.repeat(70_000) }],
      [431, '/', Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`x-${at}`, 'a']))],
    ]
    for (const [status, target, headers] of cases) {
      const got = await door.send(target, { method: 'GET', headers })
      expect([target.length, got.status]).toEqual([target.length, status])
      if (status === 200) expect(seen.at(-1)).toMatchObject({ url: target, headers })
    }
  })

  it('are refused as JSON where a program asks, at the tunnel as well', async () => {
    await open()
    for (const target of [
      '/api/0/projects/',
      `/api/42/envelope/?sentry_key=${key}`,
      '/monitoring',
    ]) {
      const headers = { 'x-a': 'a'.repeat(33_000) }
      const got = await door.send(target, { method: 'GET', headers })
      expect([target, got.status]).toEqual([target, 431])
      expect(JSON.parse(got.text)).toHaveProperty('detail')
    }
    expect(seen).toEqual([])
  })
})

describe('a page that is refused', () => {
  it('is the one that web draws for the status, or the front door’s own while it cannot', async () => {
    await open()
    const body = Buffer.alloc(70_000)
    const drawn = await door.send('/issues', { body, headers: { accept: 'text/html' } })
    expect([drawn.status, drawn.text]).toEqual([413, 'the page of 413'])
    expect(seen).toMatchObject([{ url: '/status/413', headers: { 'x-afterimage-status': '413' } }])
    web.closeAllConnections()
    await new Promise((resolve) => web.close(resolve))
    const own = await door.send('/issues', { body, headers: { accept: 'text/html' } })
    expect(own.status).toBe(413)
    expect(own.text).toContain('An unexpected error has occurred')
    expect(own.text).not.toMatch(/src=|href=|url\(|<script/)
  })

  it('is not drawn at the word of a stranger', async () => {
    await open()
    await door.send('/', { method: 'GET', headers: { 'X-Afterimage-Status': '418' } })
    expect(seen.at(-1)?.headers).not.toHaveProperty('x-afterimage-status')
  })
})

/** Asks for a page, and returns the header that keeps browsers at https. */
async function headerOf(status: number, path: string, headers: Record<string, string>) {
  const answer = await door.send(path, { method: 'GET', headers })
  expect([path.slice(0, 20), answer.status]).toEqual([path.slice(0, 20), status])
  return answer.headers['strict-transport-security']
}

describe('every page', () => {
  /** One that web draws, three that are refused, and those that the front door draws by itself. */
  const pages: [number, string, Record<string, string>][] = [
    [200, '/issues', {}],
    [200, '/api/0/', {}],
    [414, `/${'a'.repeat(17_000)}`, {}],
    [431, '/', { 'x-a': 'a'.repeat(33_000) }],
    [431, '/', { 'x-a': 'a'.repeat(70_000) }],
  ]

  it('tells browsers to come back by https alone where that is the address, and for a year', async () => {
    await open({}, { baseUrl: 'https://monitoring.shop.test' })
    for (const page of pages) expect(await headerOf(...page)).toBe('max-age=31536000')
    web.closeAllConnections()
    await new Promise((resolve) => web.close(resolve))
    for (const [status, ...page] of pages) {
      const own = status === 200 ? 503 : status
      expect(await headerOf(own, ...page)).toBe('max-age=31536000')
    }
  })

  it('says nothing of https where people come without it', async () => {
    await open()
    for (const page of pages) expect(await headerOf(...page)).toBeUndefined()
  })
})
