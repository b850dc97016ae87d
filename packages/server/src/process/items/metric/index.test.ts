import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processItem } from '../../process-item.ts'

const now = Date.parse('2026-11-20T12:00:00Z')

function run(type: string, payload: unknown): ProcessedItem {
  const envelope = envelopeOf(type, payload)
  return processItem(envelope.items[0]!, itemContext(envelope, 0, { receivedAt: now }))
}

const metric = { timestamp: now / 1000, name: 'orders', type: 'counter', value: 2, unit: 'order' }

test.each(['trace_metric', 'metric'])('%s is a container of measurements', (type) => {
  expect(run(type, { items: [metric] })).toMatchObject({
    type,
    rows: [{ columns: { name: 'orders', type: 'counter', value: 2, unit: 'order' } }],
  })
})

test.for([
  [{ name: '' }, 'missing_field'],
  [{ type: 'guess' }, 'invalid_payload'],
  [{ value: 'many' }, 'invalid_payload'],
  [{ value: null }, 'invalid_payload'],
] as const)('a metric with %j is refused', ([more, reason]) => {
  expect(run('trace_metric', { items: [{ ...metric, ...more }] }).refusal).toMatchObject({ reason })
})
