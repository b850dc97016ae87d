import type { SQLInputValue } from 'node:sqlite'
import type { FieldCondition } from '../port.ts'
import type { Scope, Sql } from './conditions.ts'
import { containing, matching } from './like.ts'

/**
 * Up to this many rows, those of a pair are fetched by the index; beyond it, rows are checked one
 * by one.
 */
const rarePairRows = 2_000
/** Up to this many pairs are listed one by one; beyond it, each row's own pairs are compared. */
const pairsNamedMax = 1_000
/**
 * Up to this many pairs, a row is looked up under each of them; beyond it, its own list is read.
 */
const pairsLookedUpMax = 16

/**
 * Returns a condition on a tag. Null for columns, and for comparisons of numbers. It first looks
 * the matching pairs up in the dictionary of tags: a key has few values compared with the rows.
 */
export function tagCondition(scope: Scope, condition: FieldCondition): Sql | null {
  if (typeof condition.field === 'string' || !scope.layout.hasTags) return null
  const wanted = valuesOf(condition)
  if (wanted === null) return null
  const positive = rowsWith(scope, condition.field.tag, wanted.value)
  if (!wanted.isNegated) return positive
  return { text: `not ${positive.text}`, parameters: positive.parameters }
}

interface WantedValues {
  /** Condition on the value of a pair `p`. */
  readonly value: Sql
  /** Selects rows without such a pair. */
  readonly isNegated: boolean
}

function valuesOf(condition: FieldCondition): WantedValues | null {
  switch (condition.op) {
    case 'is':
    case 'isNot':
      return { value: oneOf([condition.value]), isNegated: condition.op === 'isNot' }
    case 'in':
    case 'notIn':
      return { value: oneOf(condition.values), isNegated: condition.op === 'notIn' }
    case 'like':
    case 'notLike':
      return { value: like(matching(condition.pattern)), isNegated: condition.op === 'notLike' }
    case 'contains':
    case 'notContains':
      return {
        value: like(containing(condition.text)),
        isNegated: condition.op === 'notContains',
      }
    case 'exists':
    case 'missing':
      return {
        value: { text: 'p.value is not null', parameters: [] },
        isNegated: condition.op === 'missing',
      }
    case 'atLeast':
    case 'below':
      return null
  }
}

function oneOf(values: readonly (string | number)[]): Sql {
  return {
    text: 'p.value collate nocase in (select value from json_each(?))',
    parameters: [JSON.stringify(values.map(String))],
  }
}

function like(pattern: string): Sql {
  return { text: "p.value collate nocase like ? escape '\\'", parameters: [pattern] }
}

/** Selects rows that carry a pair of the key with a matching value. */
function rowsWith({ connection, layout }: Scope, key: string, value: Sql): Sql {
  const pairs = connection.all(
    `select p.id from tag_pairs p
     where p.key = ? and (p.id & 63 or wanted()) and ${value.text} limit ?`,
    key,
    ...value.parameters,
    pairsNamedMax + 1,
  )
  if (pairs.length > pairsNamedMax) {
    return {
      text: `exists (select 1 from json_each(e.tags) j cross join tag_pairs p on p.id = j.value
        where p.key = ? and ${value.text})`,
      parameters: [key, ...value.parameters],
    }
  }
  const ids = JSON.stringify(pairs.map((pair) => pair['id']))
  if (pairs.length === 0) return { text: 'false', parameters: [] }
  if (layout.name !== 'errors') return ownPairs(ids)
  if (isRare(connection, ids)) {
    return {
      text: `e.id in (select t.error_id from error_tags t
        where t.pair_id in (select value from json_each(?)))`,
      parameters: [ids],
      isSelective: true,
    }
  }
  if (pairs.length > pairsLookedUpMax) return ownPairs(ids)
  return {
    text: `exists (select 1 from error_tags t
      where t.pair_id in (select value from json_each(?)) and t.error_id = e.id)`,
    parameters: [ids],
  }
}

/** Selects rows whose own list has one of the pairs. */
function ownPairs(ids: SQLInputValue): Sql {
  return {
    text: `exists (select 1 from json_each(e.tags) j
      where j.value in (select value from json_each(?)))`,
    parameters: [ids],
  }
}

function isRare(connection: Scope['connection'], ids: string): boolean {
  const rows = connection.get(
    `select count(*) as count from (select 1 from error_tags
       where pair_id in (select value from json_each(?)) limit ?)`,
    ids,
    rarePairRows,
  )?.['count']
  return Number(rows) < rarePairRows
}
