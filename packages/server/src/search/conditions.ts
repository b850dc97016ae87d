import type { Condition, Field } from '../storage/events/port.ts'
import type {
  AnyTerm,
  KeyTerm,
  SearchProblem,
  SearchProblems,
  SearchTree,
  TextTerm,
} from './parse.ts'
import { timeBoundsOf } from './times.ts'

/** The meaning of a search key in a table of the events store. */
export interface SearchField {
  readonly field: Field
  readonly kind: 'text' | 'whole' | 'number' | 'time'
  /** Turns what people write into what the column holds: `7` into `id:7`. */
  readonly write?: (value: string) => string
  /** Named values of a number column: `true` is 1. */
  readonly named?: Readonly<Record<string, number>>
  /** All values that there are, where they are few; in lower case. */
  readonly values?: readonly string[]
  /** The unit of a bare number of a duration, in ms: 1000 for seconds. Default 1. */
  readonly unitMs?: number
  /** The column holds the value among other text. */
  readonly isWithin?: boolean
  /** Further places of the same thing: a value in any of them will do. */
  readonly also?: readonly Pick<SearchField, 'field' | 'write'>[]
}

export interface SearchFields {
  readonly keys: Readonly<Record<string, SearchField>>
  /** The fields searched for bare words; null refuses them. */
  readonly text: Field | null
  /** The fields that a bare id of 32 hex digits is looked for in. */
  readonly ids: readonly Pick<SearchField, 'field' | 'isWithin'>[]
  /** Keys that are not listed are tags; otherwise they are refused. */
  readonly hasTags: boolean
}

/** Reads a search as conditions of the events store, joined by "and"; or why parts of it mean nothing. */
export function conditionsOf(
  tree: SearchTree,
  fields: SearchFields,
  now: number,
): readonly Condition[] | SearchProblems {
  const conditions: Condition[] = []
  const problems: SearchProblem[] = []
  for (const term of tree) {
    const read = readAny(term, fields, now)
    if ('type' in read) problems.push(...(read.type === 'problems' ? read.problems : [read]))
    else conditions.push(...read)
  }
  return problems.length === 0 ? conditions : { type: 'problems', problems }
}

type Read = readonly Condition[] | SearchProblem

function readAny(
  term: SearchTree[number],
  fields: SearchFields,
  now: number,
): Read | SearchProblems {
  if (term.type === 'text') return textSearch(term, fields)
  return term.type === 'key' ? keyConditions(term, fields, now) : alternatives(term, fields, now)
}

function alternatives(term: AnyTerm, fields: SearchFields, now: number): Read | SearchProblems {
  const lists: (readonly Condition[])[] = []
  const problems: SearchProblem[] = []
  for (const alternative of term.alternatives) {
    const read = conditionsOf(alternative, fields, now)
    if ('type' in read) problems.push(...read.problems)
    else lists.push(read)
  }
  return problems.length > 0 ? { type: 'problems', problems } : [{ op: 'any', of: lists }]
}

function textSearch(term: TextTerm, fields: SearchFields): Read {
  const id = idOf(term)
  if (id !== null && fields.ids.length > 0) {
    const named = fields.ids.map(({ field, isWithin }): Condition => {
      if (isWithin === true)
        return { field, op: term.isNegated ? 'notContains' : 'contains', text: id }
      return { field, op: term.isNegated ? 'isNot' : 'is', value: id }
    })
    return joinedReadings(named, term.isNegated)
  }
  if (fields.text === null) return problemAt(term, `"${term.text}" stands without a key`)
  const op = term.isNegated ? 'notContains' : 'contains'
  return [{ field: fields.text, op, text: term.text }]
}

/** Returns the bare id that a term is, as columns hold it; null when it is another text. */
export function idOf({ text }: TextTerm): string | null {
  const id = text.replaceAll('-', '').toLowerCase()
  return /^[0-9a-f]{32}$/.test(id) ? id : null
}

function keyConditions(term: KeyTerm, fields: SearchFields, now: number): Read {
  if (term.key === 'has') {
    const named = fieldOf(term.values[0] ?? '', fields)
    if (named === null) return unknownKey(term, term.values[0] ?? '')
    return existing(named, !term.isNegated)
  }
  const field = fieldOf(term.key, fields)
  if (field === null) return unknownKey(term, term.key)
  if (term.values.length === 1 && term.values[0] === '') return existing(field, term.isNegated)
  if (field.kind === 'time') return timeConditions(term, field, now)
  if (field.kind !== 'text') return numberCondition(term, field)
  const readings = [field, ...(field.also ?? []).map((more) => ({ ...field, ...more }))]
  const conditions: Condition[] = []
  for (const reading of readings) {
    const read = textCondition(term, reading)
    if ('type' in read) return read
    conditions.push(read)
  }
  return joinedReadings(conditions, term.isNegated)
}

function existing(field: SearchField, isThere: boolean): readonly Condition[] {
  const op = isThere ? 'exists' : 'missing'
  return joinedReadings(
    [field, ...(field.also ?? [])].map((one) => ({ field: one.field, op })),
    !isThere,
  )
}

/** Joins places of one thing by "or"; it is absent only where it is in none. */
function joinedReadings(
  conditions: readonly Condition[],
  isNegated: boolean,
): readonly Condition[] {
  if (isNegated || conditions.length === 1) return conditions
  return [{ op: 'any', of: conditions.map((condition) => [condition]) }]
}

function timeConditions(term: KeyTerm, { field }: SearchField, now: number): Read {
  const bounds = timeBoundsOf(term, now)
  if (bounds === null) {
    return problemAt(term, `"${term.key}" needs a time like 2026-01-31, or an age like -7d`)
  }
  const { from, to } = bounds
  if (!term.isNegated) {
    return [
      ...(from === null ? [] : [{ field, op: 'atLeast', value: from } as const]),
      ...(to === null ? [] : [{ field, op: 'below', value: to } as const]),
    ]
  }
  const outside: readonly Condition[] = [
    ...(from === null ? [] : [{ field, op: 'below', value: from } as const]),
    ...(to === null ? [] : [{ field, op: 'atLeast', value: to } as const]),
  ]
  return joinedReadings(outside, false)
}

function fieldOf(key: string, fields: SearchFields): SearchField | null {
  const lower = key.toLowerCase()
  if (Object.hasOwn(fields.keys, lower)) return fields.keys[lower] ?? null
  if (!fields.hasTags || key === '') return null
  const tag = /^tags\[(.+)\]$/s.exec(key)?.[1] ?? key.replace(/^tags?\./, '')
  return { field: { tag }, kind: 'text' }
}

function textCondition(term: KeyTerm, field: SearchField): Condition | SearchProblem {
  if (term.comparison !== '=') {
    return problemAt(term, `"${term.key}" is a text and cannot be compared with ${term.comparison}`)
  }
  const unknown = unknownValue(term, field.values)
  if (unknown !== null) return unknown
  const write = field.write ?? ((value: string) => value)
  if (field.isWithin === true) return withinCondition(term, field)
  const hasWildcard = !term.isQuoted && term.values.some((value) => write(value).includes('*'))
  if (term.values.length > 1) {
    if (hasWildcard) return problemAt(term, `a list of "${term.key}" cannot hold *`)
    const values = term.values.map(write)
    return { field: field.field, op: term.isNegated ? 'notIn' : 'in', values }
  }
  const value = write(term.values[0] ?? '')
  if (hasWildcard) {
    return { field: field.field, op: term.isNegated ? 'notLike' : 'like', pattern: value }
  }
  return { field: field.field, op: term.isNegated ? 'isNot' : 'is', value }
}

/** Finds a value among the other text of a column. */
function withinCondition(term: KeyTerm, { field }: SearchField): Condition {
  const conditions = term.values.map((value): Condition => {
    const hasWildcard = !term.isQuoted && value.includes('*')
    if (term.isNegated) {
      return hasWildcard
        ? { field, op: 'notLike', pattern: `*${value}*` }
        : { field, op: 'notContains', text: value }
    }
    return hasWildcard
      ? { field, op: 'like', pattern: `*${value}*` }
      : { field, op: 'contains', text: value }
  })
  return { op: 'any', of: term.isNegated ? [conditions] : conditions.map((one) => [one]) }
}

/** Finds a value that nothing can have; null when each is one of `known`, or a pattern. */
export function unknownValue(
  term: KeyTerm,
  known: readonly string[] | undefined,
): SearchProblem | null {
  const isKnown = (value: string) =>
    value === '' || value.includes('*') || known?.includes(value.toLowerCase()) !== false
  const wrong = term.values.find((value) => !isKnown(value))
  if (wrong === undefined || known === undefined) return null
  return problemAt(
    term,
    `there is no ${term.key} "${wrong.slice(0, 60)}"; it is one of ${known.join(', ')}`,
  )
}

function numberCondition(term: KeyTerm, field: SearchField): Read {
  if (field.named !== undefined) {
    const unknown = unknownValue(term, Object.keys(field.named))
    if (unknown !== null) return unknown
  }
  const numbers = term.values.map((value) => numberOf(value, field))
  if (numbers.some((number) => number === null)) {
    return problemAt(term, `"${term.key}" needs a number`)
  }
  const values = numbers as number[]
  const [value = 0] = values
  if (values.length > 1) {
    return [{ field: field.field, op: term.isNegated ? 'notIn' : 'in', values }]
  }
  if (term.comparison === '=') {
    return [{ field: field.field, op: term.isNegated ? 'isNot' : 'is', value }]
  }
  const condition = compared(
    { field: field.field, step: field.kind === 'number' ? 1e-6 : 1 },
    value,
    term,
  )
  return [condition]
}

/** The store knows "at least" and "below"; the next number stands for the other two. */
function compared(
  { field, step }: { readonly field: Field; readonly step: number },
  value: number,
  term: KeyTerm,
): Condition {
  switch (term.comparison) {
    case '>':
      return { field, op: term.isNegated ? 'below' : 'atLeast', value: value + step }
    case '>=':
      return { field, op: term.isNegated ? 'below' : 'atLeast', value }
    case '<':
      return { field, op: term.isNegated ? 'atLeast' : 'below', value }
    case '<=':
      return { field, op: term.isNegated ? 'atLeast' : 'below', value: value + step }
    case '=':
      return { field, op: 'is', value }
  }
}

function numberOf(text: string, field: SearchField): number | null {
  if (field.named !== undefined && Object.hasOwn(field.named, text.toLowerCase())) {
    return field.named[text.toLowerCase()] ?? null
  }
  const match = /^(-?\d{1,15}(?:\.\d{1,9})?)(ms|s|m|min|h)?$/.exec(text)
  if (match === null) return null
  if (match[2] === undefined) return Number(match[1]) * (field.unitMs ?? 1)
  return (
    Number(match[1]) * ({ ms: 1, s: 1000, m: 60_000, min: 60_000, h: 3_600_000 }[match[2]] ?? 1)
  )
}

function unknownKey(term: KeyTerm, key: string): SearchProblem {
  return problemAt(term, `there is nothing called "${key.slice(0, 60)}" to search for here`)
}

export function problemAt(
  term: { readonly position: number; readonly end: number },
  detail: string,
): SearchProblem {
  return { type: 'problem', position: term.position, from: term.position, to: term.end, detail }
}
