import type { ApiSpan, ApiTrace, ApiTraceError } from '@afterimage/protocol/api/trace'
import type { EventStore } from '../storage/events/port.ts'

/** A span of `trace/{id}/` as other tools read it, with its children inside. */
export interface ListedSpan {
  readonly event_id: string
  readonly event_type: 'span'
  readonly transaction_id: string
  readonly parent_span_id: string | null
  readonly project_id: number
  readonly project_slug: string
  readonly is_transaction: boolean
  readonly op: string
  readonly name: string
  readonly description: string
  readonly transaction: string | null
  readonly status: string
  /** Seconds since the epoch. */
  readonly start_timestamp: number
  readonly end_timestamp: number
  /** ms */
  readonly duration: number
  readonly sdk_name: string
  readonly measurements: Readonly<Record<string, number>>
  readonly additional_attributes: Readonly<Record<string, unknown>>
  readonly errors: readonly ListedError[]
  readonly occurrences: readonly never[]
  readonly children: readonly ListedSpan[]
}

/** An error of `trace/{id}/`: on its span, or beside the spans. */
export interface ListedError {
  readonly event_id: string
  readonly event_type: 'error'
  readonly issue_id: number | null
  readonly project_id: number
  readonly project_slug: string
  readonly description: string
  readonly message: string
  readonly title: string
  readonly level: string
  readonly start_timestamp: number
  readonly transaction: string | null
}

/** Returns a trace as a list of its root spans, then of the errors that belong to none. */
export function listedTrace(
  trace: ApiTrace,
  projectIds: ReadonlyMap<string, number>,
): readonly (ListedSpan | ListedError)[] {
  const idOf = (slug: string) => projectIds.get(slug) ?? 0
  const errorOf = (error: ApiTraceError): ListedError => ({
    event_id: error.event_id,
    event_type: 'error',
    issue_id: error.issue_id === null ? null : Number(error.issue_id),
    project_id: idOf(error.project_slug),
    project_slug: error.project_slug,
    description: error.title,
    message: error.title,
    title: error.title,
    level: error.level,
    start_timestamp: error.timestamp,
    transaction: null,
  })
  const spanOf = (span: ApiSpan, segmentId: string): ListedSpan => {
    const own = span.is_segment ? span.span_id : segmentId
    return {
      event_id: span.span_id,
      event_type: 'span',
      transaction_id: span.event_id ?? own,
      parent_span_id: span.parent_span_id,
      project_id: idOf(span.project_slug),
      project_slug: span.project_slug,
      is_transaction: span.is_segment,
      op: span.op,
      name: span.name,
      description: span.name,
      transaction: span.transaction,
      status: span.status,
      start_timestamp: span.start_timestamp,
      end_timestamp: span.end_timestamp,
      duration: span.duration,
      sdk_name: span.service,
      measurements: {},
      additional_attributes: span.attributes,
      errors: span.errors.map(errorOf),
      occurrences: [],
      children: span.children.map((child) => spanOf(child, own)),
    }
  }
  return [
    ...trace.spans.map((span) => spanOf(span, span.span_id)),
    ...trace.orphan_errors.map(errorOf),
  ]
}

/** Returns the numbers of a trace: its spans by operation, its errors and its logs. */
export function traceMeta(trace: ApiTrace, logs: number) {
  const spans = everySpan(trace.spans)
  const byOperation = new Map<string, number>()
  for (const { op } of spans) byOperation.set(op, (byOperation.get(op) ?? 0) + 1)
  const errors = spans.reduce((sum, span) => sum + span.errors.length, trace.orphan_errors.length)
  return {
    errors,
    logs,
    performance_issues: 0,
    span_count: trace.span_count,
    span_count_map: Object.fromEntries(byOperation),
    transaction_child_count_map: spans
      .filter((span) => span.is_segment)
      .map((span) => ({
        'transaction.event_id': span.event_id ?? span.span_id,
        'count()': span.children.length,
      })),
  }
}

/** Counts the logs of a trace, in every project. */
export async function countLogs(events: EventStore, traceId: string): Promise<number> {
  const [row] = await events.aggregate({
    table: 'logs',
    projectIds: [],
    where: [{ field: 'traceId', op: 'is', value: traceId }],
    groupBy: [],
    measures: [{ type: 'count' }],
    limit: 1,
  })
  return row?.values[0] ?? 0
}

function everySpan(spans: readonly ApiSpan[]): readonly ApiSpan[] {
  return spans.flatMap((span) => [span, ...everySpan(span.children)])
}
