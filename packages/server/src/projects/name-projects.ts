import { problemAt } from '../search/conditions.ts'
import type { KeyTerm, SearchProblem, SearchReading, SearchTree } from '../search/parse.ts'
import { replaceTerms } from '../search/replace-terms.ts'
import { wildcard } from '../search/wildcard.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'

const PROJECT_KEYS = /^project(?:\.(?:slug|name|id))?$/i

/** Puts ids where a search names projects by slug: `project:shop`, `project:shop*`. */
export async function nameProjects(
  tree: SearchTree,
  metadata: MetadataReader,
  projectIds: readonly number[],
): Promise<SearchReading> {
  let projects: Promise<readonly NamedProject[]> | undefined
  return replaceTerms(tree, PROJECT_KEYS, async (term) => {
    projects ??= metadata.all<NamedProject>('select id, slug from projects')
    return withIds(term, await projects, projectIds)
  })
}

interface NamedProject {
  readonly id: number
  readonly slug: string
}

function withIds(
  term: KeyTerm,
  projects: readonly NamedProject[],
  shown: readonly number[],
): KeyTerm | SearchProblem {
  const ids: number[] = []
  for (const value of term.values) {
    const isCalled = wildcard(value, term.isQuoted)
    const called = projects.filter(({ id, slug }) => String(id) === value || isCalled(slug))
    const name = value.slice(0, 60)
    if (called.length === 0) return problemAt(term, `there is no project "${name}"`)
    if (!called.some(({ id }) => shown.includes(id))) {
      return problemAt(term, `the project "${name}" is not among those that are shown`)
    }
    ids.push(...called.map(({ id }) => id))
  }
  const values = [...new Set(ids)].map(String)
  return { ...term, key: 'project.id', comparison: '=', values }
}
