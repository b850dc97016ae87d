import { createHash } from 'node:crypto'
import type { ApiAttachment } from '@afterimage/protocol/api/event'
import type { StoredRow } from '../storage/events/tables.ts'
import { iso } from '../api/answer.ts'
import type { ApiContext, Routes } from '../api/context.ts'
import { projectOf } from '../api/parameters.ts'
import { notFound } from '../api/problem.ts'
import { eventIdOf } from './routes.ts'

type AttachmentRow = StoredRow<'attachments'>

/** Attachments of one event that are listed. */
const ATTACHMENTS_MAX = 200

const PATH = '/projects/:org/:project/events/:event/attachments/'

/** Attachments: the list, and each as a download that no browser opens. */
export const attachmentRoutes: Routes = (app, api) => {
  app.get(PATH, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const rows = await attachmentsOf(api, project.id, eventIdOf(c.req.param('event')))
    return c.json(rows.map(serialize))
  })

  app.get(`${PATH}:attachment/`, async (c) => {
    const project = await projectOf(api, c.req.param('project'))
    const rows = await attachmentsOf(api, project.id, eventIdOf(c.req.param('event')))
    const row = rows.find((it) => idOf(it) === c.req.param('attachment'))
    if (row === undefined) throw notFound()
    if (c.req.query('download') === undefined) return c.json(serialize(row))
    const blob = await api.blobs.get(row.columns.blobKey ?? '')
    if (blob === null) throw notFound('The attachment’s content is no longer kept.')
    return c.body(blob.body, 200, {
      // A sender may give it any type; served as a download, it cannot run here.
      'content-type': 'application/octet-stream',
      'content-length': String(blob.bytes),
      'content-disposition': dispositionOf(row.columns.name ?? 'attachment'),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
  })
}

async function attachmentsOf(
  api: ApiContext,
  projectId: number,
  eventId: string,
): Promise<readonly AttachmentRow[]> {
  const page = await api.events.page({
    table: 'attachments',
    projectIds: [projectId],
    where: [{ field: 'eventId', op: 'is', value: eventId }],
    order: { field: 'name', descending: false },
    limit: ATTACHMENTS_MAX,
  })
  return page.rows
}

function serialize(row: AttachmentRow): ApiAttachment {
  const { columns } = row
  return {
    id: idOf(row),
    event_id: columns.eventId ?? '',
    type: columns.type ?? 'event.attachment',
    name: columns.name ?? '',
    mimetype: columns.contentType ?? 'application/octet-stream',
    dateCreated: iso(row.timestamp),
    size: columns.bytes ?? 0,
    sha1: columns.sha1 ?? '',
    sha256: columns.sha256 ?? '',
    headers: { 'Content-Type': columns.contentType ?? 'application/octet-stream' },
  }
}

/** An event may bring one name with two contents, and one content under two names. */
function idOf({ columns }: AttachmentRow): string {
  const identity = `${columns.sha256}/${columns.name}`
  return createHash('sha256').update(identity).digest('hex').slice(0, 32)
}

/** RFC 6266: a plain name for old programs, the true one in UTF-8. */
function dispositionOf(name: string): string {
  const last = name.split(/[/\\]/).at(-1) || 'attachment'
  const plain = last.replaceAll(/[^\w.-]/g, '_').slice(0, 200)
  const encoded = encodeURIComponent(last.slice(0, 200).toWellFormed()).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
