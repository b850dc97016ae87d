import type { Connection } from './connection.ts'
import { layouts } from './layout.ts'
import { limits } from './limits.ts'

/** A replay by its key. */
export interface ReplayName {
  readonly projectId: number
  readonly replayId: string
}

export function isRemovedReplay(connection: Connection, replay: ReplayName): boolean {
  const sql = 'select 1 from removed_replays where replay_id = ? and project_id = ?'
  return connection.get(sql, replay.replayId, replay.projectId) !== undefined
}

interface SegmentColumns {
  readonly id: number
  readonly received_at: number
  readonly timestamp: number
  readonly client_timestamp: number | null
  readonly replay_type: string | null
  readonly started_at: number | null
  readonly first_event_at: number | null
  readonly last_event_at: number | null
  readonly recording_bytes: number | null
  readonly urls: string | null
  readonly error_ids: string | null
  readonly trace_ids: string | null
  readonly clicks: number | null
  readonly dead_clicks: number | null
  readonly rage_clicks: number | null
  readonly warnings: number | null
  readonly infos: number | null
}

/** Facts about the whole replay, each from the first segment that has it. */
const inherited = [
  'release',
  'environment',
  'platform',
  'user_key',
  'user_label',
  'username',
  'browser',
  'os',
  'device',
  'sdk',
] as const

/**
 * Derives the row of a replay again from its segments and the errors that name it. The row does not
 * depend on their order. A replay without segments has no row.
 */
export function deriveReplay(connection: Connection, { projectId, replayId }: ReplayName): void {
  const segments = connection.all(
    `select * from replay_segments where replay_id = ? and project_id = ?
     order by segment_id limit ?`,
    replayId,
    projectId,
    limits.replaySegmentsMax,
  ) as unknown as (SegmentColumns & Record<string, string | number | null>)[]
  const lowest = segments[0]
  if (lowest === undefined) {
    deleteReplay(connection, { projectId, replayId })
    return
  }
  const urls = segments.flatMap((segment) => textsOf(segment.urls))
  const errorIds = errorIdsOf(connection, { projectId, replayId }, segments)
  const { startedAt, finishedAt } = timesOf(segments, lowest)
  const clicks = sum(segments, 'clicks')
  const deadClicks = sum(segments, 'dead_clicks')
  const rageClicks = sum(segments, 'rage_clicks')
  const values = {
    id: lowest.id,
    project_id: projectId,
    received_at: Math.max(...segments.map((s) => s.received_at)),
    timestamp: startedAt,
    replay_id: replayId,
    replay_type: lowest.replay_type,
    started_at: startedAt,
    finished_at: finishedAt,
    duration_ms: finishedAt - startedAt,
    segment_count: segments.length,
    recording_bytes: sum(segments, 'recording_bytes'),
    error_count: errorIds.length,
    warning_count: sum(segments, 'warnings'),
    info_count: sum(segments, 'infos'),
    url_count: urls.length,
    clicks,
    dead_clicks: deadClicks,
    rage_clicks: rageClicks,
    activity: activityOf({
      errors: errorIds.length,
      urls: urls.length,
      clicks,
      deadClicks,
      rageClicks,
    }),
    urls: listText(urls),
    error_ids: listText(errorIds),
    trace_ids: listText([...new Set(segments.flatMap((s) => textsOf(s.trace_ids)))]),
    ...Object.fromEntries(
      inherited.map((name) => [name, segments.find((s) => s[name] !== null)?.[name] ?? null]),
    ),
  }
  writeReplay(connection, values)
}

/**
 * Returns when a replay began and ended. Its length is measured by the client's clock alone, which
 * ran all the while; the correction of its lowest segment places it in time.
 */
function timesOf(
  segments: readonly SegmentColumns[],
  lowest: SegmentColumns,
): { readonly startedAt: number; readonly finishedAt: number } {
  const sentAt = segments.map((s) => s.client_timestamp ?? s.timestamp)
  const begun = segments.flatMap((s) => [s.started_at, s.first_event_at])
  const first = least(begun) ?? least(sentAt) ?? lowest.timestamp
  const ended = segments.map((s) => s.last_event_at ?? first)
  const last = Math.max(first, ...sentAt, ...ended)
  const shiftMs = lowest.timestamp - (lowest.client_timestamp ?? lowest.timestamp)
  return { startedAt: first + shiftMs, finishedAt: last + shiftMs }
}

function writeReplay(
  connection: Connection,
  values: Readonly<Record<string, string | number | null>> & {
    readonly replay_id: string
    readonly project_id: number
  },
): void {
  const names = ['id', 'project_id', 'received_at', 'timestamp', ...layouts.replays.sqlColumns]
  deleteReplay(connection, { projectId: values.project_id, replayId: values.replay_id })
  connection.run(
    `insert into replays (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ...names.map((name) => values[name.replaceAll('"', '')] ?? null),
  )
}

function deleteReplay(connection: Connection, { projectId, replayId }: ReplayName): void {
  connection.run('delete from replays where replay_id = ? and project_id = ?', replayId, projectId)
}

/** Derives again the replays that these errors name; those without segments yet are left alone. */
export function relinkErrors(connection: Connection, replays: Iterable<ReplayName>): void {
  for (const replay of replays) {
    const known = connection.get(
      'select 1 from replays where replay_id = ? and project_id = ?',
      replay.replayId,
      replay.projectId,
    )
    if (known !== undefined) deriveReplay(connection, replay)
  }
}

/** Returns ids of segments in their order, then those of error rows that no segment names. */
function errorIdsOf(
  connection: Connection,
  { projectId, replayId }: ReplayName,
  segments: readonly SegmentColumns[],
): readonly string[] {
  const ids = new Set(segments.flatMap((segment) => textsOf(segment.error_ids)))
  const rows = connection.all(
    `select event_id from errors indexed by errors_replay
     where replay_id = ? and +project_id = ? order by event_id limit ?`,
    replayId,
    projectId,
    limits.replayErrorsMax,
  )
  for (const row of rows) ids.add(String(row['event_id']))
  return [...ids]
}

/** Rates the activity from 1 to 10: errors weigh most, then rage and dead clicks, pages, clicks. */
function activityOf(of: {
  errors: number
  urls: number
  clicks: number
  deadClicks: number
  rageClicks: number
}): number {
  const weight = of.errors * 25 + of.rageClicks * 15 + of.deadClicks * 5 + of.urls * 5 + of.clicks
  return Math.min(10, Math.max(1, Math.floor(weight / 10)))
}

/** Returns the strings of a JSON array; an empty list when it is something else. */
function textsOf(json: string | null): readonly string[] {
  if (json === null || json === '[]') return []
  try {
    const list: unknown = JSON.parse(json)
    return Array.isArray(list) ? list.filter((text) => typeof text === 'string') : []
  } catch {
    return []
  }
}

function listText(texts: readonly string[]): string {
  return JSON.stringify(texts.slice(0, limits.replayListMax))
}

function least(times: readonly (number | null)[]): number | null {
  let result: number | null = null
  for (const time of times) if (time !== null && (result === null || time < result)) result = time
  return result
}

function sum(segments: readonly SegmentColumns[], column: keyof SegmentColumns): number {
  let total = 0
  for (const segment of segments) total += Number(segment[column] ?? 0)
  return total
}
