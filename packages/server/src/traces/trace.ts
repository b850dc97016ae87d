import type { ApiSpan, ApiTrace, ApiTraceError } from '@afterimage/protocol/api/trace'
import type { StoredRow } from '../storage/events/tables.ts'
import { issuesOfHashes } from '../issues/hashes.ts'
import { TRACE_ERRORS_MAX, TRACE_SPANS_MAX } from '../search/limits.ts'
import { spanTree, type DrawnSpan } from './span-tree.ts'
import type { Stores } from '../storage/stores.ts'

type SpanRow = StoredRow<'spans'>
type ErrorRow = StoredRow<'errors'>

/**
 * Everything that happened in a trace, in every project: spans as trees, errors where they
 * happened, the vitals of its page loads. Spans are placed against each other by client time. Null
 * when nothing is known of it.
 */
export async function readTrace(
  stores: Stores,
  traceId: string,
  slugs: ReadonlyMap<number, string>,
): Promise<ApiTrace | null> {
  const where = [{ field: 'traceId', op: 'is', value: traceId }] as const
  const projectIds = [...slugs.keys()]
  const [spans, errors, vitals] = await Promise.all([
    stores.events.page({
      table: 'spans',
      projectIds,
      where,
      order: { field: 'timestamp', descending: false },
      limit: TRACE_SPANS_MAX,
      withPayload: true,
    }),
    stores.events.page({ table: 'errors', projectIds, where, limit: TRACE_ERRORS_MAX }),
    stores.events.page({ table: 'vitals', projectIds, where, limit: 1000 }),
  ])
  if (spans.rows.length === 0 && errors.rows.length === 0) return null
  const shown = await traceErrors(stores, errors.rows, slugs)
  const drawn = spans.rows.map((row) => drawnSpan(row, slugs))
  const placed = placeErrors(drawn, shown)
  return {
    trace_id: traceId,
    spans: spanTree(drawn),
    orphan_errors: shown.filter((error) => !placed.has(error)),
    vitals: vitals.rows.map(({ columns }) => ({
      segment_id: columns.segmentId ?? '',
      name: columns.name ?? '',
      value: columns.value ?? 0,
      element: columns.element,
    })),
    replay_id: replayOf(spans.rows, errors.rows),
    is_truncated: spans.next !== undefined,
    span_count:
      spans.next === undefined ? spans.rows.length : await countSpans(stores, projectIds, traceId),
  }
}

function drawnSpan(row: SpanRow, slugs: ReadonlyMap<number, string>): DrawnSpan {
  const { columns } = row
  const start = (columns.clientTimestamp ?? row.timestamp) / 1000
  const duration = columns.durationMs ?? 0
  return {
    span_id: columns.spanId ?? '',
    parent_span_id: columns.parentSpanId,
    project_slug: slugs.get(row.projectId) ?? '',
    event_id: columns.eventId,
    is_segment: columns.isSegment === 1,
    op: columns.op ?? 'default',
    name: columns.name ?? '',
    transaction: columns.segmentName,
    origin: columns.origin,
    status: columns.status ?? 'unknown',
    service: columns.service ?? '',
    start_timestamp: start,
    end_timestamp: start + duration / 1000,
    duration,
    self_time: columns.selfTimeMs ?? Infinity,
    attributes: attributesOf(row.payload),
    errors: [],
    children: [],
  }
}

function attributesOf(payload: string | null): ApiSpan['attributes'] {
  return payload === null ? {} : (JSON.parse(payload) as ApiSpan['attributes'])
}

async function traceErrors(
  stores: Stores,
  rows: readonly ErrorRow[],
  slugs: ReadonlyMap<number, string>,
): Promise<readonly ApiTraceError[]> {
  const issueOf = new Map<ErrorRow, number>()
  for (const [projectId, own] of Map.groupBy(rows, (row) => row.projectId)) {
    const hashes = own.map((row) => row.columns.groupingHash).filter((hash) => hash !== null)
    const issues = await issuesOfHashes(stores.metadata, projectId, [...new Set(hashes)])
    for (const row of own) {
      const issueId = issues.get(row.columns.groupingHash ?? '')
      if (issueId !== undefined) issueOf.set(row, issueId)
    }
  }
  const ids = [...new Set(issueOf.values())]
  const shortIds = await stores.metadata.all<{ id: number; short_id: string }>(
    `select id, short_id from issues where id in (${ids.map(() => '?').join(', ') || 'null'})`,
    ...ids,
  )
  const shortIdOf = new Map(shortIds.map((row) => [row.id, row.short_id]))
  return rows.map((row) => {
    const issueId = issueOf.get(row) ?? null
    return {
      event_id: row.columns.eventId ?? '',
      issue_id: issueId === null ? null : String(issueId),
      short_id: issueId === null ? null : (shortIdOf.get(issueId) ?? null),
      span_id: row.columns.spanId,
      project_slug: slugs.get(row.projectId) ?? '',
      title: row.columns.title ?? '',
      level: row.columns.level ?? 'error',
      timestamp: (row.columns.clientTimestamp ?? row.timestamp) / 1000,
    }
  })
}

/** Hangs errors on the spans they happened in; returns those that found theirs. */
function placeErrors(
  spans: readonly DrawnSpan[],
  errors: readonly ApiTraceError[],
): ReadonlySet<ApiTraceError> {
  const byId = new Map(spans.map((span) => [span.span_id, span]))
  const placed = new Set<ApiTraceError>()
  for (const error of errors) {
    const span = byId.get(error.span_id ?? '')
    if (span === undefined) continue
    span.errors.push(error)
    placed.add(error)
  }
  return placed
}

function replayOf(spans: readonly SpanRow[], errors: readonly ErrorRow[]): string | null {
  const named = errors.find((row) => row.columns.replayId !== null)
  if (named !== undefined) return named.columns.replayId
  return spans.find((row) => row.columns.replayId !== null)?.columns.replayId ?? null
}

async function countSpans(
  { events }: Stores,
  projectIds: readonly number[],
  traceId: string,
): Promise<number> {
  const [row] = await events.aggregate({
    table: 'spans',
    projectIds,
    where: [{ field: 'traceId', op: 'is', value: traceId }],
    groupBy: [],
    measures: [{ type: 'count' }],
    limit: 1,
  })
  return row?.values[0] ?? 0
}
