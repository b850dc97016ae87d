/** The status of finished work, by the names of gRPC, which all SDKs use. */
export const spanStatuses = [
  'ok',
  'cancelled',
  'unknown',
  'unknown_error',
  'internal_error',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'unavailable',
  'data_loss',
  'unauthenticated',
] as const

export type SpanStatus = (typeof spanStatuses)[number]

export interface SpanLink {
  readonly trace_id: string
  readonly span_id: string
  readonly sampled?: boolean
  readonly attributes?: Readonly<Record<string, unknown>>
}

export interface Measurement {
  readonly value: number
  /** `millisecond`, `byte`, …; empty or `none` for a plain number. */
  readonly unit?: string
}

/**
 * A span inside a transaction, and the one bare span of a `span` item of SDK 8 to 10 (a web vital
 * that came late). Times are seconds since the epoch.
 */
export interface SpanPayload {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id?: string
  readonly op?: string
  readonly description?: string
  readonly start_timestamp: number
  readonly timestamp: number
  readonly status?: SpanStatus | (string & {})
  readonly origin?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly tags?: Readonly<Record<string, string>>
  /** Bare spans only. */
  readonly measurements?: Readonly<Record<string, Measurement>>
  /** Milliseconds not covered by children. */
  readonly exclusive_time?: number
  readonly is_segment?: boolean
  readonly segment_id?: string
  readonly profile_id?: string
  readonly links?: readonly SpanLink[]
}
