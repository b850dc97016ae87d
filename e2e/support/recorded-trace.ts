import type { ApiTrace } from '@afterimage/protocol/api'
import type { Product } from './product.ts'
import { send } from './shares.ts'
import { until } from './until.ts'

interface TraceOptions {
  /** A replay of the same visit. */
  readonly replayId?: string
  /** Sends an error under the failed span too. */
  readonly hasError?: boolean
}

/** The ids of one trace, and when it began, s since the epoch. */
interface Ids {
  readonly traceId: string
  readonly root: string
  readonly request: string
  readonly server: string
  readonly query: string
  readonly at: number
}

const hex = (length: number) => crypto.randomUUID().replaceAll('-', '').slice(0, length)

/**
 * Sends the trace of one page load: the page, its request, the server's work under it and a database
 * query that failed. Returns the trace's id when its spans can be read.
 */
export async function sendTrace(
  product: Product,
  dsn: string,
  options: TraceOptions = {},
): Promise<string> {
  const ids: Ids = {
    traceId: hex(32),
    root: hex(16),
    request: hex(16),
    server: hex(16),
    query: hex(16),
    at: Date.now() / 1000 - 30,
  }
  const sendAs = (type: string, event: { readonly event_id: string }) => {
    const header = { event_id: event.event_id, sent_at: new Date().toISOString(), dsn }
    return send(
      product,
      dsn,
      [header, { type }, event].map((line) => JSON.stringify(line)).join('\n'),
    )
  }
  await sendAs('transaction', pageLoad(ids, options.replayId))
  await sendAs('transaction', serverWork(ids))
  if (options.hasError === true) await sendAs('event', timeoutError(ids))
  await until('the spans can be read', async () => {
    const trace = await product.api<ApiTrace>(`organizations/main/traces/${ids.traceId}/`)
    return trace.span_count === 5
  })
  return ids.traceId
}

function pageLoad({ traceId, root, request, at }: Ids, replayId: string | undefined) {
  return {
    type: 'transaction',
    event_id: hex(32),
    transaction: '/checkout',
    platform: 'javascript',
    release: 'shop@2.14.0',
    start_timestamp: at,
    timestamp: at + 4.3,
    ...(replayId === undefined ? {} : { tags: { replayId } }),
    contexts: {
      trace: { trace_id: traceId, span_id: root, op: 'pageload', status: 'ok' },
      ...(replayId === undefined ? {} : { replay: { replay_id: replayId } }),
    },
    measurements: {
      lcp: { value: 4210, unit: 'millisecond' },
      cls: { value: 0.02, unit: '' },
      ttfb: { value: 610, unit: 'millisecond' },
    },
    spans: [
      {
        ...span(traceId, request, root),
        op: 'http.client',
        description: 'GET /api/shipping',
        start_timestamp: at + 1,
        timestamp: at + 3.2,
        data: { 'http.response.status_code': 200 },
      },
      {
        ...span(traceId, hex(16), root),
        op: 'ui.paint',
        description: 'first paint',
        start_timestamp: at + 0.6,
        timestamp: at + 0.61,
      },
    ],
  }
}

function serverWork({ traceId, request, server, query, at }: Ids) {
  return {
    type: 'transaction',
    event_id: hex(32),
    transaction: 'GET /api/shipping',
    platform: 'node',
    start_timestamp: at + 1.05,
    timestamp: at + 3.15,
    contexts: { trace: { ...span(traceId, server, request), op: 'http.server' } },
    spans: [
      {
        ...span(traceId, query, server),
        op: 'db',
        description: 'select * from rates',
        status: 'deadline_exceeded',
        start_timestamp: at + 1.2,
        timestamp: at + 3.1,
      },
    ],
  }
}

function timeoutError({ traceId, query, at }: Ids) {
  return {
    event_id: hex(32),
    timestamp: at + 3.1,
    platform: 'node',
    exception: { values: [{ type: 'TimeoutError', value: 'rates did not answer' }] },
    contexts: { trace: { trace_id: traceId, span_id: query } },
  }
}

function span(traceId: string, id: string, parent: string) {
  return { trace_id: traceId, span_id: id, parent_span_id: parent, status: 'ok' }
}
