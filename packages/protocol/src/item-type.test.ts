import { expect, test } from 'vitest'
import { checkEventCount, surplusItems } from './envelope-limits.ts'
import type { EnvelopeItem } from './envelope.ts'
import { isHandledItemType, isItemType, itemTypeFacts } from './item-type.ts'
import { attachmentsMax, droppedItemsMax } from './limits.ts'

function items(type: string, count: number): EnvelopeItem[] {
  const payload = new Uint8Array(0)
  return Array.from({ length: count }, () => ({ header: { type }, payload }))
}

test.each([
  ['event', 'error'],
  ['transaction', 'transaction'],
  ['session', 'session'],
  ['sessions', 'session'],
  ['attachment', 'attachment'],
  ['client_report', 'internal'],
  ['user_report', 'default'],
  ['profile', 'profile'],
  ['profile_chunk', 'profile'],
  ['replay_event', 'replay'],
  ['replay_recording', 'replay'],
  ['check_in', 'monitor'],
  ['feedback', 'feedback'],
  ['span', 'span'],
  ['raw_security', 'security'],
  ['log', 'log_item'],
  ['trace_metric', 'trace_metric'],
  ['metric', 'trace_metric'],
])('an item of type %s counts as %s', (type, category) => {
  expect(itemTypeFacts(type).category).toBe(category)
})

test('a type that is known but not handled, and one that is not known, are not handled', () => {
  expect(isHandledItemType('event')).toBe(true)
  expect(isItemType('statsd') && !isHandledItemType('statsd')).toBe(true)
  for (const type of ['from_the_future', 'toString', '__proto__', '']) {
    expect(isItemType(type)).toBe(false)
    expect(isHandledItemType(type)).toBe(false)
    expect(itemTypeFacts(type).category).toBe('default')
  }
})

test('an envelope holds one event, and one transaction beside it', () => {
  const one = [...items('event', 1), ...items('transaction', 1), ...items('attachment', 2)]
  expect(checkEventCount({ header: {}, items: one })).toBeNull()
  expect(checkEventCount({ header: {}, items: items('event', 2) })).toMatchObject({
    reason: 'too_many_events',
  })
})

test.each([
  ['attachment', attachmentsMax],
  ['replay_recording', 1],
  ['from_the_future', droppedItemsMax],
])('what an envelope holds of type %s beyond its limit is surplus', (type, countMax) => {
  expect(surplusItems({ header: {}, items: items(type, countMax) })).toEqual(new Set())
  const more = [...items(type, countMax), ...items('client_report', 1), ...items(type, 1)]
  expect(surplusItems({ header: {}, items: more })).toEqual(new Set([countMax + 1]))
})
