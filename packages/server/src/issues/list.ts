import type { IssueRow } from './row.ts'
import { isNew, isRegressed } from './state.ts'
import type { TimeRange } from '../storage/events/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { type Counted, countAllIssues } from './counts.ts'
import { ISSUE_CANDIDATES_MAX } from '../search/limits.ts'
import type { IssueFilter } from './search-filter.ts'
import type { Stores } from '../storage/stores.ts'

export const issueSorts = ['inbox', 'date', 'new', 'freq', 'user', 'trends'] as const

/**
 * `inbox` is "what changed": new, regressed and escalating first, then the rest, each by last seen.
 * `date` last seen, `new` first seen, `freq` events and `user` people in the range, `trends` the most
 * events in the newest quarter of it, weighted by their share of all.
 */
export type IssueSort = (typeof issueSorts)[number]

export interface IssueQuestion {
  readonly projectIds: readonly number[]
  readonly filter: IssueFilter
  /** The counted events: the range, and the filter's conditions with those of the environment. */
  readonly counted: Counted & { readonly range: TimeRange }
  readonly sort: IssueSort
  readonly limit: number
  readonly cursor: string | null
  readonly now: number
}

export interface IssuePage {
  readonly issues: readonly IssueRow[]
  /** Number of issues on all pages. */
  readonly hits: number
  readonly previous: string | null
  readonly next: string | null
}

interface Candidate {
  readonly id: number
  /** Greatest first. */
  readonly keys: readonly [number, number]
}

/** One page of the issues that a search finds. */
export async function listIssues(stores: Stores, question: IssueQuestion): Promise<IssuePage> {
  const candidates = await findIssues(stores, question)
  const cut = cutPage(candidates, question)
  const ids = cut.shown.map((candidate) => candidate.id)
  const rows = await stores.metadata.all<IssueRow>(
    `select * from issues where id in (${placeholders(ids)})`,
    ...ids,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    issues: ids.map((id) => byId.get(id)).filter((row) => row !== undefined),
    hits: candidates.length,
    previous: cut.previous,
    next: cut.next,
  }
}

/** The ids of every issue a search finds, sorted; at most `ISSUE_CANDIDATES_MAX`. */
export async function findIssues(
  stores: Stores,
  question: Omit<IssueQuestion, 'limit' | 'cursor'>,
): Promise<readonly Candidate[]> {
  const { filter, counted, sort } = question
  const needsCounts =
    sort === 'freq' ||
    sort === 'user' ||
    sort === 'trends' ||
    counted.conditions.length > 0 ||
    filter.timesSeen.length > 0
  const rows = await selectCandidates(stores, question)
  const counts = needsCounts
    ? await countAllIssues(stores, question.projectIds, counted)
    : new Map<number, { events: number; users: number }>()
  const recent = sort === 'trends' ? await recentCounts(stores, question) : null
  const found = await Promise.all(filter.anyOf.map((list) => foundByAny(stores, question, list)))
  const candidates: Candidate[] = []
  for (const row of rows) {
    if (!found.every((ids) => ids.has(row.id))) continue
    const count = counts.get(row.id)
    if (counted.conditions.length > 0 && count === undefined) continue
    const events = count?.events ?? 0
    if (filter.timesSeen.some(({ least, most }) => events < least || events > most)) continue
    candidates.push({
      id: row.id,
      keys: keysOf(row, sort, { ...question, count, recent: recent?.get(row.id)?.events ?? 0 }),
    })
  }
  return candidates.sort(compare)
}

/** The issues that at least one filter of a list finds. */
async function foundByAny(
  stores: Stores,
  question: Omit<IssueQuestion, 'limit' | 'cursor'>,
  filters: readonly IssueFilter[],
): Promise<ReadonlySet<number>> {
  const lists = await Promise.all(
    filters.map((filter) => {
      const conditions = [...question.counted.conditions, ...filter.conditions]
      const counted = { ...question.counted, conditions }
      return findIssues(stores, { ...question, filter, counted, sort: 'date' })
    }),
  )
  return new Set(lists.flat().map(({ id }) => id))
}

function recentCounts(
  stores: Stores,
  { projectIds, counted, now }: Pick<IssueQuestion, 'projectIds' | 'counted' | 'now'>,
) {
  const to = Math.min(counted.range.to, now)
  const from = Math.round(to - (to - counted.range.from) / 4)
  const range = { from: Math.min(from, to - 1), to: counted.range.to }
  return countAllIssues(stores, projectIds, { ...counted, range })
}

interface CandidateRow {
  readonly id: number
  readonly first_seen: number
  readonly last_seen: number
  readonly status: string
  readonly substatus: string | null
  readonly status_changed_at: number
}

async function selectCandidates(
  { metadata }: Stores,
  { projectIds, filter, counted }: Pick<IssueQuestion, 'projectIds' | 'filter' | 'counted'>,
): Promise<readonly CandidateRow[]> {
  const where = [
    `i.project_id in (${placeholders(projectIds)})`,
    'i.last_seen >= ?',
    'i.first_seen < ?',
    ...filter.clauses.map((clause) => clause.sql),
  ]
  return metadata.all<CandidateRow>(
    `select i.id, i.first_seen, i.last_seen, i.status, i.substatus, i.status_changed_at
     from issues i where ${where.join(' and ')}
     order by i.last_seen desc limit ${ISSUE_CANDIDATES_MAX}`,
    ...projectIds,
    counted.range.from,
    counted.range.to,
    ...filter.clauses.flatMap((clause) => clause.parameters),
  )
}

function keysOf(
  row: CandidateRow,
  sort: IssueSort,
  {
    now,
    count,
    recent,
  }: { now: number; count: { events: number; users: number } | undefined; recent: number },
): readonly [number, number] {
  switch (sort) {
    case 'inbox':
      return [changeRank(row, now), row.last_seen]
    case 'date':
      return [row.last_seen, 0]
    case 'new':
      return [row.first_seen, 0]
    case 'freq':
      return [count?.events ?? 0, row.last_seen]
    case 'user':
      return [count?.users ?? 0, row.last_seen]
    case 'trends':
      return [Math.round((recent * recent * 1000) / (count?.events || 1)), row.last_seen]
  }
}

function changeRank(row: CandidateRow, now: number): number {
  if (row.status !== 'unresolved') return 0
  if (isNew(row, now)) return 3
  if (isRegressed(row, now)) return 2
  return row.substatus === 'escalating' ? 1 : 0
}

function compare(a: Candidate, b: Candidate): number {
  return b.keys[0] - a.keys[0] || b.keys[1] - a.keys[1] || b.id - a.id
}

/** A cursor names the issue at the edge by its keys, so that what arrives meanwhile moves nothing. */
function cutPage(
  candidates: readonly Candidate[],
  { cursor, limit }: Pick<IssueQuestion, 'cursor' | 'limit'>,
): {
  readonly shown: readonly Candidate[]
  readonly previous: string | null
  readonly next: string | null
} {
  const place = readCursor(cursor)
  let from = 0
  if (place !== null) {
    const behind = candidates.findIndex((it) => {
      const order = compare(it, place.edge)
      return place.isBack ? order >= 0 : order > 0
    })
    const edge = behind === -1 ? candidates.length : behind
    from = place.isBack ? Math.max(0, edge - limit) : edge
  }
  const shown = candidates.slice(from, from + limit)
  const [first, last] = [shown[0], shown.at(-1)]
  return {
    shown,
    previous: from > 0 && first !== undefined ? cursorText(first, 1) : null,
    next: from + limit < candidates.length && last !== undefined ? cursorText(last, 0) : null,
  }
}

function cursorText(edge: Candidate, back: 0 | 1): string {
  return `${edge.keys[0]}_${edge.keys[1]}_${edge.id}:0:${back}`
}

/** Reads a cursor; an invalid one starts at the first page. */
function readCursor(text: string | null): { edge: Candidate; isBack: boolean } | null {
  const match = /^(-?[\d.e+]{1,25})_(-?[\d.e+]{1,25})_(\d{1,15}):0:([01])$/.exec(text ?? '')
  if (match === null) return null
  const [first, second, id] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (Number.isNaN(first) || Number.isNaN(second)) return null
  return { edge: { id, keys: [first, second] }, isBack: match[4] === '1' }
}
