import { getClient } from '@afterimage/sdk-core/api'
import { baggageOf } from '../tracing/trace.ts'
import { startNavigation, startPageLoad } from '../tracing/pages.ts'
import { spanPayload } from '../tracing/span.ts'
import type { Attributes, SpanRecord } from '../tracing/span.ts'
import {
  continueTrace as continueOwnTrace,
  getActiveSpan as getOwnActiveSpan,
  openSpan,
  startSpan as startOwnSpan,
  startTracing,
  state,
  withSpan,
} from '../tracing/tracer.ts'
import type { NameSource } from '@afterimage/protocol/transaction'
import { warnOnce } from './absent.ts'
import { addIntegration } from './capture.ts'

export const SEMANTIC_ATTRIBUTE_SENTRY_OP = 'sentry.op'
export const SEMANTIC_ATTRIBUTE_SENTRY_ORIGIN = 'sentry.origin'
export const SEMANTIC_ATTRIBUTE_SENTRY_SAMPLE_RATE = 'sentry.sample_rate'
export const SEMANTIC_ATTRIBUTE_SENTRY_SOURCE = 'sentry.source'

type Value = Attributes[string]

/** A span with the methods of the other client. */
export interface Span {
  setAttribute(key: string, value: Value): this
  setAttributes(attributes: Attributes): this
  /** Code 1 is right, 2 is an error. */
  setStatus(status: { readonly code: 0 | 1 | 2; readonly message?: string }): this
  updateName(name: string): this
  end(at?: Time): void
  isRecording(): boolean
  spanContext(): { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
}

/** Seconds or milliseconds since the epoch, seconds with nanoseconds, or a date. */
export type Time = number | Date | readonly [seconds: number, nanoseconds: number]

export interface StartSpanOptions {
  readonly name: string
  readonly op?: string
  readonly attributes?: Attributes
  readonly startTime?: Time
  readonly parentSpan?: Span | null
  readonly forceTransaction?: boolean
  /** Runs without a span where there is no active one. */
  readonly onlyIfParent?: boolean
}

const records = new WeakMap<Span, SpanRecord>()
const spans = new WeakMap<SpanRecord, Span>()

/** Times in seconds are below this number, those in milliseconds above. */
const secondsMax = 9_999_999_999

function ms(time: Time): number {
  if (time instanceof Date) return time.getTime()
  if (typeof time !== 'number') return time[0] * 1000 + time[1] / 1e6
  return time > secondsMax ? time : time * 1000
}

function wrap(record: SpanRecord): Span {
  const known = spans.get(record)
  if (known) return known
  const chained =
    <A extends unknown[]>(run: (...given: A) => void) =>
    (...given: A): Span => {
      run(...given)
      return span
    }
  const span: Span = {
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes: chained(record.setAttributes),
    setStatus({ code, message }) {
      if (code > 0) record.setStatus((code === 1 ? 'ok' : (message ?? 'internal_error')) as 'ok')
      return span
    },
    updateName: chained((name: string) => record.setName(name)),
    end: (at) => record.end(at === undefined ? undefined : ms(at)),
    isRecording: () => record.isSampled && record.endedAt === undefined,
    spanContext: () => ({
      traceId: record.traceId,
      spanId: record.spanId,
      traceFlags: record.isSampled ? 1 : 0,
    }),
  }
  records.set(span, record)
  spans.set(record, span)
  return span
}

function ownOptions(given: StartSpanOptions): Parameters<typeof openSpan>[0] {
  const { name, startTime, parentSpan, forceTransaction, attributes = {} } = given
  const {
    [SEMANTIC_ATTRIBUTE_SENTRY_OP]: op = given.op,
    [SEMANTIC_ATTRIBUTE_SENTRY_ORIGIN]: origin,
    [SEMANTIC_ATTRIBUTE_SENTRY_SOURCE]: source,
    ...others
  } = attributes
  const parent = parentSpan && records.get(parentSpan)
  return {
    name,
    attributes: others,
    ...(op !== undefined && { op: String(op) }),
    ...(origin !== undefined && { origin: String(origin) }),
    ...(source !== undefined && { source: source as NameSource }),
    ...(startTime !== undefined && { startedAt: ms(startTime) }),
    ...(parent && { parentSpan: parent }),
    ...((forceTransaction || parentSpan === null) && { parentSpan: null }),
  }
}

const nowhere: Span = {
  setAttribute: () => nowhere,
  setAttributes: () => nowhere,
  setStatus: () => nowhere,
  updateName: () => nowhere,
  end() {},
  isRecording: () => false,
  spanContext: () => ({ traceId: '0'.repeat(32), spanId: '0'.repeat(16), traceFlags: 0 }),
}

/** Spans of the application are also sent without `browserTracingIntegration`. */
function ensureTracing(): void {
  const client = getClient()
  if (client === null || state.client === client) return
  addIntegration({ name: 'tracing', setup: (it) => [startTracing(it, {}, [])] })
}

function isWithout({ onlyIfParent }: StartSpanOptions): boolean {
  return onlyIfParent === true && getOwnActiveSpan() === null
}

/** Measures `run` until it returns, or its promise is settled. */
export function startSpan<R>(options: StartSpanOptions, run: (span: Span) => R): R {
  ensureTracing()
  if (isWithout(options)) return run(nowhere)
  return startOwnSpan(ownOptions(options), (span) => run(wrap(span as SpanRecord)))
}

/** Runs with a span as the active one; the caller ends it. */
export function startSpanManual<R>(
  options: StartSpanOptions,
  run: (span: Span, finish: () => void) => R,
): R {
  const span = startInactiveSpan(options)
  return withActiveSpan(span, () => run(span, () => span.end()))
}

export function startInactiveSpan(options: StartSpanOptions): Span {
  ensureTracing()
  return isWithout(options) ? nowhere : wrap(openSpan(ownOptions(options)))
}

export function getActiveSpan(): Span | undefined {
  const record = getOwnActiveSpan()
  return record === null ? undefined : wrap(record)
}

export function withActiveSpan<R>(span: Span | null, run: () => R): R {
  return withSpan((span && records.get(span)) ?? null, run)
}

export function getRootSpan(span: Span): Span {
  const root = records.get(span)?.segment.spans[0]
  return root ? wrap(root) : span
}

/** Runs inside a trace that was begun elsewhere. */
export function continueTrace<R>(
  headers: { readonly sentryTrace?: string | null; readonly baggage?: string | null },
  run: () => R,
): R {
  ensureTracing()
  return continueOwnTrace(headers, run)
}

export function startNewTrace<R>(run: () => R): R {
  ensureTracing()
  return continueOwnTrace({}, run)
}

/** Runs without an active span. Requests of the page are still measured in its own. */
export function suppressTracing<R>(run: () => R): R {
  warnOnce('suppressTracing')
  return run()
}

export function updateSpanName(span: Span, name: string): void {
  span.updateName(name)
}

export function setHttpStatus(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 400) span.setStatus({ code: 2 })
  else span.setStatus({ code: 1 })
}

/** Adds a number to the transaction of the active span. */
export function setMeasurement(name: string, value: number, unit = ''): void {
  const segment = getOwnActiveSpan()?.segment
  if (segment) segment.measurements[name] = { value, unit }
}

/** Returns the span as transactions carry it. */
export function spanToJSON(span: Span): Record<string, unknown> {
  const record = records.get(span)
  return record ? { ...spanPayload(record) } : {}
}

/** Returns the headers that continue this trace elsewhere. */
export function getTraceData(): { 'sentry-trace'?: string; baggage?: string } {
  const client = getClient()
  if (client === null) return {}
  const { context, sampling } = client.trace()
  const { sampled } = sampling
  const flag = sampled === undefined ? '' : `-${String(sampled) === 'true' ? 1 : 0}`
  return {
    'sentry-trace': `${context.trace_id}-${context.span_id}${flag}`,
    baggage: baggageOf(sampling),
  }
}

interface PageOptions {
  readonly name: string
  readonly attributes?: Attributes
}

export function startBrowserTracingPageLoadSpan(
  _client: unknown,
  options: PageOptions,
): Span | undefined {
  startPageLoad(pageOf(options))
  return getActiveSpan()
}

export function startBrowserTracingNavigationSpan(
  _client: unknown,
  options: PageOptions,
): Span | undefined {
  startNavigation(pageOf(options))
  return getActiveSpan()
}

function pageOf({ name, attributes }: PageOptions): Parameters<typeof startPageLoad>[0] {
  const { source = 'custom', ...rest } = ownOptions({ name, ...(attributes && { attributes }) })
  return { name, source, attributes: rest.attributes ?? {} }
}
