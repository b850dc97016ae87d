import type { Condition, Field } from '../storage/events/port.ts'
import type { KeyTerm, SearchProblem, SearchProblems, SearchTerm, SearchTree } from './parse.ts'

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
}

export interface SearchFields {
  readonly keys: Readonly<Record<string, SearchField>>
  /** The fields searched for bare words; null refuses them. */
  readonly text: Field | null
  /** Keys that are not listed are tags; otherwise they are refused. */
  readonly hasTags: boolean
}

/** Reads a search as conditions of the events store, joined by "and"; or why parts of it mean nothing. */
export function conditionsOf(
  tree: SearchTree,
  fields: SearchFields,
): readonly Condition[] | SearchProblems {
  const conditions: Condition[] = []
  const problems: SearchProblem[] = []
  for (const term of tree) {
    const condition = term.type === 'text' ? textSearch(term, fields) : conditionOf(term, fields)
    if ('type' in condition) problems.push(condition)
    else conditions.push(condition)
  }
  return problems.length === 0 ? conditions : { type: 'problems', problems }
}

function textSearch(
  term: Extract<SearchTerm, { readonly type: 'text' }>,
  fields: SearchFields,
): Condition | SearchProblem {
  if (fields.text === null) return problemAt(term, `"${term.text}" stands without a key`)
  const op = term.isNegated ? 'notContains' : 'contains'
  return { field: fields.text, op, text: term.text }
}

function conditionOf(term: KeyTerm, fields: SearchFields): Condition | SearchProblem {
  if (term.key === 'has') {
    const named = fieldOf(term.values[0] ?? '', fields)
    if (named === null) return unknownKey(term, term.values[0] ?? '')
    return { field: named.field, op: term.isNegated ? 'missing' : 'exists' }
  }
  const field = fieldOf(term.key, fields)
  if (field === null) return unknownKey(term, term.key)
  if (term.values.length === 1 && term.values[0] === '') {
    return { field: field.field, op: term.isNegated ? 'exists' : 'missing' }
  }
  return field.kind === 'text' ? textCondition(term, field) : numberCondition(term, field)
}

function fieldOf(key: string, fields: SearchFields): SearchField | null {
  const lower = key.toLowerCase()
  if (Object.hasOwn(fields.keys, lower)) return fields.keys[lower] ?? null
  if (!fields.hasTags || key === '') return null
  return { field: { tag: key.replace(/^tags?\./, '') }, kind: 'text' }
}

function textCondition(term: KeyTerm, field: SearchField): Condition | SearchProblem {
  if (term.comparison !== '=') {
    return problemAt(term, `"${term.key}" is a text and cannot be compared with ${term.comparison}`)
  }
  const unknown = unknownValue(term, field.values)
  if (unknown !== null) return unknown
  const write = field.write ?? ((value: string) => value)
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

function numberCondition(term: KeyTerm, field: SearchField): Condition | SearchProblem {
  const numbers = term.values.map((value) => numberOf(value, field))
  if (numbers.some((number) => number === null)) {
    const wanted = field.kind === 'time' ? 'a time, or an age like -7d' : 'a number'
    return problemAt(term, `"${term.key}" needs ${wanted}`)
  }
  const values = numbers as number[]
  const [value = 0] = values
  if (values.length > 1) {
    return { field: field.field, op: term.isNegated ? 'notIn' : 'in', values }
  }
  if (term.comparison === '=') {
    return { field: field.field, op: term.isNegated ? 'isNot' : 'is', value }
  }
  return compared({ field: field.field, step: field.kind === 'number' ? 1e-6 : 1 }, value, term)
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
  if (field.kind === 'time') return Number.isNaN(Date.parse(text)) ? null : Date.parse(text)
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
