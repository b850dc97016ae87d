import { BUCKETS_MAX, RANGE_MS_DEFAULT } from '../search/limits.ts'
import { conditionsOf } from '../search/conditions.ts'
import type { Condition, TimeRange } from '../storage/events/port.ts'
import { type ApiContext, type ApiRequest, nowOf } from '../api/context.ts'
import { environmentsOf, periodMs, projectIdsOf, rangeOf } from '../api/parameters.ts'
import { badRequest } from '../api/problem.ts'
import { searchOf } from '../api/search-parameter.ts'
import { type Dataset, datasetNames, datasetOf, eventFieldOf } from './datasets.ts'
import { type EventFunction, functionOf, isFunction } from './functions.ts'

/** Fields and functions of one question. */
const FIELDS_MAX = 25

/** A question to the event-query endpoints, validated. */
export interface EventQuestion {
  readonly dataset: Dataset
  readonly projectIds: readonly number[]
  readonly range: TimeRange
  readonly where: readonly Condition[]
  /** As they were asked for. */
  readonly fields: readonly string[]
  readonly functions: readonly EventFunction[]
  readonly sort: { readonly name: string; readonly descending: boolean } | null
}

/** Reads a question. @throws ApiProblem 400 naming the parameter */
export async function questionOf(c: ApiRequest, api: ApiContext): Promise<EventQuestion> {
  const dataset = datasetParameter(c)
  const names = namesOf(c, 'field')
  const { fields, functions } = fieldsOf(dataset, names)
  const projectIds = await projectIdsOf(c, api)
  return {
    dataset,
    projectIds,
    range: rangeOf(c, api, RANGE_MS_DEFAULT),
    where: await conditionsOfQuery(c, api, dataset, projectIds),
    fields,
    functions,
    sort: sortOf(c, dataset, names),
  }
}

export async function conditionsOfQuery(
  c: ApiRequest,
  api: ApiContext,
  dataset: Dataset,
  projectIds: readonly number[],
): Promise<readonly Condition[]> {
  const now = nowOf(api)
  const where = await searchOf(c, api, projectIds, (tree) =>
    conditionsOf(tree, dataset.search, now),
  )
  return [...dataset.always, ...where, ...environmentsOf(c)]
}

export function datasetParameter(c: ApiRequest): Dataset {
  const dataset = datasetOf(c.req.query('dataset') || 'errors')
  if (dataset === null) throw badRequest(`dataset: must be one of ${datasetNames.join(', ')}`)
  return dataset
}

function fieldsOf(
  dataset: Dataset,
  names: readonly string[],
): { readonly fields: readonly string[]; readonly functions: readonly EventFunction[] } {
  if (names.length === 0) throw badRequest('field: name at least one')
  if (names.length > FIELDS_MAX) throw badRequest(`field: at most ${FIELDS_MAX} may be given`)
  const fields: string[] = []
  const functions: EventFunction[] = []
  for (const name of names) {
    if (isFunction(name)) functions.push(functionParameter(dataset, 'field', name))
    else if (eventFieldOf(dataset, name) === null) {
      throw badRequest(`field: there is no "${name.slice(0, 60)}" in this dataset`)
    } else fields.push(name)
  }
  return { fields, functions }
}

export function functionParameter(
  dataset: Dataset,
  parameter: string,
  text: string,
): EventFunction {
  const read = functionOf(dataset, text)
  if (typeof read === 'string') throw badRequest(`${parameter}: ${read}`)
  return read
}

/** Values of a parameter that may be repeated, each once. */
export function namesOf(c: ApiRequest, parameter: string): readonly string[] {
  return [...new Set((c.req.queries(parameter) ?? []).filter((name) => name !== ''))]
}

/** `-count()`, `-count`, `-last_seen`, `timestamp`: one of the fields that are asked for, or any field. */
function sortOf(c: ApiRequest, dataset: Dataset, names: readonly string[]): EventQuestion['sort'] {
  const text = c.req.query('sort') || c.req.query('orderby') || ''
  if (text === '') return null
  const name = text.replace(/^-/, '')
  const asked = names.find((known) => known === name || aliasOf(known) === aliasOf(name))
  const found = asked ?? (eventFieldOf(dataset, name) === null ? undefined : name)
  if (found === undefined) throw badRequest(`sort: "${name.slice(0, 60)}" is not among the fields`)
  return { name: found, descending: text.startsWith('-') }
}

/** Older tools write `count` for `count()`, and `p95_span_duration` for `p95(span.duration)`. */
function aliasOf(name: string): string {
  return name.replaceAll(/[^a-z0-9]+/gi, '_').replace(/_$/, '')
}

/** `interval=1h`, else so that there are about a hundred points. @throws ApiProblem 400 */
export function intervalOf(c: ApiRequest, range: TimeRange): number {
  const text = c.req.query('interval') ?? ''
  const span = range.to - range.from
  const ms = text === '' ? (span > 7 * 86_400_000 ? 86_400_000 : 3_600_000) : periodMs(text)
  if (ms === null) throw badRequest(`interval: "${text.slice(0, 40)}" is not like 1h or 1d`)
  if (span / ms > BUCKETS_MAX) {
    throw badRequest(`interval: too short for this range; at most ${BUCKETS_MAX} points`)
  }
  return ms
}
