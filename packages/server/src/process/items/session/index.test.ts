import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import type { ItemContext } from '../item.ts'
import { processSession, processSessions } from './index.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const day = 86_400_000

type Sent = Readonly<Record<string, unknown>>

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

function session(more: Sent = {}, context: Partial<ItemContext> = {}): ProcessedItem {
  const sent = {
    sid: '7c7b6585-f901-4351-bf8d-02711b721929',
    did: 'u-1',
    started: iso(now - 60_000),
    timestamp: iso(now - 1_000),
    status: 'ok',
    errors: 0,
    attrs: { release: 'shop@1', environment: 'production' },
    ...more,
  }
  const envelope = envelopeOf('session', sent)
  return processSession(
    envelope.items[0]!,
    itemContext(envelope, 0, { receivedAt: now, ...context }),
  )
}

function keyOf(result: ProcessedItem): unknown {
  return (result.rows[0]?.columns as Sent | undefined)?.['key']
}

test('an update is one row, known by its session and moment', () => {
  const result = session()
  expect(result.rows[0]).toMatchObject({
    timestamp: now - 1_000,
    columns: { sid: '7c7b6585f9014351bf8d02711b721929', status: 'ok', errors: 0, isInit: 0 },
  })
  expect(result.effects).toMatchObject([
    { type: 'release', release: 'shop@1', environment: 'production' },
  ])
  expect(keyOf(session())).toBe(keyOf(result))
  expect(keyOf(session({ timestamp: iso(now - 500) }))).not.toBe(keyOf(result))
  expect(keyOf(session({ status: 'exited' }))).not.toBe(keyOf(result))
})

test('with a sequence number it is known by that, whenever it was sent', () => {
  expect(keyOf(session({ seq: 4 }))).toBe(
    keyOf(session({ seq: 4, timestamp: iso(now), status: 'exited' })),
  )
  expect(keyOf(session({ seq: 4 }))).not.toBe(keyOf(session({ seq: 5 })))
})

test.each(['exited', 'crashed', 'abnormal', 'unhandled'])(
  '%s is a way for a session to end',
  (status) => {
    expect(session({ status }).rows[0]?.columns).toMatchObject({ status })
  },
)

test('a crash is at least one error', () => {
  expect(session({ status: 'crashed' }).rows[0]?.columns).toMatchObject({ errors: 1 })
  expect(session({ status: 'crashed', errors: 3 }).rows[0]?.columns).toMatchObject({ errors: 3 })
})

test.for([
  [{ sid: 'nothing' }, 'invalid_identifier'],
  [{ started: undefined }, 'invalid_timestamp'],
  [{ started: iso(now + 120_000) }, 'invalid_timestamp'],
  [{ started: iso(now - 5 * day - 1) }, 'session_too_old'],
  [{ status: 'asleep' }, 'invalid_payload'],
  [{ attrs: {} }, 'missing_field'],
  [{ attrs: { release: 'latest' } }, 'missing_field'],
] as const)('%j is refused', ([more, reason]) => {
  expect(session(more).refusal).toMatchObject({ outcome: 'invalid', reason })
})

test('a session of exactly five days is taken, and drift counts before its age', () => {
  expect(session({ started: iso(now - 5 * day) }).refusal).toBeNull()
  const drifted = { clockDriftMs: 6 * day }
  expect(
    session({ started: iso(now - 6 * day), timestamp: iso(now - 6 * day) }, drifted).rows[0],
  ).toMatchObject({
    timestamp: now,
    columns: { startedAt: now },
  })
})

test('an address does not count people where addresses are not stored', () => {
  expect(session({ did: '203.0.113.7' }).rows[0]?.columns).toMatchObject({ did: null })
  expect(session({ did: '{{auto}}' }).rows[0]?.columns).toMatchObject({ did: null })
  expect(session({ did: 7 }).rows[0]?.columns).toMatchObject({ did: '7' })
})

function sessions(aggregates: unknown): ProcessedItem {
  const envelope = envelopeOf('sessions', { aggregates, attrs: { release: 'shop@1' } })
  return processSessions(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now }))
}

test('counted sessions are one row for each bucket, with zero for what is not said', () => {
  const result = sessions([
    { started: iso(now - 60_000), exited: 4, crashed: 1 },
    { started: iso(now - 120_000), did: 'u-1', errored: 2, unhandled: 1 },
  ])
  expect(result.rows.map(({ columns }) => columns)).toMatchObject([
    { sid: null, status: null, exited: 4, errored: 0, abnormal: 0, crashed: 1 },
    { did: 'u-1', exited: 0, errored: 3, crashed: 0 },
  ])
  expect(new Set(result.rows.map((row) => (row.columns as Sent)['key'])).size).toBe(2)
})

test('one bad bucket does not cost the others; without any it is refused', () => {
  const good = { started: iso(now), exited: 1 }
  expect(sessions([good, {}, 7])).toMatchObject({
    rows: [{ columns: { exited: 1 } }],
    refusal: null,
    refusedParts: [
      { refusal: { reason: 'invalid_timestamp' }, quantity: 1 },
      { refusal: { reason: 'invalid_payload' }, quantity: 1 },
    ],
  })
  expect(sessions([]).refusal).toMatchObject({ reason: 'missing_field' })
  expect(sessions('none').refusal).toMatchObject({ reason: 'missing_field' })
})
