import { COMMENT_CHARACTERS_MAX } from '../../issues/limits.ts'
import { notesOfIssue } from '../../query/issue-activity.ts'
import { readBody, requiredText } from '../body.ts'
import { nowOf, type Routes } from '../context.ts'
import { issueOfPath, issuePaths } from '../issue-view.ts'
import { notFound } from '../problem.ts'

/** What people write about an issue. Each deletes only what they wrote. */
export const noteRoutes: Routes = (app, api) => {
  const notes = [...issuePaths('notes/'), ...issuePaths('comments/')]
  app.on('GET', notes, async (c) => {
    const issue = await issueOfPath(c, api)
    return c.json(await notesOfIssue(api.metadata, issue.id))
  })

  app.on('POST', notes, async (c) => {
    const issue = await issueOfPath(c, api)
    const text = requiredText(await readBody(c), 'text', COMMENT_CHARACTERS_MAX)
    const user = c.get('principal').user
    const [row] = await api.metadata.all<{ id: number }>(
      `insert into issue_comments (issue_id, user_id, text, created_at) values (?, ?, ?, ?)
       returning id`,
      issue.id,
      user?.id ?? null,
      text,
      nowOf(api),
    )
    const written = await notesOfIssue(api.metadata, issue.id)
    return c.json(written.find((note) => note.id === `note-${row?.id}`) ?? null, 201)
  })

  const note = [...issuePaths('notes/:note/'), ...issuePaths('comments/:note/')]
  app.on('DELETE', note, async (c) => {
    const issue = await issueOfPath(c, api)
    const id = Number(/^(?:note-)?(\d{1,15})$/.exec(c.req.param('note') ?? '')?.[1] ?? -1)
    const removed = await api.metadata.all(
      `delete from issue_comments where id = ? and issue_id = ?
       and (user_id is null or user_id = ?) returning id`,
      id,
      issue.id,
      c.get('principal').user?.id ?? '',
    )
    if (removed.length === 0) throw notFound()
    return c.body(null, 204)
  })
}
