import { GROUPS_MAX } from '../search/limits.ts'
import type { Field } from '../storage/events/port.ts'
import type { ApiContext } from '../api/context.ts'
import { badRequest } from '../api/problem.ts'
import { eventFieldOf } from './datasets.ts'
import type { EventQuestion } from './question.ts'
import { type EventPage, isOfIssue, readNames, shownValue } from './rows.ts'

/** Fields that the store groups by at once. */
const STORE_GROUPS_MAX = 2

/** Answers a question with functions: one entry for each group of its other fields. */
export async function groupEvents(
  api: ApiContext,
  question: EventQuestion,
  page: { readonly limit: number; readonly offset: number },
): Promise<EventPage> {
  const groupBy = storeGroups(question)
  const rows = await api.events.aggregate({
    table: question.dataset.table,
    projectIds: question.projectIds,
    range: question.range,
    where: question.where,
    groupBy,
    measures: question.functions.map(({ measure }) => measure),
    limit: GROUPS_MAX,
  })
  const hashPlace = groupBy.indexOf('groupingHash')
  const projectPlace = groupBy.indexOf('projectId')
  const projectIdOf = (group: readonly unknown[]) => Number(group[projectPlace] ?? 0)
  const names = await readNames(
    api,
    hashPlace === -1
      ? []
      : rows.map(({ group }) => ({
          projectId: projectIdOf(group),
          hash: String(group[hashPlace]),
        })),
  )
  const minutes = (question.range.to - question.range.from) / 60_000
  const entries = rows.map(({ group, values }) => {
    const entry: Record<string, unknown> = {}
    const issue = names.issues.get(`${projectIdOf(group)} ${String(group[hashPlace])}`)
    for (const name of question.fields) {
      const known = eventFieldOf(question.dataset, name)
      if (known === null) continue
      if (name === 'title' && hashPlace !== -1) entry[name] = issue?.title ?? null
      else {
        const value = group[groupBy.findIndex((one) => isSame(one, known.field))] ?? null
        const projectId = projectIdOf(group)
        entry[name] = shownValue(name, known.type, { value, projectId, names })
      }
    }
    for (const [index, one] of question.functions.entries()) {
      entry[one.text] = one.finish(values[index] ?? null, minutes)
    }
    return entry
  })
  const sorted = sortEntries(entries, question)
  const { offset, limit } = page
  return {
    data: sorted.slice(offset, offset + limit),
    next: offset + limit < sorted.length ? `0:${offset + limit}:0` : null,
  }
}

/** An issue is a project and a hash for the store; its title follows from it. @throws ApiProblem 400 */
function storeGroups({ dataset, fields }: EventQuestion): readonly Field[] {
  const hasIssue = fields.some(isOfIssue)
  const groups: Field[] = hasIssue ? ['projectId'] : []
  for (const name of fields) {
    if (hasIssue && name === 'title') continue
    const field = eventFieldOf(dataset, name)?.field
    if (field !== undefined && !groups.some((one) => isSame(one, field))) groups.push(field)
  }
  if (groups.length > STORE_GROUPS_MAX) {
    throw badRequest(`field: at most ${STORE_GROUPS_MAX} fields may stand beside functions`)
  }
  return groups
}

function isSame(a: Field, b: Field): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b
  return a.tag === b.tag
}

function sortEntries(
  entries: readonly Readonly<Record<string, unknown>>[],
  { sort, functions }: EventQuestion,
): readonly Readonly<Record<string, unknown>>[] {
  const name = sort?.name ?? functions[0]?.text ?? ''
  const sign = (sort?.descending ?? true) ? -1 : 1
  return entries.toSorted((a, b) => {
    const [left, right] = [a[name] ?? null, b[name] ?? null]
    if (left === null || right === null) return Number(left === null) - Number(right === null)
    if (left === right) return 0
    return sign * (left < right ? -1 : 1)
  })
}
