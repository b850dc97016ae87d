import type { Client, CurrentTrace } from '@afterimage/sdk-core/client'
import { guard, guardEach } from '@afterimage/sdk-core/guard'
import type { Options } from '@afterimage/sdk-core/options'
import { spansMax } from './limits.ts'
import { sendTransaction } from './send-transaction.ts'
import { createSpan, isOver } from './span.ts'
import type { Segment, Span, SpanOptions, SpanRecord } from './span.ts'
import { continuedTrace, createTrace, decide, samplingOf } from './trace.ts'
import type { Trace } from './trace.ts'
import type { TracingOptions } from './tracing-options.ts'

/**
 * The state of tracing. Spans nest in synchronous code. Code after an `await` belongs to the page's
 * root, since a browser cannot tell which continuation it is.
 */

interface TracingState {
  /** Absent while nothing is measured. */
  client?: Client | null
  /** The client's options, overlaid by those of tracing. */
  options: TracingOptions & Partial<Options>
  /** Limits the share of traces that are sent: a setting of the server. */
  rateMax?: number | undefined
  /** The trace of the page. */
  trace: Trace
  /** The innermost span of the code that runs now. */
  active?: SpanRecord | null | undefined
  /** The segment of spans that begin without an active one. */
  current?: Segment | null
  endings: readonly Ending[]
}

export const state: TracingState = {
  options: {},
  endings: [],
  trace: createTrace(),
}

/** Called with a segment that ends, before it is sent, to add spans and measurements. */
export type Ending = (segment: Segment) => void

/** Replaces the client's trace with that of this page; returns a function that restores it. */
export function startTracing(
  client: Client,
  given: TracingOptions,
  endings: readonly Ending[],
): () => void {
  const original = client.trace
  state.client = client
  state.options = { ...client.options, ...given }
  state.endings = endings
  setTrace(createTrace())
  client.trace = () => currentTrace(original)
  return () => {
    client.trace = original
    state.client = state.current = null
    state.rateMax = undefined
  }
}

/** Limits the share of traces that are sent from now on, the page's own included. */
export function limitRate(rateMax: number | undefined): void {
  const { trace, current } = state
  state.rateMax = rateMax
  if (!trace.sampled || trace.rand < (rateMax ?? 1)) return
  trace.sampled = false
  if (current) current.isSampled = false
}

/** `original` returns the client's members, and those added by others. */
function currentTrace(original: Client['trace']): CurrentTrace {
  const span = getActiveSpan()
  const { traceId, spanId, parentSpanId } = span ?? state.trace
  return {
    context: { trace_id: traceId, span_id: spanId, parent_span_id: parentSpanId },
    sampling: samplingOf(traceOf(span), original().sampling),
  }
}

/** Returns the trace of a span, or of the page. */
export function traceOf(span: SpanRecord | null): Trace {
  return span?.segment.trace ?? state.trace
}

/** Begins a trace, to which everything belongs until the next one begins. */
export function setTrace(next: Trace): void {
  state.trace = next
  state.current = null
}

/** Returns the innermost span of the code that runs now, else the page's root while it is open. */
export function getActiveSpan(): SpanRecord | null {
  return state.active ?? state.current?.spans[0] ?? null
}

/** Runs with this span as the active one; null for none. */
export function withSpan<R>(span: SpanRecord | null, run: () => R): R {
  const { active: outer } = state
  state.active = span
  try {
    return run()
  } finally {
    state.active = outer
  }
}

/**
 * Opens a child of the parent, or a root where there is no open one. It never becomes the active
 * span; the caller ends it.
 */
export function openSpan(given: SpanOptions): SpanRecord {
  const { parentSpan: parent = getActiveSpan() } = given
  const segment = (parent as SpanRecord | null)?.segment
  if (!segment || isOver(segment)) return openSegment(given)
  return openChild(segment, { ...given, parentSpanId: parent!.spanId }, (step) => {
    segment.openSpans += step
    segment.changed?.(step > 0)
  })
}

/**
 * Adds a child. `changed` is called with 1 now and -1 at its end, unless there is no room for it.
 */
function openChild(
  segment: Segment,
  given: SpanOptions & { readonly parentSpanId: string },
  changed?: (step: number) => void,
): SpanRecord {
  const hasRoom = segment.spans.length < spansMax
  const span = createSpan(segment, given, () => hasRoom && changed?.(-1))
  if (hasRoom) {
    segment.spans.push(span)
    changed?.(1)
  } else if (segment.isSampled) state.client?.discard('buffer_overflow', { span: 1 })
  return span
}

/** Opens a root in the current trace. */
export function openSegment(given: SpanOptions): SpanRecord {
  const { name, attributes = {} } = given
  const { client, trace, options, rateMax } = state
  if (client) decide(trace, name, attributes, options, rateMax)
  const segment: Segment = {
    trace,
    isSampled: !!client && !!trace.sampled,
    spans: [],
    measurements: {},
    openSpans: 0,
  }
  const root = createSpan(segment, { ...given, parentSpanId: trace.parentSpanId }, endSegment)
  segment.spans.push(root)
  trace.root = root
  return root
}

function endSegment(root: SpanRecord): void {
  const { segment } = root
  guardEach(state.endings, (listener) => listener(segment))
  delete segment.changed
  if (state.current === segment) state.current = null
  segment.settle?.(root.endedAt!)
  for (const span of segment.spans) {
    if (span.endedAt !== undefined) continue
    span.setStatus('cancelled')
    span.end(root.endedAt)
  }
  const { client, options } = state
  if (client) guard(() => withSpan(root, () => sendTransaction(client, segment, options)))
}

/** Adds a child that has ended already, as measured by the browser. */
export function addSpan(segment: Segment, endedAt: number, given: SpanOptions): void {
  // Spans added afterwards keep no page open.
  const parentSpanId = segment.spans[0]!.spanId
  openChild(segment, { origin: 'auto.ui.browser.metrics', ...given, parentSpanId }).end(endedAt)
}

/**
 * Measures `run` until it returns, or until the promise that it returns is settled; the result is
 * then a promise that follows it. An error makes the span an `internal_error`, and is thrown to the
 * caller.
 */
export function startSpan<R>(given: SpanOptions, run: (span: Span) => R): R {
  const span = openSpan(given)
  // While a root waits for its promise, later spans can only belong to it.
  if (span.segment.spans[0] === span) state.current ??= span.segment
  const fail = (error: unknown): never => {
    span.setStatus('internal_error')
    span.end()
    throw error
  }
  try {
    const answer = withSpan(span, () => run(span))
    if (typeof (answer as Partial<PromiseLike<unknown>> | null)?.then !== 'function') {
      span.end()
      return answer
    }
    return (answer as PromiseLike<unknown>).then((value) => {
      span.end()
      return value
    }, fail) as R
  } catch (error) {
    return fail(error)
  }
}

/** Runs inside a trace that was begun elsewhere. Headers that name none begin one. */
export function continueTrace<R>(
  headers: { readonly sentryTrace?: string | null; readonly baggage?: string | null },
  run: () => R,
): R {
  const { trace, current } = state
  setTrace(continuedTrace(headers.sentryTrace, headers.baggage) ?? createTrace())
  try {
    return withSpan(null, run)
  } finally {
    Object.assign(state, { trace, current })
  }
}
