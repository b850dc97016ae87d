import { isNewSql, isRegressedSql, newSince } from './state.ts'
import { isShortId } from './short-id.ts'
import { issueCategories, priorities, prioritySql } from './priority.ts'
import type { Person } from './people.ts'
import type { Condition } from '../storage/events/port.ts'
import type { SqlValue } from '../storage/metadata/port.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import { conditionsOf, idOf, problemAt, unknownValue } from '../search/conditions.ts'
import { errorFields, LEVELS } from '../search/fields.ts'
import type {
  AnyTerm,
  KeyTerm,
  SearchProblem,
  SearchProblems,
  SearchTree,
  TextTerm,
} from '../search/parse.ts'
import { timeBoundsOf } from '../search/times.ts'

/** A search for issues, split between the stores that can answer it. */
export interface IssueFilter {
  /** On the table `issues`, called `i`; joined by "and". */
  readonly clauses: readonly { readonly sql: string; readonly parameters: readonly SqlValue[] }[]
  /** On the errors of an issue: at least one must meet them all. */
  readonly conditions: readonly Condition[]
  /** On the number of events in the range. */
  readonly timesSeen: readonly { readonly least: number; readonly most: number }[]
  /** Lists of filters; at least one of each must find the issue. */
  readonly anyOf: readonly (readonly IssueFilter[])[]
}

/** The reader and the time of a search, for `assigned:me` and `firstSeen:-7d`. */
export interface SearchWhen {
  readonly now: number
  readonly userId: string | null
  /** Everybody whom an issue may be assigned to; null when they are too many to know. */
  readonly people: readonly Person[] | null
}

type Clause = IssueFilter['clauses'][number]

/** Reads what a search means for issues; or why parts of it mean nothing. */
export function issueFilterOf(tree: SearchTree, when: SearchWhen): IssueFilter | SearchProblems {
  const clauses: Clause[] = []
  const timesSeen: { least: number; most: number }[] = []
  const anyOf: (readonly IssueFilter[])[] = []
  const rest: SearchTree[number][] = []
  const problems: SearchProblem[] = []
  for (const term of tree) {
    if (term.type === 'any') {
      const alternatives = alternativesOf(term, when)
      if ('type' in alternatives) problems.push(...alternatives.problems)
      // The events alone can tell: they are asked once for all alternatives.
      else if (alternatives.every(asksEventsAlone)) rest.push(term)
      else anyOf.push(alternatives)
      continue
    }
    if (term.type === 'key' && /^times_?seen$/i.test(term.key)) {
      const bounds = timesSeenOf(term)
      if ('type' in bounds) problems.push(bounds)
      else timesSeen.push(bounds)
      continue
    }
    const clause = clauseOf(term, when)
    if (clause === null) rest.push(term)
    else if ('type' in clause) problems.push(clause)
    else clauses.push(clause)
  }
  const conditions = conditionsOf(rest, errorFields, when.now)
  if ('type' in conditions) problems.push(...conditions.problems)
  if ('type' in conditions || problems.length > 0) return { type: 'problems', problems }
  return { clauses, conditions, timesSeen, anyOf }
}

/** Says whether a search is for one issue by its id, or by that of one of its events. */
export function namesOneIssue(tree: SearchTree): boolean {
  return tree.some((term) => {
    if (term.type === 'any' || term.isNegated) return false
    if (term.type === 'text') return idOf(term) !== null || isShortId(term.text)
    return /^(issue|issue\.id|event\.id|id)$/i.test(term.key)
  })
}

function alternativesOf(term: AnyTerm, when: SearchWhen): readonly IssueFilter[] | SearchProblems {
  const filters: IssueFilter[] = []
  const problems: SearchProblem[] = []
  for (const alternative of term.alternatives) {
    const read = issueFilterOf(alternative, when)
    if ('type' in read) problems.push(...read.problems)
    else filters.push(read)
  }
  return problems.length > 0 ? { type: 'problems', problems } : filters
}

function asksEventsAlone({ clauses, timesSeen, anyOf }: IssueFilter): boolean {
  return clauses.length === 0 && timesSeen.length === 0 && anyOf.length === 0
}

/** Null for what is asked of the events. */
function clauseOf(term: KeyTerm | TextTerm, when: SearchWhen): Clause | SearchProblem | null {
  if (term.type === 'text') {
    if (idOf(term) !== null) return null
    const pattern = `%${escapeLike(term.text.toLowerCase())}%`
    const sql = `(lower(i.title) like ? escape '\\' or lower(i.culprit) like ? escape '\\'
      or lower(i.metadata) like ? escape '\\' or lower(i.short_id) like ? escape '\\')`
    return negated(term, { sql, parameters: [pattern, pattern, pattern, pattern] })
  }
  switch (term.key.toLowerCase()) {
    case 'is':
      return isClause(term, when)
    case 'level':
      return unknownValue(term, LEVELS) ?? textClause(term, 'i.level')
    case 'type':
    case 'error.type':
    case 'issue.type':
      return typeClause(term)
    case 'stack.filename':
    case 'stack.abs_path':
      return textClause(term, metadataMember('filename'))
    case 'stack.function':
      return textClause(term, metadataMember('function'))
    case 'issue.category':
      return categoryClause(term)
    case 'issue.priority':
    case 'priority':
      return unknownValue(term, priorities) ?? textClause(term, prioritySql)
    case 'project.id':
      return projectClause(term)
    case 'logger':
      return textClause(term, 'i.logger')
    case 'issue':
    case 'issue.id':
      return issueClause(term)
    case 'assigned':
    case 'assigned_or_suggested':
      return assignedClause(term, when)
    case 'bookmarks':
      return bookmarksClause(term, when)
    case 'firstrelease':
    case 'first-release':
    case 'first_release':
      return textClause(term, 'i.first_release')
    case 'firstseen':
    case 'first_seen':
    case 'age':
      return timeClause(term, 'i.first_seen', when)
    case 'lastseen':
    case 'last_seen':
      return timeClause(term, 'i.last_seen', when)
    default:
      return null
  }
}

/** The words after `is:`. */
const statusWords = [
  'unresolved',
  'resolved',
  'archived',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'for_review',
  'assigned',
  'unassigned',
  'handled',
  'unhandled',
]

/** The SQL of each word after `is:`. */
export function statusClause(word: string, now: number): Clause | null {
  const recent = newSince(now)
  switch (word) {
    case 'unresolved':
    case 'resolved':
      return { sql: `i.status = '${word}'`, parameters: [] }
    case 'ignored':
    case 'archived':
    case 'muted':
      return { sql: `i.status = 'ignored'`, parameters: [] }
    case 'new':
      return { sql: `(i.status = 'unresolved' and ${isNewSql})`, parameters: [recent] }
    case 'regressed':
      return { sql: `(i.status = 'unresolved' and ${isRegressedSql})`, parameters: [recent] }
    case 'escalating':
      return { sql: `(i.status = 'unresolved' and i.substatus = 'escalating')`, parameters: [] }
    case 'ongoing':
      return {
        sql: `(i.status = 'unresolved' and coalesce(i.substatus, '') <> 'escalating'
          and not ${isNewSql} and not coalesce(${isRegressedSql}, 0))`,
        parameters: [recent, recent],
      }
    case 'for_review':
      return {
        sql: `(i.status = 'unresolved' and (${isNewSql} or ${isRegressedSql} or i.substatus = 'escalating'))`,
        parameters: [recent, recent],
      }
    case 'assigned':
      return { sql: 'i.assignee_id is not null', parameters: [] }
    case 'unassigned':
      return { sql: 'i.assignee_id is null', parameters: [] }
    case 'unhandled':
      return { sql: 'i.is_unhandled = 1', parameters: [] }
    case 'handled':
      return { sql: 'i.is_unhandled = 0', parameters: [] }
    case 'archived_forever':
    case 'archived_until_escalating':
    case 'archived_until_condition_met':
      return { sql: `i.substatus = '${word}'`, parameters: [] }
    default:
      return null
  }
}

/** Returns the SQL of a member of `metadata`, which describes the frame that failed. */
function metadataMember(name: string): string {
  return `(i.metadata ->> '${name}')`
}

/** Feedback has a list of its own, in `feedback/`; no row of `issues` is one. */
function categoryClause(term: KeyTerm): Clause | SearchProblem {
  const unknown = unknownValue(term, issueCategories)
  if (unknown !== null) return unknown
  const hasErrors = term.values.some((value) => value.toLowerCase() === 'error')
  return negated(term, { sql: hasErrors ? '(1 = 1)' : '(1 = 0)', parameters: [] })
}

function projectClause(term: KeyTerm): Clause {
  return negated(term, {
    sql: `i.project_id in (${placeholders(term.values)})`,
    parameters: term.values.map(Number),
  })
}

function isClause(term: KeyTerm, { now }: SearchWhen): Clause | SearchProblem {
  const found = term.values.map((word) => statusClause(word.toLowerCase(), now))
  const unknown = found.indexOf(null)
  if (unknown !== -1) {
    const word = (term.values[unknown] ?? '').slice(0, 60)
    return problemAt(term, `"is:${word}" is not known; it is one of ${statusWords.join(', ')}`)
  }
  const clauses = found.filter((clause) => clause !== null)
  return negated(term, {
    sql: `(${clauses.map((clause) => clause.sql).join(' or ')})`,
    parameters: clauses.flatMap((clause) => clause.parameters),
  })
}

function textClause(term: KeyTerm, column: string): Clause | SearchProblem {
  if (term.comparison !== '=') return problemAt(term, `"${term.key}" cannot be compared`)
  const parts = term.values.map((value): Clause => {
    if (value === '') return { sql: `coalesce(${column}, '') = ''`, parameters: [] }
    if (term.isQuoted || !value.includes('*')) {
      return { sql: `lower(${column}) = ?`, parameters: [value.toLowerCase()] }
    }
    const pattern = value
      .split('*')
      .map((part) => escapeLike(part.toLowerCase()))
      .join('%')
    return { sql: `lower(${column}) like ? escape '\\'`, parameters: [pattern] }
  })
  return negated(term, {
    sql: `coalesce((${parts.map((part) => part.sql).join(' or ')}), 0)`,
    parameters: parts.flatMap((part) => part.parameters),
  })
}

/** The exception's type, or what kind of report it is. */
function typeClause(term: KeyTerm): Clause {
  const values = term.values.map((value) => value.toLowerCase())
  const likes = values.map(() => `lower(i.metadata) like ? escape '\\'`).join(' or ')
  return negated(term, {
    sql: `(lower(i.kind) in (${placeholders(values)}) or ${likes})`,
    parameters: [...values, ...values.map((value) => `%"type":${typePattern(value, term)}%`)],
  })
}

function typePattern(value: string, term: KeyTerm): string {
  const quoted = escapeLike(JSON.stringify(value))
  return term.isQuoted ? quoted : quoted.replaceAll('*', '%')
}

function issueClause(term: KeyTerm): Clause {
  const ids = term.values.filter((value) => /^\d{1,15}$/.test(value)).map(Number)
  const shortIds = term.values.map((value) => value.toUpperCase())
  return negated(term, {
    sql: `(i.id in (${placeholders(ids)}) or i.short_id in (${placeholders(shortIds)}))`,
    parameters: [...ids, ...shortIds],
  })
}

function assignedClause(term: KeyTerm, { userId, people }: SearchWhen): Clause | SearchProblem {
  const isKnown = (value: string) => {
    const who = value.toLowerCase().replace(/^#/, '')
    if (['none', 'me'].includes(who)) return true
    return people?.some(({ id, name, email }) =>
      [id, name, email].some((called) => called.toLowerCase() === who),
    )
  }
  const stranger = term.values.find((value) => isKnown(value) === false)
  if (stranger !== undefined) {
    return problemAt(
      term,
      `there is nobody called "${stranger.slice(0, 60)}"; give an e-mail, me or none`,
    )
  }
  const parts = term.values.map((value): Clause => {
    const who = value.toLowerCase().replace(/^#/, '')
    if (who === 'none') return { sql: 'i.assignee_id is null', parameters: [] }
    if (who === 'me') return { sql: 'i.assignee_id = ?', parameters: [userId ?? ''] }
    return {
      sql: `i.assignee_id in (select "id" from users where lower("email") = ? or lower("name") = ? or "id" = ?)`,
      parameters: [who, who, value],
    }
  })
  return negated(term, {
    sql: `coalesce((${parts.map((part) => part.sql).join(' or ')}), 0)`,
    parameters: parts.flatMap((part) => part.parameters),
  })
}

function bookmarksClause(term: KeyTerm, { userId }: SearchWhen): Clause {
  const isMe = term.values[0]?.toLowerCase() === 'me'
  return negated(term, {
    sql: `i.id in (select b.issue_id from bookmarks b join users u on u."id" = b.user_id
      where u."id" = ? or lower(u."email") = ?)`,
    parameters: isMe ? [userId ?? '', ''] : ['', (term.values[0] ?? '').toLowerCase()],
  })
}

/** `>2026-01-01`, or an age: `-7d` is within the last seven days, `+7d` longer ago. */
function timeClause(term: KeyTerm, column: string, when: SearchWhen): Clause | SearchProblem {
  const bounds = timeBoundsOf(term, when.now)
  if (bounds === null) {
    return problemAt(term, `"${term.key}" needs a time like 2026-01-31, or an age like -7d`)
  }
  const parts = [
    ...(bounds.from === null ? [] : [{ sql: `${column} >= ?`, parameters: [bounds.from] }]),
    ...(bounds.to === null ? [] : [{ sql: `${column} < ?`, parameters: [bounds.to] }]),
  ]
  return negated(term, {
    sql: `(${parts.map((part) => part.sql).join(' and ')})`,
    parameters: parts.flatMap((part) => part.parameters),
  })
}

function timesSeenOf(term: KeyTerm): { least: number; most: number } | SearchProblem {
  const text = term.values[0] ?? ''
  const number = Number(text)
  if (!/^\d{1,12}$/.test(text) || term.isNegated) {
    return problemAt(term, `"${term.key}" needs a number, and no "!"`)
  }
  const infinity = Number.POSITIVE_INFINITY
  switch (term.comparison) {
    case '>':
      return { least: number + 1, most: infinity }
    case '>=':
      return { least: number, most: infinity }
    case '<':
      return { least: 0, most: number - 1 }
    case '<=':
      return { least: 0, most: number }
    case '=':
      return { least: number, most: number }
  }
}

function negated(term: { readonly isNegated: boolean }, clause: Clause): Clause {
  return term.isNegated ? { ...clause, sql: `not ${clause.sql}` } : clause
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, '\\$&')
}
