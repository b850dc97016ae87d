import type { ApiSearchProblem } from '@afterimage/protocol/api/search'
import { nameProjects } from '../projects/name-projects.ts'
import { nameReleases } from '../releases/name-releases.ts'
import {
  parseSearch,
  type SearchProblem,
  type SearchProblems,
  type SearchTree,
} from '../search/parse.ts'
import type { ApiContext, ApiRequest } from './context.ts'
import { ApiProblem } from './problem.ts'

/**
 * Reads the parameter `query` and what it means to `meaning`. Releases are found by the name that
 * lists show of them, projects by slug. @throws ApiProblem 400 that names every part which means nothing
 */
export async function searchOf<T extends object>(
  c: ApiRequest,
  api: Pick<ApiContext, 'metadata'>,
  projectIds: readonly number[],
  meaning: (tree: SearchTree) => T | SearchProblems,
): Promise<T> {
  const { tree, problems } = parseSearch(c.req.query('query') ?? '')
  const inProjects = await nameProjects(tree, api.metadata, projectIds)
  const named = await nameReleases(inProjects.tree, api.metadata, projectIds)
  const meant = meaning(named.tree)
  const own = [...problems, ...inProjects.problems, ...named.problems]
  const all = isProblems(meant) ? [...own, ...meant.problems] : own
  const [first] = all.toSorted((a, b) => a.position - b.position)
  if (first === undefined && !isProblems(meant)) return meant
  throw refusal(first, all)
}

function isProblems(meant: object): meant is SearchProblems {
  return 'type' in meant && meant.type === 'problems'
}

function refusal(first: SearchProblem | undefined, all: readonly SearchProblem[]): ApiProblem {
  const problems = all.map(({ from, to, detail }): ApiSearchProblem => ({ from, to, detail }))
  const where = first === undefined ? '' : `${first.detail} (at character ${first.position + 1})`
  return new ApiProblem(400, `query: ${where}`, { problems })
}
