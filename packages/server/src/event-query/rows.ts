import type { NormalizedEvent } from '@afterimage/protocol/event'
import { issuesOfHashes } from '../issues/hashes.ts'
import type { ApiContext } from '../api/context.ts'
import { allProjects } from '../api/parameters.ts'
import type { StoredRow } from '../storage/events/tables.ts'
import { eventFieldOf, type EventTable } from './datasets.ts'
import type { EventQuestion } from './question.ts'

type AnyRow = StoredRow<EventTable>

export interface EventPage {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly next: string | null
}

/** Fields that the columns do not hold. */
const ofPayload: ReadonlySet<string> = new Set(['error.type', 'error.value'])

/** Answers a question without functions: one entry for each row, in its order. */
export async function listEvents(
  api: ApiContext,
  question: EventQuestion,
  page: { readonly limit: number; readonly cursor: string | null },
): Promise<EventPage> {
  const { dataset, sort } = question
  const field = sort === null ? null : (eventFieldOf(dataset, sort.name)?.field ?? null)
  const found = await api.events.page({
    table: dataset.table,
    projectIds: question.projectIds,
    range: question.range,
    where: question.where,
    ...(sort === null || typeof field !== 'string'
      ? {}
      : { order: { field, descending: sort.descending } }),
    ...(page.cursor === null ? {} : { cursor: page.cursor }),
    limit: page.limit,
    withPayload: question.fields.some((name) => ofPayload.has(name)),
  })
  const names = await namesOfRows(api, question, found.rows)
  return {
    data: found.rows.map((row) => entryOf(question, row, names)),
    next: found.next ?? null,
  }
}

/** The slugs of projects and the issues of hashes that answers name. */
export interface Names {
  readonly slugs: ReadonlyMap<number, string>
  /** By `<project id> <hash>`. */
  readonly issues: ReadonlyMap<string, NamedIssue>
}

export interface NamedIssue {
  readonly id: number
  readonly shortId: string
  readonly title: string
}

function namesOfRows(
  api: ApiContext,
  question: EventQuestion,
  rows: readonly AnyRow[],
): Promise<Names> {
  const hashes = rows.flatMap((row) => {
    const hash = columnOf(row, 'groupingHash')
    return typeof hash === 'string' ? [{ projectId: row.projectId, hash }] : []
  })
  return readNames(api, question.fields.some(isOfIssue) ? hashes : [])
}

/** Says whether a field is that of an issue. */
export function isOfIssue(name: string): boolean {
  return name === 'issue' || name === 'issue.id'
}

/** Reads what projects and issues are called. */
export async function readNames(
  api: ApiContext,
  hashes: readonly { readonly projectId: number; readonly hash: string }[],
): Promise<Names> {
  const projects = await allProjects(api)
  const issueOf = new Map<string, number>()
  for (const [projectId, own] of Map.groupBy(hashes, (one) => one.projectId)) {
    const found = await issuesOfHashes(api.metadata, projectId, [
      ...new Set(own.map(({ hash }) => hash)),
    ])
    for (const [hash, id] of found) issueOf.set(`${projectId} ${hash}`, id)
  }
  const rows = await api.metadata.all<NamedIssue>(
    `select id, short_id as "shortId", title from issues
     where id in (select value from json_each(?))`,
    JSON.stringify([...new Set(issueOf.values())]),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const issues = new Map<string, NamedIssue>()
  for (const [key, id] of issueOf) {
    const issue = byId.get(id)
    if (issue !== undefined) issues.set(key, issue)
  }
  return { slugs: new Map([...projects].map(([id, { slug }]) => [id, slug])), issues }
}

function entryOf(
  question: EventQuestion,
  row: AnyRow,
  names: Names,
): Readonly<Record<string, unknown>> {
  const id = eventFieldOf(question.dataset, 'id')?.field
  const entry: Record<string, unknown> = {
    id: typeof id === 'string' ? columnOf(row, id) : null,
    'project.name': names.slugs.get(row.projectId) ?? '',
  }
  const event =
    row.payload !== null && question.fields.some((name) => ofPayload.has(name))
      ? (JSON.parse(row.payload) as Partial<NormalizedEvent>)
      : null
  for (const name of question.fields) {
    if (name === 'error.type') entry[name] = (event?.exception ?? []).map((one) => one.type ?? '')
    else if (name === 'error.value') {
      entry[name] = (event?.exception ?? []).map((one) => one.value ?? '')
    } else entry[name] = valueOf(question, row, name, names)
  }
  return entry
}

function valueOf(question: EventQuestion, row: AnyRow, name: string, names: Names): unknown {
  const known = eventFieldOf(question.dataset, name)
  if (known === null) return null
  const { field, type } = known
  if (typeof field !== 'string') return row.tags[field.tag] ?? null
  return shownValue(name, type, {
    value: columnOf(row, field),
    projectId: row.projectId,
    names,
  })
}

/** Writes a stored value as answers do: projects by slug, issues by short id, times in ISO. */
export function shownValue(
  name: string,
  type: string,
  of: { readonly value: unknown; readonly projectId: number; readonly names: Names },
): unknown {
  const { value, projectId, names } = of
  if (isOfIssue(name)) {
    const issue = names.issues.get(`${projectId} ${String(value)}`)
    if (issue === undefined) return null
    return name === 'issue' ? issue.shortId : issue.id
  }
  if (name === 'project' || name === 'project.name') return names.slugs.get(Number(value)) ?? ''
  if (value === null || value === undefined) return null
  if (type === 'date') return new Date(Number(value)).toISOString()
  return type === 'boolean' ? value === 1 : value
}

function columnOf(row: AnyRow, field: string): unknown {
  if (field === 'projectId') return row.projectId
  if (field === 'timestamp') return row.timestamp
  return (row.columns as Readonly<Record<string, unknown>>)[field] ?? null
}
