import type { ApiActivity } from '@afterimage/protocol/api/issue'
import type { IssueRow } from './row.ts'
import type { Metadata } from '../storage/metadata/port.ts'

const ACTIVITY_MAX = 200

interface Line {
  readonly id: string
  readonly type: string
  readonly user_id: string | null
  readonly user_name: string | null
  readonly created_at: number
  readonly data: string
}

/** Returns the activity of an issue and its authors, newest first; comments are notes. */
export async function activityOfIssue(
  metadata: Metadata,
  issue: IssueRow,
): Promise<readonly ApiActivity[]> {
  const changes = await metadata.all<Line>(
    `select a.id, a.type, a.user_id, u.name as user_name, a.created_at, a.data
     from issue_activity a left join users u on u.id = a.user_id
     where a.issue_id = ? order by a.created_at desc, a.id desc limit ${ACTIVITY_MAX}`,
    issue.id,
  )
  const notes = await notesOfIssue(metadata, issue.id)
  const firstSeen: ApiActivity = {
    id: 'first-seen',
    type: 'first_seen',
    user: null,
    dateCreated: new Date(issue.first_seen).toISOString(),
    data: {},
  }
  const later = [...changes.map(activityOf), ...notes].sort((a, b) =>
    a.dateCreated === b.dateCreated ? 0 : a.dateCreated < b.dateCreated ? 1 : -1,
  )
  return [...later.slice(0, ACTIVITY_MAX), firstSeen]
}

/** The comments on an issue, newest first. */
export async function notesOfIssue(
  metadata: Metadata,
  issueId: number,
): Promise<readonly ApiActivity[]> {
  const rows = await metadata.all<Omit<Line, 'type' | 'data'> & { text: string }>(
    `select c.id, c.user_id, u.name as user_name, c.created_at, c.text
     from issue_comments c left join users u on u.id = c.user_id
     where c.issue_id = ? order by c.created_at desc, c.id desc limit ${ACTIVITY_MAX}`,
    issueId,
  )
  return rows.map(({ text, ...row }) =>
    activityOf({ ...row, id: `note-${row.id}`, type: 'note', data: JSON.stringify({ text }) }),
  )
}

function activityOf(line: Line): ApiActivity {
  return {
    id: String(line.id),
    type: line.type,
    user: line.user_id === null ? null : { id: line.user_id, name: line.user_name ?? '' },
    dateCreated: new Date(line.created_at).toISOString(),
    data: JSON.parse(line.data) as ApiActivity['data'],
  }
}
