import { dsnCharactersMax } from './limits.ts'
import { refuse } from './outcome.ts'
import type { Refusal } from './outcome.ts'

/** Where an SDK sends to, and as whom: `{scheme}://{key}[:{secret}]@{host}[:port]{/path}/{project}`. */
export interface Dsn {
  readonly scheme: 'http' | 'https'
  readonly publicKey: string
  /** From DSNs of before 2018; it proves nothing. */
  readonly secretKey: string | null
  /** Host name and, when it is not the scheme's own, port. */
  readonly host: string
  /** Begins with a slash and does not end in one; empty at the root of the host. */
  readonly path: string
  /** A positive integer. */
  readonly projectId: number
}

const keyPattern = /^[\w-]{1,64}$/
const projectPattern = /^[0-9]{1,16}$/

/** Reads a DSN. What it names need not exist; a server compares key and project with its own. */
export function parseDsn(text: string): Dsn | Refusal {
  if (text.length > dsnCharactersMax) return refuse('invalid_dsn', 'DSN is too long')
  let url: URL
  try {
    url = new URL(text.trim())
  } catch {
    return refuse('invalid_dsn', 'DSN is not a URL')
  }
  const scheme = url.protocol.slice(0, -1)
  if (scheme !== 'http' && scheme !== 'https') {
    return refuse('invalid_dsn', `DSN has the scheme ${scheme}, not http or https`)
  }
  if (!keyPattern.test(url.username)) return refuse('invalid_dsn', 'DSN has no public key')
  const slash = url.pathname.lastIndexOf('/')
  const project = url.pathname.slice(slash + 1)
  const projectId = Number(project)
  if (!projectPattern.test(project) || projectId === 0 || !Number.isSafeInteger(projectId)) {
    return refuse('invalid_dsn', `DSN names the project "${project}", not a positive integer`)
  }
  return {
    scheme,
    publicKey: url.username.toLowerCase(),
    secretKey: url.password === '' ? null : url.password,
    host: url.host,
    path: url.pathname.slice(0, slash).replace(/\/+$/, ''),
    projectId,
  }
}

/** The DSN as people copy it, without its secret. */
export function formatDsn(dsn: Dsn): string {
  return `${dsn.scheme}://${dsn.publicKey}@${dsn.host}${dsn.path}/${dsn.projectId}`
}

export type DsnEndpoint = 'envelope' | 'store' | 'security' | 'minidump'

/**
 * The address that takes a kind of body. Authentication is in the query, so that a browser asks
 * for no preflight; `client` is `name/version` of the sender.
 */
export function dsnEndpoint(dsn: Dsn, endpoint: DsnEndpoint, client?: string): string {
  const query = [
    `sentry_key=${dsn.publicKey}`,
    ...(endpoint === 'security' ? [] : ['sentry_version=7']),
    ...(client === undefined ? [] : [`sentry_client=${encodeURIComponent(client)}`]),
  ].join('&')
  return `${dsn.scheme}://${dsn.host}${dsn.path}/api/${dsn.projectId}/${endpoint}/?${query}`
}
