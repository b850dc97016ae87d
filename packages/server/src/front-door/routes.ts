/** Assigns addresses to their owners. Every address that is not ours belongs to `web`. */
import type { ProjectInPath } from '../ingest/authenticate.ts'
import { webFiguresPath, webReadinessPath } from './inner-addresses.ts'

export type Route =
  | { readonly type: 'envelope' | 'store' | 'security' | 'nel'; readonly project: ProjectInPath }
  | {
      readonly type: 'cron'
      readonly project: ProjectInPath
      readonly slug: string
      readonly key: string | null
    }
  | { readonly type: 'tunnel' }
  | { readonly type: 'health' | 'readiness' | 'metrics' }
  /** An address of `web` that is the front door's alone. */
  | { readonly type: 'inner' }
  | { readonly type: 'web' }

/** The routes that the front door answers itself. */
export type OwnRoute = Exclude<Route, { type: 'inner' | 'web' }>

export type IngestRoute = Exclude<OwnRoute, { type: 'health' | 'readiness' | 'metrics' }>

const projectPath = /^\/api\/([^/]+)\/(envelope|store|security|csp-report|nel)\/?$/
const cronPath = /^\/api\/([^/]+)\/cron\/([^/]+)(?:\/([^/]+))?\/?$/

/** @param path the path of the request without its query, as sent */
export function routeOf(path: string, tunnelPath: string): Route {
  if (path === tunnelPath || path === `${tunnelPath}/`) return { type: 'tunnel' }
  if (path === '/healthz') return { type: 'health' }
  if (path === '/readyz') return { type: 'readiness' }
  if (path === '/metrics') return { type: 'metrics' }
  if (path === webReadinessPath || path === webFiguresPath) return { type: 'inner' }
  // `/api/0/` is the query API.
  if (!path.startsWith('/api/') || path.startsWith('/api/0/')) return { type: 'web' }
  if (path === '/api/store/' || path === '/api/store') return { type: 'store', project: 'any' }
  const match = projectPath.exec(path)
  if (match) {
    const [, project = '', kind = ''] = match
    return { type: kindOf(kind), project: projectOf(project) }
  }
  const cron = cronPath.exec(path)
  if (cron) {
    const [, project = '', slug = '', key] = cron
    return { type: 'cron', project: projectOf(project), slug: decode(slug), key: key ?? null }
  }
  return { type: 'web' }
}

/** Returns the methods with which an address of ingest takes what is sent. */
export function methodsOf(type: IngestRoute['type']): readonly string[] {
  return type === 'store' || type === 'cron' ? ['POST', 'GET'] : ['POST']
}

function kindOf(kind: string): 'envelope' | 'store' | 'security' | 'nel' {
  switch (kind) {
    case 'envelope':
    case 'store':
    case 'nel':
      return kind
    default:
      return 'security'
  }
}

function projectOf(text: string): ProjectInPath {
  const id = Number(text)
  return /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(id) ? id : 'invalid'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
