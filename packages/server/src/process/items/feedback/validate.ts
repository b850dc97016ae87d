import { isRefusal, refuse } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'
import { decodeJson } from '@afterimage/protocol/json'
import { isRecord } from '../../steps/normalize/text.ts'

/** The payload, when it is an event with a feedback context that says something. */
export function validateFeedback(payload: Uint8Array): Record<string, unknown> | Refusal {
  const json = decodeJson(payload)
  if (isRefusal(json)) return json
  const { value } = json
  const contexts = isRecord(value) ? value['contexts'] : null
  const feedback = isRecord(contexts) ? contexts['feedback'] : null
  if (!isRecord(value) || !isRecord(feedback)) {
    return refuse('missing_field', 'Feedback needs contexts.feedback.')
  }
  const message = feedback['message']
  if (typeof message === 'string' && message.trim() !== '') return value
  return refuse('missing_field', 'Feedback needs a message.')
}
