import type { ApiMonitor } from '@afterimage/protocol/api/items'
import { pageCheckIns } from './check-ins.ts'
import { listMonitors } from './monitors.ts'
import { iso, setLink } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { allProjects, cursorOf, limitOf, projectIdsOf, projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'

/** Cron monitors and their check-ins. */
export const monitorRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/monitors/', async (c) => c.json(await monitors(c, api)))
  app.get('/organizations/:org/monitors/:monitor/', async (c) =>
    c.json(await monitorOf(c, api, c.req.param('monitor'))),
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
    project: { id: String(row.project_id), slug: projects.get(row.project_id)?.slug ?? '' },
    config: JSON.parse(row.config) as Record<string, unknown>,
    environments: (statesOf.get(row.id) ?? []).map((state) => ({
      name: state.name,
      status: state.status,
      lastCheckIn: iso(state.last_check_in_at),
    })),
    dateCreated: iso(row.created_at),
  }))
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
