import { findEvent } from '../../events/find-event.ts'
import { pageIssueEvents, pickIssueEvent, type WhichEvent } from '../events.ts'
import { setLink } from '../../api/answer.ts'
import type { Routes } from '../../api/context.ts'
import { issueEventsOf, issueOfPath, issuePaths } from '../view.ts'
import { cursorOf, limitOf } from '../../api/parameters.ts'
import { notFound } from '../../api/problem.ts'
import { serializeSummary } from '../../events/serialize.ts'
import { answer, eventIdOf } from '../../events/routes.ts'

/** The events of an issue, within a filter: all of them, and one of them. */
export const issueEventRoutes: Routes = (app, api) => {
  app.on('GET', issuePaths('events/'), async (c) => {
    const issue = await issueOfPath(c, api)
    const page = await pageIssueEvents(api, await issueEventsOf(c, api, issue), {
      limit: limitOf(c),
      cursor: cursorOf(c),
    })
    setLink(c, { previous: null, next: page.next ?? null })
    return c.json(page.rows.map((row) => serializeSummary(row, issue.id)))
  })

  app.on('GET', issuePaths('events/:event/'), async (c) => {
    const issue = await issueOfPath(c, api)
    const of = await issueEventsOf(c, api, issue)
    const which = c.req.param('event') ?? ''
    if (['latest', 'oldest', 'recommended'].includes(which)) {
      const row = await pickIssueEvent(api, of, which as WhichEvent)
      if (row === null) throw notFound('No event of this issue matches.')
      return c.json(await answer(c, api, { type: 'error', row, issueId: issue.id }))
    }
    const found = await findEvent(api, issue.project_id, eventIdOf(which))
    if (found === null || found.type !== 'error' || found.issueId !== issue.id) throw notFound()
    return c.json(await answer(c, api, found))
  })
}
