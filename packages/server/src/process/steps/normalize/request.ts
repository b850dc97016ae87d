import type { EventRequest } from '@afterimage/protocol/event'
import { boundedBag, boundedCopy } from './bag.ts'
import { bagLimits, eventLimits } from './limits.ts'
import { cut, isRecord, readAsText, readText } from './text.ts'

type Pairs = [string, string][]

/** The HTTP request of an event; null when nothing of one was sent. */
export function normalizeRequest(raw: unknown): EventRequest | null {
  if (!isRecord(raw)) return null
  const request: EventRequest = {}
  const url = splitUrl(readText(raw['url'], eventLimits.url))
  if (url.base !== null) request.url = url.base
  const method = readText(raw['method'], 32)
  if (method !== null) request.method = method.toUpperCase()
  const query = readQuery(raw['query_string'] ?? url.query)
  if (query !== null) request.query_string = query
  const fragment = readText(raw['fragment'], 1024) ?? url.fragment
  if (fragment !== null) request.fragment = fragment
  addHeaders(request, raw)
  addData(request, raw)
  const env = boundedBag(raw['env'], bagLimits.large)
  if (env !== null) request.env = env
  for (const _ in request) return request
  return null
}

/** The value of a header by its Title-Case name; null when it was not sent. */
export function headerOf(request: EventRequest | null | undefined, name: string): string | null {
  for (const [key, value] of request?.headers ?? []) if (key === name) return value
  return null
}

function splitUrl(url: string | null): {
  readonly base: string | null
  readonly query: string | null
  readonly fragment: string | null
} {
  if (url === null) return { base: null, query: null, fragment: null }
  const hash = url.indexOf('#')
  const beforeHash = hash < 0 ? url : url.slice(0, hash)
  const mark = beforeHash.indexOf('?')
  return {
    base: (mark < 0 ? beforeHash : beforeHash.slice(0, mark)) || null,
    query: mark < 0 ? null : beforeHash.slice(mark + 1) || null,
    fragment: hash < 0 ? null : url.slice(hash + 1) || null,
  }
}

function readQuery(raw: unknown): Pairs | null {
  if (typeof raw !== 'string') return readPairs(raw, bagLimits.small.size)
  const text = cut(raw.startsWith('?') ? raw.slice(1) : raw, bagLimits.small.size)
  if (text === '') return null
  return text.split('&').map((part) => {
    const equals = part.indexOf('=')
    return equals < 0
      ? [decode(part), '']
      : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))]
  })
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** An object, or a list of pairs, as pairs of text. A list as value (several headers of one name) is joined. */
function readPairs(raw: unknown, max: number): Pairs | null {
  const entries = Array.isArray(raw) ? raw : isRecord(raw) ? Object.entries(raw) : []
  const pairs: Pairs = []
  let left = max
  for (const entry of entries) {
    if (!Array.isArray(entry) || pairs.length >= eventLimits.headers || left <= 0) continue
    const key = readText(entry[0], eventLimits.label)
    const room = Math.max(left, 3)
    const value = Array.isArray(entry[1])
      ? cut(entry[1].map((one) => readAsText(one, room) ?? '').join(', '), room)
      : (readAsText(entry[1], room) ?? '')
    if (key === null) continue
    left -= key.length + value.length
    pairs.push([key, value])
  }
  return pairs.length === 0 ? null : pairs
}

const titleCaseCache = new Map<string, string>()

function titleCase(name: string): string {
  const known = titleCaseCache.get(name)
  if (known !== undefined) return known
  const title = name
    .split('-')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase())
    .join('-')
  if (titleCaseCache.size >= 1000) titleCaseCache.clear()
  titleCaseCache.set(name, title)
  return title
}

function addHeaders(request: EventRequest, raw: Record<string, unknown>): void {
  const headers: Pairs = []
  let cookies = cookiePairs(raw['cookies'])
  for (const [name, value] of readPairs(raw['headers'], bagLimits.large.size) ?? []) {
    const title = titleCase(name)
    if (title === 'Cookie') cookies ??= cookiePairs(value)
    else headers.push([title, value])
  }
  if (headers.length > 0) request.headers = headers
  if (cookies !== null) request.cookies = cookies
}

function cookiePairs(raw: unknown): Pairs | null {
  if (typeof raw !== 'string') return readPairs(raw, bagLimits.medium.size)
  const pairs: Pairs = []
  for (const part of raw.slice(0, bagLimits.medium.size).split(';', eventLimits.headers)) {
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.slice(0, equals)).trim()
    if (name !== '') pairs.push([name, equals < 0 ? '' : part.slice(equals + 1).trim()])
  }
  return pairs.length === 0 ? null : pairs
}

/** A JSON body is kept as what it says, so that its secrets are found by their keys. */
function addData(request: EventRequest, raw: Record<string, unknown>): void {
  const data = raw['data']
  if (data === undefined || data === null || data === '') return
  const sentType = readText(raw['inferred_content_type'], 128)
  const parsed = typeof data === 'string' ? parseBody(data) : null
  request.data = boundedCopy(parsed === null ? data : parsed.value, bagLimits.large)
  const type = sentType ?? parsed?.type ?? null
  if (type !== null) request.inferred_content_type = type
}

function parseBody(text: string): { readonly value: unknown; readonly type: string } | null {
  const first = text.trimStart().charAt(0)
  if (first === '{' || first === '[') {
    try {
      return { value: JSON.parse(text), type: 'application/json' }
    } catch {
      return null
    }
  }
  if (!/^[\w.[\]%+-]{1,256}=[^\s]*$/.test(text.slice(0, 2048))) return null
  const pairs = readQuery(text)
  return pairs === null ? null : { value: pairs, type: 'application/x-www-form-urlencoded' }
}
