import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import type { TrustProxy } from '../config.ts'

/** The sender's address, in its plain form; null when it cannot be known. */
export type ReadClientAddress = (request: IncomingMessage) => string | null

/**
 * Finds the sender of a request. Every proxy appends its own peer to `X-Forwarded-For`; only the
 * entries of trusted proxies mean anything.
 */
export function createClientAddressReader(trust: TrustProxy): ReadClientAddress {
  switch (trust.type) {
    case 'none':
      return (request) => addressOf(request.socket.remoteAddress)
    case 'hops':
      return (request) => {
        const chain = chainOf(request)
        return addressOf(chain[Math.max(0, chain.length - 1 - trust.count)])
      }
    case 'networks': {
      const isTrusted = createNetworkTest(trust.cidrs)
      return (request) => {
        const chain = chainOf(request)
        for (let index = chain.length - 1; index > 0; index--) {
          const address = addressOf(chain[index])
          if (address === null || !isTrusted(address)) return address
        }
        return addressOf(chain[0])
      }
    }
  }
}

/** The path of a request: the addresses in the header, then the connected peer. */
function chainOf(request: IncomingMessage): string[] {
  const header = request.headers['x-forwarded-for']
  const list = (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',')
  const named = list.map((part) => part.trim()).filter((part) => part !== '')
  return [...named, request.socket.remoteAddress ?? '']
}

/** Takes `1.2.3.4`, `1.2.3.4:567`, `::1`, `[::1]:567`, `::ffff:1.2.3.4`. */
function addressOf(text: string | undefined): string | null {
  if (text === undefined) return null
  const bare = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text
  const plain = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(bare)?.[1] ?? bare
  return isIP(plain) === 0 ? null : plain.toLowerCase()
}

function createNetworkTest(cidrs: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (address) => list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}
