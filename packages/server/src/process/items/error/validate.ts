import { isRefusal, refuse } from '@afterimage/protocol/outcome'
import type { Refusal } from '@afterimage/protocol/outcome'
import { decodeJson } from '@afterimage/protocol/json'
import { isRecord } from '../../steps/normalize/text.ts'

/** Types that travel in items of their own. */
const foreignTypes = new Set(['transaction', 'feedback', 'replay_event'])

/** Returns the payload as the JSON object of an error, or the refusal that says why it is not one. */
export function validateError(payload: Uint8Array): Record<string, unknown> | Refusal {
  const json = decodeJson(payload)
  if (isRefusal(json)) return json
  const { value } = json
  if (!isRecord(value)) return refuse('invalid_payload', 'An event must be a JSON object.')
  const type = value['type']
  if (typeof type !== 'string' || !foreignTypes.has(type)) return value
  return refuse('invalid_payload', `An event of type ${type} needs an item of that type.`)
}
