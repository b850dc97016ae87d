import type { SpanStatus } from '@afterimage/protocol/span'
import { cleanAddress, maskPath } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import { matches } from '@afterimage/sdk-core/matches'
import { watchFetch } from '@afterimage/sdk-core/watch/fetch'
import { patch } from '@afterimage/sdk-core/watch/watch'
import { watchXhr } from '@afterimage/sdk-core/watch/xhr'
import { baggageCharactersMax } from './limits.ts'
import type { SpanRecord } from './span.ts'
import { baggageOf } from './trace.ts'
import { getActiveSpan, openSpan, state, traceOf, withSpan } from './tracer.ts'

const statuses: Readonly<Record<number, SpanStatus>> = {
  0: 'internal_error',
  401: 'unauthenticated',
  403: 'permission_denied',
  404: 'not_found',
  409: 'already_exists',
  413: 'failed_precondition',
  429: 'resource_exhausted',
  501: 'unimplemented',
  503: 'unavailable',
  504: 'deadline_exceeded',
}

/** Measures `fetch` and XMLHttpRequest, and adds the trace headers. */
export function watchRequests(): (() => void)[] {
  /** Headers that the page has set. */
  const headersOf = new WeakMap<object, Headers>()

  return [
    watchFetch((start) => {
      const [input, init] = start.values
      const headers = new Headers(init?.headers ?? (input as Partial<Request>).headers)
      // Any other object may have members that a copy would lose.
      const isPlain = !init || Object.getPrototypeOf(init) === Object.prototype
      function add(name: string, value: string): void {
        headers.append(name, value)
        if (isPlain) start.values[1] = { ...init, headers }
      }
      const end = begin('fetch', start, add, headers)
      return (given) =>
        given.response ? end(given.response.status) : end(0, (given as { error?: unknown }).error)
    }),
    patch(
      XMLHttpRequest.prototype,
      'setRequestHeader',
      (original) =>
        function setRequestHeader(...values) {
          guard(() => {
            const headers = headersOf.get(this as object) ?? new Headers()
            headersOf.set(this as object, headers)
            headers.append(String(values[0]), String(values[1]))
          })
          return original.apply(this, values)
        },
    ),
    watchXhr((start) => {
      const { xhr } = start
      const add = xhr.setRequestHeader.bind(xhr)
      const end = begin('xhr', start, add, headersOf.get(xhr))
      headersOf.delete(xhr)
      return () => end(xhr.status)
    }),
  ]
}

/** Measures one request, and sets our headers through `add`. Call the result at its end. */
function begin(
  type: string,
  { method, address }: { readonly method: string; readonly address: string },
  add: (name: string, value: string) => void,
  existing = new Headers(),
): (status: number, error?: unknown) => void {
  const url = new URL(address, document.baseURI)
  const span = openRequest(type, method, url)
  if (isTarget(url)) addHeaders(span, existing, add)
  return (code, error) => {
    span?.setAttributes({ 'http.response.status_code': code || undefined })
    span?.setStatus((error as Error | null)?.name === 'AbortError' ? 'cancelled' : statusOf(code))
    span?.end()
  }
}

/** Opens the span of a request; null where no page or other root is open. */
function openRequest(type: string, method: string, url: URL): SpanRecord | null {
  if (!getActiveSpan()) {
    state.client?.discard('no_parent_span', { span: 1 })
    return null
  }
  return openSpan({
    op: 'http.client',
    name: `${method} ${shown(url)}`,
    origin: 'auto.http.browser',
    attributes: {
      type,
      url: cleanAddress(url.href, state.options.keepQuery),
      'http.request.method': method,
      'server.address': url.host,
    },
  })
}

/**
 * Returns an address without its query: the path on the page's own origin, the scheme of `data:`
 * and the like.
 */
export function shown({ origin, protocol, pathname }: URL): string {
  if (!protocol.startsWith('http')) return protocol
  return maskPath(origin === location.origin ? pathname : origin + pathname)
}

function statusOf(code: number): SpanStatus {
  const otherwise = code < 400 ? 'ok' : code < 500 ? 'invalid_argument' : 'internal_error'
  return statuses[code] ?? otherwise
}

function isTarget(url: URL): boolean {
  const targets = state.options.tracePropagationTargets
  const isOwn = url.origin === location.origin
  if (!targets) return isOwn
  return matches(url.href, targets) || (isOwn && matches(url.pathname, targets))
}

/**
 * Adds our headers to a request. A trace that the page has set itself stays, and so does a foreign
 * `baggage`.
 */
function addHeaders(
  span: SpanRecord | null,
  existing: Headers,
  add: (name: string, value: string) => void,
): void {
  const { client, options } = state
  if (!client || existing.has('sentry-trace')) return
  const trace = traceOf(span)
  const id = `${trace.traceId}-${span?.spanId ?? trace.spanId}`
  const theirs = existing.get('baggage')
  const { sampling } = withSpan(span, client.trace)
  // Browsers join values that are set twice with `, `.
  const own = baggageOf(sampling, baggageCharactersMax - (theirs ? theirs.length + 2 : 0))
  add('sentry-trace', trace.sampled === undefined ? id : `${id}-${Number(trace.sampled)}`)
  if (options.propagateTraceparent)
    add('traceparent', `00-${id}-0${Number(trace.sampled ?? false)}`)
  if (own && !/(^|[,\s])sentry-/.test(theirs ?? '')) add('baggage', own)
}
