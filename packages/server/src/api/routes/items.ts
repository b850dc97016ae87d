import type {
  ApiFeedback,
  ApiLog,
  ApiMetricPoint,
  ApiMonitor,
} from '@afterimage/protocol/api/items'
import { pageCheckIns } from '../../query/check-ins.ts'
import { RANGE_MS_DEFAULT } from '../../query/limits.ts'
import { type SearchFields, conditionsOf } from '../../query/search/conditions.ts'
import { feedbackFields, logFields, metricFields } from '../../query/search/fields.ts'
import { pageSessions } from '../../query/sessions.ts'
import type { Page } from '../../storage/events/port.ts'
import { placeholders } from '../../storage/metadata/placeholders.ts'
import { iso, setLink } from '../answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../context.ts'
import {
  allProjects,
  cursorOf,
  environmentsOf,
  limitOf,
  projectIdsOf,
  projectOf,
  rangeOf,
  searchOf,
} from '../parameters.ts'
import { badRequest, notFound } from '../problem.ts'

/** The other kinds of items: monitors, feedback, logs, metrics, sessions. */
export const itemRoutes: Routes = (app, api) => {
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

  const feedback = ['/organizations/:org/user-feedback/', '/projects/:org/:project/user-feedback/']
  app.on('GET', feedback, async (c) => {
    const page = await pageOf(c, api, 'feedback', feedbackFields)
    return c.json(
      page.rows.map(({ columns, timestamp }): ApiFeedback => ({
        id: columns.eventId ?? '',
        eventID: columns.associatedEventId,
        name: columns.name,
        email: columns.email,
        comments: columns.message ?? '',
        url: columns.url,
        source: columns.source,
        replayId: columns.replayId,
        dateCreated: iso(timestamp),
      })),
    )
  })

  app.get('/organizations/:org/logs/', async (c) => {
    const page = await pageOf(c, api, 'logs', logFields)
    const data = page.rows.map(({ columns, timestamp, payload }): ApiLog => ({
      id: columns.key ?? '',
      timestamp: iso(timestamp),
      trace_id: columns.traceId,
      span_id: columns.spanId,
      level: columns.level ?? 'info',
      body: columns.body ?? '',
      attributes: attributesOf(payload),
    }))
    return c.json({ data })
  })

  app.get('/organizations/:org/metrics/', async (c) => {
    const page = await pageOf(c, api, 'metrics', metricFields)
    const data = page.rows.map(({ columns, timestamp, payload }): ApiMetricPoint => ({
      id: columns.key ?? '',
      timestamp: iso(timestamp),
      name: columns.name ?? '',
      type: columns.type ?? '',
      value: columns.value ?? 0,
      unit: columns.unit,
      attributes: attributesOf(payload),
    }))
    return c.json({ data })
  })

  app.get('/organizations/:org/session-list/', async (c) => {
    const { sessions, next } = await pageSessions(api.events, {
      projectIds: await projectIdsOf(c, api),
      range: rangeOf(c, api, RANGE_MS_DEFAULT),
      conditions: environmentsOf(c),
      limit: limitOf(c),
      cursor: cursorOf(c),
    })
    setLink(c, { previous: null, next })
    return c.json({ data: sessions })
  })
}

/** A page of a table with its payloads, by the query's search and range. */
async function pageOf<N extends 'feedback' | 'logs' | 'metrics'>(
  c: ApiRequest,
  api: ApiContext,
  table: N,
  fields: SearchFields,
): Promise<Page<N>> {
  const where = conditionsOf(searchOf(c), fields)
  if ('type' in where) {
    throw badRequest(`query: ${where.detail} (at character ${where.position + 1})`)
  }
  const project = c.req.param('project')
  const projectIds =
    project === undefined ? await projectIdsOf(c, api) : [(await projectOf(api, project)).id]
  const range = rangeOf(c, api, table === 'feedback' ? null : RANGE_MS_DEFAULT)
  const cursor = cursorOf(c)
  const page = await api.events.page({
    table,
    projectIds,
    ...(range === null ? {} : { range }),
    where: [...where, ...environmentsOf(c)],
    ...(cursor === null ? {} : { cursor }),
    limit: limitOf(c),
    withPayload: true,
  })
  setLink(c, { previous: null, next: page.next ?? null })
  return page
}

function attributesOf(payload: string | null): Readonly<Record<string, unknown>> {
  return payload === null ? {} : (JSON.parse(payload) as Record<string, unknown>)
}

async function monitors(c: ApiRequest, api: ApiContext): Promise<readonly ApiMonitor[]> {
  const projectIds = await projectIdsOf(c, api)
  const projects = await allProjects(api)
  const rows = await api.metadata.all<{
    id: number
    project_id: number
    slug: string
    name: string
    config: string
    created_at: number
  }>(
    `select id, project_id, slug, name, config, created_at from monitors
     where project_id in (${placeholders(projectIds)}) order by slug, id limit 1000`,
    ...projectIds,
  )
  const ids = rows.map((row) => row.id)
  const states = await api.metadata.all<{
    monitor_id: number
    name: string
    status: string
    last_check_in_at: number
  }>(
    `select monitor_id, name, status, last_check_in_at from monitor_environments
     where monitor_id in (${placeholders(ids)}) order by name`,
    ...ids,
  )
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

/** By slug or id; of several projects' the one that `project` names, else the first. */
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
