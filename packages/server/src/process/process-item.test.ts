import { expect, test } from 'vitest'
import type { ProcessedItem } from '../storage/events/port.ts'
import { envelopeOf, itemContext } from '../testing/recorded-items.ts'
import { processItem } from './process-item.ts'

const eventId = 'ab'.repeat(16)

function run(type: string, payload: unknown, item: Record<string, unknown> = {}): ProcessedItem {
  const envelope = envelopeOf(type, payload, { header: { event_id: eventId }, item })
  return processItem(envelope.items[0]!, itemContext(envelope, 0))
}

test.for([
  ['profile', 'profile'],
  ['profile_chunk', 'profile_chunk'],
  ['statsd', 'statsd'],
  ['replay_video', 'replay_video'],
  ['from_the_future', 'from_the_future'],
  ['toString', 'other'],
  ['__proto__', 'other'],
  ['', 'other'],
  ['x'.repeat(1_000), 'other'],
] as const)('an item of type %s is counted as %s and dropped', ([type, counted]) => {
  expect(run(type, {})).toMatchObject({
    type: counted,
    rows: [],
    refusal: { outcome: 'unsupported', reason: 'unsupported_item_type' },
  })
})

test('every list of a client report is counted, equal entries together', () => {
  const report = {
    discarded_events: [
      { reason: 'sample_rate', category: 'transaction', quantity: 2 },
      { reason: 'sample_rate', category: 'transaction', quantity: 3 },
    ],
    rate_limited_events: [{ category: 'error', quantity: 1 }],
    filtered_events: [{ reason: 'localhost', category: 'error', quantity: 4 }],
    filtered_sampling_events: [{ category: 'transaction', quantity: 5 }],
  }
  expect(run('client_report', report).discards).toEqual([
    { category: 'transaction', reason: 'sample_rate', quantity: 10 },
    { category: 'error', reason: 'ratelimit_backoff', quantity: 1 },
    { category: 'error', reason: 'localhost', quantity: 4 },
  ])
})

test('a client report says nothing that is not a count of a named category', () => {
  const odd = [
    null,
    7,
    { category: 'error' },
    { category: 'error', quantity: -1 },
    { category: 'error', quantity: 1.5 },
    { category: '<b>', quantity: 1 },
    { category: { a: 1 }, quantity: 1 },
  ]
  expect(run('client_report', { discarded_events: odd })).toMatchObject({
    refusal: null,
    discards: [],
  })
  expect(run('client_report', 'none').refusal).toMatchObject({ outcome: 'invalid' })
})

test.for([
  ['скрин "1".png', 'скрин "1".png'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\ada\\notes.txt', 'notes.txt'],
  ['a\u202egnp.exe\u0000', 'agnp.exe'],
  ['..', 'unnamed'],
  [undefined, 'unnamed'],
  ['x'.repeat(400), 'x'.repeat(255)],
] as const)('a file sent as %s is called %s', ([filename, name]) => {
  expect(run('attachment', Buffer.from('hello'), { filename }).rows[0]?.columns).toMatchObject({
    name,
  })
})

test('an attachment is kept under its event and its content, an empty one too', () => {
  const empty = run('attachment', new Uint8Array(0), {
    filename: 'empty.txt',
    content_type: 'Text/Plain',
  })
  const sha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect(empty.rows[0]?.columns).toMatchObject({
    eventId,
    sha256,
    bytes: 0,
    contentType: 'text/plain',
    type: 'event.attachment',
    blobKey: `attachments/42/${eventId}/${sha256}`,
  })
  expect(empty.blobs).toHaveLength(1)
})

test('an attachment without an event is refused', () => {
  const envelope = envelopeOf('attachment', new Uint8Array(1))
  expect(processItem(envelope.items[0]!, itemContext(envelope, 0)).refusal).toMatchObject({
    reason: 'invalid_event_id',
  })
})

test('a user report becomes feedback about its event, and twice the same', () => {
  const report = {
    event_id: eventId,
    name: 'Ada',
    email: 'ada@example.test',
    comments: ' It broke. ',
  }
  const result = run('user_report', report)
  expect(result.rows[0]).toMatchObject({
    table: 'feedback',
    columns: {
      message: 'It broke.',
      source: 'user_report',
      associatedEventId: eventId,
      userKey: 'email:ada@example.test',
    },
  })
  expect(run('user_report', report).rows[0]?.columns).toEqual(result.rows[0]?.columns)
  const other = run('user_report', { ...report, comments: 'Again.' }).rows[0]?.columns
  expect(other).not.toEqual(result.rows[0]?.columns)
  expect(run('user_report', { ...report, comments: ' ' }).refusal).toMatchObject({
    reason: 'missing_field',
  })
})

test('a name that is cut through an emoji is stored as text', () => {
  const op = `${'x'.repeat(199)}😀`
  const raw = {
    trace_id: 'ab'.repeat(16),
    span_id: 'cd'.repeat(8),
    start_timestamp: 1,
    timestamp: 2,
  }
  const envelope = envelopeOf('span', { ...raw, op, description: op })
  const { rows } = processItem(envelope.items[0]!, itemContext(envelope, 0))
  const texts = Object.values(rows[0]?.columns ?? {}).filter((value) => typeof value === 'string')
  expect(texts.some((text) => text.startsWith('xxx'))).toBe(true)
  expect(texts.filter((text) => !text.isWellFormed())).toEqual([])
})
