import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { TriangleAlert } from 'lucide-react'
import styles from './search-problems.module.css'

/** Names the parts of a search that are not valid, with the reason. The list below answers the rest. */
export function SearchProblems(props: {
  readonly query: string
  readonly problems: readonly ApiSearchProblem[]
}) {
  const { query, problems } = props
  if (problems.length === 0) return null
  return (
    <div role="status">
      <ul className={styles['problems']}>
        {problems.map((problem) => (
          <li key={problem.from}>
            <TriangleAlert size={14} aria-hidden />
            <span>
              <code>{query.slice(problem.from, problem.to).trim()}</code> is left out:{' '}
              {problem.detail}.
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
