import { setLink } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { cursorOf, limitOf, projectIdsOf, rangeOf } from '../api/parameters.ts'
import { ApiProblem } from '../api/problem.ts'
import { bucketsOf } from '../issues/series.ts'
import { RANGE_MS_DEFAULT } from '../search/limits.ts'
import { eventFieldOf } from './datasets.ts'
import { groupEvents } from './groups.ts'
import {
  conditionsOfQuery,
  datasetParameter,
  type EventQuestion,
  functionParameter,
  intervalOf,
  namesOf,
  questionOf,
} from './question.ts'
import { listEvents } from './rows.ts'

/** Tags that are listed. */
const TAGS_MAX = 100

/** One endpoint for questions about events of any kind, as other tools ask them. */
export const eventQueryRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/events/', async (c) => {
    const question = await questionOf(c, api)
    const limit = limitOf(c, 50)
    const cursor = cursorOf(c)
    const offset = Number(/^0:(\d{1,6}):0$/.exec(cursor ?? '')?.[1] ?? 0)
    const page =
      question.functions.length > 0
        ? await groupEvents(api, question, { limit, offset })
        : await listEvents(api, question, { limit, cursor })
    setLink(c, { previous: null, next: page.next })
    return c.json({ data: page.data, meta: metaOf(question) })
  })

  app.get('/organizations/:org/events/validate/', async (c) => c.json(await validation(c, api)))
  app.get('/organizations/:org/events-stats/', async (c) => c.json(await seriesOf(c, api)))

  app.get('/organizations/:org/tags/', async (c) => {
    const rows = await api.events.aggregate({
      table: 'tags',
      projectIds: await projectIdsOf(c, api),
      range: rangeOf(c, api, RANGE_MS_DEFAULT),
      where: [],
      groupBy: ['key'],
      measures: [{ type: 'count' }],
      limit: TAGS_MAX,
    })
    return c.json(
      rows.map(({ group, values }) => ({
        key: String(group[0]),
        name: String(group[0]),
        totalValues: values[0] ?? 0,
      })),
    )
  })
}

function metaOf({ dataset, fields, functions }: EventQuestion) {
  const types = new Map<string, string>()
  for (const name of fields) types.set(name, eventFieldOf(dataset, name)?.type ?? 'string')
  for (const { text, type } of functions) types.set(text, type)
  const units = [...types].map(([name, type]) => [name, type === 'duration' ? 'millisecond' : null])
  return {
    fields: Object.fromEntries(types),
    units: Object.fromEntries(units) as Readonly<Record<string, string | null>>,
    isMetricsData: false,
  }
}

/** Says of each part of a question whether it can be asked. */
async function validation(c: ApiRequest, api: ApiContext) {
  const refused = await refusalOf(() => datasetParameter(c))
  const problem = refused ?? (await refusalOf(() => questionOf(c, api)))
  const part = (name: string) => {
    const error = problem?.startsWith(`${name}:`) === true ? problem : null
    return { valid: error === null, error }
  }
  const attributes = (parameter: string, names: readonly string[]) =>
    names.map((name) => ({ name, attrType: null, ...part(parameter) }))
  return {
    valid: problem === null,
    projects: [part('project')],
    dataset: [{ name: c.req.query('dataset') ?? 'errors', ...part('dataset') }],
    environment: [part('environment')],
    field: attributes('field', namesOf(c, 'field')),
    query: { ...part('query'), fields: [] },
    orderby: attributes('sort', [...namesOf(c, 'orderby'), ...namesOf(c, 'sort')]),
  }
}

/** Returns why a question is refused; null when it is not. */
async function refusalOf(check: () => unknown): Promise<string | null> {
  try {
    await check()
    return null
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 400) return error.message
    throw error
  }
}

/** `events-stats/`: functions (`yAxis`) over time. */
async function seriesOf(c: ApiRequest, api: ApiContext) {
  const dataset = datasetParameter(c)
  const axes = namesOf(c, 'yAxis').slice(0, 10)
  const functions = (axes.length === 0 ? ['count()'] : axes).map((text) =>
    functionParameter(dataset, 'yAxis', text),
  )
  const projectIds = await projectIdsOf(c, api)
  const range = rangeOf(c, api, RANGE_MS_DEFAULT)
  const bucketMs = intervalOf(c, range)
  const starts = bucketsOf(range, bucketMs)
  const rows = await api.events.aggregate({
    table: dataset.table,
    projectIds,
    range: { from: starts[0] ?? range.from, to: range.to },
    where: await conditionsOfQuery(c, api, dataset, projectIds),
    groupBy: [],
    bucketMs,
    measures: functions.map(({ measure }) => measure),
    limit: starts.length,
  })
  const valuesAt = new Map(rows.map(({ bucket, values }) => [bucket, values]))
  const series = functions.map(({ finish }, index) => ({
    data: starts.map((start) => [
      start / 1000,
      [{ count: finish(valuesAt.get(start)?.[index] ?? null, bucketMs / 60_000) ?? 0 }],
    ]),
    start: range.from / 1000,
    end: range.to / 1000,
    isMetricsData: false,
  }))
  const [only] = series
  if (functions.length === 1) return only
  return Object.fromEntries(functions.map(({ text }, index) => [text, series[index]]))
}
