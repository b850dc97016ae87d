import type { ApiIssueDetail } from '@afterimage/protocol/api/issue'
import { hashesOf, type IssueRow } from '../row.ts'
import { removeIssues } from '../remove.ts'
import { updateIssues } from '../update.ts'
import { activityOfIssue } from '../activity.ts'
import { tagsOfIssue } from '../tags.ts'
import { CONDITION_VALUES_MAX, TAG_VALUES_MAX } from '../../search/limits.ts'
import { seenBy } from '../people.ts'
import { readBody } from '../../api/body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../../api/context.ts'
import { readIssueChange } from '../change.ts'
import { countedOf, issueEventsOf, issueOfPath, issuePaths, statsPeriodOf } from '../view.ts'
import { notFound } from '../../api/problem.ts'
import { serializeIssues } from '../serialize.ts'
import { shareOf } from '../../shares/shares.ts'

/** One issue: detail, change, delete, tags, history. */
export const issueRoutes: Routes = (app, api) => {
  app.on('GET', issuePaths(''), async (c) => {
    const issue = await issueOfPath(c, api)
    return c.json(await detail(c, api, issue))
  })

  app.on('PUT', issuePaths(''), async (c) => {
    const issue = await issueOfPath(c, api)
    const change = await readIssueChange(await readBody(c), api, c)
    await updateIssues(api, [issue.id], change)
    return c.json(await detail(c, api, await issueOfPath(c, api)))
  })

  app.on('DELETE', issuePaths(''), async (c) => {
    const issue = await issueOfPath(c, api)
    await removeIssues(api.metadata, [issue.id], nowOf(api))
    return c.body(null, 202)
  })

  app.on('GET', issuePaths('hashes/'), async (c) => {
    const issue = await issueOfPath(c, api)
    const hashes = await hashesOf(api.metadata, issue.id, CONDITION_VALUES_MAX)
    return c.json(hashes.map((id) => ({ id })))
  })

  app.on('GET', issuePaths('tags/'), async (c) => {
    const issue = await issueOfPath(c, api)
    return c.json(await tagsOfIssue(api, await issueEventsOf(c, api, issue), TAG_VALUES_MAX))
  })

  app.on('GET', issuePaths('tags/:key/'), async (c) => {
    const issue = await issueOfPath(c, api)
    const tags = await tagsOfIssue(api, await issueEventsOf(c, api, issue), 100)
    const tag = tags.find((it) => it.key === c.req.param('key'))
    if (tag === undefined) throw notFound()
    return c.json(tag)
  })

  app.on('GET', [...issuePaths('activities/'), ...issuePaths('activity/')], async (c) => {
    const issue = await issueOfPath(c, api)
    return c.json({ activity: await activityOfIssue(api.metadata, issue) })
  })
}

async function detail(c: ApiRequest, api: ApiContext, issue: IssueRow): Promise<ApiIssueDetail> {
  const [[base], activity, tags, seen, share] = await Promise.all([
    serializeIssues(api, [issue], {
      counted: countedOf(c, api),
      statsPeriod: statsPeriodOf(c),
      userId: c.get('principal').user?.id ?? null,
    }),
    activityOfIssue(api.metadata, issue),
    tagsOfIssue(api, await issueEventsOf(c, api, issue), TAG_VALUES_MAX),
    seenBy(api.metadata, issue.id),
    shareOf(api, { kind: 'issue', projectId: issue.project_id, issueId: issue.id }),
  ])
  if (base === undefined) throw notFound()
  return {
    ...base,
    activity,
    tags,
    seenBy: seen,
    share: share === null ? null : { id: share.id, url: share.url },
  }
}
