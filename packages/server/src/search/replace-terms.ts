import {
  type KeyTerm,
  leavesOf,
  mapLeaves,
  type SearchProblem,
  type SearchReading,
  type SearchTerm,
  type SearchTree,
} from './parse.ts'

/** Puts what `read` makes of them in place of the terms with such keys; or says what is wrong with each. */
export async function replaceTerms(
  tree: SearchTree,
  keys: RegExp,
  read: (term: KeyTerm) => Promise<KeyTerm | SearchProblem>,
): Promise<SearchReading> {
  const replaced = new Map<SearchTerm, KeyTerm>()
  const problems: SearchProblem[] = []
  for (const term of leavesOf(tree)) {
    if (term.type !== 'key' || !keys.test(term.key)) continue
    const made = await read(term)
    if (made.type === 'problem') problems.push(made)
    else replaced.set(term, made)
  }
  return { tree: mapLeaves(tree, (term) => replaced.get(term) ?? term), problems }
}
