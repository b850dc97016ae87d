import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import type { ItemContext } from '../item.ts'
import { processTransaction } from './index.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const traceId = 'ab'.repeat(16)
const rootId = 'f'.repeat(16)

type Sent = Readonly<Record<string, unknown>>

function child(spanId: string, more: Sent = {}): Sent {
  return {
    span_id: spanId.repeat(16),
    parent_span_id: rootId,
    op: 'db',
    description: 'select 1',
    start_timestamp: now / 1000 - 4,
    timestamp: now / 1000 - 2,
    ...more,
  }
}

function transaction(more: Sent = {}, context: Partial<ItemContext> = {}): ProcessedItem {
  const sent = {
    type: 'transaction',
    event_id: 'cd'.repeat(16),
    transaction: 'GET /orders/:id',
    transaction_info: { source: 'route' },
    start_timestamp: now / 1000 - 5,
    timestamp: now / 1000,
    platform: 'node',
    release: 'shop@1',
    contexts: { trace: { trace_id: traceId, span_id: rootId, op: 'http.server', status: 'ok' } },
    ...more,
  }
  const envelope = envelopeOf('transaction', sent)
  return processTransaction(
    envelope.items[0]!,
    itemContext(envelope, 0, { receivedAt: now, ...context }),
  )
}

test('becomes a row of its own, a segment, and the spans within', () => {
  const result = transaction({
    spans: [child('a'), child('b', { start_timestamp: now / 1000 - 3 })],
  })
  expect(result).toMatchObject({ refusal: null, quantity: 1 })
  expect(result.rows.map(({ table }) => table)).toEqual(['transactions', 'spans', 'spans', 'spans'])
  expect(result.rows.map(({ columns }) => columns)).toMatchObject([
    {
      name: 'GET /orders/:id',
      source: 'route',
      durationMs: 5_000,
      status: 'ok',
      op: 'http.server',
    },
    { isSegment: 1, selfTimeMs: 3_000, segmentName: 'GET /orders/:id', service: 'unknown' },
    { isSegment: 0, selfTimeMs: 2_000, segmentId: rootId, traceId, eventId: 'cd'.repeat(16) },
    { isSegment: 0, selfTimeMs: 1_000, parentSpanId: rootId },
  ])
  expect(result.effects).toEqual([
    { type: 'release', release: 'shop@1', environment: null, timestamp: now },
  ])
})

test.for([
  [{ start_timestamp: now / 1000 + 1 }, 'invalid_timestamp'],
  [{ start_timestamp: undefined }, 'invalid_timestamp'],
  [{ timestamp: 'yesterday' }, 'invalid_timestamp'],
  [{ contexts: {} }, 'missing_field'],
  [{ contexts: { trace: { trace_id: traceId } } }, 'invalid_identifier'],
] as const)('%j is refused', ([more, reason]) => {
  expect(transaction(more).refusal).toMatchObject({ outcome: 'invalid', reason })
})

test('keeps what can be read of its spans, counts the others, and takes a repeated id once', () => {
  const backwards = child('b', { timestamp: now / 1000 - 9 })
  const result = transaction({ spans: [child('a'), child('a'), backwards, null, 'span'] })
  expect(result.rows.filter(({ table }) => table === 'spans')).toHaveLength(2)
  expect(result.refusedParts).toMatchObject([
    { refusal: { reason: 'invalid_timestamp' }, quantity: 1 },
    { refusal: { reason: 'invalid_payload' }, quantity: 2 },
  ])
})

test('holds a bounded number of spans and says how many it left out', () => {
  const spans = Array.from({ length: 5_010 }, (_, index) =>
    child('a', { span_id: (index + 1).toString(16).padStart(16, '0') }),
  )
  const result = transaction({ spans })
  expect(result.rows).toHaveLength(5_002)
  expect(result.refusedParts).toMatchObject([{ refusal: { reason: 'too_large' }, quantity: 10 }])
})

test('a span without an operation, a name or a status has the defaults', () => {
  const bare = { op: '', description: undefined, parent_span_id: undefined }
  const { rows } = transaction({ spans: [child('a', bare)] })
  expect(rows[2]?.columns).toMatchObject({
    op: 'default',
    name: 'default',
    status: 'unknown',
    parentSpanId: rootId,
  })
})

test('a transaction from the future moves to its receipt with all its spans', () => {
  const ahead = now / 1000 + 3_000
  const { rows } = transaction({
    start_timestamp: ahead - 5,
    timestamp: ahead,
    spans: [child('a', { start_timestamp: ahead - 4, timestamp: ahead - 2 })],
  })
  expect(rows.map(({ timestamp }) => timestamp - now)).toEqual([0, -5_000, -4_000])
  expect(rows[0]?.columns).toMatchObject({ clientTimestamp: ahead * 1000 })
})

test('measurements become vitals of the page load', () => {
  const { rows } = transaction({
    platform: 'javascript',
    transaction: '/shop',
    measurements: {
      lcp: { value: 2.5, unit: 'second' },
      cls: { value: 0.1, unit: '' },
      other: { value: 1 },
    },
    contexts: {
      trace: {
        trace_id: traceId,
        span_id: rootId,
        op: 'pageload',
        data: { 'lcp.element': 'img.hero' },
      },
    },
  })
  const vitals = rows.filter(({ table }) => table === 'vitals').map(({ columns }) => columns)
  expect(vitals).toMatchObject([
    { name: 'lcp', value: 2_500, element: 'img.hero', segmentId: rootId, segmentName: '/shop' },
    { name: 'cls', value: 0.1, element: null },
  ])
})

test('secrets go from the payload and from the spans', () => {
  const result = transaction({
    request: { url: 'https://shop.test/', headers: { Authorization: 'Bearer abcdefghij' } },
    spans: [child('a', { data: { password: 'hunter2' }, description: 'GET /?api_key=hunter2' })],
  })
  const text = JSON.stringify(result.rows)
  expect(text).not.toContain('abcdefghij')
  expect(text).not.toContain('hunter2')
})
