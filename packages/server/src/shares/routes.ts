import type { ApiSharedIssue, ApiSharedReplay } from '@afterimage/protocol/api/shared'
import { issueOf } from '../events/find-event.ts'
import { findIssue } from '../issues/find-issue.ts'
import { pickIssueEvent } from '../issues/events.ts'
import { iso } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { issueOfPath, issuePaths } from '../issues/view.ts'
import { allProjects, projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'
import { serializeError } from '../events/serialize.ts'
import { serializeIssues } from '../issues/serialize.ts'
import { serializeReplay } from '../replays/serialize.ts'
import { sharedEvent } from './serialize-event.ts'
import { createShare, revokeShare, shareByToken, shareOf, type ShareTarget } from './shares.ts'
import { answerSegments, findReplay } from '../replays/routes.ts'

/** Errors of a replay that its share page names. */
const SHARED_ERRORS_MAX = 25

/** Links that show one issue or one replay to whoever has them: making and revoking. */
export const shareRoutes: Routes = (app, api) => {
  const issueTarget = async (c: ApiRequest): Promise<ShareTarget> => {
    const issue = await issueOfPath(c, api)
    return { kind: 'issue', projectId: issue.project_id, issueId: issue.id }
  }
  const replayTarget = async (c: ApiRequest): Promise<ShareTarget> => {
    const slug = c.req.param('project')
    const projectId = slug === undefined ? null : (await projectOf(api, slug)).id
    const row = await findReplay(api, projectId, c.req.param('replay') ?? '')
    return { kind: 'replay', projectId: row.projectId, replayId: row.columns.replayId ?? '' }
  }
  const kinds = [
    { paths: issuePaths('share/'), target: issueTarget },
    {
      paths: [
        '/organizations/:org/replays/:replay/share/',
        '/projects/:org/:project/replays/:replay/share/',
      ],
      target: replayTarget,
    },
  ]
  for (const { paths, target } of kinds) {
    app.on('GET', paths, async (c) => {
      const share = await shareOf(api, await target(c))
      if (share === null) throw notFound()
      return c.json(share)
    })
    app.on('POST', paths, async (c) => {
      const userId = c.get('principal').user?.id ?? null
      return c.json(await createShare(api, await target(c), userId), 201)
    })
    app.on('DELETE', paths, async (c) => {
      const userId = c.get('principal').user?.id ?? null
      if (!(await revokeShare(api, await target(c), userId))) throw notFound()
      return c.body(null, 204)
    })
  }
}

/** Routes of shared links, open to anyone: they leave out people, their addresses and identities. */
export const publicShareRoutes: Routes = (app, api) => {
  app.get('/shared/issues/:token/', async (c) =>
    c.json(await sharedIssue(api, c.req.param('token'))),
  )
  app.get('/shared/replays/:token/', async (c) =>
    c.json(await sharedReplay(api, c.req.param('token'))),
  )
  app.get('/shared/replays/:token/recording-segments/', async (c) => {
    const target = await shareByToken(api, 'replay', c.req.param('token'))
    if (target?.kind !== 'replay') throw notFound()
    return answerSegments(c, api, await findReplay(api, target.projectId, target.replayId))
  })
}

async function sharedIssue(api: ApiContext, token: string): Promise<ApiSharedIssue> {
  const target = await shareByToken(api, 'issue', token)
  if (target?.kind !== 'issue') throw notFound()
  const issue = await findIssue(api.metadata, String(target.issueId))
  if (issue === null) throw notFound()
  const counted = { range: null, conditions: [] }
  const [whole] = await serializeIssues(api, [issue], { counted, statsPeriod: null, userId: null })
  if (whole === undefined) throw notFound()
  const scope = { projectId: issue.project_id, issueId: issue.id, ...counted }
  const row = await pickIssueEvent(api, scope, 'recommended')
  const replayId = row?.columns.replayId ?? null
  const replay =
    replayId === null
      ? null
      : await shareOf(api, { kind: 'replay', projectId: issue.project_id, replayId })
  const { shortId, title, culprit, level, metadata, status, count, userCount } = whole
  const { firstSeen, lastSeen } = whole
  return {
    issue: {
      shortId,
      title,
      culprit,
      level,
      metadata,
      status,
      count,
      userCount,
      firstSeen,
      lastSeen,
    },
    event:
      row === null
        ? null
        : sharedEvent(
            serializeError(row, {
              projectSlug: (await allProjects(api)).get(row.projectId)?.slug ?? '',
              issueId: null,
              previousId: null,
              nextId: null,
            }),
          ),
    replayToken: replay?.id ?? null,
  }
}

async function sharedReplay(api: ApiContext, token: string): Promise<ApiSharedReplay> {
  const target = await shareByToken(api, 'replay', token)
  if (target?.kind !== 'replay') throw notFound()
  const row = await findReplay(api, target.projectId, target.replayId)
  const replay = serializeReplay(row)
  const errors = await api.events.page({
    table: 'errors',
    projectIds: [row.projectId],
    where: [{ field: 'replayId', op: 'is', value: target.replayId }],
    order: { field: 'timestamp', descending: false },
    limit: SHARED_ERRORS_MAX,
  })
  let issueToken: string | null = null
  for (const error of errors.rows) {
    const issueId = issueToken === null ? await issueOf(api, error) : null
    if (issueId === null) continue
    const share = await shareOf(api, { kind: 'issue', projectId: row.projectId, issueId })
    issueToken = share?.id ?? null
  }
  const nobody = { id: null, email: null, username: null, ip: null, display_name: null }
  return {
    replay: { ...replay, user: nobody, tags: {} },
    errors: errors.rows.map(({ columns, timestamp }) => ({
      event_id: columns.eventId ?? '',
      title: columns.title ?? '',
      level: columns.level ?? 'error',
      timestamp: iso(columns.clientTimestamp ?? timestamp),
    })),
    issueToken,
  }
}
