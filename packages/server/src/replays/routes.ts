import type { ApiReplay, ApiReplaySegment } from '@afterimage/protocol/api/replay'
import { PAGE_ROWS_MAX, RANGE_MS_DEFAULT } from '../search/limits.ts'
import { pageOfSegments, recordingOf, segmentsOfReplay, streamRecordings } from './recording.ts'
import { conditionsOf } from '../search/conditions.ts'
import { replayFields } from '../search/fields.ts'
import { isRemovalRequested, replaysToBeRemoved, requestRemoval } from '../retention/removals.ts'
import type { StoredRow } from '../storage/events/tables.ts'
import { isoOrNull, setLink } from '../api/answer.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../api/context.ts'
import {
  cursorOf,
  environmentsOf,
  limitOf,
  projectIdsOf,
  projectOf,
  rangeOf,
} from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'
import { searchOf } from '../api/search-parameter.ts'
import { replayCount } from './replay-count.ts'
import { serializeReplay } from './serialize.ts'

/** Fields the list may be sorted by; a leading `-` means greatest first. */
const sorts: Readonly<Record<string, string>> = {
  started_at: 'startedAt',
  finished_at: 'finishedAt',
  duration: 'durationMs',
  count_errors: 'errorCount',
  count_segments: 'segmentCount',
  count_urls: 'urlCount',
  count_dead_clicks: 'deadClicks',
  count_rage_clicks: 'rageClicks',
  activity: 'activity',
  'browser.name': 'browser',
  'os.name': 'os',
}

const REPLAY_PATH = '/projects/:org/:project/replays/:replay/'

/** Replays: the list, one, its recording, its removal. */
export const replayRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/replay-count/', async (c) => c.json(await replayCount(c, api)))

  app.get('/organizations/:org/replays/', async (c) => {
    const projectIds = await projectIdsOf(c, api)
    const where = await searchOf(c, api, projectIds, (tree) =>
      conditionsOf(tree, replayFields, nowOf(api)),
    )
    const order = orderOf(c)
    const cursor = cursorOf(c)
    const gone = await replaysToBeRemoved(api.metadata)
    const isKept = { field: 'replayId', op: 'notIn', values: gone } as const
    const page = await api.events.page({
      table: 'replays',
      projectIds,
      range: rangeOf(c, api, RANGE_MS_DEFAULT),
      where: [...where, ...environmentsOf(c), ...(gone.length === 0 ? [] : [isKept])],
      order,
      ...(cursor === null ? {} : { cursor }),
      limit: limitOf(c),
    })
    setLink(c, { previous: null, next: page.next ?? null })
    return c.json({ data: page.rows.map((row) => serializeReplay(row)) })
  })

  app.get('/organizations/:org/replays/:replay/', async (c) => {
    const row = await findReplay(api, null, c.req.param('replay'))
    return c.json({ data: await whole(api, row) })
  })

  app.get(REPLAY_PATH, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const row = await findReplay(api, project.id, c.req.param('replay'))
    return c.json({ data: await whole(api, row) })
  })

  app.delete(REPLAY_PATH, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const row = await findReplay(api, project.id, c.req.param('replay'))
    const replayId = row.columns.replayId ?? ''
    const selector = { type: 'replay', projectId: project.id, replayId } as const
    await requestRemoval(api.metadata, selector, nowOf(api))
    return c.body(null, 204)
  })

  app.get(`${REPLAY_PATH}recording-segments/`, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const row = await findReplay(api, project.id, c.req.param('replay'))
    return answerSegments(c, api, row)
  })

  app.get(`${REPLAY_PATH}recording-segments/:segment/`, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const row = await findReplay(api, project.id, c.req.param('replay'))
    const number = c.req.param('segment')
    if (!/^\d{1,9}$/.test(number)) throw notFound()
    const key = [row.columns.replayId ?? '', Number(number)]
    const segment = await api.events.point('replaySegments', row.projectId, key)
    if (segment === null) throw notFound()
    if (!isDownload(c)) return c.json({ data: describe(segment) })
    const bytes = await recordingOf(api.blobs, segment)
    return c.body(new Uint8Array(bytes), 200, { 'content-type': 'application/json' })
  })
}

/** A replay that was not asked to be removed. @throws ApiProblem 400 or 404 */
export async function findReplay(
  api: ApiContext,
  projectId: number | null,
  text: string,
): Promise<StoredRow<'replays'>> {
  const replayId = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(replayId)) throw badRequest('replay_id: must be 32 hex digits')
  const row = await api.events.point('replays', projectId, [replayId])
  if (row === null) throw notFound()
  const selector = { type: 'replay', projectId: row.projectId, replayId } as const
  if (await isRemovalRequested(api.metadata, selector)) throw notFound()
  return row
}

/**
 * The recording: with `download`, a list of rrweb events per segment, in order; otherwise what the
 * segments are. All of them, or pages of `per_page`.
 */
export async function answerSegments(
  c: ApiRequest,
  api: ApiContext,
  row: StoredRow<'replays'>,
): Promise<Response> {
  const isPaged = c.req.query('per_page') !== undefined || c.req.query('limit') !== undefined
  const segments = await (isPaged ? segmentsOfPage(c, api, row) : segmentsOf(api, row))
  if (!isPaged) setLink(c, { previous: null, next: null })
  if (!isDownload(c)) return c.json({ data: segments.map(describe) })
  return c.body(streamRecordings(api.blobs, segments), 200, {
    'content-type': 'application/json',
    'cache-control': 'private, no-store',
  })
}

function segmentsOf(
  api: ApiContext,
  { projectId, columns }: StoredRow<'replays'>,
): Promise<readonly StoredRow<'replaySegments'>[]> {
  return segmentsOfReplay(api.events, projectId, columns.replayId ?? '')
}

/** Reads one page, and links those beside it. A cursor is an offset: clients ask for several at once. */
async function segmentsOfPage(
  c: ApiRequest,
  api: ApiContext,
  { projectId, columns }: StoredRow<'replays'>,
): Promise<readonly StoredRow<'replaySegments'>[]> {
  const limit = limitOf(c, PAGE_ROWS_MAX)
  const offset = Number(/^0:(\d{1,6}):0$/.exec(cursorOf(c) ?? '')?.[1] ?? 0)
  const part = { offset, limit }
  const page = await pageOfSegments(api.events, projectId, columns.replayId ?? '', part)
  setLink(c, {
    previous: offset > 0 ? `0:${Math.max(0, offset - limit)}:0` : null,
    next: page.next === undefined ? null : `0:${offset + limit}:0`,
  })
  return page.rows
}

function isDownload(c: ApiRequest): boolean {
  const download = c.req.query('download')
  return download !== undefined && !['false', '0'].includes(download)
}

function describe(segment: StoredRow<'replaySegments'>): ApiReplaySegment {
  return {
    replayId: segment.columns.replayId ?? '',
    segmentId: segment.columns.segmentId ?? 0,
    projectId: String(segment.projectId),
    dateAdded: isoOrNull(segment.receivedAt),
    firstEventAt: isoOrNull(segment.columns.firstEventAt),
    lastEventAt: isoOrNull(segment.columns.lastEventAt),
  }
}

/** With the tags of its segments. */
async function whole(api: ApiContext, row: StoredRow<'replays'>): Promise<ApiReplay> {
  const segments = await segmentsOf(api, row)
  const tags = new Map<string, Set<string>>()
  for (const segment of segments) {
    for (const [key, value] of Object.entries(segment.tags)) {
      const values = tags.get(key) ?? new Set<string>()
      tags.set(key, values.add(value))
    }
  }
  return serializeReplay(row, Object.fromEntries([...tags].map(([key, set]) => [key, [...set]])))
}

function orderOf(c: ApiRequest) {
  const text = c.req.query('sort') || c.req.query('orderBy') || '-started_at'
  const name = text.replace(/^-/, '')
  const field = Object.hasOwn(sorts, name) ? sorts[name] : undefined
  if (field === undefined) throw badRequest(`sort: must be one of ${Object.keys(sorts).join(', ')}`)
  return { field, descending: text.startsWith('-') }
}
