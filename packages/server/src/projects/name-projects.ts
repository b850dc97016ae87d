import { problemAt } from '../search/conditions.ts'
import {
  type KeyTerm,
  leavesOf,
  mapLeaves,
  type SearchProblem,
  type SearchReading,
  type SearchTerm,
  type SearchTree,
} from '../search/parse.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'

const PROJECT_KEYS = /^project(?:\.(?:slug|name|id))?$/i

/** Puts ids where a search names projects by slug: `project:shop`, `project:shop*`. */
export async function nameProjects(
  tree: SearchTree,
  metadata: MetadataReader,
  projectIds: readonly number[],
): Promise<SearchReading> {
  const terms = leavesOf(tree).filter(
    (term): term is KeyTerm => term.type === 'key' && PROJECT_KEYS.test(term.key),
  )
  if (terms.length === 0) return { tree, problems: [] }
  const projects = await metadata.all<NamedProject>('select id, slug from projects')
  const named = new Map<SearchTerm, KeyTerm>()
  const problems: SearchProblem[] = []
  for (const term of terms) {
    const read = withIds(term, projects, projectIds)
    if (read.type === 'problem') problems.push(read)
    else named.set(term, read)
  }
  return { tree: mapLeaves(tree, (term) => named.get(term) ?? term), problems }
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
    const called = projects.filter((project) => isCalled(project, value, term.isQuoted))
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

function isCalled({ id, slug }: NamedProject, value: string, isQuoted: boolean): boolean {
  if (String(id) === value) return true
  const parts = isQuoted ? [value] : value.split('*')
  return new RegExp(`^${parts.map(RegExp.escape).join('.*')}$`, 'is').test(slug)
}
