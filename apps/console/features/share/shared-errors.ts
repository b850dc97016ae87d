import type { ApiSharedError } from '@afterimage/protocol/api/shared'
import type { ReplayError } from '../replay/timeline/steps.ts'

/** The errors of a shared replay as signs on its timeline; their issues stay inside the product. */
export function sharedErrors(errors: readonly ApiSharedError[]): readonly ReplayError[] {
  return errors.map((error) => ({
    eventId: error.event_id,
    issueId: null,
    shortId: null,
    title: error.title,
    level: error.level,
    timestamp: Date.parse(error.timestamp),
  }))
}
