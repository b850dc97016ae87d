import type { ApiIssueDetail } from '@afterimage/protocol/api/issue'
import { hashesOf, type IssueRow } from '../../issues/issue-row.ts'
import { removeIssues } from '../../issues/remove-issues.ts'
import { updateIssues } from '../../issues/update-issues.ts'
import { activityOfIssue } from '../../query/issue-activity.ts'
import { tagsOfIssue } from '../../query/issue-tags.ts'
import { CONDITION_VALUES_MAX, TAG_VALUES_MAX } from '../../query/limits.ts'
import { iso } from '../answer.ts'
import { readBody } from '../body.ts'
import { type ApiContext, type ApiRequest, nowOf, type Routes } from '../context.ts'
import { readIssueChange } from '../issue-change.ts'
import { countedOf, issueEventsOf, issueOfPath, issuePaths, statsPeriodOf } from '../issue-view.ts'
import { notFound } from '../problem.ts'
import { serializeIssues } from '../serialize/issue.ts'
import { shareOf } from '../shares.ts'

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
    return c.json(await tagsOfIssue(api, issueEventsOf(c, api, issue), TAG_VALUES_MAX))
  })

  app.on('GET', issuePaths('tags/:key/'), async (c) => {
    const issue = await issueOfPath(c, api)
    const tags = await tagsOfIssue(api, issueEventsOf(c, api, issue), 100)
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
  const [[base], activity, tags, seenBy, share] = await Promise.all([
    serializeIssues(api, [issue], {
      counted: countedOf(c, api),
      statsPeriod: statsPeriodOf(c),
      userId: c.get('principal').user?.id ?? null,
    }),
    activityOfIssue(api.metadata, issue),
    tagsOfIssue(api, issueEventsOf(c, api, issue), TAG_VALUES_MAX),
    seenByOf(api, issue.id),
    shareOf(api, { kind: 'issue', projectId: issue.project_id, issueId: issue.id }),
  ])
  if (base === undefined) throw notFound()
  return {
    ...base,
    activity,
    tags,
    seenBy,
    share: share === null ? null : { id: share.id, url: share.url },
  }
}

async function seenByOf(
  api: ApiContext,
  issueId: number,
): Promise<readonly { readonly id: string; readonly name: string; readonly lastSeen: string }[]> {
  const rows = await api.metadata.all<{ id: string; name: string; seen_at: number }>(
    `select u.id, u.name, s.seen_at from issue_seen s join users u on u.id = s.user_id
     where s.issue_id = ? order by s.seen_at desc limit 100`,
    issueId,
  )
  return rows.map((row) => ({ id: row.id, name: row.name, lastSeen: iso(row.seen_at) }))
}
