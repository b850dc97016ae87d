import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { getPath } from 'hono/utils/url'
import { AppError, errorCodes } from '../errors.ts'
import { cancelledBy } from '../storage/caller-signal.ts'
import { authenticate } from '../auth/authenticate.ts'
import type { ApiContext, ApiEnv, Routes } from './context.ts'
import { ApiProblem, notFound } from './problem.ts'
import { attachmentRoutes } from '../events/attachment-routes.ts'
import { clientSettingsRoutes } from '../projects/client-settings-routes.ts'
import { eventQueryRoutes } from '../event-query/routes.ts'
import { eventRoutes } from '../events/routes.ts'
import { bundleRoutes } from '../source-maps/bundle-routes.ts'
import { chunkRoutes } from '../source-maps/chunk-routes.ts'
import { releaseFileRoutes } from '../source-maps/release-file-routes.ts'
import { findRoutes } from '../issues/routes/find.ts'
import { issueEventRoutes } from '../issues/routes/events.ts'
import { issueListRoutes } from '../issues/routes/list.ts'
import { issueRoutes } from '../issues/routes/issue.ts'
import { itemRoutes } from '../logs/routes.ts'
import { keyRoutes } from '../projects/key-routes.ts'
import { monitorRoutes } from '../monitors/routes.ts'
import { noteRoutes } from '../issues/routes/notes.ts'
import { organizationRoutes } from '../projects/organization-routes.ts'
import { projectRoutes } from '../projects/routes.ts'
import { commitRoutes, releaseRoutes } from '../releases/routes.ts'
import { replayRoutes } from '../replays/routes.ts'
import { selfMonitoringRoutes } from '../self-monitoring/routes.ts'
import { setupRoutes } from '../auth/set-up-routes.ts'
import { publicShareRoutes, shareRoutes } from '../shares/routes.ts'
import { statsRoutes } from '../stats/routes.ts'
import { tokenRoutes } from '../auth/token-routes.ts'
import { traceRoutes } from '../traces/routes.ts'

/** For who is signed in or brings a token. */
export const guardedRoutes: readonly Routes[] = [
  organizationRoutes,
  projectRoutes,
  keyRoutes,
  clientSettingsRoutes,
  issueListRoutes,
  issueRoutes,
  noteRoutes,
  issueEventRoutes,
  eventQueryRoutes,
  eventRoutes,
  attachmentRoutes,
  replayRoutes,
  traceRoutes,
  statsRoutes,
  itemRoutes,
  monitorRoutes,
  shareRoutes,
  findRoutes,
  releaseRoutes,
  commitRoutes,
  chunkRoutes,
  bundleRoutes,
  releaseFileRoutes,
  tokenRoutes,
]

/** For everybody. */
const publicRoutes: readonly Routes[] = [setupRoutes, publicShareRoutes, selfMonitoringRoutes]

/**
 * The API: everything under `/api/`, which is `/api/0/` and sign-in under `/api/auth/`. One function of a request,
 * mounted by `web` and called in the same process by the console's server components. Paths work
 * with and without their closing slash; whatever is not known is a 404 with a JSON `detail`.
 */
export function createApi(api: ApiContext): (request: Request) => Promise<Response> {
  const failures = new WeakMap<Request, unknown>()
  const report = (err: unknown, request: Request): void => {
    failures.set(request, err)
    if (api.log === undefined) console.error(err)
    else api.log.error({ err }, 'the API failed')
  }
  const app = new Hono<ApiEnv>().basePath('/api/0')
  app.onError((error, c) => {
    if (error instanceof ApiProblem) {
      return c.json({ detail: error.message, ...error.more }, error.status)
    }
    if (error instanceof AppError) {
      // Nobody is left to read it.
      if (error.code === 'QUERY_ABANDONED') return c.body(null, 499 as 400)
      if (error.status < 500) return c.json({ detail: error.message }, { status: 400 })
      // The cause is for the log only: its message may name files and statements.
      report(error, c.req.raw)
      const detail = `${error.code}: ${errorCodes[error.code].advice}`
      return c.json({ detail }, { status: error.status as 503 })
    }
    report(error, c.req.raw)
    return c.json({ detail: 'Internal error. It has been written to the log.' }, 500)
  })
  const basePath = new URL(api.config.baseUrl).pathname.replace(/\/+$/, '')
  app.use(async (c, next) => {
    c.set('basePath', basePath)
    await next()
    if (!c.res.headers.has('cache-control')) c.header('Cache-Control', 'no-store')
    c.header('X-Content-Type-Options', 'nosniff')
  })
  for (const add of publicRoutes) add(app, api)
  app.use(authenticate(api))
  app.use('/organizations/:org/*', async (c, next) => {
    if (!['main', '1'].includes(c.req.param('org') ?? '')) throw notFound()
    await next()
  })
  app.use('/projects/:org/*', async (c, next) => {
    if (!['main', '1'].includes(c.req.param('org') ?? '')) throw notFound()
    await next()
  })
  for (const add of guardedRoutes) add(app, api)
  app.all('*', (c) => {
    const others = methods.filter((method) => hasRoute(app, method, c.req.path))
    if (others.length === 0) throw notFound()
    c.header('Allow', others.join(', '))
    return c.json({ detail: `Method "${c.req.method}" not allowed.` }, 405)
  })
  const whole = new Hono({ getPath: closedPath })
  whole.onError((error, c) => {
    report(error, c.req.raw)
    return c.json({ detail: 'Internal error. It has been written to the log.' }, 500)
  })
  whole.notFound((c) => c.json({ detail: notFound().message }, 404))
  mountSignIn(whole, api)
  whole.route('/', app)
  return async (request) => {
    const limit = AbortSignal.any([request.signal, AbortSignal.timeout(READS_MS)])
    const response = await cancelledBy(limit, async () => whole.fetch(request))
    // For those who ask within this process: nothing of it goes over a connection.
    if (failures.has(request)) {
      Object.defineProperty(response, failureOfAnswer, { value: failures.get(request) })
    }
    return response
  }
}

/**
 * Key under which a 5xx answer within this process carries its error, which the console reports.
 */
const failureOfAnswer = Symbol.for('afterimage.failure')

/** A name and a password. */
const AUTH_BODY_BYTES_MAX = 64 * 1024

const methods = ['GET', 'POST', 'PUT', 'DELETE']

/** Time limit on all reads of one request, ms; past it the answer asks for a narrower search. */
const READS_MS = 10_000

function mountSignIn(whole: Hono, api: ApiContext): void {
  whole.use(
    '/api/auth/*',
    bodyLimit({
      maxSize: AUTH_BODY_BYTES_MAX,
      onError: (c) => c.json({ detail: 'The body is too large.' }, 413),
    }),
  )
  whole.all('/api/auth/*', async (c) => {
    const response = await api.auth.handler(c.req.raw)
    return response.status === 404 && response.body === null ? c.notFound() : response
  })
}

/** Tells whether a route serves this very method; handlers for all methods do not count. */
function hasRoute(app: Hono<ApiEnv>, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path.endsWith('/') ? path : `${path}/`)
  return handlers.some(([[, route]]) => route.method === method)
}

/** Routes are written with their closing slash, as Sentry's are; many programs leave it out. */
function closedPath(request: Request): string {
  const path = getPath(request)
  // Only at the root does the router not expect a closing slash.
  if (path === '/api/0/') return '/api/0'
  return path.startsWith('/api/0/') && !path.endsWith('/') ? `${path}/` : path
}
