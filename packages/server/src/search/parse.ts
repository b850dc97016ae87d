import { SEARCH_CHARACTERS_MAX, SEARCH_TERMS_MAX, SEARCH_VALUES_MAX } from './limits.ts'

/**
 * Search text as a tree: terms joined by "and". `key:value`, `!key:value`, `key:>5`, `key:[a,b]`,
 * `"quoted words"` and bare words. `*` in an unquoted value stands for any characters. Keys are not
 * judged here: their meaning depends on the searched table.
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
  /** The index of its first character in the text, from 0. */
  readonly position: number
  /** The index after its last character. */
  readonly end: number
}

export interface TextTerm {
  readonly type: 'text'
  readonly text: string
  readonly isNegated: boolean
  readonly position: number
  readonly end: number
}

export type Comparison = '=' | '>' | '>=' | '<' | '<='

/** A part of a search that means nothing, and why: people see both. */
export interface SearchProblem {
  readonly type: 'problem'
  /** The index of the mistake, from 0. */
  readonly position: number
  /** The part that is left out for the rest to mean something: `[from, to)`. */
  readonly from: number
  readonly to: number
  readonly detail: string
}

/** All that is wrong with a search; at least one. */
export interface SearchProblems {
  readonly type: 'problems'
  readonly problems: readonly SearchProblem[]
}

/** The terms read from a search, and its problems. */
export interface SearchReading {
  readonly tree: SearchTree
  readonly problems: readonly SearchProblem[]
}

/** Reads a search; never throws. Empty text is an empty tree. */
export function parseSearch(text: string): SearchReading {
  const terms: SearchTerm[] = []
  const problems: SearchProblem[] = []
  let position = 0
  for (;;) {
    while (isSpace(text[position])) position += 1
    if (position >= text.length) return { tree: terms, problems }
    const beyond = beyondLimits(text, position, terms.length + problems.length)
    if (beyond !== null) return { tree: terms, problems: [...problems, beyond] }
    const read = readTerm(text, position)
    if ('type' in read) {
      problems.push({ ...read, from: position })
      position = read.to
    } else {
      terms.push(read.term)
      position = read.term.end
    }
  }
}

function beyondLimits(text: string, position: number, terms: number): SearchProblem | null {
  const rest = { from: position, to: text.length }
  if (text.length > SEARCH_CHARACTERS_MAX && endOfWord(text, position) > SEARCH_CHARACTERS_MAX) {
    const detail = `a search has at most ${SEARCH_CHARACTERS_MAX} characters`
    return problem(SEARCH_CHARACTERS_MAX, rest, detail)
  }
  if (terms < SEARCH_TERMS_MAX) return null
  return problem(position, rest, `a search has at most ${SEARCH_TERMS_MAX} terms`)
}

type Read<K extends string, T> = { readonly [Name in K]: T } & { readonly end: number }

function readTerm(text: string, start: number): { readonly term: SearchTerm } | SearchProblem {
  const isNegated = text[start] === '!'
  const from = isNegated ? start + 1 : start
  if (text[from] === '"') {
    const quoted = readQuoted(text, from)
    if ('type' in quoted) return quoted
    const { value, end } = quoted
    return { term: { type: 'text', text: value, isNegated, position: start, end } }
  }
  const key = /^[\w.@/-]{1,200}(?=:)/.exec(text.slice(from, from + 201))?.[0]
  if (key !== undefined && !text.startsWith('//', from + key.length + 1)) {
    return readKeyTerm(text, { start, valueAt: from + key.length + 1, key, isNegated })
  }
  const end = endOfWord(text, from)
  if (end === from) {
    return problem(start, { from: start, to: end }, '"!" must come before a word or a key')
  }
  return { term: { type: 'text', text: text.slice(from, end), isNegated, position: start, end } }
}

function readKeyTerm(
  text: string,
  at: { start: number; valueAt: number; key: string; isNegated: boolean },
): { readonly term: SearchTerm } | SearchProblem {
  const base = { type: 'key', key: at.key, isNegated: at.isNegated, position: at.start } as const
  const first = text[at.valueAt]
  if (first === '"') {
    const quoted = readQuoted(text, at.valueAt)
    if ('type' in quoted) return quoted
    const values = [quoted.value]
    return { term: { ...base, comparison: '=', values, isQuoted: true, end: quoted.end } }
  }
  if (first === '[') {
    const list = readList(text, at.valueAt)
    if ('type' in list) return list
    const { values, end } = list
    return { term: { ...base, comparison: '=', values, isQuoted: false, end } }
  }
  const comparison = (/^[<>]=?/.exec(text.slice(at.valueAt, at.valueAt + 2))?.[0] ??
    '=') as Comparison
  const from = comparison === '=' ? at.valueAt : at.valueAt + comparison.length
  const end = endOfWord(text, from)
  if (end === from) {
    return problem(from, { from: at.start, to: end }, `"${at.key}:" needs a value`)
  }
  const values = [text.slice(from, end)]
  return { term: { ...base, comparison, values, isQuoted: false, end } }
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
  const rest = { from: start, to: text.length }
  return problem(start, rest, 'the quote that opens here is never closed')
}

/** `[a, "b c", d]` */
function readList(text: string, start: number): Read<'values', string[]> | SearchProblem {
  const values: string[] = []
  let position = start + 1
  for (;;) {
    while (isSpace(text[position]) || text[position] === ',') position += 1
    const rest = { from: start, to: text.length }
    if (position >= text.length) {
      return problem(start, rest, 'the list that opens here is never closed')
    }
    if (text[position] === ']') break
    if (values.length === SEARCH_VALUES_MAX) {
      return problem(position, rest, `a list has at most ${SEARCH_VALUES_MAX} values`)
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
  if (values.length === 0) {
    return problem(start, { from: start, to: position + 1 }, 'a list needs at least one value')
  }
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

function problem(
  position: number,
  { from, to }: { readonly from: number; readonly to: number },
  detail: string,
): SearchProblem {
  return { type: 'problem', position, from, to, detail }
}
