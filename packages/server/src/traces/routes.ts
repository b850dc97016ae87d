import type { ApiTrace, ApiTraceSummary } from '@afterimage/protocol/api/trace'
import { RANGE_MS_DEFAULT } from '../search/limits.ts'
import { listedSegments } from './listed-segments.ts'
import { countLogs, listedTrace, traceMeta } from './listed-trace.ts'
import { conditionsOf } from '../search/conditions.ts'
import { spanFields } from '../search/fields.ts'
import { readTrace } from './trace.ts'
import { sortTransactions, transactionSorts, transactionsOf } from './transactions.ts'
import type { Condition } from '../storage/events/port.ts'
import type { StoredRow } from '../storage/events/tables.ts'
import { setLink } from '../api/answer.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import {
  allProjects,
  cursorOf,
  environmentsOf,
  limitOf,
  projectIdsOf,
  rangeOf,
} from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'
import { searchOf } from '../api/search-parameter.ts'

/** Projects whose pages and routes are asked for at once: each is a question of its own. */
const TRANSACTION_PROJECTS_MAX = 50

/** Traces, one by id and a list, and the table of pages and routes. */
export const traceRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/traces/:trace/', async (c) => c.json(await traceOfPath(c, api)))

  app.on(
    'GET',
    ['/organizations/:org/trace/:trace/', '/organizations/:org/events-trace/:trace/'],
    async (c) => c.json(listedTrace(await traceOfPath(c, api), await idsBySlug(api))),
  )

  app.get('/organizations/:org/trace-meta/:trace/', async (c) => {
    const trace = await traceOfPath(c, api)
    return c.json(traceMeta(trace, await countLogs(api.events, trace.trace_id)))
  })

  app.get('/organizations/:org/traces/', async (c) => {
    const cursor = cursorOf(c)
    const projectIds = await projectIdsOf(c, api)
    const page = await api.events.page({
      table: 'spans',
      projectIds,
      range: rangeOf(c, api, RANGE_MS_DEFAULT),
      where: [
        ...(c.req.query('all') === undefined ? [...listedSegments, isRoot] : [isSegment]),
        ...(await spanConditions(c, api, projectIds)),
      ],
      ...(cursor === null ? {} : { cursor }),
      limit: limitOf(c),
    })
    setLink(c, { previous: null, next: page.next ?? null })
    const projects = await allProjects(api)
    const data = page.rows.map((row) => summary(row, projects.get(row.projectId)?.slug ?? ''))
    return c.json({ data })
  })

  app.get('/organizations/:org/transactions/', async (c) => {
    const projects = await allProjects(api)
    const ids = (await projectIdsOf(c, api)).slice(0, TRANSACTION_PROJECTS_MAX)
    const range = rangeOf(c, api, RANGE_MS_DEFAULT)
    const where = await spanConditions(c, api, ids)
    const isAll = c.req.query('all') !== undefined || where.some(asksOp)
    const tables = await Promise.all(
      ids.map((id) =>
        transactionsOf(
          api.events,
          { id, slug: projects.get(id)?.slug ?? '' },
          { range, where, isAll },
        ),
      ),
    )
    const { sort, descending } = transactionSortOf(c)
    const rows = sortTransactions(tables.flat(), sort, descending)
    const limit = limitOf(c, 50)
    const from = Number(/^0:(\d{1,6}):0$/.exec(cursorOf(c) ?? '')?.[1] ?? 0)
    setLink(c, {
      previous: from > 0 ? `0:${Math.max(0, from - limit)}:0` : null,
      next: from + limit < rows.length ? `0:${from + limit}:0` : null,
    })
    c.header('X-Hits', String(rows.length))
    return c.json({ data: rows.slice(from, from + limit) })
  })
}

/** The trace of a path. @throws ApiProblem 400 or 404 */
async function traceOfPath(c: ApiRequest, api: ApiContext): Promise<ApiTrace> {
  const traceId = (c.req.param('trace') ?? '').replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(traceId)) throw badRequest('trace_id: must be 32 hex digits')
  const slugs = new Map([...(await allProjects(api))].map(([id, { slug }]) => [id, slug]))
  const trace = await readTrace(api, traceId, slugs)
  if (trace === null) throw notFound()
  return trace
}

async function idsBySlug(api: ApiContext): Promise<ReadonlyMap<string, number>> {
  return new Map([...(await allProjects(api)).values()].map(({ id, slug }) => [slug, id]))
}

const isSegment: Condition = { field: 'isSegment', op: 'is', value: 1 }
/** A list of traces begins where traces begin: not at the requests that a page makes. */
const isRoot: Condition = { field: 'parentSpanId', op: 'missing' }

function asksOp(condition: Condition): boolean {
  if (condition.op === 'any') return condition.of.some((all) => all.some(asksOp))
  return condition.field === 'op'
}

async function spanConditions(
  c: ApiRequest,
  api: ApiContext,
  projectIds: readonly number[],
): Promise<readonly Condition[]> {
  const where = await searchOf(c, api, projectIds, (tree) =>
    conditionsOf(tree, spanFields, nowOf(api)),
  )
  return [...where, ...environmentsOf(c)]
}

function transactionSortOf(c: ApiRequest) {
  const text = c.req.query('sort') || '-count'
  const name = text.replace(/^-/, '')
  const sort = transactionSorts.find((known) => known === name)
  if (sort === undefined) throw badRequest(`sort: must be one of ${transactionSorts.join(', ')}`)
  return { sort, descending: text.startsWith('-') }
}

function summary(row: StoredRow<'spans'>, slug: string): ApiTraceSummary {
  const { columns } = row
  return {
    trace_id: columns.traceId ?? '',
    project_slug: slug,
    name: columns.segmentName ?? columns.name ?? '',
    op: columns.op ?? 'default',
    start_timestamp: row.timestamp / 1000,
    duration: columns.durationMs ?? 0,
    status: columns.status ?? 'unknown',
    release: columns.release,
    environment: columns.environment,
    user: columns.userKey,
    replay_id: columns.replayId,
    browser: columns.browser,
  }
}
