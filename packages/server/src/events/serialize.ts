import type {
  ApiEntry,
  ApiEvent,
  ApiEventSpan,
  ApiEventSummary,
} from '@afterimage/protocol/api/event'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { StoredRow } from '../storage/events/tables.ts'
import { iso, isoOrNull } from '../api/answer.ts'
import {
  apiBreadcrumb,
  apiException,
  apiRequest,
  apiStacktrace,
  apiThread,
  apiUser,
} from './serialize-parts.ts'

type ErrorRow = StoredRow<'errors'>
type TransactionRow = StoredRow<'transactions'>

/** The facts about an event besides its row. */
export interface EventSurroundings {
  readonly projectSlug: string
  readonly issueId: number | null
  readonly previousId: string | null
  readonly nextId: string | null
  readonly position?: { readonly index: number; readonly of: number }
}

/** An error, message or security report, whole. */
export function serializeError(row: ErrorRow, around: EventSurroundings): ApiEvent {
  const { columns } = row
  const event = payloadOf(row)
  const type = columns.type ?? event.type ?? 'error'
  return {
    ...commonParts(row, event, around),
    type,
    title: columns.title ?? '',
    culprit: columns.culprit ?? '',
    message: event.logentry?.formatted ?? '',
    metadata: { title: columns.title ?? '', ...metadataOf(event) },
    fingerprints: columns.groupingHash === null ? [] : [columns.groupingHash],
    location: locationOf(event),
  }
}

/** A transaction event, and the spans that came with it. */
export function serializeTransaction(
  row: TransactionRow,
  around: EventSurroundings,
  spans: readonly StoredRow<'spans'>[],
): ApiEvent {
  const event = payloadOf(row) as Partial<NormalizedEvent> & TransactionMembers
  const { columns } = row
  const startMs = event.start_timestamp ?? row.timestamp - (columns.durationMs ?? 0)
  const common = commonParts(row, event, around)
  return {
    ...common,
    entries: [{ type: 'spans', data: spans.map(apiSpan) }, ...common.entries],
    type: 'transaction',
    title: columns.name ?? '',
    culprit: columns.name ?? '',
    message: '',
    metadata: { title: columns.name ?? '', ...(columns.op === null ? {} : { op: columns.op }) },
    fingerprints: [],
    location: columns.name,
    startTimestamp: startMs / 1000,
    endTimestamp: row.timestamp / 1000,
    ...(event.measurements === undefined ? {} : { measurements: measurementsOf(event) }),
  }
}

function apiSpan({ columns, timestamp, payload }: StoredRow<'spans'>): ApiEventSpan {
  return {
    trace_id: columns.traceId ?? '',
    span_id: columns.spanId ?? '',
    parent_span_id: columns.parentSpanId,
    op: columns.op ?? 'default',
    description: columns.name,
    origin: columns.origin,
    status: columns.status ?? 'unknown',
    start_timestamp: timestamp / 1000,
    timestamp: (timestamp + (columns.durationMs ?? 0)) / 1000,
    data: payload === null ? {} : (JSON.parse(payload) as ApiEventSpan['data']),
  }
}

interface TransactionMembers {
  /** ms */
  readonly start_timestamp?: number
  readonly measurements?: Readonly<Record<string, unknown>>
}

/** A line of an event list. */
export function serializeSummary(row: ErrorRow, issueId: number | null): ApiEventSummary {
  const { columns } = row
  const event = payloadOf(row)
  return {
    id: columns.eventId ?? '',
    eventID: columns.eventId ?? '',
    'event.type': columns.type ?? 'error',
    location: locationOf(event),
    projectID: String(row.projectId),
    groupID: issueId === null ? null : String(issueId),
    title: columns.title ?? '',
    message: event.logentry?.formatted ?? '',
    culprit: columns.culprit ?? '',
    platform: columns.platform ?? 'other',
    dateCreated: iso(row.timestamp),
    user: event.user === undefined ? null : apiUser(event.user),
    tags: tagsOf(row),
    replayId: columns.replayId,
    traceId: columns.traceId,
  }
}

function commonParts(
  row: ErrorRow | TransactionRow,
  event: Partial<NormalizedEvent>,
  around: EventSurroundings,
) {
  const { columns } = row
  const id = columns.eventId ?? ''
  return {
    id,
    eventID: id,
    projectID: String(row.projectId),
    projectSlug: around.projectSlug,
    groupID: around.issueId === null ? null : String(around.issueId),
    platform: columns.platform ?? 'other',
    dateCreated: iso(row.timestamp),
    dateReceived: iso(row.receivedAt),
    dateClient: isoOrNull(columns.clientTimestamp),
    size: row.payload === null ? 0 : Buffer.byteLength(row.payload),
    user: event.user === undefined ? null : apiUser(event.user),
    tags: tagsOf(row),
    contexts: (event.contexts ?? {}) as ApiEvent['contexts'],
    context: event.extra ?? {},
    packages: event.modules ?? {},
    sdk: event.sdk === undefined ? null : { name: event.sdk.name, version: event.sdk.version },
    release: columns.release === null ? null : { version: columns.release },
    dist: event.dist ?? null,
    environment: columns.environment,
    entries: entriesOf(event),
    errors: (event.errors ?? []).map(({ type, ...data }) => ({ type, data })),
    nextEventID: around.nextId,
    previousEventID: around.previousId,
    replayId: columns.replayId,
    traceId: columns.traceId,
    ...(around.position === undefined ? {} : { position: around.position }),
  }
}

function entriesOf(event: Partial<NormalizedEvent>): readonly ApiEntry[] {
  const entries: ApiEntry[] = []
  if (event.exception?.length) {
    const values = event.exception.map(apiException)
    const hasSystemFrames = values.some((value) => value.stacktrace?.hasSystemFrames === true)
    entries.push({ type: 'exception', data: { values, hasSystemFrames } })
  }
  const stacktrace = apiStacktrace(event.stacktrace)
  if (stacktrace !== null) entries.push({ type: 'stacktrace', data: stacktrace })
  if (event.threads?.length) {
    entries.push({ type: 'threads', data: { values: event.threads.map(apiThread) } })
  }
  if (event.logentry !== undefined) {
    const { message, formatted, params } = event.logentry
    const data = { message: message ?? null, formatted, params: params ?? null }
    entries.push({ type: 'message', data })
  }
  if (event.template !== undefined) entries.push({ type: 'template', data: event.template })
  if (event.security !== undefined) entries.push({ type: 'csp', data: event.security })
  if (event.breadcrumbs?.length) {
    entries.push({ type: 'breadcrumbs', data: { values: event.breadcrumbs.map(apiBreadcrumb) } })
  }
  if (event.request !== undefined) {
    entries.push({ type: 'request', data: apiRequest(event.request) })
  }
  if (event.debug_meta?.images.length) {
    entries.push({ type: 'debugmeta', data: { images: event.debug_meta.images } })
  }
  return entries
}

/** The last exception is what was thrown. */
function metadataOf(event: Partial<NormalizedEvent>): Readonly<Record<string, string>> {
  const thrown = event.exception?.at(-1)
  const metadata: Record<string, string> = {}
  if (thrown?.type !== undefined) metadata['type'] = thrown.type
  if (thrown?.value !== undefined) metadata['value'] = thrown.value
  const frame = lastInAppFrame(event)
  if (frame?.filename !== undefined) metadata['filename'] = frame.filename
  if (frame?.function !== undefined) metadata['function'] = frame.function
  return metadata
}

function locationOf(event: Partial<NormalizedEvent>): string | null {
  return lastInAppFrame(event)?.filename ?? null
}

function lastInAppFrame(event: Partial<NormalizedEvent>) {
  const frames = (event.exception?.at(-1)?.stacktrace ?? event.stacktrace)?.frames ?? []
  return frames.findLast((frame) => frame.in_app) ?? frames.at(-1)
}

/** The event's tags, and those that every event has in its columns. */
export function tagsOf(
  row: ErrorRow | TransactionRow,
): readonly { readonly key: string; readonly value: string }[] {
  const tags: Record<string, string> = { ...row.tags }
  const { columns } = row
  const derived = {
    level: 'level' in columns ? columns.level : null,
    environment: columns.environment,
    release: columns.release,
    user: columns.userKey,
    url: columns.url,
    browser: columns.browser,
    os: columns.os,
    transaction: 'transaction' in columns ? columns.transaction : columns.name,
    handled: 'handled' in columns ? yesOrNo(columns.handled) : null,
  }
  for (const [key, value] of Object.entries(derived)) {
    if (value !== null && value !== '' && tags[key] === undefined) tags[key] = value
  }
  return Object.entries(tags)
    .map(([key, value]) => ({ key, value }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
}

function yesOrNo(flag: number | null): string | null {
  return flag === null ? null : flag === 1 ? 'yes' : 'no'
}

function measurementsOf(event: TransactionMembers): NonNullable<ApiEvent['measurements']> {
  const measurements: Record<string, { value: number; unit: string }> = {}
  for (const [name, measured] of Object.entries(event.measurements ?? {})) {
    const { value, unit } = measured as { value?: unknown; unit?: unknown }
    if (typeof value !== 'number') continue
    measurements[name] = { value, unit: typeof unit === 'string' ? unit : 'none' }
  }
  return measurements
}

/** The stored JSON. A row without one has only what its columns say. */
function payloadOf(row: { readonly payload: string | null }): Partial<NormalizedEvent> {
  return row.payload === null ? {} : (JSON.parse(row.payload) as Partial<NormalizedEvent>)
}
