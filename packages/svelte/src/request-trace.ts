import {
  baggageOf,
  continuedTrace,
  createTrace,
  decide,
  samplingOf,
} from '@afterimage/browser/trace'
import type { Trace } from '@afterimage/browser/trace'
import type { Dsn } from '@afterimage/protocol/dsn'

/** The traces of requests that are being answered. */
export interface RequestTraces {
  /** Sets the share of traces that are sampled; 1 by default. */
  setRate(rate?: number): void
  /** Begins the trace of a request, or continues that of its sender. */
  begin(request: Request): Trace
  /** Returns the trace of a request; undefined where none was begun. */
  of(request: Request): Trace | undefined
}

export function createRequestTraces(): RequestTraces {
  const traces = new WeakMap<Request, Trace>()
  let tracesSampleRate = 1
  return {
    setRate(rate = 1) {
      tracesSampleRate = rate
    },
    begin(request) {
      const { headers } = request
      const trace =
        continuedTrace(headers.get('sentry-trace'), headers.get('baggage')) ?? createTrace()
      decide(trace, '', {}, { tracesSampleRate })
      traces.set(request, trace)
      return trace
    },
    of: (request) => traces.get(request),
  }
}

/** Returns the trace as the context of an event. */
export function contextOf({ traceId, spanId, parentSpanId }: Trace): Record<string, unknown> & {
  readonly trace_id: string
  readonly span_id: string
} {
  return {
    trace_id: traceId,
    span_id: spanId,
    ...(parentSpanId !== undefined && { parent_span_id: parentSpanId }),
  }
}

interface Sender {
  readonly dsn: Dsn
  readonly release?: string
  readonly environment?: string
}

/** Adds the tags by which the page load continues a trace to the beginning of a document's head. */
export function withTraceTags(
  html: string,
  trace: Trace,
  { dsn, release, environment }: Sender,
): string {
  const own = { public_key: dsn.publicKey, release, environment } as Record<string, string>
  const sentryTrace = `${trace.traceId}-${trace.spanId}-${trace.sampled ? '1' : '0'}`
  const tags = [
    ['sentry-trace', sentryTrace],
    ['baggage', baggageOf(samplingOf(trace, own))],
  ].map(([name, content]) => `<meta name="${name}" content="${content}">`)
  return html.replace(/<head(?:\s[^>]*)?>/, (head) => head + tags.join(''))
}
