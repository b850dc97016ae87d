import { COMMENT_CHARACTERS_MAX } from '../limits.ts'
import { notesOfIssue } from '../activity.ts'
import { deleteNote, writeNote } from '../notes.ts'
import { readBody, requiredText } from '../../api/body.ts'
import { nowOf, type Routes } from '../../api/context.ts'
import { issueOfPath, issuePaths } from '../view.ts'
import { notFound } from '../../api/problem.ts'

/** Routes of comments on an issue. People delete only their own. */
export const noteRoutes: Routes = (app, api) => {
  const notes = [...issuePaths('notes/'), ...issuePaths('comments/')]
  app.on('GET', notes, async (c) => {
    const issue = await issueOfPath(c, api)
    return c.json(await notesOfIssue(api.metadata, issue.id))
  })

  app.on('POST', notes, async (c) => {
    const issue = await issueOfPath(c, api)
    const text = requiredText(await readBody(c), 'text', COMMENT_CHARACTERS_MAX)
    const userId = c.get('principal').user?.id ?? null
    const id = await writeNote(api.metadata, { issueId: issue.id, userId, text, at: nowOf(api) })
    const written = await notesOfIssue(api.metadata, issue.id)
    return c.json(written.find((note) => note.id === `note-${id}`) ?? null, 201)
  })

  const note = [...issuePaths('notes/:note/'), ...issuePaths('comments/:note/')]
  app.on('DELETE', note, async (c) => {
    const issue = await issueOfPath(c, api)
    const id = Number(/^(?:note-)?(\d{1,15})$/.exec(c.req.param('note') ?? '')?.[1] ?? -1)
    const userId = c.get('principal').user?.id ?? null
    const isDeleted = await deleteNote(api.metadata, { id, issueId: issue.id, userId })
    if (!isDeleted) throw notFound()
    return c.body(null, 204)
  })
}
