import type { ApiReplay } from '@afterimage/protocol/api/replay'
import type { StoredRow } from '../storage/events/tables.ts'
import { iso } from '../api/answer.ts'

/** A replay from its row; its tags are those of its segments, and only asked for one replay. */
export function serializeReplay(
  row: StoredRow<'replays'>,
  tags: ApiReplay['tags'] = {},
): ApiReplay {
  const { columns } = row
  const startedAt = columns.startedAt ?? row.timestamp
  return {
    id: columns.replayId ?? '',
    project_id: String(row.projectId),
    replay_type: columns.replayType === 'buffer' ? 'buffer' : 'session',
    started_at: iso(startedAt),
    finished_at: iso(columns.finishedAt ?? startedAt),
    duration: Math.round((columns.durationMs ?? 0) / 1000),
    count_segments: columns.segmentCount ?? 0,
    count_errors: columns.errorCount ?? 0,
    count_warnings: columns.warningCount ?? 0,
    count_infos: columns.infoCount ?? 0,
    count_urls: columns.urlCount ?? 0,
    count_dead_clicks: columns.deadClicks ?? 0,
    count_rage_clicks: columns.rageClicks ?? 0,
    activity: columns.activity ?? 1,
    urls: listOf(columns.urls),
    error_ids: listOf(columns.errorIds),
    trace_ids: listOf(columns.traceIds),
    environment: columns.environment,
    releases: columns.release === null ? [] : [columns.release],
    platform: columns.platform ?? 'other',
    is_archived: false,
    user: userOf(columns),
    browser: nameAndVersion(columns.browser),
    os: nameAndVersion(columns.os),
    device: { name: columns.device, family: columns.device },
    sdk: sdkOf(columns.sdk),
    tags,
  }
}

function listOf(text: string | null): readonly string[] {
  const list: unknown = text === null ? [] : JSON.parse(text)
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
}

/** `id:7` says which of a person's names the key is. */
function userOf({
  userKey,
  userLabel: label,
  username,
}: StoredRow<'replays'>['columns']): ApiReplay['user'] {
  const [, prefix, value] = /^(id|username|email|ip):([\s\S]*)$/.exec(userKey ?? '') ?? []
  const isEmail = label !== null && /^[^\s@]+@[^\s@]+$/.test(label)
  const named = (kind: string) => (prefix === kind ? (value ?? null) : null)
  return {
    id: named('id'),
    email: named('email') ?? (isEmail ? label : null),
    username: username ?? named('username'),
    ip: named('ip'),
    display_name: label ?? value ?? null,
  }
}

/** `Chrome 126` → name and version; a name without a number has no version. */
function nameAndVersion(text: string | null): { name: string | null; version: string | null } {
  const match = /^(.*?) ?(\d[\w.]*)?$/.exec(text ?? '')
  return { name: match?.[1] || null, version: match?.[2] ?? null }
}

function sdkOf(text: string | null): { name: string | null; version: string | null } {
  if (text === null) return { name: null, version: null }
  const slash = text.lastIndexOf('/')
  if (slash === -1) return { name: text, version: null }
  return { name: text.slice(0, slash), version: text.slice(slash + 1) }
}
