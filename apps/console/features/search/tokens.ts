import type { ApiSearchProblem } from '@afterimage/protocol/api/search'

/**
 * The search language as the search bar sees it: filters `key:value` (`!key:value` excludes) and free
 * text, separated by spaces; quotes keep spaces together. `OR` and words with an open bracket stay as
 * they were typed. Reading never fails: everything else than a filter is text. The server interprets the filters.
 */
export type SearchToken =
  | {
      readonly type: 'filter'
      readonly key: string
      /** Without its quotes. */
      readonly value: string
      readonly isNegated: boolean
    }
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'joint'; readonly value: string }

/** Longer queries are cut: the URL has to carry them. */
export const QUERY_LENGTH_MAX = 2048

const FILTER = /^(!)?((?:tags\[[^\]\s]{1,200}\])|[a-z_][\w.-]{0,200}):(.*)$/is

/** Splits a query into its tokens. */
export function readTokens(query: string): SearchToken[] {
  return splitWords(query.slice(0, QUERY_LENGTH_MAX)).map(({ text }) => readToken(text))
}

/** Finds what is wrong with each of a query's tokens: the detail of the problem it is part of, or null. */
export function tokenProblems(
  query: string,
  problems: readonly ApiSearchProblem[],
): readonly (string | null)[] {
  return splitWords(query.slice(0, QUERY_LENGTH_MAX)).map(
    ({ from, to }) => problems.find((one) => one.from < to && from < one.to)?.detail ?? null,
  )
}

/** Writes tokens back; `readTokens(writeTokens(t))` gives `t` again. */
export function writeTokens(tokens: readonly SearchToken[]): string {
  return tokens.map(writeToken).join(' ')
}

export function writeToken(token: SearchToken): string {
  if (token.type === 'joint') return token.value
  if (token.type === 'text')
    return looksLikeFilter(token.value) ? quote(token.value) : quoted(token.value)
  return `${token.isNegated ? '!' : ''}${token.key}:${quoted(token.value)}`
}

/** The query with a filter added, or moved to this value when the key is there already. */
export function withFilter(query: string, key: string, value: string): string {
  const token: SearchToken = { type: 'filter', key, value, isNegated: false }
  const tokens = readTokens(query)
  const index = tokens.findIndex(
    (one) => one.type === 'filter' && one.key === key && !one.isNegated,
  )
  if (index < 0) return writeTokens([...tokens, token])
  return writeTokens(tokens.with(index, token))
}

function readToken(word: string): SearchToken {
  if (isJoint(word)) return { type: 'joint', value: word }
  const match = word.startsWith('"') ? null : FILTER.exec(word)
  if (match === null) return { type: 'text', value: unquote(word) }
  const [, bang, key = '', value = ''] = match
  return { type: 'filter', key, value: unquote(value), isNegated: bang === '!' }
}

interface Word {
  readonly text: string
  /** `[from, to)` in the query. */
  readonly from: number
  readonly to: number
}

/* Spaces inside quotes do not split; a quote that never closes runs to the end. */
function splitWords(query: string): Word[] {
  const words: Word[] = []
  let word = ''
  let isQuoted = false
  for (let index = 0; index < query.length; index++) {
    const char = query[index] ?? ''
    if (char === '\\' && isQuoted) {
      word += char + (query[index + 1] ?? '')
      index++
    } else if (char === '"') {
      isQuoted = !isQuoted
      word += char
    } else if (/\s/.test(char) && !isQuoted) {
      if (word !== '') words.push({ text: word, from: index - word.length, to: index })
      word = ''
    } else {
      word += char
    }
  }
  if (word !== '') words.push({ text: word, from: query.length - word.length, to: query.length })
  return words
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text
  const isClosed = text.length > 1 && /(?:^|[^\\])(?:\\\\)*"$/.test(text.slice(1))
  return text.slice(1, isClosed ? -1 : undefined).replace(/\\(.)/gs, '$1')
}

/** Says whether a word joins others: `OR`, or one with a bracket that is not closed within it. */
function isJoint(word: string): boolean {
  if (word === 'OR' || word === 'AND' || /^!?\(/.test(word)) return true
  const bare = word.replaceAll(/"(?:\\.|[^"\\])*"?/gs, '')
  return bare.split('(').length !== bare.split(')').length
}

function quoted(value: string): string {
  return value === '' || /[\s"\\]/.test(value) || isJoint(value) ? quote(value) : value
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function looksLikeFilter(text: string): boolean {
  return FILTER.test(text)
}
