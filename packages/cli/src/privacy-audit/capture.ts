import { once } from 'node:events'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { BrowserContext } from 'playwright-core'
import { plantedPath } from './place.ts'
import { answerPlanted } from './seed.ts'

/** One request as it left the browser. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/**
 * The requests of the browser. Those over HTTP pass a proxy that keeps every byte, including those
 * of workers, beacons and pages already left. Those over HTTPS are encrypted there, and read from
 * the browser's own log.
 */
export interface Capture {
  readonly proxyAddress: string
  readonly sent: readonly SentRequest[]
  /** Requests with a body that the browser would not show. */
  readonly unread: readonly string[]
  /** Watches a context's requests over HTTPS. */
  watch(context: BrowserContext): Promise<void>
  close(): Promise<void>
}

/** `target` is the page that the audit leads to. */
export async function startCapture(target: string): Promise<Capture> {
  const sent: SentRequest[] = []
  const unread: string[] = []
  const server = createServer((request, response) => {
    void buffer(request)
      .then((body) => {
        const url = request.url ?? ''
        if (isPlanted(url)) return answer(response, url, target)
        const headers = flat(request.headers)
        // Chromium's own look-ups are neither the page's nor wanted.
        if (headers['x-goog-update-appid'] !== undefined) return response.writeHead(404).end()
        sent.push({ method: request.method ?? '', url, headers, body })
        return forward(request, url, body, response)
      })
      .catch(() => response.destroy())
  })
  server.on('connect', (request: IncomingMessage, client, head: Buffer) => {
    const { hostname, port } = new URL(`http://${request.url}`)
    const upstream = connect(Number(port || 443), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const socket of [upstream, client]) {
      socket.on('error', () => [upstream, client].forEach((it) => it.destroy()))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    proxyAddress: `http://127.0.0.1:${address.port}`,
    sent,
    unread,
    watch: (context) => watchEncrypted(context, { sent, unread, target }),
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

interface Watched {
  readonly sent: SentRequest[]
  readonly unread: string[]
  readonly target: string
}

async function watchEncrypted(
  context: BrowserContext,
  { sent, unread, target }: Watched,
): Promise<void> {
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('https:') || isPlanted(url)) return
    const headers = request.headers()
    const body = request.postDataBuffer()
    const method = request.method()
    sent.push({ method, url, headers, body: body ?? Buffer.alloc(0) })
    if (body === null && /^(POST|PUT|PATCH)$/.test(method)) unread.push(`${method} ${url}`)
  })
  await context.route(
    (url) => url.protocol === 'https:' && url.pathname.startsWith(plantedPath),
    async (route) => {
      const planted = answerPlanted(route.request().url(), target)
      if (planted === null) return route.abort()
      const { status, type, body } = planted
      return route.fulfill({ status, contentType: type, body })
    },
  )
}

function isPlanted(url: string): boolean {
  return new URL(url).pathname.startsWith(plantedPath)
}

function answer(response: ServerResponse, url: string, target: string): void {
  const planted = answerPlanted(url, target)
  if (planted === null) response.destroy()
  else response.writeHead(planted.status, { 'content-type': planted.type }).end(planted.body)
}

function forward(
  request: IncomingMessage,
  url: string,
  body: Buffer,
  response: ServerResponse,
): void {
  const headers = { ...request.headers }
  delete headers['proxy-connection']
  const outgoing = httpRequest(url, { method: request.method, headers }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers)
    incoming.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  outgoing.end(body)
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
}
