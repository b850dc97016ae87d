import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Headers that proxies add. A request through a proxy is not from this machine, whatever its peer. */
const proxyHeaders = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'] as const

/**
 * Tells whether a request may read the server's own figures: from a program on this machine that asks
 * directly, or with a token of the API.
 */
export async function mayReadMetrics(
  request: IncomingMessage,
  isApiToken: (secret: string) => Promise<boolean>,
): Promise<boolean> {
  const { headers, socket } = request
  const authorization = headers.authorization
  if (authorization !== undefined) {
    const secret = /^bearer\s+(\S{1,200})$/i.exec(authorization)?.[1]
    return secret !== undefined && (await isApiToken(secret))
  }
  return isLoopback(socket.remoteAddress) && proxyHeaders.every((name) => !(name in headers))
}

/** A block list finds mapped addresses (`::ffff:127.0.0.1`) by the address within. */
function isLoopback(address: string | undefined): boolean {
  if (address === undefined) return false
  return loopback.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}
