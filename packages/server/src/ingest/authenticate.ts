import type { IncomingHttpHeaders } from 'node:http'
import { normalizePublicKey } from '@afterimage/protocol/ids'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProjectKeys } from './project-keys.ts'

/** Tells which project a path names. `any`: none, so the key decides. `invalid`: the name is not a valid id. */
export type ProjectInPath = number | 'any' | 'invalid'

/** The newest version of the protocol that is known. A newer one may mean anything. */
const versionMax = 7

/**
 * The public key a request itself brings: in `X-Sentry-Auth`, in `Authorization` (Sentry or Basic),
 * in the query or in the path. Null when it brings none; more than one is refused, since nobody
 * could say which was meant.
 */
export function readPublicKey(
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
  pathKey: string | null,
): string | null | Refusal {
  const found: { key: string | null; version: string | null }[] = []
  const header = headers['x-sentry-auth']
  if (typeof header === 'string') found.push(readFields(header))
  const authorization = headers.authorization
  if (authorization !== undefined) {
    if (/^sentry\s/i.test(authorization)) found.push(readFields(authorization))
    const basic = readBasic(authorization)
    if (basic !== null) found.push({ key: basic, version: null })
  }
  const queryKey = query.get('sentry_key')
  if (queryKey !== null) found.push({ key: queryKey, version: query.get('sentry_version') })
  if (pathKey !== null) found.push({ key: pathKey, version: null })

  const only = found[0]
  if (only === undefined) return null
  if (found.length > 1) return refuse('multiple_auth', 'multiple authorization payloads found')
  const key = normalizePublicKey(only.key)
  if (key === null) return refuse('invalid_auth', 'the public key is not 32 hex characters')
  if (only.version !== null && !(Number.parseFloat(only.version) <= versionMax)) {
    return refuse('unsupported_version', `protocol version ${only.version} is not supported`)
  }
  return key
}

/** `Sentry sentry_key=…, sentry_version=7`; the word in front may be missing. */
function readFields(text: string): { key: string | null; version: string | null } {
  const fields = new Map<string, string>()
  for (const part of text.replace(/^sentry\s+/i, '').split(',')) {
    const equals = part.indexOf('=')
    if (equals > 0) fields.set(part.slice(0, equals).trim(), part.slice(equals + 1).trim())
  }
  return { key: fields.get('sentry_key') ?? null, version: fields.get('sentry_version') ?? null }
}

/** Returns null for a name that is not a key: a staging site behind a password sends one with every request. */
function readBasic(authorization: string): string | null {
  const match = /^basic\s+([a-z0-9+/=_-]+)\s*$/i.exec(authorization)
  if (match === null) return null
  const [name = ''] = Buffer.from(match[1] ?? '', 'base64')
    .toString('latin1')
    .split(':')
  return normalizePublicKey(name)
}

/**
 * Finds the project that a key may send to; a refusal unless both are known here and belong
 * together. A key that is not known yet is asked for.
 */
export async function admitKey(
  keys: ProjectKeys,
  publicKey: string,
  project: ProjectInPath,
): Promise<number | Refusal> {
  if (project === 'invalid') return invalidProject
  await keys.learn(publicKey)
  return checkKey(keys, publicKey, project)
}

const invalidProject = refuse(
  'invalid_identifier',
  'the project in the path is not a positive integer',
)

/** `admitKey` with what is known now. */
export function checkKey(
  keys: ProjectKeys,
  publicKey: string,
  project: ProjectInPath,
): number | Refusal {
  if (project === 'invalid') return invalidProject
  const found = keys.find(publicKey)
  if (found === null) {
    return refuse('unknown_key', 'event submission rejected with_reason: ProjectId')
  }
  if (!found.isActive) {
    return refuse('unknown_key', 'event submission rejected with_reason: this key is disabled')
  }
  if (project !== 'any' && found.projectId !== project) {
    return refuse(
      'unknown_project',
      `event submission rejected with_reason: this key is not of project ${project}`,
    )
  }
  return found.projectId
}
