import type { EventPayload } from './event-payload.ts'

/**
 * What a person wrote, in the form of the widget: an event whose `contexts.feedback` has the words.
 * A screenshot rides in the same envelope as an attachment.
 */
export interface FeedbackPayload extends EventPayload {
  readonly type: 'feedback'
  readonly contexts: EventPayload['contexts'] & { readonly feedback: FeedbackContext }
}

export interface FeedbackContext {
  /** At most 4096 characters. */
  readonly message: string
  readonly contact_email?: string
  readonly name?: string
  /** The page it was written on. */
  readonly url?: string
  /** What opened the form: `widget`, `report-dialog`, or a word of the application's own. */
  readonly source?: string
  readonly associated_event_id?: string
  readonly replay_id?: string
}

/** The older form (`user_report`, SDK 7 and 8): words about one event. */
export interface UserReportPayload {
  readonly event_id: string
  readonly name?: string
  readonly email?: string
  /** At most 4096 characters. */
  readonly comments: string
}
