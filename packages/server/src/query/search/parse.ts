import { SEARCH_CHARACTERS_MAX, SEARCH_TERMS_MAX, SEARCH_VALUES_MAX } from '../limits.ts'

/**
 * Search text as a tree: terms joined by "and". `key:value`, `!key:value`, `key:>5`, `key:[a,b]`,
 * `"quoted words"` and bare words. `*` in an unquoted value stands for any characters. Keys are not
 * judged here: what a key means depends on what is searched.
 */
export type SearchTree = readonly SearchTerm[]

export type SearchTerm = KeyTerm | TextTerm

export interface KeyTerm {
  readonly type: 'key'
  /** As written. */
  readonly key: string
  readonly comparison: Comparison
  /** One, or those of a list; at least one. */
  readonly values: readonly string[]
  /** The value was in quotes: `*` and `>` in it are themselves. */
  readonly isQuoted: boolean
  readonly isNegated: boolean
  /** Of its first character in the text, from 0. */
  readonly position: number
}

export interface TextTerm {
  readonly type: 'text'
  readonly text: string
  readonly isNegated: boolean
  readonly position: number
}

export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** Why a text is no search, and where: people see both. */
export interface SearchProblem {
  readonly type: 'problem'
  readonly position: number
  readonly detail: string
}

/** Reads a search; never throws. Empty text is an empty tree. */
export function parseSearch(text: string): SearchTree | SearchProblem {
  if (text.length > SEARCH_CHARACTERS_MAX) {
    return problem(
      SEARCH_CHARACTERS_MAX,
      `a search has at most ${SEARCH_CHARACTERS_MAX} characters`,
    )
  }
  const terms: SearchTerm[] = []
  let position = 0
  for (;;) {
    while (isSpace(text[position])) position += 1
    if (position >= text.length) return terms
    if (terms.length === SEARCH_TERMS_MAX) {
      return problem(position, `a search has at most ${SEARCH_TERMS_MAX} terms`)
    }
    const read = readTerm(text, position)
    if ('type' in read) return read
    terms.push(read.term)
    position = read.end
  }
}

export function isSearchProblem(value: SearchTree | SearchProblem): value is SearchProblem {
  return 'type' in value && value.type === 'problem'
}

type Read<K extends string, T> = { readonly [Name in K]: T } & { readonly end: number }

function readTerm(text: string, start: number): Read<'term', SearchTerm> | SearchProblem {
  const isNegated = text[start] === '!'
  const from = isNegated ? start + 1 : start
  if (text[from] === '"') {
    const quoted = readQuoted(text, from)
    if ('type' in quoted) return quoted
    const term = { type: 'text', text: quoted.value, isNegated, position: start } as const
    return { term, end: quoted.end }
  }
  const key = /^[\w.@/-]{1,200}(?=:)/.exec(text.slice(from, from + 201))?.[0]
  if (key !== undefined && !text.startsWith('//', from + key.length + 1)) {
    return readKeyTerm(text, { start, valueAt: from + key.length + 1, key, isNegated })
  }
  const end = endOfWord(text, from)
  if (end === from) return problem(start, '"!" must stand before a word or a key')
  const term = { type: 'text', text: text.slice(from, end), isNegated, position: start } as const
  return { term, end }
}

function readKeyTerm(
  text: string,
  at: { start: number; valueAt: number; key: string; isNegated: boolean },
): Read<'term', SearchTerm> | SearchProblem {
  const base = { type: 'key', key: at.key, isNegated: at.isNegated, position: at.start } as const
  const first = text[at.valueAt]
  if (first === '"') {
    const quoted = readQuoted(text, at.valueAt)
    if ('type' in quoted) return quoted
    const values = [quoted.value]
    return { term: { ...base, comparison: '=', values, isQuoted: true }, end: quoted.end }
  }
  if (first === '[') {
    const list = readList(text, at.valueAt)
    if ('type' in list) return list
    return {
      term: { ...base, comparison: '=', values: list.values, isQuoted: false },
      end: list.end,
    }
  }
  const comparison = (/^[<>]=?/.exec(text.slice(at.valueAt, at.valueAt + 2))?.[0] ??
    '=') as Comparison
  const from = comparison === '=' ? at.valueAt : at.valueAt + comparison.length
  const end = endOfWord(text, from)
  if (end === from) return problem(from, `"${at.key}:" needs a value`)
  const values = [text.slice(from, end)]
  return { term: { ...base, comparison, values, isQuoted: false }, end }
}

/** A text in double quotes; `\"` and `\\` are themselves. */
function readQuoted(text: string, start: number): Read<'value', string> | SearchProblem {
  let value = ''
  for (let position = start + 1; position < text.length; position += 1) {
    const character = text[position]
    if (character === '"') return { value, end: position + 1 }
    if (character === '\\' && position + 1 < text.length) {
      position += 1
      value += text[position]
    } else {
      value += character
    }
  }
  return problem(start, 'the quote that opens here is never closed')
}

/** `[a, "b c", d]` */
function readList(text: string, start: number): Read<'values', string[]> | SearchProblem {
  const values: string[] = []
  let position = start + 1
  for (;;) {
    while (isSpace(text[position]) || text[position] === ',') position += 1
    if (position >= text.length) return problem(start, 'the list that opens here is never closed')
    if (text[position] === ']') break
    if (values.length === SEARCH_VALUES_MAX) {
      return problem(position, `a list has at most ${SEARCH_VALUES_MAX} values`)
    }
    if (text[position] === '"') {
      const quoted = readQuoted(text, position)
      if ('type' in quoted) return quoted
      values.push(quoted.value)
      position = quoted.end
    } else {
      const from = position
      while (position < text.length && !/[,\]]/.test(text[position] ?? '')) position += 1
      values.push(text.slice(from, position).trim())
    }
  }
  if (values.length === 0) return problem(start, 'a list needs at least one value')
  return { values, end: position + 1 }
}

function endOfWord(text: string, from: number): number {
  let end = from
  while (end < text.length && !isSpace(text[end])) end += 1
  return end
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character)
}

function problem(position: number, detail: string): SearchProblem {
  return { type: 'problem', position, detail }
}
