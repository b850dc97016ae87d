import { dsnExpected, parseDsn } from '@afterimage/protocol/dsn'
import { createTunnel, refuseWith } from './tunnel.ts'
import type { Tunnel, TunnelOptions } from './tunnel.ts'

/**
 * Makes a tunnel whose missing options come from the environment: `AFTERIMAGE_DSN` (several
 * separated by commas), `AFTERIMAGE_SERVER` (by default the host of the first DSN) and
 * `AFTERIMAGE_TRUST_PROXY` (a count). It is read at the first request, since a build imports its
 * routes without the environment they will run in. `otherDsn` reads another name of the DSN.
 */
export function tunnelOfEnvironment(
  given: Partial<TunnelOptions> = {},
  otherDsn: () => string | undefined = () => undefined,
): Tunnel {
  let tunnel: Tunnel | null = null
  return async (request, connection) => {
    try {
      tunnel ??= createTunnel(withEnvironment(given, otherDsn()))
    } catch (error) {
      console.error(`Afterimage: ${(error as Error).message}`)
      return refuseWith(503, 'the tunnel is not configured')
    }
    return tunnel(request, connection)
  }
}

function withEnvironment(
  given: Partial<TunnelOptions>,
  otherDsn: string | undefined,
): TunnelOptions {
  const { AFTERIMAGE_DSN, AFTERIMAGE_SERVER, AFTERIMAGE_TRUST_PROXY } = process.env
  const named = (AFTERIMAGE_DSN ?? otherDsn ?? '').split(/[\s,]+/)
  const dsns = given.dsns ?? named.filter((text) => text !== '')
  if (dsns.length === 0) throw new TypeError('AFTERIMAGE_DSN is not set: the tunnel has no DSN.')
  return {
    ...(AFTERIMAGE_TRUST_PROXY && { trustProxy: count(AFTERIMAGE_TRUST_PROXY) }),
    server: AFTERIMAGE_SERVER ?? hostOf(dsns[0] ?? ''),
    ...given,
    dsns,
  }
}

/** The server of a DSN of our own configuration. */
function hostOf(text: string): string {
  const dsn = parseDsn(text.trim())
  if (dsn === null) throw new TypeError(`AFTERIMAGE_DSN is not valid: ${dsnExpected}.`)
  return `${dsn.scheme}://${dsn.host}${dsn.path}`
}

function count(text: string): number {
  if (!/^\d{1,2}$/.test(text)) {
    throw new TypeError(
      `AFTERIMAGE_TRUST_PROXY is not a valid count of proxies: ${JSON.stringify(text)}.`,
    )
  }
  return Number(text)
}
