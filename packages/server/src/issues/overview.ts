import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { newestRelease } from '../releases/compare-releases.ts'
import type { Condition, TimeRange } from '../storage/events/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { bucketMsOf, bucketsOf, seriesOf } from './series.ts'
import { hashesOfIssues } from './hashes.ts'
import { CONDITION_VALUES_MAX } from '../search/limits.ts'
import { statusClause } from './search-filter.ts'
import type { Stores } from '../storage/stores.ts'

export interface OverviewQuestion {
  readonly projectIds: readonly number[]
  readonly range: TimeRange
  /** Conditions of the environment. */
  readonly conditions: readonly Condition[]
  readonly now: number
  readonly userId: string | null
}

/** The facts of the stream's opening sentence, its histogram, and how many each view holds. */
export async function issueOverview(
  stores: Stores,
  question: OverviewQuestion,
): Promise<ApiIssueOverview> {
  const releases = await releasesOf(stores, question.projectIds)
  const newest = newestOfProjects(releases)
  // New issues of a release are those of its project: other projects have releases of their own.
  const about = newest === null ? question : { ...question, projectIds: [newest.projectId] }
  const since = newest?.at ?? question.range.from
  const isNew: Clause = { sql: 'i.first_seen >= ?', parameters: [since] }
  const isRegressed = statusClause('regressed', question.now)
  const [newIssues, regressed, people, changed, quarantined, series, views] = await Promise.all([
    countIssues(stores, about, isNew),
    isRegressed === null ? 0 : countIssues(stores, about, isRegressed),
    countPeople(stores, question, []),
    countPeopleOfChanges(stores, about, isNew),
    countQuarantined(stores, question),
    histogram(stores, question),
    countViews(stores, question),
  ])
  return {
    newestRelease: newest === null ? null : { ...releaseOf(newest), project: newest.project },
    newIssues,
    regressedIssues: regressed,
    escalatingIssues: views['escalating'] ?? 0,
    usersAffected: people,
    usersOfChanges: changed,
    events: series.series.reduce((sum, [, count]) => sum + count, 0),
    quarantined,
    histogram: series,
    releases: releasesInRange(releases, question.range),
    views,
  }
}

interface SeenRelease {
  readonly version: string
  readonly at: number
  readonly projectId: number
  /** Slug. */
  readonly project: string
}

function releaseOf(release: SeenRelease): { version: string; firstSeen: string } {
  return { version: release.version, firstSeen: new Date(release.at).toISOString() }
}

/**
 * Returns the most recently seen of the projects' newest releases: versions compare only within a
 * project.
 */
function newestOfProjects(releases: readonly SeenRelease[]): SeenRelease | null {
  const byProject = Map.groupBy(releases, (release) => release.projectId)
  const newest = [...byProject.values()].map(newestRelease).filter((release) => release !== null)
  return newest.toSorted((a, b) => b.at - a.at)[0] ?? null
}

/** Each version once, as it was seen first; the newest first, at most twenty. */
function releasesInRange(releases: readonly SeenRelease[], { from, to }: TimeRange) {
  const first = new Map<string, SeenRelease>()
  for (const release of releases) {
    if ((first.get(release.version)?.at ?? Infinity) > release.at) {
      first.set(release.version, release)
    }
  }
  return [...first.values()]
    .filter(({ at }) => at >= from && at < to)
    .toSorted((a, b) => b.at - a.at)
    .slice(0, 20)
    .map(releaseOf)
}

/** Those that were seen, the newest first. */
async function releasesOf(
  { metadata }: Stores,
  projectIds: readonly number[],
): Promise<readonly SeenRelease[]> {
  return metadata.all<SeenRelease>(
    `select r.version, r.first_seen as at, p.id as projectId, p.slug as project
     from releases r join projects p on p.id = r.project_id
     where r.project_id in (${placeholders(projectIds)}) and r.first_seen is not null
     order by at desc limit 200`,
    ...projectIds,
  )
}

type Clause = NonNullable<ReturnType<typeof statusClause>>

async function countIssues(
  { metadata }: Stores,
  { projectIds, range }: OverviewQuestion,
  clause: Clause,
): Promise<number> {
  const [row] = await metadata.all<{ n: number }>(
    `select count(*) as n from issues i
     where i.project_id in (${placeholders(projectIds)}) and i.last_seen >= ? and ${clause.sql}`,
    ...projectIds,
    range.from,
    ...clause.parameters,
  )
  return row?.n ?? 0
}

async function countPeople(
  { events }: Stores,
  { projectIds, range, conditions }: OverviewQuestion,
  of: readonly Condition[],
): Promise<number> {
  const [row] = await events.aggregate({
    table: 'errors',
    projectIds,
    range,
    where: [...of, ...conditions],
    groupBy: [],
    measures: [{ type: 'distinct', field: 'userKey' }],
    limit: 1,
  })
  return row?.values[0] ?? 0
}

/** Null when the new and regressed issues have more hashes than one condition names. */
async function countPeopleOfChanges(
  stores: Stores,
  question: OverviewQuestion,
  isNew: Clause,
): Promise<number | null> {
  const { projectIds, range, now } = question
  const regressed = statusClause('regressed', now)
  const either = regressed === null ? isNew.sql : `(${isNew.sql} or ${regressed.sql})`
  const rows = await stores.metadata.all<{ id: number }>(
    `select i.id from issues i
     where i.project_id in (${placeholders(projectIds)}) and i.last_seen >= ? and ${either} limit ?`,
    ...projectIds,
    range.from,
    ...isNew.parameters,
    ...(regressed?.parameters ?? []),
    CONDITION_VALUES_MAX + 1,
  )
  if (rows.length === 0) return 0
  if (rows.length > CONDITION_VALUES_MAX) return null
  const ids = rows.map((row) => row.id)
  const values = (await hashesOfIssues(stores.metadata, ids)).map((it) => it.hash)
  if (values.length > CONDITION_VALUES_MAX) return null
  return countPeople(stores, question, [{ field: 'groupingHash', op: 'in', values }])
}

async function countQuarantined(
  { events }: Stores,
  { projectIds, range }: OverviewQuestion,
): Promise<number> {
  const [row] = await events.aggregate({
    table: 'outcomes',
    projectIds,
    range,
    where: [{ field: 'outcome', op: 'is', value: 'filtered' }],
    groupBy: [],
    measures: [{ type: 'sum', field: 'items' }],
    limit: 1,
  })
  return row?.values[0] ?? 0
}

async function histogram(
  { events }: Stores,
  { projectIds, range, conditions }: OverviewQuestion,
): Promise<ApiIssueOverview['histogram']> {
  const bucketMs = bucketMsOf(range)
  const starts = bucketsOf(range, bucketMs)
  const rows = await events.aggregate({
    table: 'errors',
    projectIds,
    range: { from: starts[0] ?? range.from, to: range.to },
    where: conditions,
    groupBy: [],
    bucketMs,
    measures: [{ type: 'count' }],
    limit: starts.length + 1,
  })
  const counts = new Map(rows.map((row) => [row.bucket ?? 0, row.values[0] ?? 0]))
  return { interval: bucketMs / 1000, series: seriesOf(starts, counts) }
}

const views = [
  'unresolved',
  'for_review',
  'new',
  'regressed',
  'escalating',
  'resolved',
  'archived',
  'unassigned',
] as const

/** In one pass over the issues of the range. */
async function countViews(
  { metadata }: Stores,
  { projectIds, range, now, userId }: OverviewQuestion,
): Promise<Readonly<Record<string, number>>> {
  const mine = {
    sql: `(i.status = 'unresolved' and i.assignee_id = ?)`,
    parameters: [userId ?? ''],
  }
  const clauses: (readonly [string, Clause])[] = [['mine', mine]]
  for (const view of views) {
    const clause = statusClause(view, now)
    if (clause !== null) clauses.push([view, clause])
  }
  const columns = clauses.map(
    ([, { sql }], index) => `sum(case when ${sql} then 1 else 0 end) as v${index}`,
  )
  const [row] = await metadata.all<Record<string, number | null>>(
    `select ${columns.join(', ')} from issues i
     where i.project_id in (${placeholders(projectIds)}) and i.last_seen >= ?`,
    ...clauses.flatMap(([, { parameters }]) => parameters),
    ...projectIds,
    range.from,
  )
  return Object.fromEntries(clauses.map(([view], index) => [view, row?.[`v${index}`] ?? 0]))
}
