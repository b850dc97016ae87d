import type { ApiEvent } from '@afterimage/protocol/api/event'
import type { ReplayError } from './timeline/steps.ts'

/** An error event as a sign on a replay's timeline. */
export function replayErrorOf(event: ApiEvent): ReplayError {
  const level = event.tags.find((tag) => tag.key === 'level')?.value ?? 'error'
  return {
    eventId: event.eventID,
    issueId: event.groupID,
    shortId: null,
    title: event.title,
    level,
    timestamp: Date.parse(event.dateClient ?? event.dateCreated),
  }
}
