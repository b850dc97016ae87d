import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processItem } from '../../process-item.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

function run(type: string, payload: unknown, item: Record<string, unknown> = {}): ProcessedItem {
  const envelope = envelopeOf(type, payload, { item })
  return processItem(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now }))
}

const log = {
  timestamp: now / 1000 - 1,
  trace_id: 'ab'.repeat(16),
  level: 'warn',
  body: 'stock is low',
  severity_number: 14,
  attributes: {
    'sentry.release': { value: 'shop@1', type: 'string' },
    'sentry.timestamp.sequence': { value: 3, type: 'integer' },
    items: { value: ['a', 'b'], type: 'array' },
    plain: 'from the first SDKs',
    password: { value: 'hunter2', type: 'string' },
  },
}

test('a log is a row with its attributes as plain values, without secrets', () => {
  const [row] = run('log', { version: 2, items: [log] }, { item_count: 1 }).rows
  expect(row).toMatchObject({
    timestamp: now - 1_000,
    columns: { level: 'warn', severity: 14, body: 'stock is low', sequence: 3, release: 'shop@1' },
  })
  expect(JSON.parse(row!.payload!)).toEqual({
    'sentry.release': 'shop@1',
    'sentry.timestamp.sequence': 3,
    items: ['a', 'b'],
    plain: 'from the first SDKs',
    password: '[Filtered]',
  })
})

function levelOf(more: object): unknown {
  const columns = run('log', { items: [{ ...log, ...more }] }).rows[0]?.columns
  return (columns as { level: string }).level
}

test('the level comes from its name, else from its number, else it is info', () => {
  expect(levelOf({ level: 'WARNING' })).toBe('warn')
  expect(levelOf({ level: 'loud', severity_number: 18 })).toBe('error')
  expect(levelOf({ level: null, severity_number: null })).toBe('info')
})

test('a bare list is a container too', () => {
  expect(run('log', [log]).rows).toHaveLength(1)
})

test('a container that lost some is refused, with the number of those it has', () => {
  expect(run('log', { items: [log, log] }, { item_count: 3 })).toMatchObject({
    rows: [],
    quantity: 2,
    refusal: { reason: 'item_count_mismatch' },
  })
})

test('one bad log does not cost the others, and none at all is refused', () => {
  expect(run('log', { items: [log, { level: 'info' }, 7] })).toMatchObject({
    quantity: 1,
    refusal: null,
    refusedParts: [
      { refusal: { reason: 'missing_field' }, quantity: 1 },
      { refusal: { reason: 'invalid_payload' }, quantity: 1 },
    ],
  })
  expect(run('log', { items: [7, 8] })).toMatchObject({
    quantity: 2,
    refusal: { outcome: 'invalid' },
  })
  expect(run('log', { logs: [] }).refusal).toMatchObject({ reason: 'invalid_payload' })
})

test('equal logs of one container are different rows, and of one envelope the same', () => {
  const keys = run('log', { items: [log, log] }).rows.map(
    (row) => (row.columns as { key: string }).key,
  )
  expect(new Set(keys).size).toBe(2)
  expect(
    run('log', { items: [log, log] }).rows.map((row) => (row.columns as { key: string }).key),
  ).toEqual(keys)
})
