/**
 * Release health on the wire. A `session` item is one update of one session; a `sessions` item is
 * counts by minute from servers that have too many to tell one by one.
 * @see https://develop.sentry.dev/sdk/telemetry/sessions/
 */

/** `unhandled` is the newest: an error nothing caught, after which the page lived on. */
export const sessionStatuses = ['ok', 'exited', 'crashed', 'abnormal', 'unhandled'] as const

export type SessionStatus = (typeof sessionStatuses)[number]

export function isSessionStatus(value: unknown): value is SessionStatus {
  return sessionStatuses.includes(value as SessionStatus)
}

/** Whether no later status follows. */
export function isFinalSessionStatus(status: SessionStatus): boolean {
  return status !== 'ok'
}

export interface SessionAttributes {
  readonly release: string
  readonly environment?: string
  readonly ip_address?: string
  readonly user_agent?: string
}

export interface SessionPayload {
  /** Session id: a UUID, dashed or not. Edge writers leave it out. */
  readonly sid?: string
  /** Distinct id: who it was; user id, else email, else username, else address. */
  readonly did?: string | null
  /** Orders updates; 0 is the first. JavaScript SDKs send none. */
  readonly seq?: number
  readonly init?: boolean
  /** ISO text, like `started`. */
  readonly timestamp?: string
  readonly started: string
  /** Seconds. */
  readonly duration?: number
  readonly status?: SessionStatus
  readonly errors?: number
  readonly abnormal_mechanism?: string
  readonly attrs: SessionAttributes
}

/** Sessions that began in one minute; a missing count is 0. */
export interface SessionAggregate {
  /** ISO text, rounded down to the minute. */
  readonly started: string
  readonly did?: string
  readonly exited?: number
  readonly errored?: number
  readonly abnormal?: number
  readonly crashed?: number
  readonly unhandled?: number
}

export interface SessionAggregatesPayload {
  readonly aggregates: readonly SessionAggregate[]
  readonly attrs: SessionAttributes
}
