import { newestRelease } from '../releases/compare-releases.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { type IssueRow, recordActivity, reopen, saveIssue, type StatusDetails } from './row.ts'

const MINUTE_MS = 60_000

/** A change that a person makes to issues; absent members stay as they are. */
export interface IssueChange {
  readonly status?: StatusChange
  /** Null: nobody. */
  readonly assigneeId?: string | null
  readonly hasSeen?: boolean
  readonly isBookmarked?: boolean
  readonly by: {
    /** Null for a token that belongs to no person. */
    readonly userId: string | null
    readonly at: number
  }
}

export type StatusChange =
  | {
      readonly type: 'unresolved'
      readonly isReviewed: boolean
      /** Why it is open, put back by someone who takes a change back; absent: it is ongoing. */
      readonly restored?: 'new' | 'escalating' | 'regressed'
    }
  | {
      readonly type: 'resolved'
      readonly inRelease: string | null
      readonly inNextRelease: boolean
    }
  | {
      readonly type: 'archived'
      readonly substatus:
        | 'archived_forever'
        | 'archived_until_escalating'
        | 'archived_until_condition_met'
      readonly details: StatusDetails
      /** Minutes; null: not for a time. */
      readonly durationMinutes: number | null
    }

/** Changes issues, in one transaction, with a line of history for each change. Returns how many there were. */
export async function updateIssues(
  { metadata }: { readonly metadata: Metadata },
  issueIds: readonly number[],
  change: IssueChange,
): Promise<number> {
  return metadata.transaction(async (tx) => {
    const rows = await tx.all<IssueRow>(
      `select * from issues where id in (${placeholders(issueIds)})`,
      ...issueIds,
    )
    for (const row of rows) await updateIssue(tx, { ...row }, change)
    return rows.length
  })
}

async function updateIssue(
  tx: MetadataReader,
  issue: IssueRow,
  change: IssueChange,
): Promise<void> {
  const { status, assigneeId, by } = change
  if (status !== undefined) await setStatus(tx, issue, { ...by, status })
  if (assigneeId !== undefined && assigneeId !== issue.assignee_id) {
    issue.assignee_id = assigneeId
    issue.assigned_at = by.at
    await recordActivity(tx, {
      issueId: issue.id,
      type: assigneeId === null ? 'unassigned' : 'assigned',
      ...by,
      data: await assigneeData(tx, assigneeId),
    })
  }
  await saveIssue(tx, issue)
  if (by.userId === null) return
  await mark(tx, issue.id, { table: 'issue_seen', isSet: change.hasSeen, ...by, userId: by.userId })
  await mark(tx, issue.id, {
    table: 'bookmarks',
    isSet: change.isBookmarked,
    ...by,
    userId: by.userId,
  })
}

async function setStatus(
  tx: MetadataReader,
  issue: IssueRow,
  { status, userId, at }: { status: StatusChange; userId: string | null; at: number },
): Promise<void> {
  const record = (type: string, data: Readonly<Record<string, unknown>> = {}) =>
    recordActivity(tx, { issueId: issue.id, type, userId, at, data })
  if (status.type === 'unresolved') {
    const wasOpen = issue.status === 'unresolved'
    // A new issue has no substatus of its own: its age says so.
    const substatus = status.restored === 'new' ? null : (status.restored ?? 'ongoing')
    if (wasOpen && (substatus === issue.substatus || !(status.isReviewed || status.restored)))
      return
    reopen(issue, substatus, at)
    await record(
      !wasOpen ? 'set_unresolved' : status.isReviewed ? 'mark_reviewed' : 'unmark_reviewed',
    )
    return
  }
  issue.status_changed_at = at
  issue.archived_until = null
  if (status.type === 'resolved') {
    issue.status = 'resolved'
    issue.substatus = null
    const details = await resolvedDetails(tx, issue.project_id, status)
    issue.status_details = JSON.stringify(details)
    await record('set_resolved', { ...details })
    return
  }
  issue.status = 'ignored'
  issue.substatus = status.substatus
  const { durationMinutes } = status
  const until = durationMinutes === null ? null : at + durationMinutes * MINUTE_MS
  issue.archived_until = until
  const details: StatusDetails = {
    ...status.details,
    ...(until === null ? {} : { ignoreUntil: new Date(until).toISOString() }),
  }
  issue.status_details = JSON.stringify(details)
  await record('set_ignored', { ...details, substatus: status.substatus })
}

async function resolvedDetails(
  tx: MetadataReader,
  projectId: number,
  status: Extract<StatusChange, { type: 'resolved' }>,
): Promise<StatusDetails> {
  if (status.inRelease !== null && status.inRelease !== 'latest') {
    return { inRelease: status.inRelease }
  }
  if (status.inRelease === null && !status.inNextRelease) return {}
  const releases = await tx.all<{ version: string; at: number }>(
    `select version, coalesce(released_at, first_seen, created_at) as at
     from releases where project_id = ? order by at desc limit 1000`,
    projectId,
  )
  const newest = newestRelease(releases)?.version ?? null
  if (status.inRelease === 'latest') return newest === null ? {} : { inRelease: newest }
  return { inNextRelease: true, afterRelease: newest }
}

async function assigneeData(
  tx: MetadataReader,
  assigneeId: string | null,
): Promise<Readonly<Record<string, unknown>>> {
  if (assigneeId === null) return {}
  const [user] = await tx.all<{ name: string; email: string }>(
    'select name, email from users where id = ?',
    assigneeId,
  )
  return {
    assignee: assigneeId,
    assigneeName: user?.name ?? null,
    assigneeEmail: user?.email ?? null,
  }
}

async function mark(
  tx: MetadataReader,
  issueId: number,
  it: {
    readonly table: 'issue_seen' | 'bookmarks'
    readonly isSet: boolean | undefined
    readonly userId: string
    readonly at: number
  },
): Promise<void> {
  if (it.isSet === undefined) return
  if (!it.isSet) {
    await tx.all(`delete from ${it.table} where issue_id = ? and user_id = ?`, issueId, it.userId)
    return
  }
  const column = it.table === 'issue_seen' ? 'seen_at' : 'created_at'
  await tx.all(
    `insert into ${it.table} (issue_id, user_id, ${column}) values (?, ?, ?)
     on conflict (issue_id, user_id) do update set ${column} = excluded.${column}`,
    issueId,
    it.userId,
    it.at,
  )
}
