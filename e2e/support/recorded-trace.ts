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
  const traceId = hex(32)
  const at = Date.now() / 1000 - 30
  const [root, request, server, query] = [hex(16), hex(16), hex(16), hex(16)]
  const span = (id: string, parent: string, op: string, description: string) => ({
    trace_id: traceId,
    span_id: id,
    parent_span_id: parent,
    op,
    description,
    status: 'ok',
  })
  const page = {
    type: 'transaction',
    event_id: hex(32),
    transaction: '/checkout',
    platform: 'javascript',
    release: 'shop@2.14.0',
    start_timestamp: at,
    timestamp: at + 4.3,
    ...(options.replayId === undefined ? {} : { tags: { replayId: options.replayId } }),
    contexts: {
      trace: { trace_id: traceId, span_id: root, op: 'pageload', status: 'ok' },
      ...(options.replayId === undefined ? {} : { replay: { replay_id: options.replayId } }),
    },
    measurements: {
      lcp: { value: 4210, unit: 'millisecond' },
      cls: { value: 0.02, unit: '' },
      ttfb: { value: 610, unit: 'millisecond' },
    },
    spans: [
      {
        ...span(request, root, 'http.client', 'GET /api/shipping'),
        start_timestamp: at + 1,
        timestamp: at + 3.2,
        data: { 'http.response.status_code': 200 },
      },
      {
        ...span(hex(16), root, 'ui.paint', 'first paint'),
        start_timestamp: at + 0.6,
        timestamp: at + 0.61,
      },
    ],
  }
  const behind = {
    type: 'transaction',
    event_id: hex(32),
    transaction: 'GET /api/shipping',
    platform: 'node',
    start_timestamp: at + 1.05,
    timestamp: at + 3.15,
    contexts: {
      trace: {
        trace_id: traceId,
        span_id: server,
        parent_span_id: request,
        op: 'http.server',
        status: 'ok',
      },
    },
    spans: [
      {
        ...span(query, server, 'db', 'select * from rates'),
        status: 'deadline_exceeded',
        start_timestamp: at + 1.2,
        timestamp: at + 3.1,
      },
    ],
  }
  const error = {
    event_id: hex(32),
    timestamp: at + 3.1,
    platform: 'node',
    exception: { values: [{ type: 'TimeoutError', value: 'rates did not answer' }] },
    contexts: { trace: { trace_id: traceId, span_id: query } },
  }
  for (const event of [page, behind]) {
    await send(product, dsn, envelope(dsn, event.event_id, 'transaction', event))
  }
  if (options.hasError === true) {
    await send(product, dsn, envelope(dsn, error.event_id, 'event', error))
  }
  await until('the spans can be read', async () => {
    const trace = await product.api<ApiTrace>(`organizations/main/trace/${traceId}/`)
    return trace.span_count === 5
  })
  return traceId
}

function envelope(dsn: string, id: string, type: string, payload: object): string {
  const header = { event_id: id, sent_at: new Date().toISOString(), dsn }
  return [header, { type }, payload].map((line) => JSON.stringify(line)).join('\n')
}
