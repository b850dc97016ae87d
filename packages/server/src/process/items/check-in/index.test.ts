import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processCheckIn } from './index.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

function checkIn(more: Readonly<Record<string, unknown>> = {}): ProcessedItem {
  const sent = { check_in_id: 'ab'.repeat(16), monitor_slug: 'nightly', status: 'ok', ...more }
  const envelope = envelopeOf('check_in', sent)
  return processCheckIn(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now }))
}

test('is a row and tells metadata of its monitor', () => {
  const config = { schedule: { type: 'crontab', value: '0 * * * *' }, timezone: 'Europe/Vienna' }
  const result = checkIn({ duration: 1.5, environment: 'staging', monitor_config: config })
  expect(result.rows[0]).toMatchObject({
    timestamp: now,
    columns: { checkInId: 'ab'.repeat(16), monitorSlug: 'nightly', status: 'ok', durationS: 1.5 },
  })
  expect(result.effects[0]).toEqual({
    type: 'monitor',
    slug: 'nightly',
    status: 'ok',
    environment: 'staging',
    timestamp: now,
    config,
  })
})

test('without an environment it is of production, and without a config it brings none', () => {
  expect(checkIn().effects[0]).toMatchObject({ environment: 'production', config: null })
})

test.each([undefined, '0'.repeat(32), '00000000-0000-0000-0000-000000000000', 'nothing'])(
  'with the id %s it has one of its own, which a second sending has too',
  (id) => {
    const first = checkIn({ check_in_id: id }).rows[0]?.columns
    expect(first).toMatchObject({ checkInId: expect.stringMatching(/^[0-9a-f]{24}:0$/) as string })
    expect(checkIn({ check_in_id: id }).rows[0]?.columns).toEqual(first)
  },
)

test.for([
  [{ monitor_slug: undefined }, 'missing_field'],
  [{ monitor_slug: ' -- ' }, 'missing_field'],
  [{ status: 'missed' }, 'invalid_payload'],
  [{ status: undefined }, 'invalid_payload'],
] as const)('%j is refused', ([more, reason]) => {
  expect(checkIn(more).refusal).toMatchObject({ outcome: 'invalid', reason })
})

test('a duration that no job can have is unknown', () => {
  expect(checkIn({ duration: -1 }).rows[0]?.columns).toMatchObject({ durationS: null })
  expect(checkIn({ duration: 'long' }).rows[0]?.columns).toMatchObject({ durationS: null })
})
