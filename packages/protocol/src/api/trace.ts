/**
 * `GET /api/0/organizations/main/traces/{trace_id}/`: root spans, each with its children and errors.
 */
export interface ApiTrace {
  readonly trace_id: string
  readonly spans: readonly ApiSpan[]
  /** Errors whose span is not part of the answer. */
  readonly orphan_errors: readonly ApiTraceError[]
  /** Web vitals of the trace's page loads. */
  readonly vitals: readonly {
    readonly segment_id: string
    readonly name: string
    readonly value: number
    readonly element: string | null
  }[]
  readonly replay_id: string | null
  /** True when the trace holds more spans than the answer. */
  readonly is_truncated: boolean
  readonly span_count: number
}

export interface ApiSpan {
  readonly span_id: string
  readonly parent_span_id: string | null
  readonly project_slug: string
  /** The transaction event that it belongs to; null for streamed spans. */
  readonly event_id: string | null
  readonly is_segment: boolean
  readonly op: string
  readonly name: string
  /** The page or route of its segment. */
  readonly transaction: string | null
  readonly origin: string | null
  readonly status: string
  readonly service: string
  /** Seconds since the epoch, with fractions. */
  readonly start_timestamp: number
  readonly end_timestamp: number
  /** ms */
  readonly duration: number
  readonly self_time: number
  readonly attributes: Readonly<Record<string, unknown>>
  readonly errors: readonly ApiTraceError[]
  readonly children: readonly ApiSpan[]
}

export interface ApiTraceError {
  readonly event_id: string
  readonly issue_id: string | null
  readonly short_id: string | null
  readonly span_id: string | null
  readonly project_slug: string
  readonly title: string
  readonly level: string
  readonly timestamp: number
}

/** A row of `GET /api/0/organizations/main/traces/`: newest first. */
export interface ApiTraceSummary {
  readonly trace_id: string
  readonly project_slug: string
  readonly name: string
  readonly op: string
  readonly start_timestamp: number
  readonly duration: number
  readonly status: string
  readonly release: string | null
  readonly environment: string | null
  readonly user: string | null
  readonly replay_id: string | null
  readonly browser: string | null
}

/** A row of `GET /api/0/organizations/main/transactions/`: a page or a route over the range. */
export interface ApiTransactionSummary {
  readonly transaction: string
  readonly op: string
  readonly project_slug: string
  readonly count: number
  readonly per_minute: number
  /** ms; null when nothing was measured. */
  readonly p50: number | null
  readonly p75: number | null
  readonly p95: number | null
  readonly p99: number | null
  /** 0 to 1 */
  readonly failure_rate: number
  /** Number of people; null over ranges of more than a day, where they are not counted. */
  readonly users: number | null
  readonly vitals: Readonly<Record<string, number | null>>
}
