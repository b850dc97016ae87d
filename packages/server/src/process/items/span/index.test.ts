import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { defaultScrubbing } from '../../steps/scrub/settings.ts'
import type { ItemContext } from '../item.ts'
import { processSpan } from './index.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const traceId = 'ab'.repeat(16)
const containerType = 'application/vnd.sentry.items.span.v2+json'

interface Sent {
  readonly [key: string]: unknown
}

function streamed(spanId: string, more: Sent = {}, attributes: Sent = {}): Sent {
  const typed = Object.entries(attributes).map(([key, value]) => [
    key,
    { value, type: typeof value },
  ])
  return {
    trace_id: traceId,
    span_id: spanId.repeat(16),
    name: 'work',
    start_timestamp: now / 1000 - 2,
    end_timestamp: now / 1000 - 1,
    status: 'ok',
    attributes: Object.fromEntries(typed),
    ...more,
  }
}

function container(
  items: unknown,
  item: Sent = {},
  context: Partial<ItemContext> = {},
): ProcessedItem {
  const envelope = envelopeOf('span', { items }, { item: { content_type: containerType, ...item } })
  return processSpan(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now, ...context }))
}

test('a container that lost some of its spans is refused as a whole', () => {
  const result = container([streamed('a'), streamed('b')], { item_count: 3 })
  expect(result).toMatchObject({
    rows: [],
    quantity: 2,
    refusal: { outcome: 'invalid', reason: 'item_count_mismatch' },
  })
  expect(container([streamed('a')], { item_count: 1 }).refusal).toBeNull()
})

test('one bad span does not cost the others, and is counted with its reason', () => {
  const backwards = streamed('b', { end_timestamp: now / 1000 - 9 })
  const result = container([streamed('a'), backwards, { name: 'no ids' }, 7])
  expect(result).toMatchObject({ quantity: 1, refusal: null })
  expect(result.refusedParts).toMatchObject([
    { refusal: { reason: 'invalid_timestamp' }, quantity: 1 },
    { refusal: { reason: 'invalid_identifier' }, quantity: 1 },
    { refusal: { reason: 'invalid_payload' }, quantity: 1 },
  ])
})

test('a child takes its page from the segment in its container, and no page from a name that names none', () => {
  const child = {
    'sentry.segment.id': 'f'.repeat(16),
    'sentry.segment.name': 'Pageload',
    'sentry.op': 'db',
  }
  const page = streamed(
    'f',
    { name: 'Pageload', is_segment: true },
    { 'sentry.op': 'pageload', 'url.path': '/shop', 'sentry.release': 'shop@1', 'user.id': 7 },
  )
  const together = container([streamed('a', {}, child), page]).rows
  expect(together.map((row) => row.columns)).toMatchObject([
    { segmentName: '/shop', release: 'shop@1', userKey: 'id:7', segmentId: 'f'.repeat(16) },
    { segmentName: '/shop', name: '/shop', isSegment: 1 },
  ])
  const alone = container([streamed('a', {}, child)]).rows
  expect(alone[0]?.columns).toMatchObject({
    segmentName: null,
    segmentId: 'f'.repeat(16),
    isSegment: 0,
  })
})

function segment(spanId: string, release: string): Sent {
  return streamed(spanId, { is_segment: true }, { 'sentry.release': release })
}

test('metadata learns of the releases of segments, each once', () => {
  const { effects } = container([
    segment('a', 'shop@1'),
    segment('b', 'shop@1'),
    segment('c', 'shop@2'),
  ])
  expect(effects).toMatchObject([
    { type: 'release', release: 'shop@1' },
    { type: 'release', release: 'shop@2' },
  ])
})

test('secrets and addresses go before anything is stored', () => {
  const secret = {
    'sentry.op': 'http.client',
    'http.request.header.authorization': 'Bearer abcdefghij',
    'db.password': 'hunter2',
    'client.address': '203.0.113.9',
    'network.peer.address': '203.0.113.9',
    'http.request.header.x-forwarded-for': '203.0.113.9',
    note: 'https://me:hunter2@shop.test/',
  }
  const result = container([streamed('a', { name: 'GET /?password=hunter2' }, secret)])
  const text = JSON.stringify(result.rows)
  expect(text).not.toContain('hunter2')
  expect(text).not.toContain('abcdefghij')
  expect(text).not.toContain('203.0.113.9')
  const scrubbing = { ...defaultScrubbing, storeIpAddresses: true }
  const kept = container([streamed('a', {}, { 'user.ip_address': '{{auto}}' })], {}, { scrubbing })
  expect(kept.rows[0]?.columns).toMatchObject({ userKey: 'ip:198.51.100.7' })
  expect(kept.rows[0]?.payload).not.toContain('{{auto}}')
})

test('a drift of the whole envelope moves every span and keeps the client time', () => {
  const result = container(
    [streamed('a')],
    {},
    { clockDriftMs: 7_200_000, receivedAt: now + 7_200_000 },
  )
  expect(result.rows[0]).toMatchObject({
    timestamp: now - 2_000 + 7_200_000,
    columns: { clientTimestamp: now - 2_000, durationMs: 1_000 },
  })
})

function ahead(spanId: string, start: number, end: number): Sent {
  return streamed(spanId, { start_timestamp: now / 1000 + start, end_timestamp: now / 1000 + end })
}

test('spans of a clock that runs ahead move together, not each to the time of receipt', () => {
  const { rows } = container([ahead('a', 600, 605), ahead('b', 601, 602)])
  expect(rows.map(({ timestamp }) => timestamp - now)).toEqual([-5_000, -4_000])
})

test('a vital of a late span belongs to the page load it names', () => {
  const { rows } = container([
    streamed(
      'c',
      {},
      {
        'sentry.op': 'ui.webvital.cls',
        'sentry.pageload.span_id': 'f'.repeat(16),
        'browser.web_vital.cls.value': 0.25,
        'browser.web_vital.cls.source.1': 'div#ad',
      },
    ),
  ])
  expect(rows[1]).toMatchObject({
    table: 'vitals',
    columns: { traceId, segmentId: 'f'.repeat(16), name: 'cls', value: 0.25, element: 'div#ad' },
  })
})

test('a vital that no page can have is left out', () => {
  const { rows } = container([
    streamed('c', {}, { 'browser.web_vital.lcp.value': -1, 'browser.web_vital.inp.value': 1e12 }),
  ])
  expect(rows).toHaveLength(1)
})

test('attributes are bounded in number and in length', () => {
  const many = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index]),
  )
  const long = { text: 'x'.repeat(100_000), list: Array.from({ length: 5_000 }, () => 'y') }
  const { rows } = container([streamed('a', {}, many), streamed('b', {}, long)])
  expect(Object.keys(JSON.parse(rows[0]!.payload!) as object)).toHaveLength(256)
  expect(rows[1]!.payload!.length).toBeLessThan(10_000)
})

test('a span alone is told from a container by its content type', () => {
  const sent = {
    trace_id: traceId,
    span_id: 'a'.repeat(16),
    op: 'ui.interaction.click',
    description: 'button#buy',
    start_timestamp: now / 1000 - 1,
    timestamp: now / 1000,
    data: { transaction: '/shop', 'sentry.pageload.span_id': 'f'.repeat(16) },
    measurements: { inp: { value: 120, unit: 'millisecond' } },
    is_segment: true,
  }
  const envelope = envelopeOf('span', sent)
  const result = processSpan(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now }))
  expect(result.rows).toMatchObject([
    {
      table: 'spans',
      columns: { op: 'ui.interaction.click', segmentName: '/shop', durationMs: 1_000 },
    },
    {
      table: 'vitals',
      columns: {
        name: 'inp',
        value: 120,
        segmentId: 'f'.repeat(16),
        segmentName: '/shop',
        element: 'button#buy',
      },
    },
  ])
  const refused = envelopeOf('span', { ...sent, span_id: 'nothing' })
  expect(processSpan(refused.items[0]!, itemContext(refused, 0)).refusal).toMatchObject({
    reason: 'invalid_identifier',
  })
})
