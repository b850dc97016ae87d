import type { Dsn } from '@afterimage/protocol/dsn'
import type { Options } from './options.ts'
import { sdkName, sdkVersion } from './version.ts'

/** A leaner reader of what `@afterimage/protocol/dsn` reads, compared with it by a test. */
export function parseDsn(text: string): Dsn | null {
  const match =
    /^(https?):\/\/([\w-]{1,64})(?::([^@/]*))?@([\w.:[\]-]+)((?:\/[^/?#]+)*)\/(\d{1,16})$/.exec(
      text,
    )
  const projectId = Number(match?.[6])
  if (match === null || !Number.isSafeInteger(projectId) || projectId === 0) return null
  return {
    scheme: match[1] as 'http',
    publicKey: match[2]!.toLowerCase(),
    secretKey: match[3] ?? null,
    host: match[4]!,
    path: match[5]!,
    projectId,
  }
}

/** The DSN of an envelope header: without the secret that very old ones had. */
export function publicDsn({ scheme, publicKey, host, path, projectId }: Dsn): string {
  return `${scheme}://${publicKey}@${host}${path}/${projectId}`
}

/** Our own server has one organisation, whose id is 1; Sentry's hosts name theirs. */
export function organizationOf(dsn: Dsn): string {
  return /^o(\d+)\./.exec(dsn.host)?.[1] ?? '1'
}

/**
 * Where envelopes go. Through the tunnel (S7) the query names organisation, project and, if there
 * is one, region, in that order, and no key; the key is in the envelope.
 */
export function envelopeAddress(dsn: Dsn, options: Options): string {
  const { tunnel = true, tunnelPath = '/monitoring' } = options
  if (tunnel === false) {
    return `${dsn.scheme}://${dsn.host}${dsn.path}/api/${dsn.projectId}/envelope/?sentry_version=7&sentry_key=${dsn.publicKey}&sentry_client=${sdkName}%2F${sdkVersion}`
  }
  const path = tunnel === true ? tunnelPath : tunnel
  const region = options.region ?? /\.ingest\.([a-z]{2})\./.exec(dsn.host)?.[1]
  return `${path}${path.includes('?') ? '&' : '?'}o=${organizationOf(dsn)}&p=${dsn.projectId}${region ? `&r=${region}` : ''}`
}
