import { build } from 'esbuild'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { buffer } from 'node:stream/consumers'
import { decodeEnvelope, type EnvelopeHeader, type ItemHeader } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** One envelope as the pages sent it. */
export interface ReceivedEnvelope {
  /** Path and query it was posted to. */
  readonly path: string
  readonly header: EnvelopeHeader
  readonly items: readonly ReceivedItem[]
  readonly requestHeaders: IncomingMessage['headers']
  readonly bytes: Buffer
}

export interface ReceivedItem {
  readonly header: ItemHeader
  /** The payload as JSON; null when it is not valid JSON. */
  readonly json: Record<string, never> | null
  readonly payload: Buffer
}

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** A page: its markup, a module's source that is bundled into it, and headers of its answer. */
export interface SdkPage {
  readonly html?: string
  readonly script?: string
  /** Runs before the bundle, as it is: for pages that break things. */
  readonly before?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface SdkServer {
  readonly url: string
  readonly envelopes: readonly ReceivedEnvelope[]
  /** Bodies that no envelope could be read from. */
  readonly refused: readonly string[]
  /** Other requests of the pages: `/status/…`, `/fixed/…` and unknown paths. */
  readonly requests: readonly ReceivedRequest[]
  /** All items of a type so far, as JSON. */
  items<T = Record<string, unknown>>(type: string): T[]
  /** The answer of `/monitoring` from now on; null hangs up. */
  answer: { readonly status: number; readonly headers?: Readonly<Record<string, string>> } | null
  /** Answers requests for settings, which are then in `requests`; null keeps them waiting. */
  settings: string | null
  /** The server to which envelopes are forwarded, as by a tunnel; its answer is then the answer. */
  forwardTo: string | null
  clear(): void
  /** Clears, and serves at another port: what pages of the last one still send arrives nowhere. */
  moveOn(): Promise<void>
  close(): Promise<void>
}

/**
 * Serves pages with our client bundled in, and takes their envelopes at `/monitoring` and
 * `/api/<project>/envelope/`. `/status/<code>` answers with that code, `/fixed/…` with what is given.
 */
export async function startSdkServer(
  pages: Readonly<Record<string, SdkPage>>,
  fixed: Readonly<Record<string, { readonly type: string; readonly body: string }>> = {},
): Promise<SdkServer> {
  const scripts = new Map<string, string>()
  for (const [name, { script }] of Object.entries(pages)) {
    if (script !== undefined) scripts.set(name, await bundle(script))
  }
  const envelopes: ReceivedEnvelope[] = []
  const refused: string[] = []
  const requests: ReceivedRequest[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const { pathname } = new URL(path, 'http://page')
    const page = pages[pathname.slice(1)]
    if (page === undefined && request.method !== 'POST' && !pathname.startsWith('/bundles/')) {
      requests.push({ method: request.method ?? '', path, headers: request.headers })
    }
    if (request.method === 'POST' && /^\/(monitoring|api\/\d+\/envelope\/|tunnel)/.test(pathname)) {
      const whole = buffer(request).catch(() => null)
      void whole.then((bytes) => {
        // The page left while it was sending.
        if (bytes === null) return undefined
        const envelope = receive(path, request, bytes)
        if (typeof envelope === 'string') refused.push(envelope)
        else envelopes.push(envelope)
        if (sdk.forwardTo !== null) return forward(sdk.forwardTo, path, bytes, response)
        if (sdk.answer === null) return request.socket.destroy()
        response.writeHead(sdk.answer.status, {
          'access-control-allow-origin': '*',
          'access-control-expose-headers': 'x-sentry-rate-limits, retry-after',
          ...sdk.answer.headers,
        })
        return response.end('{}')
      })
    } else if (path.includes('k=')) answerSettings(sdk.settings, response)
    else serve(pathname, { pages, scripts, fixed }, response)
  })
  let url = await listen(server)
  const sdk: SdkServer = {
    get url() {
      return url
    },
    envelopes,
    refused,
    requests,
    answer: { status: 200 },
    settings: '{}',
    forwardTo: null,
    items: <T>(type: string) =>
      envelopes
        .flatMap((envelope) => envelope.items)
        .filter(({ header }) => header.type === type)
        .map(({ json }) => json as T),
    clear: () => {
      envelopes.length = 0
      refused.length = 0
      requests.length = 0
    },
    moveOn: async () => {
      await close(server)
      sdk.clear()
      url = await listen(server)
    },
    close: () => close(server),
  }
  return sdk
}

function answerSettings(settings: string | null, response: ServerResponse): void {
  if (settings === null) return
  response.writeHead(200, { 'content-type': 'application/json', etag: '"1"' }).end(settings)
}

/** Returns the address, at a port that is free. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

async function forward(
  server: string,
  path: string,
  bytes: Buffer,
  response: ServerResponse,
): Promise<unknown> {
  const body = new Uint8Array(bytes)
  const answer = await fetch(`${server}${path}`, { method: 'POST', body })
  return response.writeHead(answer.status).end(await answer.text())
}

interface Served {
  readonly pages: Readonly<Record<string, SdkPage>>
  readonly scripts: ReadonlyMap<string, string>
  readonly fixed: Readonly<Record<string, { readonly type: string; readonly body: string }>>
}

/** Everything but envelopes. */
function serve(
  pathname: string,
  { pages, scripts, fixed }: Served,
  response: ServerResponse,
): void {
  const name = pathname.slice(1)
  const page = pages[name]
  if (pathname.startsWith('/status/')) {
    response.writeHead(Number(pathname.slice('/status/'.length))).end('{}')
  } else if (fixed[pathname] !== undefined) {
    response.writeHead(200, { 'content-type': fixed[pathname].type }).end(fixed[pathname].body)
  } else if (pathname.startsWith('/bundles/')) {
    response.setHeader('content-type', 'text/javascript')
    response.end(scripts.get(pathname.slice('/bundles/'.length, -'.js'.length)))
  } else if (page !== undefined) {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...page.headers })
    response.end(document(name, page))
  } else response.writeHead(404).end()
}

/** A module's source as one script, as an application's bundler makes it. */
async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { __AFTERIMAGE_DEBUG__: 'false' },
  })
  return outputFiles[0]?.text ?? ''
}

function document(name: string, { html = '', before, script }: SdkPage): string {
  return `<!doctype html><html lang="en"><head><title>Page</title></head><body>${html}
${before === undefined ? '' : `<script>${before}</script>`}
${script === undefined ? '' : `<script src="/bundles/${name}.js"></script>`}</body></html>`
}

function receive(path: string, request: IncomingMessage, bytes: Buffer): ReceivedEnvelope | string {
  const envelope = decodeEnvelope(bytes)
  if (isRefusal(envelope)) return envelope.detail
  return {
    path,
    bytes,
    header: envelope.header,
    requestHeaders: request.headers,
    items: envelope.items.map(({ header, payload }) => ({
      header,
      payload: Buffer.from(payload),
      json: readJson(Buffer.from(payload).toString('utf8')),
    })),
  }
}

function readJson(text: string): Record<string, never> | null {
  try {
    return JSON.parse(text) as Record<string, never>
  } catch {
    return null
  }
}
