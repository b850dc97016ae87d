import { feedbackCharactersMax } from '@afterimage/protocol/limits'
import { hash } from 'node:crypto'
import { decodeJsonObject, type JsonObject } from '@afterimage/protocol/json'
import type { EnvelopeItem } from '@afterimage/protocol/envelope'
import { isRefusal, refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { itemRefusal } from '../container.ts'
import { memberOf, readLabel } from '../fields.ts'
import { refusedItem, type ItemContext } from '../item.ts'
import { cut, readHexId } from '../../steps/normalize/text.ts'
import { userKey } from '../../steps/normalize/user.ts'
import { storedText } from '../span/privacy.ts'

/**
 * Processes a comment that a person wrote about an error, in the oldest of its three forms (SDKs 7 and 8). It has no id of
 * its own: it is known by its event and its words, so that a second sending is a duplicate.
 */
export function processUserReport(item: EnvelopeItem, context: ItemContext): ProcessedItem {
  const raw = decodeJsonObject(item.payload)
  const row = isRefusal(raw) ? raw : reportRow(raw, context)
  if (isRefusal(row)) return refusedItem('user_report', itemRefusal(row))
  return { type: 'user_report', quantity: 1, rows: [row], blobs: [], effects: [], refusal: null }
}

function reportRow(raw: JsonObject, context: ItemContext): Row | Refusal {
  const eventId = readHexId(raw['event_id'] ?? context.header.event_id, 32)
  if (eventId === null) return refuse('invalid_event_id', 'A user report needs an event_id.')
  const comments = raw['comments']
  if (typeof comments !== 'string' || comments.trim() === '') {
    return refuse('missing_field', 'A user report needs comments.')
  }
  const name = readLabel(raw['name'], 128)
  const email = readLabel(raw['email'], 75)
  const message = storedText(cut(comments.trim(), feedbackCharactersMax), context)
  const { header } = context
  return {
    table: 'feedback',
    timestamp: context.receivedAt,
    columns: {
      eventId: hash('sha256', `${eventId}${comments}`).slice(0, 32),
      message,
      name,
      email,
      url: null,
      source: 'user_report',
      associatedEventId: eventId,
      replayId: readHexId(memberOf(header, 'trace', 'replay_id'), 32),
      traceId: readHexId(memberOf(header, 'trace', 'trace_id'), 32),
      release: readLabel(memberOf(header, 'trace', 'release'), 200),
      environment: readLabel(memberOf(header, 'trace', 'environment'), 64),
      userKey: email === null ? null : userKey({ email }),
      userLabel: email ?? name,
    },
    tags: {},
    payload: JSON.stringify({ event_id: eventId, name, email, comments: message }),
  }
}
