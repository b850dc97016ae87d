import type { IncomingMessage } from 'node:http'
import { errorCodeText } from '@afterimage/protocol/error-codes'
import { hasReadableRouterState } from './router-state.ts'

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const controlCharacters = /[\u0000-\u001f\u007f]/

/** The status of a request that no page answers, or null for one that goes to the router. */
export function refusedStatus(
  request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
): 400 | 404 | 405 | null {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const decoded = decodePath(path)
  if (decoded === null || controlCharacters.test(decoded)) return 400
  if (/^\/(?:_next\/data\/[^/]+\/)?status(\/|$)/.test(decoded)) return 404
  // The page of error codes answers before it knows whether there is this one.
  const [, code] = /^\/errors\/([^/]+)\/?$/.exec(decoded) ?? []
  if (code !== undefined && errorCodeText(code) === null) return 404
  // The console has no server actions: nothing but GET and HEAD means anything, whatever is said beside it.
  const method = request.method ?? 'GET'
  if (method !== 'GET' && method !== 'HEAD') return 405
  return hasReadableRouterState(request) ? null : 400
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
