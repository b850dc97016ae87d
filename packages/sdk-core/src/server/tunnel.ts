/**
 * The tunnel: takes envelopes on the application's own host and hands them on to the Afterimage
 * server that its configuration names. A web-standard function that runs wherever `Request` and
 * `Response` exist; it imports neither Next nor Node.
 */
import { clientSettingsParameter } from '@afterimage/protocol/client-settings'
import { dsnExpected, parseDsn } from '@afterimage/protocol/dsn'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { clientAddress } from './client-address.ts'
import type { TrustProxy } from './client-address.ts'
import { tunnelAnswerBytesMax, tunnelAnswerMsMax, tunnelBodyBytesMax } from './limits.ts'
import { createBodyReader } from './tunnel-body.ts'

export interface TunnelOptions {
  /** Address of the Afterimage server, as `https://errors.example.com`. Nothing else is ever contacted. */
  readonly server: string
  /** The projects that may send here; key and project id decide, hosts are not compared. */
  readonly dsns: readonly string[]
  /** Other servers, by the value of the query's `r`. A region that is not listed goes to `server`. */
  readonly regions?: Readonly<Record<string, string>>
  /**
   * The proxies whose word for the client's address is trusted; it is passed on as `X-Forwarded-For`.
   * A count of proxies in front of the application, `true` for one, 0 for the connection itself.
   * Without it, or with `false`, no address is passed on.
   */
  readonly trustProxy?: TrustProxy
  /** After decompression; 20 MiB unless given. */
  readonly bodyBytesMax?: number
  /** Time limit for the server's answer; 10 s by default. */
  readonly answerMsMax?: number
}

/** Answers one report, or request for settings. `connection` is the peer's address, where the framework knows it. */
export type Tunnel = (request: Request, connection?: string) => Promise<Response>

interface Sender {
  readonly publicKey: string
  readonly projectId: number
}

/** Headers of an answer for SDKs and caches, and those that let pages of other origins read it. */
const answerHeaders = [
  'etag',
  'cache-control',
  'content-type',
  'retry-after',
  'x-sentry-rate-limits',
  'x-sentry-error',
  'access-control-allow-origin',
  'access-control-expose-headers',
]

/**
 * Makes a tunnel. `GET` asks for the settings of a project's clients, with the project as `p` and its
 * key as `k`. The tunnel answers 405 to any other method but `POST`, 400 to an invalid envelope or one without a
 * DSN, 403 to an unknown DSN, 408 and 413 to bodies too slow or too large (noticed while they
 * arrive), 415 to encodings it cannot read, 503 when the server cannot be reached in time; otherwise
 * it passes on the server's answer.
 * @throws TypeError when the configuration is malformed
 */
export function createTunnel(options: TunnelOptions): Tunnel {
  const server = serverAddress(options.server)
  const regions = new Map(
    Object.entries(options.regions ?? {}).map(([region, it]) => [region, serverAddress(it)]),
  )
  const senders = options.dsns.map(readSender)
  if (senders.length === 0) throw new TypeError('The tunnel has no DSN: `dsns` is empty.')
  const { trustProxy = false, bodyBytesMax = tunnelBodyBytesMax } = options
  const { answerMsMax = tunnelAnswerMsMax } = options
  const readBody = createBodyReader(bodyBytesMax)

  return async (request, connection) => {
    const { searchParams } = new URL(request.url, server)
    const upstream = regions.get(searchParams.get('r') ?? '') ?? server
    if (isSettingsRequest(request)) {
      const [key, project] = [clientSettingsParameter, 'p'].map((it) => searchParams.get(it))
      const asked = senders.find((it) => it.publicKey === key && String(it.projectId) === project)
      if (asked === undefined) return refuseWith(403, 'this tunnel is not for that project and key')
      return askSettings(upstream, asked, request.headers.get('if-none-match'), answerMsMax)
    }
    if (request.method !== 'POST') {
      return refuseWith(405, 'envelopes are posted', { allow: 'POST' })
    }
    let sender: Sender | null = null
    const body = await readBody(request, (header) => {
      const dsn = parseDsn(header.dsn ?? '')
      if (dsn === null) return { status: 400, detail: `in the envelope header, ${dsnExpected}` }
      const { publicKey, projectId } = dsn
      sender =
        senders.find((it) => it.publicKey === publicKey && it.projectId === projectId) ?? null
      return sender === null ? { status: 403, detail: 'this tunnel is not for that DSN' } : null
    })
    if ('status' in body) return refuseWith(body.status, body.detail, body.headers)
    try {
      const envelope = decodeEnvelope(body.bytes)
      if (isRefusal(envelope) || sender === null) {
        return refuseWith(400, isRefusal(envelope) ? envelope.detail : 'no envelope')
      }
      return await forward(upstream, sender, {
        bytes: body.bytes,
        userAgent: request.headers.get('user-agent'),
        address: clientAddress(request.headers, connection, trustProxy),
        answerMsMax,
      })
    } finally {
      body.release()
    }
  }
}

/** Says whether a page asks for the settings of its client. */
export function isSettingsRequest({ method, url }: Pick<Request, 'method' | 'url'>): boolean {
  return method === 'GET' && new URL(url, 'http://tunnel').searchParams.has(clientSettingsParameter)
}

interface Forwarded {
  readonly bytes: Uint8Array
  readonly userAgent: string | null
  readonly address: string | null
  readonly answerMsMax: number
}

function forward(server: string, sender: Sender, given: Forwarded): Promise<Response> {
  return exchange(`${server}/api/${sender.projectId}/envelope/`, given.answerMsMax, {
    method: 'POST',
    body: given.bytes as Uint8Array<ArrayBuffer>,
    // Nothing of the visitor goes along but these two: above all no cookie.
    headers: {
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${sender.publicKey}`,
      ...(given.userAgent !== null && { 'user-agent': given.userAgent }),
      ...(given.address !== null && { 'x-forwarded-for': given.address }),
    },
  })
}

/** `known` is the tag of the settings that the browser has already. */
function askSettings(
  server: string,
  { projectId, publicKey }: Sender,
  known: string | null,
  answerMsMax: number,
): Promise<Response> {
  const query = `${clientSettingsParameter}=${publicKey}`
  return exchange(`${server}/api/${projectId}/envelope/?${query}`, answerMsMax, {
    headers: known === null ? {} : { 'if-none-match': known },
  })
}

async function exchange(url: string, answerMsMax: number, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(url, {
      ...init,
      // The configuration names the server; an answer does not get to name another.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMsMax),
    })
    const { status } = response
    const isAnswer = (status >= 200 && status < 300) || status === 304 || status >= 400
    const body = await readAnswer(response)
    if (!isAnswer || body === null) return unreachable('the server gave no answer of its own')
    const headers = new Headers()
    for (const name of answerHeaders) {
      const value = response.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    return new Response([204, 205, 304].includes(status) ? null : body, { status, headers })
  } catch {
    return unreachable('the server did not answer in time')
  }
}

/** Null when it is longer than an answer can be. */
async function readAnswer(response: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > tunnelAnswerBytesMax) return null
    chunks.push(chunk)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.length
  }
  return bytes
}

function unreachable(detail: string): Response {
  return refuseWith(503, detail, { 'retry-after': '5' })
}

/** A refusal of the tunnel itself, in the form the server gives its own. */
export function refuseWith(
  status: number,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(
    { detail },
    {
      status,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
        // A header takes no line breaks and nothing beyond Latin-1; the body has the whole text.
        'x-sentry-error': detail.replaceAll(/[^\x20-\x7e]/g, '?'),
        ...headers,
      },
    },
  )
}

function readSender(text: string): Sender {
  const dsn = parseDsn(text.trim())
  if (dsn === null) throw new TypeError(`A DSN of the tunnel is not valid: ${dsnExpected}.`)
  return { publicKey: dsn.publicKey, projectId: dsn.projectId }
}

/** Without the slash at its end. */
function serverAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '') {
    throw new TypeError(
      `The tunnel's server is not a valid http(s) address: ${JSON.stringify(text)}.`,
    )
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}
