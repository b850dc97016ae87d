import type { EventPayload } from './event-payload.ts'
import type { Measurement, SpanLink, SpanPayload, SpanStatus } from './span.ts'

/** The quality of a transaction's name: a bare `url` contains ids, a `route` does not. */
export const nameSources = ['custom', 'url', 'route', 'view', 'component', 'task'] as const

export type NameSource = (typeof nameSources)[number]

/** `contexts.trace`: the root span of a transaction, or the span in which an error happened. */
export interface TraceContext {
  readonly trace_id: string
  readonly span_id: string
  readonly parent_span_id?: string
  readonly op?: string
  readonly status?: SpanStatus | (string & {})
  readonly origin?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly links?: readonly SpanLink[]
}

/**
 * A root span with its children, sent when it ends. Current JavaScript SDKs stream spans instead
 * unless told otherwise; every other language sends these.
 */
export interface TransactionPayload extends Omit<EventPayload, 'contexts'> {
  readonly type: 'transaction'
  readonly transaction: string
  readonly transaction_info?: { readonly source: NameSource }
  /** Seconds since the epoch. */
  readonly start_timestamp: number
  readonly timestamp: number
  readonly contexts: { readonly trace: TraceContext; readonly [name: string]: object }
  readonly spans?: readonly SpanPayload[]
  /** Web vitals by their short names: `lcp`, `cls`, …. */
  readonly measurements?: Readonly<Record<string, Measurement>>
}
