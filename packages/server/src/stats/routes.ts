import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { ApiServerStatus } from '@afterimage/protocol/api/stats'
import { issueOverview } from '../issues/overview.ts'
import { RANGE_MS_DEFAULT } from '../search/limits.ts'
import {
  outcomeStats,
  type StatDimension,
  statDimensions,
  type StatField,
  statFields,
  typesOfCategory,
} from './outcomes.ts'
import { BUCKETS_MAX } from '../search/limits.ts'
import type { Condition } from '../storage/events/port.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import { environmentsOf, periodMs, projectIdsOf, projectOf, rangeOf } from '../api/parameters.ts'
import { badRequest } from '../api/problem.ts'
import { FolderSize } from '../storage/folder-size.ts'

const HOUR_MS = 3_600_000
const RATE_MS = 5 * 60_000
/** Below this much free space the operator is told. */
const FREE_BYTES_LOW = 1_000_000_000
const QUEUE_AGE_HIGH_MS = 60_000

/** Numbers about everything: the overview, outcomes, the operator's line. */
export const statsRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/issue-overview/', async (c) =>
    c.json(
      await issueOverview(api, {
        projectIds: await projectIdsOf(c, api),
        range: rangeOf(c, api, RANGE_MS_DEFAULT),
        conditions: environmentsOf(c),
        now: nowOf(api),
        userId: c.get('principal').user?.id ?? null,
      }),
    ),
  )

  app.get('/organizations/:org/stats_v2/', async (c) => {
    const projectIds = await projectIdsOf(c, api)
    return c.json(await outcomeStats(api.events, { projectIds, ...statsQuestion(c, api) }))
  })

  app.get('/projects/:org/:project/stats_v2/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const question = { projectIds: [project.id], ...statsQuestion(c, api) }
    return c.json(await outcomeStats(api.events, question))
  })

  app.get('/organizations/:org/status/', async (c) => c.json(await serverStatus(api)))
}

function statsQuestion(c: ApiRequest, api: ApiContext) {
  const groupBy = namesOf<StatDimension>(c, 'groupBy', statDimensions, ['outcome'])
  const fields = namesOf<StatField>(c, 'field', statFields, ['sum(quantity)'])
  const range = rangeOf(c, api, RANGE_MS_DEFAULT)
  const text = c.req.query('interval') || (range.to - range.from > 3 * 24 * HOUR_MS ? '1d' : '1h')
  const bucketMs = periodMs(text)
  if (bucketMs === null || bucketMs % HOUR_MS !== 0) {
    throw badRequest('interval: must be whole hours or days, like 1h or 1d')
  }
  if ((range.to - range.from) / bucketMs > BUCKETS_MAX) {
    throw badRequest(`interval: too short for this range; at most ${BUCKETS_MAX} intervals`)
  }
  return { groupBy, fields, range, bucketMs, where: statFilters(c) }
}

/** `outcome=accepted&type=event`: only those. */
function statFilters(c: ApiRequest): readonly Condition[] {
  const where: Condition[] = []
  for (const name of ['outcome', 'type', 'category', 'reason'] as const) {
    const named = (c.req.queries(name) ?? []).slice(0, 50)
    const values = name === 'category' ? named.flatMap(typesOfCategory) : named
    if (values.length > 0) where.push({ field: statDimensions[name], op: 'in', values })
  }
  return where
}

function namesOf<T extends string>(
  c: ApiRequest,
  parameter: string,
  known: Readonly<Record<T, string>>,
  fallback: readonly T[],
): readonly T[] {
  const names = [...new Set(c.req.queries(parameter) ?? [])]
  for (const name of names) {
    if (Object.hasOwn(known, name)) continue
    throw badRequest(`${parameter}: must be one of ${Object.keys(known).join(', ')}`)
  }
  return names.length === 0 ? fallback : (names as T[])
}

async function serverStatus(api: ApiContext): Promise<ApiServerStatus> {
  const now = nowOf(api)
  const [[rate], queue, disk] = await Promise.all([
    api.events.aggregate({
      table: 'errors',
      projectIds: [],
      where: [{ field: 'receivedAt', op: 'atLeast', value: now - RATE_MS }],
      range: { from: now - 24 * HOUR_MS, to: now + HOUR_MS },
      groupBy: [],
      measures: [{ type: 'count' }],
      limit: 1,
    }),
    api.queueStats?.(),
    diskOf(api, now),
  ])
  const oldestAgeMs =
    queue === undefined || queue.oldestReceivedAt === null
      ? null
      : // A clock may have been set back since.
        Math.max(0, now - queue.oldestReceivedAt)
  const warnings: string[] = []
  if (disk.freeBytes < FREE_BYTES_LOW) warnings.push('The disk is nearly full.')
  if ((oldestAgeMs ?? 0) > QUEUE_AGE_HIGH_MS) warnings.push('Processing is behind.')
  if ((queue?.setAside ?? 0) > 0) {
    warnings.push(`${queue?.setAside} envelopes could not be processed and were set aside.`)
  }
  return {
    eventsPerMinute: (rate?.values[0] ?? 0) / (RATE_MS / 60_000),
    queue: { waiting: queue?.waiting ?? 0, oldestAgeMs, setAside: queue?.setAside ?? 0 },
    disk,
    warnings,
  }
}

/** Returns the space the data takes, and the space left on its file system. */
async function diskOf(api: ApiContext, now: number): Promise<ApiServerStatus['disk']> {
  const path = api.config.paths?.events
  if (path === undefined) return { usedBytes: 0, freeBytes: Number.MAX_SAFE_INTEGER }
  const folder = dirname(path)
  const size = sizes.get(folder) ?? new FolderSize(folder)
  sizes.set(folder, size)
  const { bsize, bavail } = await statfs(folder)
  return { usedBytes: await size.bytes(now), freeBytes: bavail * bsize }
}

/** One for each data directory of this process: one, outside of tests. */
const sizes = new Map<string, FolderSize>()
