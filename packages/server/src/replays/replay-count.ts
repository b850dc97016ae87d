import { hashesOfIssues } from '../issues/hashes.ts'
import { CONDITION_VALUES_MAX, PAGE_ROWS_MAX, RANGE_MS_DEFAULT } from '../search/limits.ts'
import { parseSearch } from '../search/parse.ts'
import type { ApiContext, ApiRequest } from '../api/context.ts'
import { rangeOf } from '../api/parameters.ts'
import { badRequest } from '../api/problem.ts'

/** Issues that one request may ask about. */
const ISSUES_MAX = 25

/**
 * Counts the replays that the events of issues name: `query=issue.id:[1,2]`. With `returnIds` the
 * answer lists them, the greatest number of events first.
 */
export async function replayCount(
  c: ApiRequest,
  api: ApiContext,
): Promise<Readonly<Record<string, number | readonly string[]>>> {
  const ids = issueIdsOf(c.req.query('query') ?? '')
  const range = rangeOf(c, api, RANGE_MS_DEFAULT)
  const isListed = c.req.query('returnIds') === 'true'
  const answer: Record<string, number | readonly string[]> = {}
  for (const id of ids) {
    const hashes = await hashesOfIssues(api.metadata, [id])
    const rows = await api.events.aggregate({
      table: 'errors',
      projectIds: [...new Set(hashes.map((it) => it.projectId))],
      range,
      where: [
        {
          field: 'groupingHash',
          op: 'in',
          values: hashes.slice(0, CONDITION_VALUES_MAX).map((it) => it.hash),
        },
        { field: 'replayId', op: 'exists' },
      ],
      groupBy: ['replayId'],
      measures: [{ type: 'count' }],
      limit: PAGE_ROWS_MAX,
    })
    const replayIds = rows.map(({ group }) => String(group[0]))
    answer[String(id)] = isListed ? replayIds : replayIds.length
  }
  return answer
}

function issueIdsOf(query: string): readonly number[] {
  const [term] = parseSearch(query).tree
  const isAboutIssues = term?.type === 'key' && /^issue\.id$/i.test(term.key)
  if (!isAboutIssues || !term.values.every((value) => /^\d{1,15}$/.test(value))) {
    throw badRequest('query: must be like issue.id:[1,2]')
  }
  if (term.values.length > ISSUES_MAX) throw badRequest(`query: at most ${ISSUES_MAX} issues`)
  return term.values.map(Number)
}
