import { readContainer, type Container } from '@afterimage/protocol/container'
import type { ItemHeader } from '@afterimage/protocol/envelope'
import { type JsonObject } from '@afterimage/protocol/json'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem, ReleaseEffect } from '../../../storage/events/port.ts'
import type { Row } from '../../../storage/events/tables.ts'
import { refusedParts, surplusRefusals } from '../container.ts'
import { memberOf, readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { isRecord, readHexId } from '../../steps/normalize/text.ts'
import { correctTime } from '../../steps/normalize/time.ts'
import { releaseEffects } from '../release-effect.ts'
import { numberOf, readLinks, readTypedAttributes, textOf } from './attributes.ts'
import { isGenericName, pageOriginOf, segmentNameOf, segmentSourceOf, spanNameOf } from './names.ts'
import { isPageOp } from './page-op.ts'
import { spanRow, type SpanFacts } from './row.ts'
import { selfTimes } from './self-time.ts'
import { spanSender, type SenderHints } from './sender.ts'
import { readSpanTimes } from './standalone.ts'
import { spanStatus } from './status.ts'
import { vitalOwner, vitalRows, vitalsOfAttributes } from './vitals.ts'

/**
 * A container of streamed spans (SDK 10 by choice, SDK 11 always). The spans of one trace come in
 * several, children often before the segment they belong to, so a span's row holds what its own
 * container says; its page is known only where the segment is in it too, or named on the span.
 */
export function processSpanContainer(
  payload: JsonObject,
  header: ItemHeader,
  context: ItemContext,
): ProcessedItem | Refusal {
  const container = readContainer(payload, header, itemLimits.spansMax)
  if ('reason' in container) return container
  const { spans, refusals } = readSpans(container)
  const first = refusals[0]
  if (spans.length === 0 && first !== undefined) return first
  const rows = rowsOf(spans, container, context)
  return {
    type: 'span',
    quantity: spans.length,
    rows,
    blobs: [],
    effects: effectsOf(rows),
    refusal: null,
    ...refusedParts(refusals),
  }
}

/** The releases and environments of the segments: a container of one sender has one or two. */
function effectsOf(rows: readonly Row[]): ReleaseEffect[] {
  const effects = new Map<string, ReleaseEffect>()
  for (const { table, timestamp, columns } of rows) {
    if (table !== 'spans' || columns.isSegment !== 1) continue
    const { release, environment } = columns
    const key = JSON.stringify([release, environment])
    if (effects.size >= itemLimits.releasesMax || effects.has(key)) continue
    for (const effect of releaseEffects({ release, environment, timestamp }))
      effects.set(key, effect)
  }
  return [...effects.values()]
}

function readSpans(container: Container): { spans: SpanFacts[]; refusals: Refusal[] } {
  const spans: SpanFacts[] = []
  const refusals = surplusRefusals(container.surplus, itemLimits.spansMax)
  for (const entry of container.items) {
    const span = readStreamedSpan(entry)
    if ('reason' in span) refusals.push(span)
    else spans.push(span)
  }
  const pageOrigin = pageOriginOf(
    spans.map(({ op, sentName, attributes }) => ({ op, name: sentName, attributes })),
  )
  const segmentNames = new Map<string, string>()
  for (const span of spans) {
    if (span.isSegment)
      segmentNames.set(span.spanId, segmentNameOf({ ...span, name: span.sentName }))
  }
  const named = spans.map((span) => ({
    ...span,
    name: spanNameOf({ ...span, name: span.sentName }, { isSegment: span.isSegment, pageOrigin }),
    segmentName: segmentNames.get(span.segmentId ?? span.spanId) ?? sentSegmentName(span),
  }))
  return { spans: named, refusals }
}

/** The segment's name as a child has it, unless it is one that any page or request has. */
function sentSegmentName({ attributes }: SpanFacts): string | null {
  const name = textOf(attributes, 'sentry.segment.name', 'sentry.transaction')
  return name === null || isGenericName(name) ? null : name.slice(0, itemLimits.labelCharsMax)
}

function readStreamedSpan(raw: unknown): SpanFacts | Refusal {
  if (!isRecord(raw)) return refuse('invalid_payload', 'A span must be a JSON object.')
  const traceId = readHexId(raw['trace_id'], 32)
  const spanId = readHexId(raw['span_id'], 16)
  if (traceId === null || spanId === null) {
    return refuse('invalid_identifier', 'A span needs a trace_id and a span_id.')
  }
  const times = readSpanTimes(raw['start_timestamp'], raw['end_timestamp'])
  if ('reason' in times) return times
  const attributes = readTypedAttributes(raw['attributes'])
  const op = readLabel(textOf(attributes, 'sentry.op'), itemLimits.labelCharsMax) ?? 'default'
  const sentName = readLabel(raw['name'], itemLimits.spanNameCharsMax) ?? ''
  const isSegment = raw['is_segment'] === true
  return {
    traceId,
    spanId,
    parentSpanId: readHexId(raw['parent_span_id'], 16),
    segmentId: readHexId(attributes['sentry.segment.id'], 16) ?? (isSegment ? spanId : null),
    isSegment,
    name: sentName,
    sentName,
    op,
    origin: textOf(attributes, 'sentry.origin'),
    status: spanStatus(raw['status'], attributes),
    ...times,
    segmentName: null,
    segmentSource: segmentSourceOf(attributes),
    attributes,
    links: readLinks(raw['links']),
  }
}

function rowsOf(spans: readonly SpanFacts[], container: Container, context: ItemContext): Row[] {
  const hints = hintsOf(spans, container)
  const segments = new Map(
    spans.filter((span) => span.isSegment).map((span) => [span.spanId, span]),
  )
  const busy = selfTimes(spans)
  const latestMs = spans.reduce((latest, span) => Math.max(latest, span.endMs), 0)
  // One shift for all: each by itself would pull the spans of a wrong clock onto one moment.
  const { shiftMs } = correctTime(latestMs / 1000, context, [])
  const rows: Row[] = []
  const vitals: Row[] = []
  for (const span of spans) {
    const segment = span.segmentId === null ? undefined : segments.get(span.segmentId)
    const layers = segment === undefined ? [span.attributes] : [span.attributes, segment.attributes]
    const sender = spanSender(layers, context, hints)
    const sentSelf = numberOf(span.attributes, 'sentry.exclusive_time')
    const selfTimeMs = sentSelf ?? busy.get(span.spanId) ?? null
    rows.push(spanRow(span, sender, { shiftMs, selfTimeMs }, context))
    const owner = vitalOwner(span, sender, shiftMs, context)
    vitals.push(...vitalRows(vitalsOfAttributes(span.attributes), owner))
  }
  return [...rows, ...vitals]
}

/** Only browsers send `ingest_settings`, and only they load pages. */
function hintsOf(spans: readonly SpanFacts[], { settings }: Container): SenderHints {
  return {
    isBrowser: settings !== null || spans.some((span) => isPageOp(span.op)),
    inferIp: memberOf(settings, 'infer_ip'),
    inferUserAgent: memberOf(settings, 'infer_user_agent'),
  }
}
