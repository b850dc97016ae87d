import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'

/** A row of `issues`. See the migration for what its columns mean. */
export interface IssueRow {
  id: number
  project_id: number
  short_id: string
  title: string
  culprit: string
  kind: string
  metadata: string
  level: string
  platform: string
  logger: string | null
  is_unhandled: number
  grouping_version: string
  first_seen: number
  last_seen: number
  newest_event_id: string
  first_release: string | null
  first_release_at: number | null
  last_release: string | null
  last_release_at: number | null
  status: 'unresolved' | 'resolved' | 'ignored'
  substatus: string | null
  status_details: string
  status_changed_at: number
  archived_until: number | null
  assignee_id: string | null
  assigned_at: number | null
}

/** The content of `status_details`, as JSON. */
export interface StatusDetails {
  readonly inRelease?: string
  readonly inNextRelease?: boolean
  /** The newest release when "in next release" was chosen; null when there were no releases. */
  readonly afterRelease?: string | null
  readonly ignoreCount?: number
  /** Minutes. */
  readonly ignoreWindow?: number
  readonly ignoreUserCount?: number
  /** Minutes. */
  readonly ignoreUserWindow?: number
  /** ISO */
  readonly ignoreUntil?: string
}

export function statusDetailsOf(issue: IssueRow): StatusDetails {
  return JSON.parse(issue.status_details) as StatusDetails
}

/** Puts an issue back among the unresolved, with why. */
export function reopen(issue: IssueRow, substatus: string | null, at: number): void {
  issue.status = 'unresolved'
  issue.substatus = substatus
  issue.status_details = '{}'
  issue.status_changed_at = at
  issue.archived_until = null
}

/** Writes an issue's row as a whole. */
export async function saveIssue(tx: MetadataReader, issue: IssueRow): Promise<void> {
  await tx.all(
    `update issues set title = ?, culprit = ?, kind = ?, metadata = ?, level = ?, platform = ?,
       logger = ?, is_unhandled = ?, grouping_version = ?, first_seen = ?, last_seen = ?,
       newest_event_id = ?, first_release = ?, first_release_at = ?, last_release = ?,
       last_release_at = ?, status = ?, substatus = ?, status_details = ?, status_changed_at = ?,
       archived_until = ?, assignee_id = ?, assigned_at = ?
     where id = ?`,
    issue.title,
    issue.culprit,
    issue.kind,
    issue.metadata,
    issue.level,
    issue.platform,
    issue.logger,
    issue.is_unhandled,
    issue.grouping_version,
    issue.first_seen,
    issue.last_seen,
    issue.newest_event_id,
    issue.first_release,
    issue.first_release_at,
    issue.last_release,
    issue.last_release_at,
    issue.status,
    issue.substatus,
    issue.status_details,
    issue.status_changed_at,
    issue.archived_until,
    issue.assignee_id,
    issue.assigned_at,
    issue.id,
  )
}

/** Writes one line of an issue's history. `userId` is null when no person did it. */
export async function recordActivity(
  tx: MetadataReader,
  activity: {
    readonly issueId: number
    readonly type: string
    readonly userId: string | null
    readonly at: number
    readonly data?: Readonly<Record<string, unknown>>
  },
): Promise<number> {
  const [row] = await tx.all<{ id: number }>(
    `insert into issue_activity (issue_id, type, user_id, created_at, data)
     values (?, ?, ?, ?, ?) returning id`,
    activity.issueId,
    activity.type,
    activity.userId,
    activity.at,
    JSON.stringify(activity.data ?? {}),
  )
  return row?.id ?? 0
}

/** An issue's grouping hashes, the first `max` in their own order. */
export async function hashesOf(
  reader: Metadata | MetadataReader,
  issueId: number,
  max: number,
): Promise<string[]> {
  const rows = await reader.all<{ hash: string }>(
    'select hash from issue_hashes where issue_id = ? order by hash limit ?',
    issueId,
    max,
  )
  return rows.map((row) => row.hash)
}
