import type { AggregateRow, Condition, Measure, TimeRange } from '../storage/events/port.ts'
import { hashesOfIssues, type IssueHash } from './hashes.ts'
import { CONDITION_VALUES_MAX, GROUPS_MAX } from '../search/limits.ts'
import type { Stores } from '../storage/stores.ts'

export interface IssueCounts {
  readonly events: number
  readonly users: number
  /** Distinct replays its events name. */
  readonly replays: number
}

/** The counted events: errors in a range (null: all) that meet conditions. */
export interface Counted {
  readonly range: TimeRange | null
  readonly conditions: readonly Condition[]
}

const measures: readonly Measure[] = [
  { type: 'count' },
  { type: 'distinct', field: 'userKey' },
  { type: 'distinct', field: 'replayId' },
]

/** Events, people and replays of some issues. */
export async function countIssues(
  stores: Stores,
  issueIds: readonly number[],
  counted: Counted,
): Promise<ReadonlyMap<number, IssueCounts>> {
  const hashes = await hashesOfIssues(stores.metadata, issueIds)
  const counts = new Map<number, IssueCounts>()
  const shared = new Set<number>()
  for (const { row, issueId } of await askByHash(stores, hashes, counted)) {
    const before = counts.get(issueId)
    if (before !== undefined) shared.add(issueId)
    const [events, users, replays] = row.values
    counts.set(issueId, {
      events: (before?.events ?? 0) + (events ?? 0),
      users: (before?.users ?? 0) + (users ?? 0),
      replays: (before?.replays ?? 0) + (replays ?? 0),
    })
  }
  // A person may be behind several hashes of one issue: those are counted together.
  for (const issueId of shared) {
    const own = hashes.filter((hash) => hash.issueId === issueId)
    counts.set(issueId, await countOne(stores, own, counted))
  }
  return counts
}

async function askByHash(
  { events }: Stores,
  hashes: readonly IssueHash[],
  { range, conditions }: Counted,
): Promise<readonly { readonly row: AggregateRow; readonly issueId: number }[]> {
  const issueOf = new Map(hashes.map((it) => [`${it.projectId} ${it.hash}`, it.issueId]))
  const found: { row: AggregateRow; issueId: number }[] = []
  for (let from = 0; from < hashes.length; from += CONDITION_VALUES_MAX) {
    const part = hashes.slice(from, from + CONDITION_VALUES_MAX)
    const rows = await events.aggregate({
      table: 'errors',
      projectIds: [...new Set(part.map((it) => it.projectId))],
      ...(range === null ? {} : { range }),
      where: [
        { field: 'groupingHash', op: 'in', values: part.map((it) => it.hash) },
        ...conditions,
      ],
      groupBy: ['projectId', 'groupingHash'],
      measures,
      limit: GROUPS_MAX,
    })
    for (const row of rows) {
      const issueId = issueOf.get(`${row.group[0]} ${row.group[1]}`)
      if (issueId !== undefined) found.push({ row, issueId })
    }
  }
  return found
}

async function countOne(
  { events }: Stores,
  hashes: readonly IssueHash[],
  { range, conditions }: Counted,
): Promise<IssueCounts> {
  const [row] = await events.aggregate({
    table: 'errors',
    projectIds: [...new Set(hashes.map((it) => it.projectId))],
    ...(range === null ? {} : { range }),
    where: [
      {
        field: 'groupingHash',
        op: 'in',
        values: hashes.slice(0, CONDITION_VALUES_MAX).map((it) => it.hash),
      },
      ...conditions,
    ],
    groupBy: [],
    measures,
    limit: 1,
  })
  const [count, users, replays] = row?.values ?? []
  return { events: count ?? 0, users: users ?? 0, replays: replays ?? 0 }
}

/**
 * The events and people of every issue that has any, for sorting and filtering by them. The people
 * of an issue with several hashes are the greatest of theirs, which is near enough to sort by.
 */
export async function countAllIssues(
  { metadata, events }: Stores,
  projectIds: readonly number[],
  { range, conditions }: Counted,
): Promise<ReadonlyMap<number, { readonly events: number; readonly users: number }>> {
  const rows = await events.aggregate({
    table: 'errors',
    projectIds,
    ...(range === null ? {} : { range }),
    where: conditions,
    groupBy: ['projectId', 'groupingHash'],
    measures: [{ type: 'count' }, { type: 'distinct', field: 'userKey' }],
    limit: GROUPS_MAX,
  })
  const issueOf = await issueOfEveryHash({ metadata, projectIds }, rows.length)
  const counts = new Map<number, { events: number; users: number }>()
  for (const { group, values } of rows) {
    const issueId = issueOf.get(`${group[0]} ${group[1]}`)
    if (issueId === undefined) continue
    const before = counts.get(issueId) ?? { events: 0, users: 0 }
    counts.set(issueId, {
      events: before.events + (values[0] ?? 0),
      users: Math.max(before.users, values[1] ?? 0),
    })
  }
  return counts
}

async function issueOfEveryHash(
  { metadata, projectIds }: { metadata: Stores['metadata']; projectIds: readonly number[] },
  wanted: number,
): Promise<ReadonlyMap<string, number>> {
  if (wanted === 0) return new Map()
  const rows = await metadata.all<IssueHash>(
    `select issue_id as "issueId", project_id as "projectId", hash from issue_hashes
     where project_id in (${projectIds.map(() => '?').join(', ') || 'null'})`,
    ...projectIds,
  )
  return new Map(rows.map((it) => [`${it.projectId} ${it.hash}`, it.issueId]))
}
