import { BULK_ISSUES_MAX } from '../limits.ts'
import { peopleToAssign } from '../people.ts'
import { removeIssues } from '../remove.ts'
import { readIssueChange } from '../change.ts'
import { updateIssues } from '../update.ts'
import { findIssues, type IssueQuestion, issueSorts, listIssues } from '../list.ts'
import { issueFilterOf, namesOneIssue } from '../search-filter.ts'
import type { SearchTree } from '../../search/parse.ts'
import { RANGE_MS_DEFAULT } from '../../search/limits.ts'
import { setLink } from '../../api/answer.ts'
import { readBody } from '../../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../../api/context.ts'
import { statsPeriodOf } from '../view.ts'
import {
  cursorOf,
  environmentsOf,
  limitOf,
  projectIdsOf,
  projectOf,
  rangeOf,
} from '../../api/parameters.ts'
import { badRequest } from '../../api/problem.ts'
import { searchOf } from '../../api/search-parameter.ts'
import { serializeIssues } from '../serialize.ts'

const paths = ['/organizations/:org/issues/', '/projects/:org/:project/issues/'] as const

/** The issue stream and its bulk changes. */
export const issueListRoutes: Routes = (app, api) => {
  app.on('GET', [...paths], async (c) => {
    const question = await questionOf(c, api)
    const page = await listIssues(api, question)
    setLink(c, page)
    c.header('X-Hits', String(page.hits))
    return c.json(
      await serializeIssues(api, page.issues, {
        counted: question.counted,
        statsPeriod: statsPeriodOf(c),
        userId: c.get('principal').user?.id ?? null,
      }),
    )
  })

  app.on('PUT', [...paths], async (c) => {
    const change = await readIssueChange(await readBody(c), api, c)
    const ids = await selectedIds(c, api)
    const changed = await updateIssues(api, ids, change)
    c.header('X-Hits', String(changed))
    return c.json({ ...change.echo, count: changed })
  })

  app.on('DELETE', [...paths], async (c) => {
    const ids = await selectedIds(c, api)
    const removed = await removeIssues(api.metadata, ids, nowOf(api))
    c.header('X-Hits', String(removed))
    return c.body(null, 204)
  })
}

/**
 * Says whether a bulk change names its issues: by a query or a status, or by the path of one project,
 * all of whose issues are then meant. Deleting needs a query.
 */
function isChosen(c: ApiRequest): boolean {
  if (c.req.query('query') !== undefined) return true
  const isOfProject = c.req.param('project') !== undefined || c.req.query('status') !== undefined
  return isOfProject && c.req.method === 'PUT'
}

/** Says whether a bulk change is of every issue of a project, however old. */
function isOfAll(c: ApiRequest): boolean {
  return c.req.method === 'PUT' && c.req.query('query') === undefined
}

/** `status=unresolved`, as other tools choose issues, as a term of the search. */
function statusTerms(c: ApiRequest): SearchTree {
  const status = c.req.query('status') ?? ''
  if (status === '') return []
  const place = { position: 0, end: 0 }
  return [
    {
      type: 'key',
      key: 'is',
      comparison: '=',
      values: [status],
      isQuoted: false,
      isNegated: false,
      ...place,
    },
  ]
}

/** `id=1&id=2`, else those that `query` finds; a change of everything must say so with a query. */
async function selectedIds(c: ApiRequest, api: ApiContext): Promise<readonly number[]> {
  const named = c.req.queries('id') ?? []
  if (named.length > BULK_ISSUES_MAX)
    throw badRequest(`id: at most ${BULK_ISSUES_MAX} may be given`)
  if (named.some((id) => !/^\d{1,15}$/.test(id))) throw badRequest('id: must be issue ids')
  if (named.length > 0) return named.map(Number)
  if (!isChosen(c)) throw badRequest('id: give ids, or a query')
  const found = await findIssues(api, await questionOf(c, api))
  if (found.length > BULK_ISSUES_MAX) {
    throw badRequest(`query: finds ${found.length} issues; at most ${BULK_ISSUES_MAX} at once`)
  }
  return found.map((candidate) => candidate.id)
}

async function questionOf(c: ApiRequest, api: ApiContext): Promise<IssueQuestion> {
  const project = c.req.param('project')
  const projectIds =
    project === undefined ? await projectIdsOf(c, api) : [(await projectOf(api, project)).id]
  const now = nowOf(api)
  const userId = c.get('principal').user?.id ?? null
  const people = await peopleToAssign(api.metadata)
  let isOfOne = false
  const filter = await searchOf(c, api, projectIds, (tree) => {
    isOfOne = namesOneIssue(tree)
    return issueFilterOf([...tree, ...statusTerms(c)], { now, userId, people })
  })
  const sortText = c.req.query('sort') ?? 'inbox'
  const sort = issueSorts.find((known) => known === sortText)
  if (sort === undefined) throw badRequest(`sort: must be one of ${issueSorts.join(', ')}`)
  return {
    projectIds,
    filter,
    counted: {
      // An id is looked for in all of time.
      range:
        isOfOne || isOfAll(c) ? { from: 0, to: now + 60_000 } : rangeOf(c, api, RANGE_MS_DEFAULT),
      conditions: [...filter.conditions, ...environmentsOf(c)],
    },
    sort,
    limit: limitOf(c),
    cursor: cursorOf(c),
    now,
  }
}
