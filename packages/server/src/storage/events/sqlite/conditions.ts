import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import type { Condition, Field, FieldCondition, TimeRange } from '../port.ts'
import type { Connection } from './connection.ts'
import { quoted, type Layout } from './layout.ts'
import { containing, matching } from './like.ts'
import { tagCondition } from './tag-conditions.ts'

/** A piece of SQL with its parameters, in order. */
export interface Sql {
  readonly text: string
  readonly parameters: readonly SQLInputValue[]
  /** For a condition: an index leads from it to few rows. */
  readonly isSelective?: boolean
}

/** The place where conditions look: the row under the alias `e`, and its fields in SQL. */
export interface Scope {
  readonly connection: Connection
  /** The row's table; tags are read from it. */
  readonly layout: Layout
  /** Fields that are not columns of the layout. */
  readonly extra?: Readonly<Record<string, { readonly sql: string; readonly type: string }>>
}

/**
 * Returns the SQL and the type of a field; tags have the type `tag`. An unknown field is our own
 * mistake.
 */
export function fieldOf(scope: Scope, field: Field): Sql & { readonly type: string } {
  if (typeof field !== 'string') {
    if (!scope.layout.hasTags) return { text: 'null', parameters: [], type: 'tag' }
    return {
      // The order of the join is fixed by hand: SQLite would visit every value of the key for each
      // row.
      text: `(select p.value from json_each(e.tags) j cross join tag_pairs p on p.id = j.value
        where p.key = ? limit 1)`,
      parameters: [field.tag],
      type: 'tag',
    }
  }
  const extra = scope.extra?.[field]
  if (extra !== undefined) return { text: extra.sql, parameters: [], type: extra.type }
  if (field === 'projectId') return { text: 'e.project_id', parameters: [], type: 'integer' }
  if (field === 'receivedAt') return { text: 'e.received_at', parameters: [], type: 'time' }
  if (field === 'timestamp') return { text: 'e.timestamp', parameters: [], type: 'time' }
  const type = scope.layout.types[field]
  assert(type !== undefined, `${scope.layout.name} has no field ${field}`)
  return { text: `e.${quoted(field)}`, parameters: [], type }
}

/** Returns all conditions of a query, joined by "and". */
export function whereOf(
  scope: Scope,
  query: {
    readonly projectIds: readonly number[]
    readonly range?: TimeRange
    readonly where: readonly Condition[]
  },
): Sql {
  // SQLite has no statistics here: a unary plus keeps it from preferring a project's day to a
  // single trace.
  const conditions = query.where.map((condition) => ({
    ...conditionOf(scope, condition),
    ...(isSelective(scope, condition) ? { isSelective: true } : {}),
  }))
  const plus = conditions.some((condition) => condition.isSelective === true) ? '+' : ''
  const parts: Sql[] = [{ text: rowIsWanted, parameters: [] }]
  if (query.projectIds.length === 1) {
    parts.push({ text: `${plus}e.project_id = ?`, parameters: [query.projectIds[0] ?? 0] })
  } else if (query.projectIds.length > 1) {
    parts.push(among(`${plus}e.project_id`, query.projectIds))
  }
  if (query.range !== undefined) {
    const { from, to } = query.range
    parts.push({
      text: `${plus}e.timestamp >= ? and ${plus}e.timestamp < ?`,
      parameters: [from, to],
    })
  }
  return joined([...parts, ...conditions], ' and ')
}

/** Asks once every 64 rows whether the answer is still wanted; the cost is not measurable. */
const rowIsWanted = '(e.id & 63 or wanted())'

/** Joins conditions; an empty list is true. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return { text: 'true', parameters: [] }
  return {
    text: parts.map((part) => part.text).join(separator),
    parameters: parts.flatMap((part) => part.parameters),
  }
}

export function isSelective(scope: Scope, condition: Condition): boolean {
  const { layout } = scope
  if (condition.op === 'any') {
    return condition.of.every((all) => all.some((one) => isSelective(scope, one)))
  }
  return (
    typeof condition.field === 'string' &&
    layout.selective.has(condition.field) &&
    (condition.op === 'is' || condition.op === 'in')
  )
}

/** Returns the SQL of one condition; texts ignore the case of A-Z, ids are compared exactly. */
export function conditionOf(scope: Scope, condition: Condition): Sql {
  if (condition.op === 'any') return anyOf(scope, condition.of)
  return fieldCondition(scope, condition)
}

function anyOf(scope: Scope, lists: readonly (readonly Condition[])[]): Sql {
  if (lists.length === 0) return { text: 'false', parameters: [] }
  const parts = lists.map((all) =>
    joined(
      all.map((one) => conditionOf(scope, one)),
      ' and ',
    ),
  )
  const { text, parameters } = joined(
    parts.map((part) => ({ ...part, text: `(${part.text})` })),
    ' or ',
  )
  return { text: `(${text})`, parameters }
}

function fieldCondition(scope: Scope, condition: FieldCondition): Sql {
  const ofTag = tagCondition(scope, condition)
  if (ofTag !== null) return ofTag
  const { text, parameters, type } = fieldOf(scope, condition.field)
  const isExact = type !== 'label' && type !== 'text' && type !== 'tag'
  const compared = isExact ? text : `${text} collate nocase`
  const then = (tail: string, ...more: readonly SQLInputValue[]): Sql => ({
    text: `${compared} ${tail}`,
    parameters: [...parameters, ...more],
  })
  const orMissing = (sql: Sql): Sql => ({
    text: `(${text} is null or ${sql.text})`,
    parameters: [...parameters, ...sql.parameters],
  })
  switch (condition.op) {
    case 'is':
      // SQLite uses partial indexes (`is_segment = 1`) only for literals.
      if (isFlag(type, condition.value)) return then(`= ${condition.value}`)
      return then('= ?', condition.value)
    case 'isNot':
      return then('is not ?', condition.value)
    case 'in':
      // A single value keeps the order of an index.
      if (condition.values.length === 1) return then('= ?', condition.values[0] ?? null)
      return then('in (select value from json_each(?))', JSON.stringify(condition.values))
    case 'notIn':
      return orMissing(
        then('not in (select value from json_each(?))', JSON.stringify(condition.values)),
      )
    case 'like':
      return then("like ? escape '\\'", matching(condition.pattern))
    case 'notLike':
      return orMissing(then("not like ? escape '\\'", matching(condition.pattern)))
    case 'contains':
      return then("like ? escape '\\'", containing(condition.text))
    case 'notContains':
      return orMissing(then("not like ? escape '\\'", containing(condition.text)))
    case 'atLeast':
      return withTail(numberOf(scope, condition.field), '>= ?', condition.value)
    case 'below':
      return withTail(numberOf(scope, condition.field), '< ?', condition.value)
    case 'exists':
      return { text: `${text} is not null`, parameters }
    case 'missing':
      return { text: `${text} is null`, parameters }
  }
}

function isFlag(type: string, value: string | number): boolean {
  return type === 'integer' && (value === 0 || value === 1)
}

function withTail(sql: Sql, tail: string, value: SQLInputValue): Sql {
  return { text: `${sql.text} ${tail}`, parameters: [...sql.parameters, value] }
}

/** Reads a field as a number. In SQLite other text would compare as 0; here it meets no bound. */
function numberOf(scope: Scope, field: Field): Sql {
  const { text, parameters, type } = fieldOf(scope, field)
  if (type === 'time') return { text, parameters }
  // A bound is often met by half of all rows. The unary plus keeps SQLite from its index, which
  // serves lists in that order, when another order is asked for.
  if (type === 'integer' || type === 'float') return { text: `+${text}`, parameters }
  return {
    text: `(select cast(v as real) from (select ${text} as v) where v glob '[-0-9.]*')`,
    parameters,
  }
}

/** Returns `field in (…)`, whose text does not depend on the number of values. */
export function among(text: string, values: readonly (string | number)[]): Sql {
  return {
    text: `${text} in (select value from json_each(?))`,
    parameters: [JSON.stringify(values)],
  }
}
