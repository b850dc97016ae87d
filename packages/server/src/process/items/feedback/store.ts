import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { ItemContext } from '../item.ts'
import { linkedReplayId, linkedTrace } from '../../steps/normalize/links.ts'
import { eventLimits } from '../../steps/normalize/limits.ts'
import { cut, readHexId, readText } from '../../steps/normalize/text.ts'
import { userKey, userLabel } from '../../steps/normalize/user.ts'
import type { ProcessedItem } from '../../../storage/events/port.ts'

/** Characters of a message, as the SDKs' own form allows. */
const messageMax = 4096

/** Builds the row and effects of a feedback. */
export function storeFeedback(
  itemType: string,
  event: NormalizedEvent,
  context: ItemContext,
): ProcessedItem {
  const said = event.contexts['feedback'] ?? {}
  const release = event.release ?? null
  const environment = event.environment ?? null
  const replayId = readHexId(said['replay_id'], 32) ?? linkedReplayId(event, context.header)
  return {
    type: itemType,
    quantity: 1,
    rows: [
      {
        table: 'feedback',
        timestamp: event.timestamp,
        tags: event.tags,
        payload: JSON.stringify(event),
        columns: {
          eventId: event.event_id,
          message: cut(readText(said['message'], messageMax) ?? '', messageMax),
          name: readText(said['name'], eventLimits.label) ?? event.user?.name ?? null,
          email: readText(said['contact_email'], eventLimits.label) ?? event.user?.email ?? null,
          url: readText(said['url'], eventLimits.url) ?? event.request?.url ?? null,
          source: readText(said['source'], eventLimits.identifier),
          associatedEventId: readHexId(said['associated_event_id'], 32),
          replayId,
          traceId: linkedTrace(event, context.header).traceId,
          release,
          environment,
          userKey: userKey(event.user),
          userLabel: userLabel(event.user),
        },
      },
    ],
    blobs: [],
    effects:
      release === null && environment === null
        ? []
        : [{ type: 'release', release, environment, timestamp: event.timestamp }],
    refusal: null,
  }
}
