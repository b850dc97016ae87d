import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import { mayReadMetrics, type TokenRight } from '../auth/rights.ts'
import type { Answer } from '../ingest/answer.ts'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Headers that proxies add. A request through a proxy is not from this machine, whatever its peer. */
const proxyHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

/** Returns the rights of an API token; null when no token has this secret. */
export type RightsOfToken = (secret: string) => Promise<readonly TokenRight[] | null>

/**
 * Returns the answer to a request that may not read the server's metrics; null for one that may: a
 * program on this machine that asks directly, or an API token with the right.
 */
export async function refusalOfMetrics(
  request: IncomingMessage,
  rightsOf: RightsOfToken,
): Promise<Answer | null> {
  const { headers, socket } = request
  if (headers.authorization === undefined) {
    const isDirect = proxyHeaders.every((name) => !(name in headers))
    if (isDirect && isLoopback(socket.remoteAddress)) return null
    return unauthorized('metrics are for programs on this machine and for API tokens')
  }
  const secret = /^bearer\s+(\S{1,200})$/i.exec(headers.authorization)?.[1]
  const rights = secret === undefined ? null : await rightsOf(secret)
  if (rights === null) return unauthorized('this is not a valid API token')
  if (mayReadMetrics(rights)) return null
  const detail = 'this token has neither the right `metrics` nor `read`'
  return { status: 403, body: JSON.stringify({ detail }) }
}

function unauthorized(detail: string): Answer {
  return {
    status: 401,
    body: JSON.stringify({ detail }),
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  }
}

/** A block list finds mapped addresses (`::ffff:127.0.0.1`) by the address within. */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
