import { lexSearch, type Place, type Token } from './lex.ts'

/**
 * Search text as a tree: terms joined by "and". `key:value`, `!key:value`, `key:>5`, `key:[a,b]`,
 * `"quoted words"` and bare words; `OR` between terms, and brackets around them. `*` in an unquoted
 * value stands for any characters. Keys are not judged here: their meaning depends on the searched
 * table.
 */
export type SearchTree = readonly SearchTerm[]

export type SearchTerm = KeyTerm | TextTerm | AnyTerm

/** Terms of which at least one list must hold; two lists or more, none empty. */
export interface AnyTerm {
  readonly type: 'any'
  readonly alternatives: readonly SearchTree[]
}

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
  const { terms, problems } = readGroup(matched(lexSearch(text)), 0)
  return { tree: terms, problems: problems.toSorted((a, b) => a.from - b.from) }
}

/** The terms of a tree, those inside brackets too. */
export function leavesOf(tree: SearchTree): readonly (KeyTerm | TextTerm)[] {
  return tree.flatMap((term) => (term.type === 'any' ? term.alternatives.flatMap(leavesOf) : term))
}

/** Replaces the terms of a tree one by one, those inside brackets too. */
export function mapLeaves(
  tree: SearchTree,
  change: (term: KeyTerm | TextTerm) => SearchTerm,
): SearchTree {
  return tree.map((term) =>
    term.type === 'any'
      ? { ...term, alternatives: term.alternatives.map((one) => mapLeaves(one, change)) }
      : change(term),
  )
}

/** Turns brackets that are never closed into problems. */
function matched(tokens: readonly Token[]): readonly Token[] {
  const open: number[] = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'open') open.push(index)
    if (token.type === 'close') open.pop()
  }
  return tokens.map((token, index) =>
    token.type === 'open' && open.includes(index)
      ? wrong(token, 'the bracket that opens here is never closed')
      : token,
  )
}

interface Group {
  readonly terms: SearchTree
  readonly problems: readonly SearchProblem[]
  /** The index of the token after its last one. */
  readonly end: number
}

/** Reads tokens until the bracket closes, or all. */
function readGroup(tokens: readonly Token[], start: number): Group {
  const alternatives: SearchTerm[][] = [[]]
  const problems: SearchProblem[] = []
  let pendingOr: Place | null = null
  let index = start
  for (; index < tokens.length; index += 1) {
    const token = tokens[index]
    if (token === undefined || token.type === 'close') break
    const current = alternatives.at(-1) ?? []
    switch (token.type) {
      case 'problem':
        problems.push(token)
        break
      case 'or':
        if (current.length === 0) problems.push(wrong(token, danglingOr))
        else {
          alternatives.push([])
          pendingOr = token
        }
        break
      case 'open': {
        const inner = readGroup(tokens, index + 1)
        index = inner.end
        if (inner.terms.length === 0) problems.push(emptyGroup(token, tokens[index], inner))
        else problems.push(...inner.problems)
        current.push(...(token.isNegated ? negatedAll(inner.terms) : inner.terms))
        break
      }
      default:
        current.push(token)
    }
  }
  if (pendingOr !== null && alternatives.at(-1)?.length === 0) {
    problems.push(wrong(pendingOr, danglingOr))
    alternatives.pop()
  }
  const [only = []] = alternatives
  const terms: SearchTree = alternatives.length === 1 ? only : [{ type: 'any', alternatives }]
  return { terms, problems, end: index }
}

const danglingOr = '"OR" must stand between two terms'

/** A bracket with nothing valid inside is left out as a whole. */
function emptyGroup(open: Place, close: Token | undefined, { problems }: Group): SearchProblem {
  const end = close?.type === 'close' ? close.end : open.end
  const [first] = problems
  const problem = wrong({ ...open, end }, first?.detail ?? 'there is nothing between the brackets')
  return { ...problem, position: first?.position ?? open.position }
}

function wrong({ position, end }: Place, detail: string): SearchProblem {
  return { type: 'problem', position, from: position, to: end, detail }
}

/** Returns the opposite of terms joined by "and": at least one of them does not hold. */
function negatedAll(terms: SearchTree): SearchTree {
  const opposites = terms.map(negatedOne)
  const [only = []] = opposites
  return opposites.length === 1 ? only : [{ type: 'any', alternatives: opposites }]
}

function negatedOne(term: SearchTerm): SearchTree {
  if (term.type === 'any') return term.alternatives.flatMap(negatedAll)
  return [{ ...term, isNegated: !term.isNegated }]
}
