import { SEARCH_CHARACTERS_MAX, SEARCH_TERMS_MAX, SEARCH_VALUES_MAX } from './limits.ts'
import type { Comparison, KeyTerm, SearchProblem, TextTerm } from './parse.ts'

/** One piece of a search: a term, a part that means nothing, or what joins terms. */
export type Token = KeyTerm | TextTerm | SearchProblem | Joint

/** A bracket, or the word `OR`. */
export type Joint = Place &
  (
    | { readonly type: 'open'; readonly isNegated: boolean }
    | { readonly type: 'close' }
    | { readonly type: 'or' }
  )

/** `[position, end)` in the text. */
export interface Place {
  readonly position: number
  readonly end: number
}

/** Cuts a search into its pieces; spaces and the word `AND` say nothing. A `close` always has its `open`. */
export function lexSearch(text: string): readonly Token[] {
  const tokens: Token[] = []
  let terms = 0
  let depth = 0
  let position = 0
  for (;;) {
    while (isSpace(text[position])) position += 1
    if (position >= text.length) return tokens
    const beyond = beyondLimits(text, position, terms)
    if (beyond !== null) return [...tokens, beyond]
    const joint = readJoint(text, position, depth)
    const token = joint ?? readTerm(text, position, depth > 0)
    if (token.type === 'open') depth += 1
    else if (token.type === 'close') depth -= 1
    else if (token.type !== 'or') terms += 1
    if (token.type === 'problem') {
      tokens.push({ ...token, from: position })
      position = token.to
    } else {
      if (token.type !== 'text' || token.isNegated || !isAnd(text, token)) tokens.push(token)
      position = token.end
    }
  }
}

function isAnd(text: string, { position, end }: TextTerm): boolean {
  return text.slice(position, end) === 'AND'
}

function readJoint(text: string, position: number, depth: number): Joint | SearchProblem | null {
  const at = { position, end: position + 1 }
  if (text[position] === '(') return { ...at, type: 'open', isNegated: false }
  if (text.startsWith('!(', position)) {
    return { type: 'open', isNegated: true, position, end: position + 2 }
  }
  if (text[position] === ')') {
    if (depth > 0) return { ...at, type: 'close' }
    const detail = 'the bracket that closes here was never opened'
    return problem(position, { from: position, to: position + 1 }, detail)
  }
  const end = endOfWord(text, position, depth > 0)
  return text.slice(position, end) === 'OR' ? { ...at, type: 'or', end } : null
}

function beyondLimits(text: string, position: number, terms: number): SearchProblem | null {
  const rest = { from: position, to: text.length }
  if (
    text.length > SEARCH_CHARACTERS_MAX &&
    endOfWord(text, position, false) > SEARCH_CHARACTERS_MAX
  ) {
    const detail = `a search has at most ${SEARCH_CHARACTERS_MAX} characters`
    return problem(SEARCH_CHARACTERS_MAX, rest, detail)
  }
  if (terms < SEARCH_TERMS_MAX) return null
  return problem(position, rest, `a search has at most ${SEARCH_TERMS_MAX} terms`)
}

/** A name, or `tags[name]` for a tag whose name is also that of a field. */
const KEY = /^(?:tags\[[^\]\s]{1,200}\]|[\w.@/-]{1,200})(?=:)/

type Read<K extends string, T> = { readonly [Name in K]: T } & { readonly end: number }

function readTerm(
  text: string,
  start: number,
  isInBrackets: boolean,
): KeyTerm | TextTerm | SearchProblem {
  const isNegated = text[start] === '!'
  const from = isNegated ? start + 1 : start
  if (text[from] === '"') {
    const quoted = readQuoted(text, from)
    if ('type' in quoted) return quoted
    const { value, end } = quoted
    return { type: 'text', text: value, isNegated, position: start, end }
  }
  const key = KEY.exec(text.slice(from, from + 210))?.[0]
  if (key !== undefined && !text.startsWith('//', from + key.length + 1)) {
    return readKeyTerm(text, {
      start,
      valueAt: from + key.length + 1,
      key,
      isNegated,
      isInBrackets,
    })
  }
  const end = endOfWord(text, from, isInBrackets)
  if (end === from) {
    return problem(start, { from: start, to: end }, '"!" must come before a word or a key')
  }
  return { type: 'text', text: text.slice(from, end), isNegated, position: start, end }
}

function readKeyTerm(
  text: string,
  at: { start: number; valueAt: number; key: string; isNegated: boolean; isInBrackets: boolean },
): KeyTerm | SearchProblem {
  const base = { type: 'key', key: at.key, isNegated: at.isNegated, position: at.start } as const
  const first = text[at.valueAt]
  if (first === '"') {
    const quoted = readQuoted(text, at.valueAt)
    if ('type' in quoted) return quoted
    const values = [quoted.value]
    return { ...base, comparison: '=', values, isQuoted: true, end: quoted.end }
  }
  if (first === '[') {
    const list = readList(text, at.valueAt)
    if ('type' in list) return list
    const { values, end } = list
    return { ...base, comparison: '=', values, isQuoted: false, end }
  }
  const comparison = (/^[<>]=?/.exec(text.slice(at.valueAt, at.valueAt + 2))?.[0] ??
    '=') as Comparison
  const from = comparison === '=' ? at.valueAt : at.valueAt + comparison.length
  const end = endOfWord(text, from, at.isInBrackets)
  if (end === from) {
    return problem(from, { from: at.start, to: end }, `"${at.key}:" needs a value`)
  }
  const values = [text.slice(from, end)]
  return { ...base, comparison, values, isQuoted: false, end }
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

/** Finds where a word ends: inside brackets also before one that closes and was not opened in the word. */
function endOfWord(text: string, from: number, isInBrackets: boolean): number {
  let end = from
  let opened = 0
  for (; end < text.length && !isSpace(text[end]); end += 1) {
    if (text[end] === '(') opened += 1
    if (text[end] === ')') opened -= 1
    if (opened < 0 && isInBrackets) break
  }
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
