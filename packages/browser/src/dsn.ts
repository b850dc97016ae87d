import type { Dsn } from '@afterimage/protocol/dsn'
import type { Options } from './options.ts'
import { sdk } from './version.ts'

export type PublicDsn = Omit<Dsn, 'secretKey'>

/**
 * A leaner reader of what `@afterimage/protocol/dsn` reads, compared with it by a test. The secret
 * that very old DSNs had is left behind.
 */
export function parseDsn(text: string): PublicDsn | null {
  const match =
    /^(https?):\/\/([\w-]{1,64})(:[^@/]*)?@([^/?#@\s]+)((?:\/[^/?#]+)*)\/([1-9]\d{0,14})$/.exec(
      text,
    )
  return (
    match && {
      scheme: match[1] as 'http',
      publicKey: match[2]!.toLowerCase(),
      host: match[4]!,
      path: match[5]!,
      projectId: Number(match[6]),
    }
  )
}

/**
 * Where envelopes go. Through the tunnel (S7) the query names organisation, project and, if there
 * is one, region, in that order, and no key; the key is in the envelope.
 */
export function envelopeAddress(dsn: PublicDsn, options: Options): string {
  const { tunnel = true, tunnelPath = '/monitoring' } = options
  const { scheme, publicKey, host, path, projectId } = dsn
  if (!tunnel) {
    return `${scheme}://${host}${path}/api/${projectId}/envelope/?sentry_version=7&sentry_key=${publicKey}&sentry_client=${sdk.name}%2F${sdk.version}`
  }
  // Our own server has one organisation, whose id is 1; Sentry's hosts name theirs.
  const organization = /^o(\d+)\./.exec(host)?.[1] ?? '1'
  const region = options.region ?? /\.ingest\.([a-z]{2})\./.exec(host)?.[1]
  return `${tunnel === true ? tunnelPath : tunnel}?o=${organization}&p=${projectId}${region ? `&r=${region}` : ''}`
}
