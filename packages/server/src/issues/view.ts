import type { Counted } from './counts.ts'
import type { IssueEvents } from './events.ts'
import { findIssue } from './find-issue.ts'
import { conditionsOf } from '../search/conditions.ts'
import { errorFields } from '../search/fields.ts'
import type { SearchTree } from '../search/parse.ts'
import type { IssueRow } from './row.ts'
import { type ApiContext, type ApiRequest, nowOf } from '../api/context.ts'
import { environmentsOf, periodMs, rangeOf } from '../api/parameters.ts'
import { searchOf } from '../api/search-parameter.ts'
import { badRequest, notFound } from '../api/problem.ts'

/** Both spellings of an issue's path. */
export function issuePaths(rest: string): string[] {
  return [`/issues/:issue/${rest}`, `/organizations/:org/issues/:issue/${rest}`]
}

/** The issue of a path, by id or short id. @throws ApiProblem 404 */
export async function issueOfPath(c: ApiRequest, api: ApiContext): Promise<IssueRow> {
  const issue = await findIssue(api.metadata, c.req.param('issue') ?? '')
  if (issue === null) throw notFound()
  return issue
}

/** The issue's events that `query`, `environment` and the time range let through. */
export async function issueEventsOf(
  c: ApiRequest,
  api: ApiContext,
  issue: Pick<IssueRow, 'id' | 'project_id'>,
): Promise<IssueEvents> {
  const now = nowOf(api)
  const conditions = await searchOf(c, api, [issue.project_id], (tree) =>
    conditionsOf(aboutEvents(tree), errorFields, now),
  )
  return {
    projectId: issue.project_id,
    issueId: issue.id,
    conditions: [...conditions, ...environmentsOf(c)],
    range: rangeOf(c, api, null),
  }
}

/** Returns the events that an issue's numbers count; by default all. */
export function countedOf(c: ApiRequest, api: ApiContext): Counted {
  return { range: rangeOf(c, api, null), conditions: environmentsOf(c) }
}

/** `groupStatsPeriod`: `24h` (the default), `14d`, `auto`, or empty for none. */
export function statsPeriodOf(c: ApiRequest): string | null {
  const period = c.req.query('groupStatsPeriod')
  if (period === undefined) return '24h'
  if (period === '') return null
  if (period !== 'auto' && periodMs(period) === null) {
    throw badRequest(`groupStatsPeriod: "${period.slice(0, 40)}" is not 24h, 14d or auto`)
  }
  return period
}

const ABOUT_ISSUES =
  /^(is|assigned|assigned_or_suggested|bookmarks|issue|issue\.id|issue\.category|issue\.priority|priority|times_?seen|first_?seen|last_?seen|first-?_?release|age|type|issue\.type|logger|stack\.filename|stack\.abs_path|stack\.function)$/i

/** Terms about issues (`is:unresolved`) say nothing about single events and are passed over. */
function aboutEvents(tree: SearchTree): SearchTree {
  return tree.flatMap((term) => {
    if (term.type === 'any') {
      return { ...term, alternatives: term.alternatives.map((one) => aboutEvents(one)) }
    }
    return term.type === 'key' && ABOUT_ISSUES.test(term.key) ? [] : term
  })
}
