import type {
  ApiSpan,
  ApiTrace,
  ApiTraceSummary,
  ApiTransactionSummary,
} from '@afterimage/protocol/api/trace'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DrawnSpan, spanTree } from './span-tree.ts'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../testing/api-server.ts'

const traceId = hexId(0xcc)
const start = testNow - 60_000

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

function span(
  spanId: string,
  parentSpanId: string | null,
  columns: Record<string, string | number | null> = {},
) {
  return row(
    'spans',
    start,
    {
      traceId,
      spanId,
      parentSpanId,
      segmentId: 'a',
      isSegment: 0,
      name: `span ${spanId}`,
      op: 'default',
      status: 'ok',
      durationMs: 100,
      selfTimeMs: null,
      segmentName: '/cart',
      service: 'browser',
      clientTimestamp: start,
      environment: 'production',
      ...columns,
    },
    { payload: { 'http.method': 'GET' } },
  )
}

test('a trace is a tree with its errors, vitals and replay', async () => {
  await server.store([
    {
      type: 'span',
      rows: [
        span('c', 'b', { clientTimestamp: start + 20, durationMs: 10 }),
        span('b', 'a', { clientTimestamp: start + 10, durationMs: 50 }),
        // Its own envelope held none of its children.
        span('a', null, { isSegment: 1, op: 'pageload', replayId: hexId(5), selfTimeMs: 100 }),
        span('x', 'not here', { clientTimestamp: start + 5 }),
        row('vitals', start, { traceId, segmentId: 'a', name: 'lcp', value: 900, element: 'img' }),
      ],
    },
    errorItem(1, { columns: { traceId, spanId: 'b' } }),
    errorItem(2, { hashes: ['h2'], columns: { traceId, spanId: 'gone' } }),
  ])
  const trace = await server.json<ApiTrace>(`/organizations/main/traces/${traceId}/`)
  expect(trace.spans.map((it) => it.span_id)).toEqual(['a', 'x'])
  const [a] = trace.spans
  expect(a).toMatchObject({
    transaction: '/cart',
    is_segment: true,
    self_time: 50,
    attributes: { 'http.method': 'GET' },
    children: [{ span_id: 'b', errors: [{ short_id: 'STORE-1' }], children: [{ span_id: 'c' }] }],
  })
  expect(a?.end_timestamp).toBeCloseTo(start / 1000 + 0.1)
  expect(trace).toMatchObject({
    orphan_errors: [{ short_id: 'STORE-2', span_id: 'gone' }],
    vitals: [{ name: 'lcp', value: 900 }],
    replay_id: hexId(5),
    is_truncated: false,
    span_count: 4,
  })
  expect((await server.ask(`/organizations/main/traces/${hexId(1)}/`)).status).toBe(404)
  expect((await server.ask('/organizations/main/traces/xyz/')).status).toBe(400)
})

test('the list shows where traces begin, newest first, by search', async () => {
  await server.store([
    {
      type: 'span',
      rows: [
        span('a', null, { isSegment: 1, op: 'pageload' }),
        span('b', null, { isSegment: 1, op: 'http.client', traceId: hexId(2) }),
        span('c', 'other', { isSegment: 1, op: 'http.server', traceId: hexId(3) }),
        span('d', null, { isSegment: 1, op: 'http.server', traceId: hexId(4), durationMs: 900 }),
      ],
    },
  ])
  const names = async (query = '') =>
    (await server.json<{ data: ApiTraceSummary[] }>(`/organizations/main/traces/?${query}`)).data
      .map(({ trace_id }) => trace_id)
      .sort()
  expect(await names()).toEqual([hexId(4), traceId])
  expect(await names('query=duration:>500')).toEqual([hexId(4)])
  expect(await names('query=op:pageload')).toEqual([traceId])
  expect(await names('query=cart')).toEqual([hexId(4), traceId])
  expect((await server.ask('/organizations/main/traces/?query=nothing:x')).status).toBe(400)
})

test('pages and routes with their durations, failures and vitals', async () => {
  await server.store([
    {
      type: 'span',
      rows: [
        ...[100, 200, 300, 400].map((durationMs, index) =>
          span(`p${index}`, null, {
            isSegment: 1,
            op: 'pageload',
            durationMs,
            status: index === 0 ? 'internal_error' : 'ok',
            userKey: `id:${index % 2}`,
          }),
        ),
        span('r', null, { isSegment: 1, op: 'http.server', segmentName: '/api', durationMs: 1000 }),
        span('f', null, { isSegment: 1, op: 'http.client', segmentName: '/fetch' }),
        span('k', 'p1', { op: 'db' }),
        row('vitals', start, {
          traceId,
          segmentId: 'p0',
          name: 'lcp',
          value: 900,
          segmentName: '/cart',
        }),
      ],
    },
  ])
  const rows = async (query: string) =>
    (
      await server.json<{ data: ApiTransactionSummary[] }>(
        `/organizations/main/transactions/?statsPeriod=24h&${query}`,
      )
    ).data
  const [page, route, ...rest] = await rows('')
  expect(rest).toEqual([])
  expect(page).toMatchObject({
    transaction: '/cart',
    op: 'pageload',
    project_slug: 'store',
    count: 4,
    failure_rate: 0.25,
    users: 2,
  })
  expect(page?.p50).toBeGreaterThan(190)
  expect(page?.p95).toBeGreaterThan(290)
  expect(page?.vitals['lcp']).toBeCloseTo(900, -2)
  expect(route).toMatchObject({ transaction: '/api', count: 1, vitals: {} })
  expect((await rows('sort=-p75')).map((it) => it.transaction)).toEqual(['/api', '/cart'])
  expect((await rows('query=op:http.client')).map((it) => it.transaction)).toEqual(['/fetch'])
  expect((await rows('per_page=1')).length).toBe(1)
  expect((await server.ask('/organizations/main/transactions/?sort=magic')).status).toBe(400)
})

function drawn(span_id: string, parent_span_id: string | null, at: number): DrawnSpan {
  return {
    span_id,
    parent_span_id,
    project_slug: '',
    event_id: null,
    is_segment: false,
    op: '',
    name: '',
    transaction: null,
    origin: null,
    status: 'ok',
    service: '',
    start_timestamp: at,
    end_timestamp: at + 1,
    duration: 1000,
    self_time: Infinity,
    attributes: {},
    errors: [],
    children: [],
  }
}

function count(spans: readonly ApiSpan[]): number {
  return spans.reduce((sum, it) => sum + 1 + count(it.children), 0)
}

test('spans that are each other’s parents, or ten thousand deep, are all there', () => {
  const loop = [drawn('a', 'c', 3), drawn('b', 'a', 1), drawn('c', 'b', 2), drawn('s', 's', 0)]
  const tree = spanTree(loop)
  expect(tree.map((it) => it.span_id)).toEqual(['s', 'b'])
  expect(count(tree)).toBe(4)
  const deep = Array.from({ length: 10_000 }, (_, index) =>
    drawn(`${index}`, index === 0 ? null : `${index - 1}`, index),
  )
  expect(count(spanTree(deep))).toBe(10_000)
})

test('two spans of one id are both shown', () => {
  expect(count(spanTree([drawn('a', null, 0), drawn('a', null, 1), drawn('b', 'a', 2)]))).toBe(3)
})
