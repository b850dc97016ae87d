import { captureEvent } from '@afterimage/sdk-core/api'
import type { OutgoingItem } from '@afterimage/sdk-core/envelope'
import { cleanAddress } from '@afterimage/sdk-core/clean-address'
import { guard } from '@afterimage/sdk-core/guard'
import { feedbackCharactersMax } from './limits.ts'
import { cut, textOf } from '@afterimage/sdk-core/normalize'

/** A person's feedback about the page. */
export interface Feedback {
  /** At most 4096 characters are sent. */
  readonly message: string
  readonly name?: string
  readonly email?: string
  /** The page it is about; by default the current one. */
  readonly url?: string
  /** The control that opened the form. */
  readonly source?: string
  /** The id of the error it is about, from `captureException` or `lastEventId`. */
  readonly associatedEventId?: string
  readonly attachments?: readonly Attachment[]
}

export interface Attachment {
  readonly filename: string
  readonly data: string | Uint8Array
  readonly contentType?: string
}

/** Sends a person's words, and a screenshot if there is one. Returns the id; '' before `init`. */
export function captureFeedback(feedback: Feedback): string {
  return guard(() => {
    const { name, source, url = location.href, attachments = [] } = feedback
    const told = {
      message: cut(textOf(feedback.message), feedbackCharactersMax - 3),
      name,
      contact_email: feedback.email,
      url: cleanAddress(url),
      source,
      associated_event_id: feedback.associatedEventId,
    }
    return captureEvent(
      { type: 'feedback', level: 'info', contexts: { feedback: told } },
      { attachments: attachments.map(attachmentItem) },
    )
  }, '')
}

/** Makes an item of a file; for hints too. */
export function attachmentItem({ filename, data, contentType }: Attachment): OutgoingItem {
  return {
    header: { type: 'attachment', filename, ...(contentType && { content_type: contentType }) },
    payload: data,
  }
}
