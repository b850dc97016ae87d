/** The address that clients ask, once a session, for the settings of their project. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { clientSettingsParameter, type ClientSettings } from '@afterimage/protocol/client-settings'
import { normalizePublicKey } from '@afterimage/protocol/ids'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import { refusalAnswer, type Answer } from './answer.ts'
import type { Arrival, IngestContext } from './arrival.ts'
import { admitKey, type ProjectInPath } from './authenticate.ts'
import { askRegion, regionOf } from './region.ts'

/** Returns the settings of a project as JSON. */
export type ClientSettingsOf = (projectId: number) => Promise<string>

/** A change is answered after this; until then a busy project costs one reading. */
const settingsMs = 1000
/** Projects whose settings are kept between readings. */
const projectsMax = 1000
/** Caches may answer for this many seconds: a change waits for a visitor's next session anyway. */
const maxAgeSeconds = 60

/** Keeps what `read` returns for a moment, also a failure. */
export function keepClientSettings(
  read: (projectId: number) => Promise<ClientSettings>,
): ClientSettingsOf {
  const kept = new Map<number, { readonly readAt: number; readonly text: Promise<string> }>()
  return (projectId) => {
    const now = performance.now()
    const known = kept.get(projectId)
    if (known !== undefined && now - known.readAt < settingsMs) return known.text
    if (kept.size >= projectsMax) kept.clear()
    const text = read(projectId).then((settings) => JSON.stringify(settings))
    kept.set(projectId, { readAt: now, text })
    return text
  }
}

/** An address that takes envelopes. */
type EnvelopeAddress =
  | { readonly type: 'tunnel' }
  | { readonly type: 'envelope'; readonly project: ProjectInPath }

/**
 * Returns the address of a request for settings, one for envelopes with GET and a key; null for all
 * other requests.
 */
export function settingsAddress(
  route: { readonly type: string },
  { method }: Pick<IncomingMessage, 'method'>,
  query: URLSearchParams,
): EnvelopeAddress | null {
  if (method !== 'GET' || !query.has(clientSettingsParameter)) return null
  return route.type === 'tunnel' || route.type === 'envelope' ? (route as EnvelopeAddress) : null
}

/**
 * Answers with the settings of the project that the key sends to. At the tunnel `p` may name it, and
 * a region that is listed answers instead.
 */
export async function answerClientSettings(
  context: IngestContext,
  arrival: Arrival,
  route: EnvelopeAddress,
): Promise<Answer> {
  const { request, query } = arrival
  const publicKey = normalizePublicKey(query.get(clientSettingsParameter))
  if (publicKey === null) return refusalAnswer(invalidKey)
  const isTunnel = route.type === 'tunnel'
  const project = isTunnel ? projectOf(query.get('p')) : route.project
  const projectId = await admitKey(context.keys, publicKey, project)
  if (isRefusal(projectId)) return refusalAnswer(projectId)
  const address = isTunnel ? regionOf(context.regions, query.get('r')) : null
  if (address !== null) return askRegion(context, arrival, { address, projectId, publicKey })
  const body = await context.settingsOf(projectId)
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  const headers = { etag, 'cache-control': `public, max-age=${maxAgeSeconds}` }
  const isKnown = request.headers['if-none-match']?.includes(etag)
  return isKnown ? { status: 304, body: '', headers } : { status: 200, body, headers }
}

const invalidKey: Refusal = refuse('invalid_auth', 'the public key is not 32 hex characters')

function projectOf(text: string | null): ProjectInPath {
  if (text === null || text === '') return 'any'
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : 'invalid'
}
