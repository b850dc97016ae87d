import type { IncomingMessage } from 'node:http'
import type { ReadClientAddress } from './client-address.ts'

export interface ForwardingOptions {
  readonly addressOf: ReadClientAddress
  /** True if headers of proxies about the sender are trusted. */
  readonly isBehindProxy: boolean
}

/** Names the status whose page `web` is asked to draw; only the front door says it. */
export const statusHeader = 'x-afterimage-status'

/** The front door's own words, whoever else wrote them. */
const ownHeaders = new Set(['x-forwarded-for', statusHeader])

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

/** As sent, but for what concerns the connection and what only a trusted proxy may say. */
export function requestHeaders(
  request: IncomingMessage,
  options: ForwardingOptions,
): Record<string, string | string[]> {
  const headers = endToEndHeaders(request.rawHeaders)
  const forwarded = Object.keys(headers).filter((name) => /^(x-forwarded-|forwarded$)/i.test(name))
  if (!options.isBehindProxy) for (const name of forwarded) delete headers[name]
  const has = (name: string): boolean => options.isBehindProxy && name in request.headers
  for (const name of Object.keys(headers)) {
    if (ownHeaders.has(name.toLowerCase())) delete headers[name]
  }
  const address = options.addressOf(request)
  if (address !== null) headers['x-forwarded-for'] = address
  if (!has('x-forwarded-proto')) headers['x-forwarded-proto'] = 'http'
  if (!has('x-forwarded-host')) headers['x-forwarded-host'] = request.headers.host ?? ''
  return headers
}

/** A name that occurs more than once (Set-Cookie) keeps all its values, in order. */
export function endToEndHeaders(rawHeaders: readonly string[]): Record<string, string | string[]> {
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
