/**
 * The fates of an item. Every item that arrives gets exactly one, with a reason unless it was
 * simply accepted; every drop is counted.
 */
export const outcomes = [
  'accepted',
  'duplicate',
  'filtered',
  'rate_limited',
  'invalid',
  'unsupported',
  'client_discard',
] as const

export type Outcome = (typeof outcomes)[number]

/** A reason is a short snake_case word from a closed list; the detail is for people and logs. */
export const refusalReasons = [
  'empty_body',
  'invalid_envelope_header',
  'invalid_item_header',
  'invalid_framing',
  'invalid_event_id',
  'invalid_dsn',
  'dsn_mismatch',
  'missing_auth',
  'invalid_auth',
  'multiple_auth',
  'unknown_project',
  'unknown_key',
  'unsupported_version',
  'too_large',
  'too_many_events',
  'too_many_items',
  'invalid_encoding',
  'invalid_json',
  'invalid_payload',
  'missing_field',
  'invalid_timestamp',
  'invalid_identifier',
  'item_count_mismatch',
  'unsupported_item_type',
  'unsupported_media_type',
  'replay_removed',
  'session_too_old',
  'internal',
] as const

export type RefusalReason = (typeof refusalReasons)[number]

/** Bad data as a value, with the reason for its refusal. Never thrown. */
export interface Refusal {
  readonly type: 'refusal'
  readonly outcome: Exclude<Outcome, 'accepted'>
  readonly reason: RefusalReason
  /** One sentence naming the offending value, cut to 200 characters. */
  readonly detail: string
}

export function refuse(
  reason: RefusalReason,
  detail: string,
  outcome: Refusal['outcome'] = 'invalid',
): Refusal {
  return { type: 'refusal', outcome, reason, detail: detail.slice(0, 200) }
}

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && (value as Refusal).type === 'refusal'
}
