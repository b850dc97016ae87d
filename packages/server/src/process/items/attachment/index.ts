import { hash } from 'node:crypto'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { refuse } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemRefusal } from '../container.ts'
import { readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { readHexId } from '../../steps/normalize/text.ts'

/** A file of the event in the same envelope. An empty one is a file too. */
export function processAttachment(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const eventId = readHexId(context.header.event_id, 32)
  if (eventId === null) {
    const refusal = refuse('invalid_event_id', 'The envelope of an attachment names no event.')
    return refusedItem('attachment', itemRefusal(refusal))
  }
  const { header, payload } = item
  const sha256 = hash('sha256', payload)
  const blobKey = `attachments/${context.projectId}/${eventId}/${sha256}`
  return {
    type: 'attachment',
    quantity: 1,
    rows: [
      {
        table: 'attachments',
        timestamp: context.receivedAt,
        columns: {
          eventId,
          name: attachmentName(header.filename),
          sha256,
          type: readLabel(header.attachment_type, 100) ?? 'event.attachment',
          contentType: contentType(header.content_type),
          bytes: payload.length,
          blobKey,
          sha1: hash('sha1', payload),
        },
      },
    ],
    blobs: [{ key: blobKey, bytes: payload }],
    effects: [],
    refusal: null,
  }
}

/**
 * A file's name as a person may see and download it: in any script, without folders and without
 * characters that are not to be seen.
 */
export function attachmentName(raw: unknown): string {
  const text = typeof raw === 'string' ? raw.toWellFormed() : ''
  const last = text.split(/[/\\]/).at(-1) ?? ''
  const visible = last.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '').trim()
  const name = readLabel(visible, itemLimits.attachmentNameCharsMax)
  return name === null || /^\.+$/.test(name) ? 'unnamed' : name
}

/** NOTE: the server of the file decides about its type; the sender's claim is only shown. */
function contentType(raw: unknown): string | null {
  const type = readLabel(raw, 127)
  return type !== null && /^[\w.+-]+\/[\w.+-]+/.test(type) ? type.toLowerCase() : null
}
