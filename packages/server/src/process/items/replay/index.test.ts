import { deflateSync, inflateSync } from 'node:zlib'
import type { Envelope } from '@afterimage/protocol/envelope'
import { expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { itemContext } from '../../../testing/recorded-items.ts'
import { processItem } from '../../process-item.ts'

const now = Date.parse('2026-11-20T12:00:00Z')
const replayId = 'ab'.repeat(16)

const events: readonly unknown[] = [
  { type: 4, timestamp: now - 9_000, data: { href: 'https://shop.test/a', width: 1, height: 1 } },
  { type: 2, timestamp: now - 8_900, data: { node: { type: 0, childNodes: [] } } },
  breadcrumb('ui.click', {}),
  breadcrumb('ui.slowClickDetected', click({ clickCount: 1 })),
  breadcrumb('ui.slowClickDetected', click({ clickCount: 5 })),
  breadcrumb('ui.slowClickDetected', click({ endReason: 'mutation' })),
  breadcrumb('ui.slowClickDetected', click({ timeAfterClickMs: 3_000 })),
  breadcrumb('ui.slowClickDetected', click({ node: { tagName: 'div' } })),
  breadcrumb('console', {}, 'warning'),
  breadcrumb('console', {}, 'info'),
  breadcrumb('console', {}, 'error'),
  // The SDK dates these in seconds.
  {
    type: 5,
    timestamp: now / 1000 - 1,
    data: {
      tag: 'performanceSpan',
      payload: { op: 'navigation.push', description: 'https://shop.test/b' },
    },
  },
]

function breadcrumb(category: string, data: object, level = 'info'): unknown {
  const payload = { category, data, level, timestamp: now / 1000 }
  return { type: 5, timestamp: now - 5_000, data: { tag: 'breadcrumb', payload } }
}

function click(more: object): object {
  return {
    node: { tagName: 'button' },
    endReason: 'timeout',
    timeAfterClickMs: 7_000,
    clickCount: 1,
    ...more,
  }
}

function replayEvent(more: object = {}): { type: string; payload: Uint8Array } {
  const sent = {
    type: 'replay_event',
    replay_id: replayId,
    segment_id: 1,
    replay_type: 'buffer',
    timestamp: now / 1000,
    replay_start_timestamp: now / 1000 - 10,
    urls: [],
    error_ids: ['cd'.repeat(16), 'cd'.repeat(16), 'nothing'],
    trace_ids: [],
    platform: 'javascript',
    user: { email: 'ada@example.test', username: 'ada' },
    ...more,
  }
  return { type: 'replay_event', payload: Buffer.from(JSON.stringify(sent)) }
}

function recording(body: Uint8Array | string, segmentId: unknown = 1) {
  const head = Buffer.from(`${JSON.stringify({ segment_id: segmentId })}\n`)
  return { type: 'replay_recording', payload: Buffer.concat([head, Buffer.from(body)]) }
}

function run(...items: readonly { type: string; payload: Uint8Array }[]): ProcessedItem[] {
  const envelope: Envelope = {
    header: { event_id: replayId },
    items: items.map(({ type, payload }) => ({ header: { type }, payload })),
  }
  return envelope.items.map((item, index) =>
    processItem(item, itemContext(envelope, index, { receivedAt: now })),
  )
}

const packed = deflateSync(JSON.stringify(events))

test('an event and its recording are one row, which the event owns', () => {
  const [event, recorded] = run(replayEvent(), recording(packed))
  expect(event?.refusal).toBeNull()
  expect(event?.rows[0]).toMatchObject({
    table: 'replaySegments',
    timestamp: now,
    columns: {
      replayId,
      segmentId: 1,
      replayType: 'buffer',
      startedAt: now - 10_000,
      firstEventAt: now - 9_000,
      lastEventAt: now - 1_000,
      eventCount: 12,
      clicks: 1,
      deadClicks: 2,
      rageClicks: 1,
      warnings: 1,
      infos: 1,
      urls: JSON.stringify(['https://shop.test/a', 'https://shop.test/b']),
      errorIds: JSON.stringify(['cd'.repeat(16)]),
      userKey: 'username:ada',
      userLabel: 'ada@example.test',
      username: 'ada',
      blobKey: expect.stringMatching(`^replays/42/${replayId}/00000001-[0-9a-f]{16}$`),
    },
  })
  expect(recorded).toMatchObject({
    rows: [],
    blobs: [],
    refusal: null,
    identity: `replay_recording:${replayId}:1`,
  })
})

test('the order of the two items does not matter', () => {
  const [recorded, event] = run(recording(packed), replayEvent())
  expect(event?.rows[0]?.columns).toMatchObject({ eventCount: 12 })
  expect(recorded?.identity).toBe(`replay_recording:${replayId}:1`)
})

test('zlib is kept as it came, without what follows it; plain JSON is compressed', () => {
  const [zlib] = run(replayEvent(), recording(Buffer.concat([packed, Buffer.from('more')])))
  expect(Buffer.from(zlib!.blobs[0]!.bytes).equals(packed)).toBe(true)
  const [plain] = run(replayEvent(), recording(JSON.stringify(events)))
  expect(JSON.parse(inflateSync(plain!.blobs[0]!.bytes).toString())).toEqual(events)
})

test('elements that are not events are dropped and counted', () => {
  const odd = [
    null,
    7,
    'x',
    {},
    { type: 4 },
    { type: '4', timestamp: 1 },
    { type: 3, timestamp: null },
  ]
  const [event, recorded] = run(replayEvent(), recording(JSON.stringify([...odd, events[0]])))
  expect(JSON.parse(inflateSync(event!.blobs[0]!.bytes).toString())).toEqual([events[0]])
  expect(event?.rows[0]?.columns).toMatchObject({ eventCount: 1 })
  expect(recorded?.refusedParts).toMatchObject([
    { refusal: { reason: 'invalid_payload' }, quantity: 7 },
  ])
})

test.for([
  ['bytes that are neither form', 'abc', 'invalid_payload'],
  ['zlib that breaks off', packed.subarray(0, 40), 'invalid_payload'],
  ['a list that breaks off', '[{"type":4', 'invalid_payload'],
  ['an object', '{}', 'invalid_payload'],
  ['an event that is not JSON', '[{"type":4,timestamp:1}]', 'invalid_json'],
  ['numbers that JSON does not have', '[{"type":4,"timestamp":NaN}]', 'invalid_json'],
] as const)('a recording of %s is refused, and its event is kept', ([, body, reason]) => {
  const [event, recorded] = run(replayEvent(), recording(body))
  expect(recorded?.refusal).toMatchObject({ outcome: 'invalid', reason })
  expect(event?.refusal).toBeNull()
  expect(event?.rows[0]?.columns).toMatchObject({ blobKey: null, eventCount: 0, recordingBytes: 0 })
  expect(event?.blobs).toEqual([])
})

test('a recording alone is kept under the replay that its envelope names', () => {
  const [recorded] = run(recording(packed))
  expect(recorded?.rows[0]).toMatchObject({
    timestamp: now,
    columns: { replayId, segmentId: 1, eventCount: 12, replayType: 'session', release: null },
  })
  expect(recorded?.blobs).toHaveLength(1)
})

test('a recording whose event is refused, or is of another segment, makes its own row', () => {
  const [event, recorded] = run(replayEvent({ segment_id: -1 }), recording(packed))
  expect(event?.refusal).toMatchObject({ reason: 'missing_field' })
  expect(recorded?.rows[0]?.columns).toMatchObject({ segmentId: 1, eventCount: 12 })
  const [other, apart] = run(replayEvent({ segment_id: 2 }), recording(packed))
  expect(other?.rows[0]?.columns).toMatchObject({ segmentId: 2, blobKey: null })
  expect(apart?.rows[0]?.columns).toMatchObject({ segmentId: 1 })
})

test('an event alone is a row without a recording', () => {
  const [event] = run(replayEvent())
  expect(event?.rows[0]?.columns).toMatchObject({ segmentId: 1, blobKey: null, firstEventAt: null })
})

test.for([
  [{ replay_id: 'nothing', event_id: null }, 'missing_field'],
  [{ segment_id: 'first' }, 'missing_field'],
  [{ segment_id: 1.5 }, 'missing_field'],
] as const)('an event with %j is refused', ([more, reason]) => {
  expect(run(replayEvent(more))[0]?.refusal).toMatchObject({ reason })
})

test('an event nested deeper than any page is left out, and the rest is kept', () => {
  const deep = `{"type":3,"timestamp":1,"data":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
  const [event, recorded] = run(replayEvent(), recording(`[${deep},${JSON.stringify(events[0])}]`))
  expect(event?.rows[0]?.columns).toMatchObject({ eventCount: 1 })
  expect(recorded?.refusedParts?.[0]?.quantity).toBe(1)
})

/** An event with a picture of a canvas. */
const frame = (base64: string): string =>
  JSON.stringify({
    type: 3,
    timestamp: now,
    data: {
      source: 9,
      id: 7,
      commands: [{ property: 'drawImage', args: [{ rr_type: 'ImageBitmap', args: [base64] }] }],
    },
  })

test.for([
  [9 * 1024 * 1024, 1],
  [9 * 1024 * 1024 + 1, 0],
] as const)('a picture of a canvas in an event of %d bytes is kept %d times', ([bytes, kept]) => {
  const sent = frame('a'.repeat(bytes - frame('').length))
  const [event, recorded] = run(replayEvent(), recording(`[${sent},${JSON.stringify(events[0])}]`))
  expect(event?.rows[0]?.columns).toMatchObject({ eventCount: kept + 1 })
  expect(recorded?.refusedParts?.[0]?.quantity ?? 0).toBe(1 - kept)
})

test('secrets go from the addresses of pages', () => {
  const [event] = run(replayEvent({ urls: ['https://shop.test/?token=hunter2'] }))
  expect(JSON.stringify(event?.rows)).not.toContain('hunter2')
})
