import type { ApiEvent } from '@afterimage/protocol/api/event'
import { type FoundEvent, findEvent } from './find-event.ts'
import { neighboursOf } from '../issues/events.ts'
import { issuesOfHashes } from '../issues/hashes.ts'
import { spansOfTransaction } from '../traces/transaction-spans.ts'
import { setLink } from '../api/answer.ts'
import type { ApiContext, ApiRequest, Routes } from '../api/context.ts'
import { issueEventsOf } from '../issues/view.ts'
import { allProjects, cursorOf, limitOf, projectOf } from '../api/parameters.ts'
import { badRequest, notFound } from '../api/problem.ts'
import { serializeError, serializeSummary, serializeTransaction } from './serialize.ts'

/** Events by id, whatever issue they are of. */
export const eventRoutes: Routes = (app, api) => {
  app.get('/projects/:org/:project/events/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const cursor = cursorOf(c)
    const page = await api.events.page({
      table: 'errors',
      projectIds: [project.id],
      where: [],
      ...(cursor === null ? {} : { cursor }),
      limit: limitOf(c),
      withPayload: true,
    })
    setLink(c, { previous: null, next: page.next ?? null })
    const hashes = page.rows.map((row) => row.columns.groupingHash).filter((it) => it !== null)
    const issues = await issuesOfHashes(api.metadata, project.id, [...new Set(hashes)])
    const issueOf = (hash: string | null) => issues.get(hash ?? '') ?? null
    return c.json(page.rows.map((row) => serializeSummary(row, issueOf(row.columns.groupingHash))))
  })

  app.get('/projects/:org/:project/events/:event/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const found = await findEvent(api, project.id, eventIdOf(c.req.param('event')))
    if (found === null) throw notFound()
    return c.json(await answer(c, api, found))
  })

  app.get('/projects/:org/:project/events/:event/json/', async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const found = await findEvent(api, project.id, eventIdOf(c.req.param('event')))
    if (found === null) throw notFound()
    return c.body(found.row.payload ?? '{}', 200, { 'content-type': 'application/json' })
  })

  // `<project slug>:<event id>`, as Sentry writes it.
  app.get('/organizations/:org/events/:event/', async (c) => {
    const [slug = '', id = ''] = c.req.param('event').split(':')
    const project = await projectOf(api, slug)
    const found = await findEvent(api, project.id, eventIdOf(id))
    if (found === null) throw notFound()
    return c.json(await answer(c, api, found))
  })

  app.get('/organizations/:org/eventids/:event/', async (c) => {
    const found = await findEvent(api, null, eventIdOf(c.req.param('event')))
    if (found === null) throw notFound()
    const slug = (await allProjects(api)).get(found.row.projectId)?.slug ?? ''
    const issueId = found.type === 'error' ? found.issueId : null
    return c.json({
      organizationSlug: 'main',
      projectSlug: slug,
      groupId: issueId === null ? null : String(issueId),
      eventId: found.row.columns.eventId,
      event: await answer(c, api, found),
    })
  })
}

/** 32 hex digits, with or without dashes. @throws ApiProblem 400 */
export function eventIdOf(text: string): string {
  const id = text.replaceAll('-', '').toLowerCase()
  if (!/^[0-9a-f]{32}$/.test(id)) throw badRequest('event_id: must be 32 hex digits')
  return id
}

/** An event with its neighbours, where it has an issue to be in. */
export async function answer(c: ApiRequest, api: ApiContext, found: FoundEvent): Promise<ApiEvent> {
  const projectSlug = (await allProjects(api)).get(found.row.projectId)?.slug ?? ''
  const alone = { projectSlug, issueId: null, previousId: null, nextId: null }
  if (found.type === 'transaction') {
    return serializeTransaction(found.row, alone, await spansOfTransaction(api, found.row))
  }
  const { row, issueId } = found
  if (issueId === null) return serializeError(row, alone)
  const of = await issueEventsOf(c, api, { id: issueId, project_id: row.projectId })
  return serializeError(row, { projectSlug, issueId, ...(await neighboursOf(api, of, row)) })
}
