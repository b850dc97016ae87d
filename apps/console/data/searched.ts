import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import type { Answer } from './answer.ts'

/** An answer, and the parts of the query that were left out for it. */
export interface Searched<T> {
  readonly answer: Answer<T>
  /** The query that was answered. */
  readonly query: string
  readonly problems: readonly ApiSearchProblem[]
}

/** Asks with a query; when the API refuses parts of it, asks again with the rest. */
export async function searched<T>(
  query: string,
  ask: (query: string) => Promise<Answer<T>>,
): Promise<Searched<T>> {
  const answer = await ask(query)
  if (answer.isOk || answer.problems === undefined) return { answer, query, problems: [] }
  const rest = withoutProblems(query, answer.problems)
  return { answer: await ask(rest), query: rest, problems: answer.problems }
}

/** Cuts the refused parts out of a query. */
export function withoutProblems(query: string, problems: readonly ApiSearchProblem[]): string {
  return problems
    .toSorted((a, b) => b.from - a.from)
    .reduce(
      (left, { from, to }) => `${left.slice(0, from).trimEnd()} ${left.slice(to).trimStart()}`,
      query,
    )
    .trim()
}
