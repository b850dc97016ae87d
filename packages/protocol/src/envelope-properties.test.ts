import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeEnvelope } from './encode-envelope.ts'
import { decodeEnvelope, decodeEnvelopeHeader } from './envelope.ts'
import type { ItemHeader } from './envelope.ts'
import { isRefusal, refusalReasons } from './outcome.ts'

const encoder = new TextEncoder()

/** Pieces of envelopes, whole and broken, so that random ones get past the first line. */
const piece = fc.oneof(
  fc.constantFrom(
    '{}',
    '\n',
    '\n\n',
    '{"type":"event"}\n',
    '{"type":"attachment","length":3}\n',
    '{"type":"attachment","length":0}\n',
    '{"event_id":"9ec79c33ec9942ab8353589fcb2e04dc"}\n',
    '{"type":"event","length":',
    'abc',
  ),
  fc.json(),
  fc.string({ unit: 'binary' }),
)

const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.array(piece, { maxLength: 12 }).map((pieces) => encoder.encode(pieces.join(''))),
)

test('any bytes give an envelope or a refusal, and never an exception', () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const envelope = decodeEnvelope(bytes)
      const header = decodeEnvelopeHeader(bytes)
      if (isRefusal(envelope)) {
        expect(refusalReasons).toContain(envelope.reason)
        expect(envelope.detail.length).toBeLessThanOrEqual(200)
      } else {
        expect(header).toEqual(envelope.header)
        for (const { payload } of envelope.items) expect(payload.buffer).toBe(bytes.buffer)
      }
    }),
    { numRuns: 2000 },
  )
})

const headerValue = fc.jsonValue({ maxDepth: 4 })
const otherMembers = fc.dictionary(
  fc.string().filter((name) => !/^(__proto__|length|item_count|type)$/.test(name)),
  headerValue,
  { maxKeys: 3 },
)

const envelopeHeader = fc.record(
  {
    event_id: fc.uuid().map((uuid) => uuid.replaceAll('-', '')),
    dsn: fc.webUrl(),
    sent_at: fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
    sdk: fc.record({ name: fc.string(), version: fc.string() }),
    trace: fc.dictionary(fc.constantFrom('trace_id', 'release', 'ä'), fc.string()),
  },
  { requiredKeys: [] },
)

const itemHeader = fc
  .tuple(
    otherMembers,
    fc.record({ type: fc.string({ minLength: 1 }) }),
    fc.record(
      { filename: fc.string({ unit: 'binary' }), item_count: fc.nat() },
      { requiredKeys: [] },
    ),
  )
  .map(([other, type, names]) => {
    const { content_type: _, attachment_type: _1, platform: _2, filename: _3, ...free } = other
    return { ...free, ...names, ...type }
  })

test('a written envelope is read back', () => {
  fc.assert(
    fc.property(
      envelopeHeader,
      fc.array(fc.tuple(itemHeader, fc.uint8Array()), { maxLength: 6 }),
      (header, pairs) => {
        // JSON has no negative zero; a trip through it makes the expectation one that can be met.
        const items = pairs.map(([itemHeader, payload]) => ({
          header: JSON.parse(JSON.stringify(itemHeader)) as ItemHeader,
          payload,
        }))
        const envelope = decodeEnvelope(encodeEnvelope(header, items))
        if (isRefusal(envelope)) throw new Error(envelope.detail)
        expect(envelope.header).toEqual(header)
        expect(envelope.items.map((item) => item.header)).toEqual(
          items.map((item) => ({ ...item.header, length: item.payload.length })),
        )
        expect(envelope.items.map((item) => [...item.payload])).toEqual(
          items.map((item) => [...item.payload]),
        )
      },
    ),
  )
})

/** Counts how many bytes are searched or handed on, whatever the machine's speed. */
class CountedBytes extends Uint8Array<ArrayBuffer> {
  static work = 0

  override indexOf(value: number, from = 0): number {
    const found = super.indexOf(value, from)
    CountedBytes.work += (found === -1 ? this.length : found + 1) - from
    return found
  }

  override subarray(start?: number, end?: number): Uint8Array<ArrayBuffer> {
    const view = super.subarray(start, end)
    CountedBytes.work += view.length
    return view
  }
}

test.each([
  ['many small items', (size: number) => `{}${'\n{"type":"x"}\n{}'.repeat(size / 16)}`],
  ['many empty items', (size: number) => `{}${'\n{"type":"x","length":0}\n'.repeat(size / 25)}`],
  ['one item without a newline', (size: number) => `{}\n{"type":"x"}\n${'y'.repeat(size)}`],
  ['newlines only', (size: number) => `{}${'\n'.repeat(size)}`],
  ['newlines, then something', (size: number) => `{}${'\n'.repeat(size)}x`],
  [
    'newlines inside a payload',
    (size: number) => `{}\n{"type":"x","length":${size}}\n${'\n'.repeat(size)}`,
  ],
  ['a first line without end', (size: number) => '{'.repeat(size)],
])('each byte is looked at a fixed number of times: %s', (_name, make) => {
  for (const size of [1_000, 10_000, 1_000_000]) {
    const bytes = CountedBytes.from(encoder.encode(make(size)))
    CountedBytes.work = 0
    decodeEnvelope(bytes)
    expect(CountedBytes.work).toBeLessThanOrEqual(2 * bytes.length)
  }
})
