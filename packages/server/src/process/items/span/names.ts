import { itemLimits } from '../item-limits.ts'
import { textOf, type Attributes } from './attributes.ts'
import { isPageOp } from './page-op.ts'

/**
 * Names that people recognise. SDK 11 sends names of low cardinality (`Pageload`, `GET 127.0.0.1`,
 * `GET`) and puts what they stand for into attributes; SDKs before it sent the page, the route or the
 * URL as the name. These functions give both the older form, so that a release on SDK 11 continues the
 * lists of its predecessors.
 */
export interface NamedSpan {
  readonly op: string
  /** As sent; empty when absent. */
  readonly name: string
  readonly attributes: Attributes
}

const genericPageNames = new Set(['pageload', 'navigation'])
const requestMethod = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|CONNECT|TRACE|QUERY)$/

/** Tells whether a name stands for any page or request, and so names none. */
export function isGenericName(name: string): boolean {
  return genericPageNames.has(name.toLowerCase()) || requestMethod.test(name)
}

/**
 * The page or route of a segment. A page is its route when the SDK knows one, else its path; a request
 * is `METHOD route`, else `METHOD path`. Names that an application chose itself are kept.
 */
export function segmentNameOf({ op, name, attributes }: NamedSpan): string {
  if (name !== '' && !isGenericName(name)) return name.slice(0, itemLimits.labelCharsMax)
  const place = textOf(attributes, 'url.template', 'http.route') ?? pathOf(attributes)
  if (place === null) return labelOrOp(name, op)
  if (isPageOp(op)) return place.slice(0, itemLimits.labelCharsMax)
  const method = textOf(attributes, 'http.request.method', 'http.method') ?? name
  const isRequest = requestMethod.test(method) && op.startsWith('http.')
  return (isRequest ? `${method} ${place}` : labelOrOp(name, op)).slice(0, itemLimits.labelCharsMax)
}

function labelOrOp(name: string, op: string): string {
  return name === '' ? op : name
}

/**
 * Names a span in a trace: a segment by its page or route, a request or resource by its
 * address without the query, relative when it is of the page's own origin. Other names stay.
 */
export function spanNameOf(
  span: NamedSpan,
  place: { readonly isSegment: boolean; readonly pageOrigin: string | null },
): string {
  const { op, name, attributes } = span
  if (place.isSegment && (isPageOp(op) || op === 'http.server')) return segmentNameOf(span)
  const shown = op.startsWith('http.client')
    ? requestName(span, place.pageOrigin)
    : op.startsWith('resource.') && isHostOf(name, attributes)
      ? addressOf(attributes, place.pageOrigin)
      : null
  return (shown ?? labelOrOp(name, op)).slice(0, itemLimits.spanNameCharsMax)
}

function requestName({ name, attributes }: NamedSpan, pageOrigin: string | null): string | null {
  const method = textOf(attributes, 'http.request.method', 'http.method')
  if (method === null) return null
  const rest = name.startsWith(`${method} `) ? name.slice(method.length + 1) : null
  if (name !== method && (rest === null || !isHostOf(rest, attributes))) return null
  const address = addressOf(attributes, pageOrigin)
  return address === null ? null : `${method} ${address}`
}

/** Tells whether a name is only the host that was asked. */
function isHostOf(name: string, attributes: Attributes): boolean {
  return name !== '' && ['url.domain', 'server.address'].some((key) => attributes[key] === name)
}

function addressOf(attributes: Attributes, pageOrigin: string | null): string | null {
  const url = parseUrl(textOf(attributes, 'url.full', 'http.url', 'url'))
  if (url === null) return textOf(attributes, 'url.path')
  const isSameOrigin =
    url.origin === pageOrigin ||
    attributes['http.request.same_origin'] === true ||
    attributes['url.same_origin'] === true
  return isSameOrigin ? url.pathname : `${url.origin}${url.pathname}`
}

function pathOf(attributes: Attributes): string | null {
  const path = textOf(attributes, 'url.path')
  return path ?? parseUrl(textOf(attributes, 'url.full', 'http.url', 'url'))?.pathname ?? null
}

/** The origin of the page a browser's spans come from; null when none of them says. */
export function pageOriginOf(spans: readonly NamedSpan[]): string | null {
  for (const { op, attributes } of spans) {
    if (!isPageOp(op) && !op.startsWith('browser.')) continue
    const url = parseUrl(textOf(attributes, 'url.full'))
    if (url !== null) return url.origin
  }
  return null
}

function parseUrl(text: string | null): URL | null {
  return text !== null && URL.canParse(text) ? new URL(text) : null
}

const sources = new Set(['url', 'route', 'view', 'component', 'task', 'custom'])

/** Returns the source of a segment's name: url, route, view, component, task or custom; null when absent. */
export function segmentSourceOf(attributes: Attributes): string | null {
  const names = ['sentry.segment.name.source', 'sentry.span.source', 'sentry.source'] as const
  const source = textOf(attributes, ...names)
  return source !== null && sources.has(source) ? source : null
}
