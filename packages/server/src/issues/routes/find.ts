import type { ApiTagValue } from '@afterimage/protocol/api/issue'
import { findIssue } from '../find-issue.ts'
import { RANGE_MS_DEFAULT } from '../../search/limits.ts'
import { errorFields } from '../../search/fields.ts'
import { findVersions } from '../../releases/find-versions.ts'
import type { ApiContext, ApiRequest, Routes } from '../../api/context.ts'
import { nowOf } from '../../api/context.ts'
import { allProjects, projectIdsOf, rangeOf } from '../../api/parameters.ts'
import { notFound } from '../../api/problem.ts'
import { serializeIssues } from '../serialize.ts'

const VALUES_MAX = 50

/** Routes that help while a person types: short ids, and values of tags and fields in a search. */
export const findRoutes: Routes = (app, api) => {
  app.get('/organizations/:org/shortids/:short/', async (c) => {
    const issue = await findIssue(api.metadata, c.req.param('short'))
    if (issue === null) throw notFound()
    const counted = { range: null, conditions: [] }
    const userId = c.get('principal').user?.id ?? null
    const [group] = await serializeIssues(api, [issue], { counted, statsPeriod: null, userId })
    return c.json({
      organizationSlug: 'main',
      projectSlug: group?.project.slug ?? '',
      groupId: String(issue.id),
      shortId: issue.short_id,
      group,
    })
  })

  app.get('/organizations/:org/tags/:key/values/', async (c) =>
    c.json(await tagValues(c, api, c.req.param('key'))),
  )
}

async function tagValues(
  c: ApiRequest,
  api: ApiContext,
  key: string,
): Promise<readonly ApiTagValue[]> {
  const typed = (c.req.query('query') ?? '').replaceAll('*', '').slice(0, 200)
  const projectIds = await projectIdsOf(c, api)
  if (key === 'project' || key === 'project.name') {
    const slugs = [...(await allProjects(api)).values()].map((project) => project.slug)
    return slugs.filter((slug) => slug.includes(typed)).map((slug) => valueOf(key, slug, 0))
  }
  if (key === 'release') return releaseValues(api, projectIds, typed)
  const lower = key.toLowerCase()
  const known = Object.hasOwn(errorFields.keys, lower) ? errorFields.keys[lower] : undefined
  const field = known?.field ?? 'value'
  const rows = await api.events.aggregate({
    table: known === undefined ? 'tags' : 'errors',
    projectIds,
    range: rangeOf(c, api, RANGE_MS_DEFAULT),
    where: [
      ...(known === undefined ? [{ field: 'key', op: 'is', value: key } as const] : []),
      ...(typed === '' ? [] : [{ field, op: 'contains', text: typed } as const]),
    ],
    groupBy: [field],
    measures: [{ type: 'count' }],
    limit: VALUES_MAX,
  })
  return rows
    .filter((row) => row.group[0] !== null && row.group[0] !== '')
    .map((row) => valueOf(key, String(row.group[0]), row.values[0] ?? 0))
}

/** The newest first: that is the one that is looked for. */
async function releaseValues(
  api: ApiContext,
  projectIds: readonly number[],
  typed: string,
): Promise<readonly ApiTagValue[]> {
  const rows = await findVersions(api.metadata, { projectIds, like: typed, limit: VALUES_MAX })
  return rows.map((row) => ({
    ...valueOf('release', row.version, 0),
    lastSeen: new Date(row.lastSeen ?? nowOf(api)).toISOString(),
  }))
}

function valueOf(key: string, value: string, count: number): ApiTagValue {
  return { key, value, name: value, count, lastSeen: null }
}
