import type { Dsn } from '@afterimage/protocol/dsn'
import type { Options } from './options.ts'

/**
 * Returns the address that envelopes are sent to. Through the tunnel the query names the
 * organisation, the project and, if there is one, the region, in that order. The key is only in the
 * envelope: filter lists block addresses with a key in their query.
 * @see docs/specification.md#s7
 */
export function envelopeAddress(dsn: Dsn, options: Options): string {
  const { tunnel = true, tunnelPath = '/monitoring' } = options
  const { scheme, host, path, projectId } = dsn
  if (!tunnel) return `${scheme}://${host}${path}/api/${projectId}/envelope/`
  // Our own server has one organisation, with the id 1; Sentry's hosts name theirs, and its region.
  const [, organization = 1, home] = /^o(\d+)\.(?:ingest\.(..)\.)?/.exec(host) ?? []
  const { region = home } = options
  const address = tunnel === true ? tunnelPath : tunnel
  const start = address + (address.includes('?') ? '&' : '?')
  return `${start}o=${organization}&p=${projectId}${region ? `&r=${region}` : ''}`
}
