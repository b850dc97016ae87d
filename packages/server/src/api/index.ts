import { Hono } from 'hono'
import { getPath } from 'hono/utils/url'
import { AppError, errorCodes } from '../errors.ts'
import { authenticate } from './authenticate.ts'
import type { ApiContext, ApiEnv, Routes } from './context.ts'
import { ApiProblem, notFound } from './problem.ts'
import { attachmentRoutes } from './routes/attachments.ts'
import { eventRoutes } from './routes/events.ts'
import { findRoutes } from './routes/find.ts'
import { issueEventRoutes } from './routes/issue-events.ts'
import { issueListRoutes } from './routes/issue-list.ts'
import { issueRoutes } from './routes/issue.ts'
import { itemRoutes } from './routes/items.ts'
import { keyRoutes } from './routes/keys.ts'
import { monitorRoutes } from './routes/monitors.ts'
import { noteRoutes } from './routes/notes.ts'
import { organizationRoutes } from './routes/organization.ts'
import { projectRoutes } from './routes/projects.ts'
import { releaseRoutes } from './routes/releases.ts'
import { replayRoutes } from './routes/replays.ts'
import { selfMonitoringRoutes } from './routes/self-monitoring.ts'
import { setupRoutes } from './routes/setup.ts'
import { publicShareRoutes, shareRoutes } from './routes/shares.ts'
import { statsRoutes } from './routes/stats.ts'
import { tokenRoutes } from './routes/tokens.ts'
import { traceRoutes } from './routes/traces.ts'

/** For who is signed in or brings a token. */
const routes: readonly Routes[] = [
  organizationRoutes,
  projectRoutes,
  keyRoutes,
  issueListRoutes,
  issueRoutes,
  noteRoutes,
  issueEventRoutes,
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
  const report = (err: unknown): void => {
    if (api.log === undefined) console.error(err)
    else api.log.error({ err }, 'the API failed')
  }
  const app = new Hono<ApiEnv>().basePath('/api/0')
  app.onError((error, c) => {
    if (error instanceof ApiProblem) return c.json({ detail: error.message }, error.status)
    if (error instanceof AppError) {
      if (error.status < 500) return c.json({ detail: error.message }, { status: 400 })
      // What failed is for the log: the message may name files and statements.
      report(error)
      const detail = `${error.code}: ${errorCodes[error.code].advice}`
      return c.json({ detail }, { status: error.status as 503 })
    }
    report(error)
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
  for (const add of routes) add(app, api)
  app.all('*', (c) => {
    const others = methods.filter((method) => hasRoute(app, method, c.req.path))
    if (others.length === 0) throw notFound()
    c.header('Allow', others.join(', '))
    return c.json({ detail: `Method "${c.req.method}" not allowed.` }, 405)
  })
  const whole = new Hono({ getPath: closedPath })
  whole.onError((error, c) => {
    report(error)
    return c.json({ detail: 'Internal error. It has been written to the log.' }, 500)
  })
  whole.notFound((c) => c.json({ detail: notFound().message }, 404))
  whole.all('/api/auth/*', async (c) => {
    const response = await api.auth.handler(c.req.raw)
    return response.status === 404 && response.body === null ? c.notFound() : response
  })
  whole.route('/', app)
  return async (request) => whole.fetch(request)
}

const methods = ['GET', 'POST', 'PUT', 'DELETE']

/** Whether a route was written for this method; what is written for all of them is no route. */
function hasRoute(app: Hono<ApiEnv>, method: string, path: string): boolean {
  const [handlers] = app.router.match(method, path.endsWith('/') ? path : `${path}/`)
  return handlers.some(([[, route]]) => route.method === method)
}

/** Routes are written with their closing slash, as Sentry's are; many programs leave it out. */
function closedPath(request: Request): string {
  const path = getPath(request)
  // Of the root alone the router knows no closing slash.
  if (path === '/api/0/') return '/api/0'
  return path.startsWith('/api/0/') && !path.endsWith('/') ? `${path}/` : path
}
