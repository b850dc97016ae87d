import { guard } from '@afterimage/sdk-core/guard'
import { matches } from '@afterimage/sdk-core/matches'
import { bodyCharactersMax, bodyReadMs } from '../limits.ts'
import type { NetworkOptions } from '../options.ts'

/** One side of a request as it is recorded. `_meta` says what is missing, and why. */
export interface Side {
  readonly headers: Readonly<Record<string, string>>
  readonly size?: number
  readonly body?: unknown
  readonly _meta?: { readonly warnings: readonly string[] }
}

export interface Details {
  readonly request: Side
  readonly response: Side
  readonly requestBodySize: number | undefined
  readonly responseBodySize: number | undefined
}

export interface NetworkDetails {
  ofFetch(
    address: string,
    init: RequestInit | undefined,
    response: Response | null,
  ): Promise<Details>
  ofXhr(address: string, body: unknown, xhr: XMLHttpRequest): Details
}

/** A body: text, null where it cannot be shown, undefined where it took too long to read. */
type Body = string | null | undefined

const headersAlways = ['content-length', 'content-type', 'accept']

/** Collects headers and bodies of requests, by the allow-list of the options. */
export function createDetails(network: NetworkOptions): NetworkDetails {
  const hasBodies = network.hasBodies !== false
  const requestNames = headerNames(network.requestHeaders)
  const responseNames = headerNames(network.responseHeaders)

  function side(headers: Headers, names: readonly string[] | null, body: Body): Side {
    const length = body ? body.length : Number(headers.get('content-length'))
    const size = length > 0 ? { size: length } : {}
    if (names === null) return { headers: {}, ...size, _meta: { warnings: ['URL_SKIPPED'] } }
    const shown = {
      headers: Object.fromEntries([...headers].filter(([name]) => names.includes(name))),
      ...size,
    }
    return hasBodies && body !== '' ? { ...shown, ...describeBody(body) } : shown
  }

  function details(
    isDetailed: boolean,
    sent: { readonly headers: Headers; readonly body: Body },
    received: { readonly headers: Headers; readonly body: Body },
  ): Details {
    const request = side(sent.headers, isDetailed ? requestNames : null, sent.body)
    const response = side(received.headers, isDetailed ? responseNames : null, received.body)
    return { request, response, requestBodySize: request.size, responseBodySize: response.size }
  }

  return {
    async ofFetch(address, init, response) {
      const isDetailed = isAllowed(absolute(address), network)
      // Cloned at once: the page may consume its own body first.
      const copy = isDetailed && hasBodies ? guard(() => response?.clone()) : null
      return details(
        isDetailed,
        { headers: headersOf(init?.headers), body: textOfBody(init?.body) },
        { headers: headersOf(response?.headers), body: await readBody(copy) },
      )
    },
    ofXhr(address, body, xhr) {
      return details(
        isAllowed(absolute(address), network),
        { headers: new Headers(), body: textOfBody(body) },
        {
          headers: headerLines(xhr.getAllResponseHeaders()),
          body: textOfXhr(xhr),
        },
      )
    },
  }
}

/**
 * Returns a body as it is recorded: JSON as data, anything beyond 150,000 characters cut.
 * @see docs/specification.md#s25
 */
export function describeBody(text: Body): Pick<Side, 'body' | '_meta'> {
  if (typeof text !== 'string') {
    return warn(text === null ? 'UNPARSEABLE_BODY_TYPE' : 'BODY_PARSE_TIMEOUT')
  }
  const isJson = /^\s*[[{"]/.test(text)
  if (text.length > bodyCharactersMax) {
    const cut = text.slice(0, bodyCharactersMax)
    return isJson
      ? { body: cut, ...warn('MAYBE_JSON_TRUNCATED') }
      : { body: `${cut}…`, ...warn('TEXT_TRUNCATED') }
  }
  try {
    return { body: isJson ? (JSON.parse(text) as unknown) : text }
  } catch {
    return { body: text, ...warn('INVALID_JSON') }
  }
}

function warn(warning: string): Pick<Side, '_meta'> {
  return { _meta: { warnings: [warning] } }
}

function headerNames(own: readonly string[] = []): string[] {
  return [...headersAlways, ...own].map((name) => name.toLowerCase())
}

/** Tells whether the details of a request may be recorded: it is allowed and not denied. */
export function isAllowed(address: string, { allow, deny }: NetworkOptions): boolean {
  return matches(address, allow) && !matches(address, deny)
}

/** Cancels a clone that is not read to its end: browsers buffer for it as long as it is open. */
async function readBody(copy: Response | null | undefined): Promise<Body> {
  if (!copy?.body) return ''
  let signal: AbortSignal | undefined
  try {
    signal = AbortSignal.timeout(bodyReadMs)
    return await new Response(copy.body.pipeThrough(new TransformStream(), { signal })).text()
  } catch {
    // Old browsers lack this too.
    return signal?.aborted ? undefined : null
  }
}

function textOfBody(body: unknown): Body {
  if (body === null || body === undefined) return ''
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body)
  if (!(body instanceof FormData)) return null
  const fields = [...body].map(([name, value]) => [
    name,
    typeof value === 'string' ? value : '[file]',
  ])
  return String(new URLSearchParams(fields))
}

function textOfXhr({ responseType, response }: XMLHttpRequest): Body {
  if (response === null) return ''
  if (responseType === 'json') return JSON.stringify(response)
  return typeof response === 'string' ? response : null
}

function headersOf(headers: HeadersInit | undefined): Headers {
  return guard(() => new Headers(headers), new Headers())
}

function headerLines(text: string): Headers {
  return headersOf(
    text.split('\r\n').flatMap((line): [string, string][] => {
      const at = line.indexOf(': ')
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 2)]]
    }),
  )
}

function absolute(address: string): string {
  return guard(() => new URL(address, document.baseURI).href, address)
}
