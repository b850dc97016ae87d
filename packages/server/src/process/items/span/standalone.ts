import { type JsonObject } from '@afterimage/protocol/json'
import { refuse, type Refusal } from '@afterimage/protocol/outcome'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { readLabel } from '../fields.ts'
import { itemLimits } from '../item-limits.ts'
import type { ItemContext } from '../item.ts'
import { readHexId } from '../../steps/normalize/text.ts'
import { correctTime, readTime } from '../../steps/normalize/time.ts'
import { readLinks, readPlainAttributes, textOf, type Attributes } from './attributes.ts'
import { segmentSourceOf } from './names.ts'
import { spanRow, type SpanFacts } from './row.ts'
import { spanSender } from './sender.ts'
import { spanStatus } from './status.ts'
import { vitalOwner, vitalRows, vitalsOfMeasurements } from './vitals.ts'

/**
 * One span of the older format, alone in its item: the way SDKs 7 to 10 report an interaction (INP) or
 * a late LCP and CLS. Its measurements become vitals of the page load it names.
 */
export function processStandaloneSpan(
  raw: JsonObject,
  context: ItemContext,
): ProcessedItem | Refusal {
  const span = readPlainSpan(raw, { traceId: null, segmentId: null })
  if ('reason' in span) return span
  const time = correctTime(span.endMs / 1000, context, [])
  const sender = spanSender([span.attributes], context, {
    isBrowser: true,
    inferIp: null,
    inferUserAgent: null,
  })
  const page = readLabel(textOf(span.attributes, 'transaction'), itemLimits.labelCharsMax)
  const facts: SpanFacts = { ...span, segmentName: page ?? span.segmentName }
  const selfTimeMs = span.endMs - span.startMs
  const owner = vitalOwner(facts, sender, time.shiftMs, context)
  const vitals = vitalsOfMeasurements(raw['measurements'], span.attributes)
  // An interaction's description is the selector of what was clicked.
  const located = vitals.map((vital) =>
    vital.name === 'inp' && vital.element === null ? { ...vital, element: span.name } : vital,
  )
  return {
    type: 'span',
    quantity: 1,
    rows: [
      spanRow(facts, sender, { shiftMs: time.shiftMs, selfTimeMs }, context),
      ...vitalRows(located, owner),
    ],
    blobs: [],
    effects: [],
    refusal: null,
  }
}

/** The facts that a span may take from its transaction. */
export interface SpanDefaults {
  readonly traceId: string | null
  readonly segmentId: string | null
}

/** Reads a span of the older format, alone or inside a transaction. Its attributes are not scrubbed yet. */
export function readPlainSpan(raw: JsonObject, defaults: SpanDefaults): SpanFacts | Refusal {
  const traceId = readHexId(raw['trace_id'], 32) ?? defaults.traceId
  const spanId = readHexId(raw['span_id'], 16)
  if (traceId === null || spanId === null) {
    return refuse('invalid_identifier', 'A span needs a trace_id and a span_id.')
  }
  const times = readSpanTimes(raw['start_timestamp'], raw['timestamp'])
  if ('reason' in times) return times
  const attributes = readPlainAttributes(raw['data'], raw['tags'])
  const op =
    readLabel(raw['op'], itemLimits.labelCharsMax) ?? textOf(attributes, 'sentry.op') ?? 'default'
  const sentName = readLabel(raw['description'], itemLimits.spanNameCharsMax) ?? ''
  return {
    traceId,
    spanId,
    parentSpanId: readHexId(raw['parent_span_id'], 16),
    segmentId: readHexId(raw['segment_id'], 16) ?? defaults.segmentId,
    isSegment: raw['is_segment'] === true,
    name: sentName === '' ? op : sentName,
    sentName,
    op,
    origin:
      readLabel(raw['origin'], itemLimits.labelCharsMax) ?? textOf(attributes, 'sentry.origin'),
    status: spanStatus(raw['status'], attributes),
    ...times,
    segmentName: null,
    segmentSource: segmentSourceOf(attributes),
    attributes: withMeasurements(attributes, raw['measurements']),
    links: readLinks(raw['links']),
  }
}

function withMeasurements(attributes: Attributes, measurements: unknown): Attributes {
  const plain = readPlainAttributes({ measurements })
  return Object.keys(plain).length === 0 ? attributes : { ...attributes, ...plain }
}

/** Start and end of a span, ms of the client's clock; a span cannot end before it starts. */
export function readSpanTimes(
  start: unknown,
  end: unknown,
): { readonly startMs: number; readonly endMs: number } | Refusal {
  const startMs = readTime(start)
  const endMs = readTime(end)
  if (startMs === null || endMs === null) {
    return refuse('invalid_timestamp', 'A span needs a start and an end.')
  }
  if (endMs < startMs) return refuse('invalid_timestamp', 'A span ends before it starts.')
  return { startMs, endMs }
}
