import type { Measurement, SpanPayload, SpanStatus } from '@afterimage/protocol/span'
import type { NameSource } from '@afterimage/protocol/transaction'
import type { SdkEvent, SdkSpan } from '@afterimage/sdk-core/event'
import { createId } from '@afterimage/protocol/ids'
import { guard } from '@afterimage/sdk-core/guard'
import type { TracingSettings } from '@afterimage/sdk-core/options'
import { cut, normalize, textOf } from '@afterimage/sdk-core/normalize'
import { now } from './clock.ts'
import { attributeCharactersMax, attributesMax, nameCharactersMax } from './limits.ts'
import type { Trace } from './trace.ts'

/** Attributes of a span; undefined ones are left out. */
export type Attributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** One piece of work. Changes after the end of its root are lost. */
export interface Span {
  readonly traceId: string
  readonly spanId: string
  /** True if the span will be sent. One that is not sampled still passes its trace on. */
  readonly isSampled: boolean
  /** Sets the name. The source says how good the name of a root is; `custom` by default. */
  setName(name: string, source?: NameSource): void
  setAttributes(attributes?: Attributes): void
  /** Sets the status; without one a span ends as `ok`. */
  setStatus(status: SpanStatus): void
  /** Ends the span, at ms since the epoch; now by default. */
  end(endedAt?: number): void
}

export interface SpanOptions {
  readonly name: string
  /** Kind of work, as in `http.client`, `ui.render`. */
  readonly op?: string
  readonly attributes?: Attributes
  /** Ms since the epoch; now by default. */
  readonly startedAt?: number
  /** The active span by default; null begins a transaction. */
  readonly parentSpan?: Span | null
  readonly source?: NameSource
  /** The code that made it; `manual` by default. */
  readonly origin?: string
}

/** A span with all that is recorded of it. */
export interface SpanRecord extends Span {
  readonly segment: Segment
  readonly parentSpanId: string | undefined
  readonly startedAt: number
  readonly op: string | undefined
  readonly origin: string
  readonly attributes: Record<string, unknown>
  name: string
  source: NameSource
  status: SpanStatus | undefined
  /** Undefined while it is open. */
  endedAt: number | undefined
}

/** A root span and its descendants, sent as one transaction. */
export interface Segment {
  readonly trace: Trace
  isSampled: boolean
  /** The root first. */
  readonly spans: SpanRecord[]
  readonly measurements: Record<string, Measurement>
  openSpans: number
  /** The page as it was at the start. */
  request?: SdkEvent['request']
  /** Page loads and navigations: called whenever a child begins or ends. */
  changed?: (hasBegun: boolean) => void
  /** Sets the end by the ends of its children, and settles those that are open. */
  settle?: (endedAt: number) => void
}

/** Creates a span. `ended` is called once, at the first end. */
export function createSpan(
  segment: Segment,
  options: SpanOptions & { readonly parentSpanId: string | undefined },
  ended: (span: SpanRecord) => unknown,
): SpanRecord {
  const { op, name, source, attributes, startedAt = now(), origin = 'manual' } = options
  const span: SpanRecord = {
    segment,
    traceId: segment.trace.traceId,
    spanId: createId(8),
    parentSpanId: options.parentSpanId,
    isSampled: segment.isSampled,
    startedAt,
    endedAt: undefined,
    op,
    origin,
    name: '',
    source: 'custom',
    status: undefined,
    attributes: {},
    setName(text, of = 'custom') {
      span.name = cut(textOf(text), nameCharactersMax - 3)
      span.source = of
    },
    setAttributes(more) {
      const own = span.attributes
      // Copied as plain data: no reference to the page's objects, and no getter that can throw.
      for (const [key, value] of Object.entries(normalize(more ?? {}))) {
        const hasRoom = Object.keys(own).length < attributesMax
        if (value === undefined || !(hasRoom || key in own)) continue
        own[key] = typeof value === 'string' ? cut(value, attributeCharactersMax) : value
      }
    },
    setStatus(status) {
      span.status = status
    },
    end(endedAt = now()) {
      if (span.endedAt !== undefined) return
      span.status ??= 'ok'
      span.endedAt = Math.max(span.startedAt, endedAt)
      ended(span)
    },
  }
  span.setName(name, source)
  span.setAttributes(attributes)
  return span
}

/** Returns the span as transactions carry it: undefined members are not sent. */
export function spanPayload(span: SpanRecord): SpanPayload {
  const { traceId, spanId, parentSpanId, op, name, status, startedAt, endedAt } = span
  return {
    trace_id: traceId,
    span_id: spanId,
    parent_span_id: parentSpanId,
    op,
    description: name,
    start_timestamp: startedAt / 1000,
    timestamp: endedAt! / 1000,
    status,
    origin: span.origin,
    data: span.attributes,
  } as SpanPayload
}

/** Returns a span as `beforeSendSpan` lets it be sent; null when it is not to be. */
export function permitted<T extends SpanPayload>(
  span: T,
  { beforeSendSpan }: TracingSettings,
): T | null {
  return beforeSendSpan ? guard(() => beforeSendSpan(span as SdkSpan) as T | null, null) : span
}

export function isOver({ spans }: Segment): boolean {
  return spans[0]!.endedAt !== undefined
}
