import assert from 'node:assert/strict'
import type { SQLInputValue } from 'node:sqlite'
import type { Condition, Field, TimeRange } from '../port.ts'
import type { Connection } from './connection.ts'
import { quoted, type Layout } from './layout.ts'

/** A piece of SQL with its parameters, in order. */
export interface Sql {
  readonly text: string
  readonly parameters: readonly SQLInputValue[]
  /** Of a condition: an index leads from it to few rows. */
  readonly isSelective?: boolean
}

/** Where conditions look: the row under the alias `e`, and what its fields are in SQL. */
export interface Scope {
  readonly connection: Connection
  /** The table the row is of; its tags are those of `errors` when it is `errors`. */
  readonly layout: Layout
  /** Fields that are not columns of the layout. */
  readonly extra?: Readonly<Record<string, { readonly sql: string; readonly type: string }>>
}

/** The SQL and the type of a field; tags have the type `tag`. An unknown field is our own mistake. */
export function fieldOf(scope: Scope, field: Field): Sql & { readonly type: string } {
  if (typeof field !== 'string') {
    if (!scope.layout.hasTags) return { text: 'null', parameters: [], type: 'tag' }
    return {
      text: `(select p.value from json_each(e.tags) j join tag_pairs p on p.id = j.value
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

/** Everything a question asks of its rows, joined by "and". */
export function whereOf(
  scope: Scope,
  query: {
    readonly projectIds: readonly number[]
    readonly range?: TimeRange
    readonly where: readonly Condition[]
  },
): Sql {
  // SQLite has no statistics here: a unary plus keeps it from preferring a day of a project to a single trace.
  const conditions = query.where.map((condition) => ({
    ...conditionOf(scope, condition),
    ...(isSelective(scope, condition) ? { isSelective: true } : {}),
  }))
  const plus = conditions.some((condition) => condition.isSelective === true) ? '+' : ''
  const parts: Sql[] = []
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

/** Joins conditions; none is true. */
export function joined(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return { text: 'true', parameters: [] }
  return {
    text: parts.map((part) => part.text).join(separator),
    parameters: parts.flatMap((part) => part.parameters),
  }
}

export function isSelective({ layout }: Scope, condition: Condition): boolean {
  return (
    typeof condition.field === 'string' &&
    layout.selective.has(condition.field) &&
    (condition.op === 'is' || condition.op === 'in')
  )
}

/** One condition; texts are compared without regard to the case of A-Z, ids exactly. */
export function conditionOf(scope: Scope, condition: Condition): Sql {
  const indexed = indexedTagCondition(scope, condition)
  if (indexed !== null) return indexed
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
      // Partial indexes (`is_segment = 1`) are found by a literal only.
      if (isFlag(type, condition.value)) return then(`= ${condition.value}`)
      return then('= ?', condition.value)
    case 'isNot':
      return then('is not ?', condition.value)
    case 'in':
      // One value keeps the order of an index behind it.
      if (condition.values.length === 1) return then('= ?', condition.values[0] ?? null)
      return then('in (select value from json_each(?))', JSON.stringify(condition.values))
    case 'notIn':
      return orMissing(
        then('not in (select value from json_each(?))', JSON.stringify(condition.values)),
      )
    case 'like':
      return then("like ? escape '\\'", likePattern(condition.pattern))
    case 'notLike':
      return orMissing(then("not like ? escape '\\'", likePattern(condition.pattern)))
    case 'contains':
      return then("like ? escape '\\'", `%${escaped(condition.text)}%`)
    case 'notContains':
      return orMissing(then("not like ? escape '\\'", `%${escaped(condition.text)}%`))
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

/** A field as a number. Texts that are no numbers compare as 0 in SQLite; here they meet no bound. */
function numberOf(scope: Scope, field: Field): Sql {
  const { text, parameters, type } = fieldOf(scope, field)
  if (type === 'time') return { text, parameters }
  // Half of all rows are above a bound as often as not: an index on it, which is there for lists in
  // that order, must not take the place of the one in the order that is asked for.
  if (type === 'integer' || type === 'float') return { text: `+${text}`, parameters }
  return {
    text: `(select cast(v as real) from (select ${text} as v) where v glob '[-0-9.]*')`,
    parameters,
  }
}

/** `field in (…)`, in a form whose text does not depend on how many there are. */
export function among(text: string, values: readonly (string | number)[]): Sql {
  return {
    text: `${text} in (select value from json_each(?))`,
    parameters: [JSON.stringify(values)],
  }
}

function likePattern(pattern: string): string {
  return escaped(pattern).replaceAll(/\*+/g, '%')
}

function escaped(text: string): string {
  return text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`).slice(0, 10_000)
}

/** Up to this many rows, those of a pair are fetched by the index; past it, rows are checked one by one. */
const rarePairRows = 2_000

/** Equality of an error event's tag, through the index of pairs; null for everything else. */
function indexedTagCondition(scope: Scope, condition: Condition): Sql | null {
  if (typeof condition.field === 'string' || scope.layout.name !== 'errors') return null
  let values: readonly (string | number)[]
  if (condition.op === 'is' || condition.op === 'isNot') values = [condition.value]
  else if (condition.op === 'in' || condition.op === 'notIn') values = condition.values
  else return null
  const { connection } = scope
  const pairs = connection.all(
    `select id from tag_pairs where key = ? and value collate nocase in (select value from json_each(?))`,
    condition.field.tag,
    JSON.stringify(values.map(String)),
  )
  const ids = JSON.stringify(pairs.map((pair) => pair['id']))
  if (condition.op === 'isNot' || condition.op === 'notIn') {
    return {
      text: `not exists (select 1 from error_tags t
        where t.pair_id in (select value from json_each(?)) and t.error_id = e.id)`,
      parameters: [ids],
    }
  }
  const rows = connection.get(
    `select count(*) as count from (select 1 from error_tags
       where pair_id in (select value from json_each(?)) limit ?)`,
    ids,
    rarePairRows,
  )?.['count']
  if (Number(rows) < rarePairRows) {
    return {
      text: `e.id in (select t.error_id from error_tags t
        where t.pair_id in (select value from json_each(?)))`,
      parameters: [ids],
      isSelective: true,
    }
  }
  return {
    text: `exists (select 1 from error_tags t
      where t.pair_id in (select value from json_each(?)) and t.error_id = e.id)`,
    parameters: [ids],
  }
}
