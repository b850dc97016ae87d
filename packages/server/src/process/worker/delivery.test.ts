import { createHash } from 'node:crypto'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { clockDriftMsMin, droppedItemsMax } from '@afterimage/protocol/limits'
import { itemTypes } from '@afterimage/protocol/item-type'
import { expect, test } from 'vitest'
import { refusedRequestsDelivery } from '../../stats/refused-requests.ts'
import type { ProcessedItem } from '../../storage/events/port.ts'
import type { Delivery } from '../../storage/queue/port.ts'
import type { ItemContext, ProcessItem } from '../items/item.ts'
import { defaultScrubbing } from '../steps/scrub/settings.ts'
import { internalRefusal, processDelivery, salvageDelivery } from './delivery.ts'

const receivedAt = Date.parse('2026-11-20T08:00:00Z')

type Item = readonly [type: string, payload: string | Uint8Array]

function delivery(items: readonly Item[], header: object = {}): Delivery {
  const bytes = encodeEnvelope(
    header,
    items.map(([type, payload]) => ({ header: { type }, payload })),
  )
  const remoteAddress = '192.0.2.7'
  return { receivedAt, projectId: 7, keyId: 'a', remoteAddress, userAgent: 'curl/8', bytes }
}

/** Tells of each item that it was processed; fails on those that say so. */
const process: ProcessItem = ({ header, payload }) => {
  if (Buffer.from(payload).toString() === 'fail') throw new TypeError('cannot read this')
  return { type: header.type, quantity: 1, rows: [], blobs: [], effects: [], refusal: null }
}

/** Each item's type, with the reason if it was refused. */
function outcomes(processed: readonly ProcessedItem[]): string[] {
  return processed.map(({ type, refusal }) => (refusal ? `${type}: ${refusal.reason}` : type))
}

function processed(...items: Item[]): string[] {
  return outcomes(processDelivery(delivery(items), defaultScrubbing, process))
}

function contexts(given: Delivery): ItemContext[] {
  const seen: ItemContext[] = []
  const seeing: ProcessItem = (item, context) => {
    seen.push(context)
    return process(item, context)
  }
  processDelivery(given, defaultScrubbing, seeing)
  return seen
}

test('each item is processed with what the delivery and its envelope say', () => {
  const header = { event_id: 'ab'.repeat(16), sdk: { name: 'x' } }
  const items: Item[] = [
    ['event', '{}'],
    ['session', '{}'],
  ]
  const given = delivery(items, header)
  const [first, second] = contexts(given)
  expect(first).toEqual({
    projectId: 7,
    receivedAt,
    remoteAddress: '192.0.2.7',
    userAgent: 'curl/8',
    header,
    envelopeHash: createHash('sha256').update(given.bytes).digest('hex'),
    index: 0,
    siblings: [
      expect.objectContaining({ header: expect.objectContaining({ type: 'event' }) }),
      expect.objectContaining({ header: expect.objectContaining({ type: 'session' }) }),
    ],
    clockDriftMs: 0,
    scrubbing: defaultScrubbing,
  })
  expect(second).toEqual({ ...first, index: 1 })
})

test.each([
  [clockDriftMsMin, clockDriftMsMin],
  [clockDriftMsMin - 1, 0],
  [-clockDriftMsMin, -clockDriftMsMin],
  [1 - clockDriftMsMin, 0],
])('a clock that is %d ms behind is corrected by %d ms', (behindMs, driftMs) => {
  const sent_at = new Date(receivedAt - behindMs).toISOString()
  expect(contexts(delivery([['event', '{}']], { sent_at }))[0]?.clockDriftMs).toBe(driftMs)
})

test.each([undefined, null, 'yesterday'])('a clock that says %j is not corrected', (sent_at) => {
  expect(contexts(delivery([['event', '{}']], { sent_at }))[0]?.clockDriftMs).toBe(0)
})

function reportOf(bytes: number): Item {
  return ['client_report', Buffer.alloc(bytes, 0x20)]
}

test('an item of exactly its size is processed, a larger one is refused alone', () => {
  const { bytesMax } = itemTypes.client_report
  expect(processed(reportOf(bytesMax), ['event', '{}'])).toEqual(['client_report', 'event'])
  expect(processed(reportOf(bytesMax + 1), ['event', '{}'])).toEqual([
    'client_report: too_large',
    'event',
  ])
})

test('an item of a type that is not supported is counted as such, whatever its size', () => {
  const { bytesMax } = itemTypes.statsd
  expect(processed(['statsd', Buffer.alloc(bytesMax + 1)])).toEqual(['statsd'])
})

test('items beyond the number of their type are refused, those of unknown types under one name', () => {
  const checkIns: Item[] = [
    ['check_in', '{}'],
    ['event', '{}'],
    ['check_in', '{}'],
  ]
  expect(processed(...checkIns)).toEqual(['check_in', 'event', 'check_in: too_many_items'])
  const unheard = Array.from({ length: droppedItemsMax + 1 }, (): Item => ['unheard_of', '{}'])
  expect(processed(...unheard).slice(-2)).toEqual(['unheard_of', 'other: too_many_items'])
})

test('bytes that are not an envelope are one refused envelope', () => {
  const given = { ...delivery([]), bytes: Buffer.from('not an envelope\n') }
  expect(processDelivery(given, defaultScrubbing, process)).toMatchObject([
    { type: 'envelope', quantity: 1, refusal: { outcome: 'invalid' } },
  ])
})

test('requests refused for their key are counted with their number and reason', () => {
  const given = refusedRequestsDelivery({ projectId: 7, reason: 'unknown_key', count: 5 }, 0)
  expect(processDelivery(given, defaultScrubbing, process)).toMatchObject([
    { type: 'request', quantity: 5, refusal: { reason: 'unknown_key' } },
  ])
})

test('an item on which we fail fails the delivery; salvaged, it alone is refused', () => {
  const given = delivery([
    ['event', 'fail'],
    ['session', '{}'],
    ['unheard_of', 'fail'],
  ])
  expect(() => processDelivery(given, defaultScrubbing, process)).toThrow(TypeError)
  const salvaged = salvageDelivery(given, defaultScrubbing, process)
  expect(outcomes(salvaged)).toEqual(['event: internal', 'session', 'other: internal'])
  expect(salvaged[0]?.refusal?.detail).toBe('TypeError: cannot read this')
})

test('an internal refusal says what was thrown, also when it is not an error', () => {
  expect(internalRefusal('event', 'no reason').refusal?.detail).toBe('no reason')
  expect(internalRefusal('event', new RangeError('too far')).refusal).toMatchObject({
    reason: 'internal',
    detail: 'RangeError: too far',
  })
})
