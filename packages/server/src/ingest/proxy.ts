/** Hands every request that is not for ingest to `web`, streaming both ways, upgrades included. */
import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import type { RequestOptions, ServerResponse } from 'node:http'
import { Agent as TlsAgent, request as httpsRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Config } from '../config.ts'
import type { ReadClientAddress } from './client-address.ts'
import { renderUnavailablePage } from './error-page.ts'

export interface WebProxy {
  forward(request: IncomingMessage, response: ServerResponse): void
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** The text at an address of `web`; null when it does not answer with one. */
  read(path: string): Promise<string | null>
  close(): void
}

/** A text that `read` waits for, and its size: what is later or larger is none. */
const READ_MS = 2_000
const READ_CHARACTERS_MAX = 1024 * 1024

export interface WebProxyOptions {
  readonly web: Config['web']
  readonly addressOf: ReadClientAddress
  /** Whether what proxies in front of us wrote about the sender is believed. */
  readonly isBehindProxy: boolean
  /** Told of every request that `web` did not answer. */
  readonly onFailure: (cause: Error) => void
}

/** They concern one connection, not the message (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function createWebProxy(options: WebProxyOptions): WebProxy {
  const web = targetOf(options.web)
  const open = (request: IncomingMessage, isUpgrade: boolean): ClientRequest =>
    web.request({
      ...web.address,
      method: request.method ?? 'GET',
      path: request.url ?? '/',
      headers: requestHeaders(request, options, isUpgrade),
      ...(isUpgrade && { agent: false }),
    })
  return {
    forward: (request, response) => forward(() => open(request, false), request, response, options),
    upgrade: (request, socket, head) => upgrade(open(request, true), socket, head, options),
    read: (path) => readText(web.request({ ...web.address, agent: false, path, timeout: READ_MS })),
    close: () => web.agent.destroy(),
  }
}

function readText(upstream: ClientRequest): Promise<string | null> {
  return new Promise((resolve) => {
    upstream.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
        if (text.length > READ_CHARACTERS_MAX) upstream.destroy()
      })
      answer.on('close', () => resolve(answer.complete && answer.statusCode === 200 ? text : null))
    })
    upstream.on('timeout', () => upstream.destroy())
    upstream.on('error', () => resolve(null))
    upstream.end()
  })
}

function forward(
  open: () => ClientRequest,
  request: IncomingMessage,
  response: ServerResponse,
  options: WebProxyOptions,
  isSecond = false,
): void {
  const upstream = open()
  upstream.on('response', (answer) => {
    if (response.destroyed) return void answer.destroy()
    response.writeHead(answer.statusCode ?? 502, endToEndHeaders(answer.rawHeaders))
    answer.on('error', () => response.destroy())
    answer.on('close', () => {
      if (!answer.complete) response.destroy()
    })
    answer.pipe(response)
  })
  upstream.on('error', (cause) => {
    request.unpipe(upstream)
    if (!isSecond && !response.headersSent && isStale(upstream, cause, request)) {
      return forward(open, request, response, options, true)
    }
    request.resume()
    if (response.destroyed) return
    options.onFailure(cause)
    if (response.headersSent) response.destroy()
    else answerUnavailable(request, response)
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  request.on('error', () => upstream.destroy())
  request.pipe(upstream)
}

/**
 * Whether a request met a kept connection that was being closed at that moment: nothing was wrong
 * with either, so what may be asked twice is asked again.
 */
function isStale(
  upstream: ClientRequest,
  cause: Error & { code?: string },
  { method, headers }: IncomingMessage,
): boolean {
  if (!upstream.reusedSocket || (cause.code !== 'ECONNRESET' && cause.code !== 'EPIPE'))
    return false
  const hasBody = 'content-length' in headers || 'transfer-encoding' in headers
  return (method === 'GET' || method === 'HEAD') && !hasBody
}

function upgrade(
  upstream: ClientRequest,
  socket: Duplex,
  head: Buffer,
  options: WebProxyOptions,
): void {
  const drop = (): void => {
    upstream.destroy()
    socket.destroy()
  }
  socket.on('error', drop).on('close', drop)
  upstream.on('upgrade', (answer, webSocket, webHead) => {
    // From here on the two connections live and die together.
    webSocket.on('error', drop).on('close', () => socket.destroy())
    socket.on('close', () => webSocket.destroy())
    if (socket.destroyed) webSocket.destroy()
    socket.write(statusLine(answer) + rawHeaderLines(answer.rawHeaders))
    if (webHead.length > 0) socket.write(webHead)
    if (head.length > 0) webSocket.write(head)
    webSocket.pipe(socket).pipe(webSocket)
  })
  upstream.on('response', (answer) => {
    socket.write(`${statusLine(answer)}connection: close\r\n\r\n`)
    answer.pipe(socket)
  })
  upstream.on('error', (cause) => {
    options.onFailure(cause)
    if (socket.writable) socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
  })
  upstream.end()
}

function answerUnavailable(request: IncomingMessage, response: ServerResponse): void {
  const isForProgram =
    (request.url ?? '').startsWith('/api/') ||
    request.headers['x-nextjs-data'] !== undefined ||
    /^application\/json\b/.test(request.headers.accept ?? '')
  const detail = 'The console is not answering. Try again in a moment.'
  const body = isForProgram ? JSON.stringify({ detail }) : renderUnavailablePage(503)
  response.writeHead(503, {
    'content-type': isForProgram ? 'application/json' : 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'retry-after': '5',
    ...(!isForProgram && {
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    }),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function targetOf(web: Config['web']): {
  readonly request: (options: RequestOptions) => ClientRequest
  readonly agent: Agent
  readonly address: RequestOptions
} {
  if ('socketPath' in web) {
    const agent = new Agent({ keepAlive: true })
    return { request: httpRequest, agent, address: { agent, socketPath: web.socketPath } }
  }
  const url = new URL(web.url)
  const isTls = url.protocol === 'https:'
  const agent = isTls ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const port = Number(url.port) || (isTls ? 443 : 80)
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  return { request: isTls ? httpsRequest : httpRequest, agent, address: { agent, hostname, port } }
}

/** As sent, but for what concerns the connection and what only a trusted proxy may say. */
function requestHeaders(
  request: IncomingMessage,
  options: WebProxyOptions,
  isUpgrade: boolean,
): Record<string, string | string[]> {
  const headers = endToEndHeaders(request.rawHeaders)
  const forwarded = Object.keys(headers).filter((name) => /^(x-forwarded-|forwarded$)/i.test(name))
  if (!options.isBehindProxy) for (const name of forwarded) delete headers[name]
  const has = (name: string): boolean => options.isBehindProxy && name in request.headers
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() === 'x-forwarded-for') delete headers[name]
  }
  const address = options.addressOf(request)
  if (address !== null) headers['x-forwarded-for'] = address
  if (!has('x-forwarded-proto')) headers['x-forwarded-proto'] = 'http'
  if (!has('x-forwarded-host')) headers['x-forwarded-host'] = request.headers.host ?? ''
  // Without it a body of unknown length would go out unframed, and be read as a second request.
  if (request.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked'
  if (isUpgrade) {
    headers['connection'] = 'upgrade'
    headers['upgrade'] = request.headers.upgrade ?? ''
  }
  return headers
}

/** A name that occurs more than once (Set-Cookie) keeps all its values, in order. */
function endToEndHeaders(rawHeaders: readonly string[]): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null)
  const names = new Map<string, string>()
  const named = connectionOptions(rawHeaders)
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    const value = rawHeaders[index + 1] ?? ''
    const lower = name.toLowerCase()
    if (hopByHop.has(lower) || named.has(lower)) continue
    const first = names.get(lower)
    if (first === undefined) {
      names.set(lower, name)
      headers[name] = value
    } else {
      const before = headers[first] ?? []
      headers[first] = [...(Array.isArray(before) ? before : [before]), value]
    }
  }
  return headers
}

/** Headers that `Connection` names are for this connection as well. */
function connectionOptions(rawHeaders: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'connection') continue
    for (const name of (rawHeaders[index + 1] ?? '').split(','))
      names.add(name.trim().toLowerCase())
  }
  return names
}

function statusLine(answer: IncomingMessage): string {
  return `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}\r\n`
}

function rawHeaderLines(rawHeaders: readonly string[]): string {
  let lines = ''
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  }
  return `${lines}\r\n`
}
