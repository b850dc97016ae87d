import type { Metadata } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'

export interface Person {
  readonly id: string
  readonly name: string
  readonly email: string
}

/** The work of people on some issues: assignees, comments, and the reader's own marks. */
export interface IssuePeople {
  readonly people: ReadonlyMap<string, Person>
  readonly comments: ReadonlyMap<number, number>
  readonly bookmarked: ReadonlySet<number>
  readonly seen: ReadonlySet<number>
}

export async function peopleOfIssues(
  metadata: Metadata,
  issueIds: readonly number[],
  userId: string | null,
): Promise<IssuePeople> {
  const ids = placeholders(issueIds)
  const people = await metadata.all<Person>(
    `select u.id, u.name, u.email from users u
     where u.id in (select assignee_id from issues where id in (${ids}))`,
    ...issueIds,
  )
  const comments = await metadata.all<{ issue_id: number; n: number }>(
    `select issue_id, count(*) as n from issue_comments where issue_id in (${ids}) group by issue_id`,
    ...issueIds,
  )
  const bookmarked = await metadata.all<{ issue_id: number }>(
    `select issue_id from bookmarks where user_id = ? and issue_id in (${ids})`,
    userId ?? '',
    ...issueIds,
  )
  const seen = await metadata.all<{ issue_id: number }>(
    `select s.issue_id from issue_seen s join issues i on i.id = s.issue_id
     where s.user_id = ? and s.issue_id in (${ids})`,
    userId ?? '',
    ...issueIds,
  )
  return {
    people: new Map(people.map((person) => [person.id, person])),
    comments: new Map(comments.map((row) => [row.issue_id, row.n])),
    bookmarked: new Set(bookmarked.map((row) => row.issue_id)),
    seen: new Set(seen.map((row) => row.issue_id)),
  }
}

/** People who are compared with a name in a search; of more than these, none is refused. */
const PEOPLE_KNOWN_MAX = 1000

/** Everybody whom an issue may be assigned to; null when they are too many to know. */
export async function peopleToAssign(metadata: Metadata): Promise<readonly Person[] | null> {
  const people = await metadata.all<Person>(
    `select id, name, email from users limit ${PEOPLE_KNOWN_MAX + 1}`,
  )
  return people.length > PEOPLE_KNOWN_MAX ? null : people
}

/** Returns the people who viewed an issue, the latest first. */
export async function seenBy(
  metadata: Metadata,
  issueId: number,
): Promise<readonly { readonly id: string; readonly name: string; readonly lastSeen: string }[]> {
  const rows = await metadata.all<{ id: string; name: string; seen_at: number }>(
    `select u.id, u.name, s.seen_at from issue_seen s join users u on u.id = s.user_id
     where s.issue_id = ? order by s.seen_at desc limit 100`,
    issueId,
  )
  return rows.map(({ id, name, seen_at: at }) => ({
    id,
    name,
    lastSeen: new Date(at).toISOString(),
  }))
}
