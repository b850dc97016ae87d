import type { ApiMonitor } from '@afterimage/protocol/api/items'
import { pageCheckIns } from './check-ins.ts'
import { listMonitors, type MonitorState } from './monitors.ts'
import { iso, isoOrNull, setLink } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { allProjects, cursorOf, limitOf, projectIdsOf, projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'

/** Cron monitors and their check-ins. */
export const monitorRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/monitors/', async (c) => c.json(await monitors(c, api)))
  app.on(
    'GET',
    ['/organizations/:org/monitors/:monitor/', '/projects/:org/:project/monitors/:monitor/'],
    async (c) => c.json(await monitorOf(c, api, c.req.param('monitor') ?? '')),
  )

  const checkIns = [
    '/organizations/:org/monitors/:monitor/checkins/',
    '/projects/:org/:project/monitors/:monitor/checkins/',
  ]
  app.on('GET', checkIns, async (c) => {
    const monitor = await monitorOf(c, api, c.req.param('monitor') ?? '')
    const { checkIns, next } = await pageCheckIns(
      api.events,
      { projectId: Number(monitor.project.id), slug: monitor.slug },
      { limit: limitOf(c), cursor: cursorOf(c) },
    )
    setLink(c, { previous: null, next })
    return c.json(checkIns)
  })
}

async function monitors(c: ApiRequest, api: ApiContext): Promise<readonly ApiMonitor[]> {
  const projectIds = await projectIdsOf(c, api)
  const projects = await allProjects(api)
  const { rows, states } = await listMonitors(api.metadata, projectIds)
  const statesOf = Map.groupBy(states, (state) => state.monitor_id)
  return rows.map((row) => ({
    id: String(row.id),
    slug: row.slug,
    name: row.name,
    type: 'cron_job',
    status: 'active',
    isMuted: false,
    project: {
      id: String(row.project_id),
      slug: projects.get(row.project_id)?.slug ?? '',
      name: projects.get(row.project_id)?.name ?? '',
    },
    config: listedConfig(JSON.parse(row.config) as Record<string, unknown>),
    environments: (statesOf.get(row.id) ?? []).map((state) => ({
      name: state.name,
      status: state.status,
      lastCheckIn: iso(state.last_check_in_at),
      nextCheckIn: null,
      isMuted: false,
      dateCreated: iso(row.created_at),
    })),
    lastCheckIn: isoOrNull(newestOf(statesOf.get(row.id) ?? [])),
    nextCheckIn: null,
    dateCreated: iso(row.created_at),
  }))
}

function newestOf(states: readonly MonitorState[]): number | null {
  return states.length === 0 ? null : Math.max(...states.map((state) => state.last_check_in_at))
}

/**
 * Puts the kind of a schedule beside it, and an interval into words: `every 10 minutes`. A schedule
 * without its value stays as it was sent.
 */
function listedConfig(
  config: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { schedule } = config
  if (typeof schedule !== 'object' || schedule === null) return config
  const { type, value, unit } = schedule as Readonly<Record<string, unknown>>
  if (typeof value !== 'string' && typeof value !== 'number') return config
  const isInterval = type === 'interval' && typeof unit === 'string'
  const text = isInterval ? `every ${value} ${unit}${value === 1 ? '' : 's'}` : String(value)
  return { ...config, schedule_type: type, schedule: text }
}

/** Finds a monitor by slug or id, in the project that `project` names, else in the first. */
async function monitorOf(c: ApiRequest, api: ApiContext, slugOrId: string): Promise<ApiMonitor> {
  const project = c.req.param('project')
  const projectId = project === undefined ? null : String((await projectOf(api, project)).id)
  const found = (await monitors(c, api)).find(
    (monitor) =>
      (monitor.slug === slugOrId || monitor.id === slugOrId) &&
      (projectId === null || monitor.project.id === projectId),
  )
  if (found === undefined) throw notFound()
  return found
}
