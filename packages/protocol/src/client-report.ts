/** Why an SDK let go of something before sending it. Others occur; these are the documented ones. */
export const discardReasons = [
  'queue_overflow',
  'cache_overflow',
  'buffer_overflow',
  'ratelimit_backoff',
  'network_error',
  'sample_rate',
  'before_send',
  'event_processor',
  'send_error',
  'internal_sdk_error',
  'insufficient_data',
  'backpressure',
  'ignored',
  'invalid',
  'no_parent_span',
] as const

export type DiscardReason = (typeof discardReasons)[number]

/** A count of things of one category that an SDK discarded for one reason. */
export interface DiscardedEvents {
  readonly reason: DiscardReason | (string & {})
  /** A data category; SDKs know some that we do not. */
  readonly category: string
  readonly quantity: number
}

/**
 * What an SDK discarded since its last report. The first list is what SDKs write; the others come
 * from forwarding servers and mean the same with another outcome.
 * @see https://develop.sentry.dev/sdk/telemetry/client-reports/
 */
export interface ClientReportPayload {
  /** Seconds since the epoch, or ISO text. */
  readonly timestamp?: number | string
  readonly discarded_events?: readonly DiscardedEvents[]
  readonly rate_limited_events?: readonly DiscardedEvents[]
  readonly filtered_events?: readonly DiscardedEvents[]
  readonly filtered_sampling_events?: readonly DiscardedEvents[]
}
