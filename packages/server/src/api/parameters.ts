import { selfProjectSlug } from '@afterimage/protocol/self-monitoring'
import {
  PAGE_ROWS_DEFAULT,
  PAGE_ROWS_MAX,
  RANGE_MS_DEFAULT,
  RANGE_MS_MAX,
} from '../search/limits.ts'
import type { Condition, TimeRange } from '../storage/events/port.ts'
import type { ApiContext, ApiRequest } from './context.ts'
import { nowOf } from './context.ts'
import { badRequest, notFound } from './problem.ts'

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

/** Reads a duration such as `24h`, `14d` or `30m` in ms; null when it is not valid. */
export function periodMs(text: string): number | null {
  const match = /^(\d{1,6})([smhdw])$/.exec(text)
  if (match === null) return null
  const ms = Number(match[1]) * (UNITS_MS[match[2] ?? ''] ?? 0)
  return ms > 0 && ms <= RANGE_MS_MAX ? ms : null
}

/** `start` and `end`, or `statsPeriod` before now, or what is given as default; null: all of time. */
export function rangeOf<D extends number | null>(
  c: ApiRequest,
  api: ApiContext,
  defaultMs: D,
): TimeRange | (D extends null ? null : never) {
  const now = nowOf(api)
  const start = timeParameter(c, 'start')
  const end = timeParameter(c, 'end')
  if (start !== null || end !== null) {
    const to = end ?? now + 1
    const from = start ?? to - RANGE_MS_DEFAULT
    if (from >= to) throw badRequest('start: must be before end')
    if (to - from > RANGE_MS_MAX) throw badRequest('start: the range is too long')
    return { from, to }
  }
  const period = c.req.query('statsPeriod') ?? ''
  const ms = period === '' ? defaultMs : periodMs(period)
  if (ms === null) {
    if (period === '') return null as D extends null ? null : never
    throw badRequest(`statsPeriod: "${period.slice(0, 40)}" is not like 24h or 14d`)
  }
  // A minute ahead: clocks of clients are not ours, and what arrives now is now.
  return { from: now - ms, to: now + 60_000 }
}

function timeParameter(c: ApiRequest, name: string): number | null {
  const text = c.req.query(name)
  if (text === undefined || text === '') return null
  if (/^\d{9,11}(\.\d+)?$/.test(text)) return Number(text) * 1000
  // Sentry's clients leave the zone out and mean UTC.
  const zoned = /T[^Z+]*$/.test(text) && !/[+-]\d\d:?\d\d$/.test(text) ? `${text}Z` : text
  const at = text.length > 40 ? Number.NaN : Date.parse(zoned)
  if (Number.isNaN(at)) throw badRequest(`${name}: "${text.slice(0, 40)}" is not an ISO 8601 time`)
  return at
}

/** `limit` or `per_page`, from 1 to 100. */
export function limitOf(c: ApiRequest, fallback = PAGE_ROWS_DEFAULT, max = PAGE_ROWS_MAX): number {
  const name = c.req.query('limit') === undefined ? 'per_page' : 'limit'
  const text = c.req.query(name) ?? ''
  if (text === '') return fallback
  const limit = Number(text)
  if (!/^\d+$/.test(text) || limit < 1) throw badRequest(`${name}: must be a whole number from 1`)
  return Math.min(limit, max)
}

/**
 * The `cursor` that a `Link` header named: `<place>:<offset>:<is back>`, or a place of the events
 * store in base64url. Null for the first page. @throws ApiProblem 400
 */
export function cursorOf(c: ApiRequest): string | null {
  const cursor = c.req.query('cursor') ?? ''
  if (cursor === '') return null
  const isCursor = /^[\w.+-]{1,60}:\d{1,9}:[01]$/.test(cursor) || isPlace(cursor)
  if (!isCursor) throw badRequest('cursor: is not valid; leave it out for the first page')
  return cursor
}

function isPlace(text: string): boolean {
  if (!/^[\w-]{1,1000}$/.test(text)) return false
  try {
    return Array.isArray(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  } catch {
    return false
  }
}

/** `environment=a&environment=b` as a condition. */
export function environmentsOf(c: ApiRequest): readonly Condition[] {
  const names = (c.req.queries('environment') ?? []).filter((name) => name !== '')
  if (names.length > 50) throw badRequest('environment: at most 50 may be given')
  return names.length === 0 ? [] : [{ field: 'environment', op: 'in', values: names }]
}

export interface ProjectRow {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string | null
  readonly created_at: number
  readonly first_event_at: number | null
}

/** All projects, by id: a server has few. The one that the console reports to comes last. */
export async function allProjects(api: ApiContext): Promise<ReadonlyMap<number, ProjectRow>> {
  const rows = await api.metadata.all<ProjectRow>(
    `select id, slug, name, platform, created_at, first_event_at
     from projects order by slug = ?, slug`,
    selfProjectSlug,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The project of a path, by slug or id. @throws ApiProblem 404 */
export async function projectOf(api: ApiContext, slugOrId: string): Promise<ProjectRow> {
  const [row] = await api.metadata.all<ProjectRow>(
    `select id, slug, name, platform, created_at, first_event_at
     from projects where slug = ? or id = ?`,
    slugOrId,
    /^\d{1,15}$/.test(slugOrId) ? Number(slugOrId) : -1,
  )
  if (row === undefined) throw notFound()
  return row
}

/** No project has this id; an empty list would stand for all of them. */
const NO_PROJECT = [-1]

/**
 * `project=1&project=web` (ids or slugs). None means all but the one that the console reports to,
 * `-1` that one too. @throws ApiProblem 400
 */
export async function projectIdsOf(c: ApiRequest, api: ApiContext): Promise<readonly number[]> {
  const wanted = [...(c.req.queries('project') ?? []), ...(c.req.queries('projectSlug') ?? [])]
  const named = wanted.filter((one) => one !== '' && one !== '-1')
  if (named.length > 100) throw badRequest('project: at most 100 may be given')
  const projects = [...(await allProjects(api)).values()]
  if (named.length === 0) {
    const ids = projects
      .filter(({ slug }) => wanted.includes('-1') || slug !== selfProjectSlug)
      .map((project) => project.id)
    return ids.length === 0 ? NO_PROJECT : ids
  }
  return named.map((one) => {
    const project = projects.find((it) => it.slug === one || String(it.id) === one)
    if (project === undefined) throw badRequest(`project: there is no "${one.slice(0, 60)}"`)
    return project.id
  })
}
