import type { ApiFeedback, ApiLog, ApiMetricPoint } from '@afterimage/protocol/api/items'
import { RANGE_MS_DEFAULT } from '../search/limits.ts'
import { type SearchFields, conditionsOf } from '../search/conditions.ts'
import { feedbackFields, logFields, metricFields } from '../search/fields.ts'
import { pageSessions } from './sessions.ts'
import type { Page } from '../storage/events/port.ts'
import { iso, setLink } from '../api/answer.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import {
  cursorOf,
  environmentsOf,
  limitOf,
  projectIdsOf,
  projectOf,
  rangeOf,
} from '../api/parameters.ts'
import { searchOf } from '../api/search-parameter.ts'

/** The other kinds of items: feedback, logs, metrics, sessions. */
export const itemRoutes: Routes = (app, api) => {
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
  const project = c.req.param('project')
  const projectIds =
    project === undefined ? await projectIdsOf(c, api) : [(await projectOf(api, project)).id]
  const where = await searchOf(c, api, projectIds, (tree) => conditionsOf(tree, fields, nowOf(api)))
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
