import { describe, expect, test } from 'vitest'
import { encodeEnvelope } from './encode-envelope.ts'
import { decodeEnvelope, decodeEnvelopeHeader } from './envelope.ts'
import type { Envelope } from './envelope.ts'
import { envelopeItemsMax, headerDepthMax, headerLineBytesMax } from './limits.ts'
import { isRefusal } from './outcome.ts'
import type { Refusal } from './outcome.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const id = '9ec79c33ec9942ab8353589fcb2e04dc'

function decode(text: string): Envelope {
  const envelope = decodeEnvelope(encoder.encode(text))
  if (isRefusal(envelope)) throw new Error(`${envelope.reason}: ${envelope.detail}`)
  return envelope
}

function refusal(text: string | Uint8Array): Refusal {
  const bytes = typeof text === 'string' ? encoder.encode(text) : text
  const envelope = decodeEnvelope(bytes)
  if (!isRefusal(envelope)) throw new Error('was read')
  return envelope
}

function emptyItems(count: number): string {
  return `{}${'\n{"type":"x"}\n'.repeat(count)}`
}

function longHeader(length: number): string {
  return `{"a":"${'x'.repeat(length - 8)}"}`
}

function deepHeader(depth: number): string {
  return `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
}

function payloads(envelope: Envelope): string[] {
  return envelope.items.map(({ payload }) => decoder.decode(payload))
}

describe('framing', () => {
  test('a payload with a length may hold newlines', () => {
    expect(payloads(decode('{}\n{"type":"attachment","length":3}\na\nb\n'))).toEqual(['a\nb'])
  })

  test('a payload without a length ends at the newline', () => {
    expect(payloads(decode('{}\n{"type":"event"}\n{}\n{"type":"session"}\n{"a":1}'))).toEqual([
      '{}',
      '{"a":1}',
    ])
  })

  test('a carriage return belongs to the payload', () => {
    expect(payloads(decode('{}\r\n{"type":"event"}\r\n{}\r\n'))).toEqual(['{}\r'])
  })

  test('a length of zero is an empty payload, with and without a newline after it', () => {
    expect(payloads(decode('{}\n{"type":"attachment","length":0}\n\n'))).toEqual([''])
    expect(payloads(decode('{}\n{"type":"attachment","length":0}\n'))).toEqual([''])
    expect(payloads(decode('{}\n{"type":"attachment","length":0}'))).toEqual([''])
  })

  test('an item header at the end of the input has an empty payload', () => {
    expect(payloads(decode('{}\n{"type":"event"}'))).toEqual([''])
  })

  test('blank lines at the end are let be, blank lines between items are not', () => {
    expect(decode('{}\n\n\n').items).toEqual([])
    expect(payloads(decode('{}\n{"type":"event","length":2}\n{}\n\n\n'))).toEqual(['{}'])
    expect(refusal('{}\n\n{"type":"event"}\n{}').reason).toBe('invalid_item_header')
  })

  test('an unknown type is kept as bytes', () => {
    const { items } = decode('{}\n{"type":"newer","length":3,"extra":[1]}\nabc')
    expect(items[0]?.header).toEqual({ type: 'newer', length: 3, extra: [1] })
  })

  test('a payload is a view, not a copy', () => {
    const bytes = encoder.encode('{}\n{"type":"event"}\n{"a":1}')
    const envelope = decodeEnvelope(bytes)
    if (isRefusal(envelope)) throw new Error(envelope.detail)
    expect(envelope.items[0]?.payload.buffer).toBe(bytes.buffer)
  })

  test.each([
    ['an empty body', '', 'empty_body'],
    ['a blank first line', '\n{"type":"event"}\n{}', 'invalid_envelope_header'],
    ['a length past the end', '{}\n{"type":"event","length":9}\n{}', 'invalid_framing'],
    ['a length short of the newline', '{}\n{"type":"event","length":1}\n{}\n', 'invalid_framing'],
    ['the largest length', '{}\n{"type":"event","length":4294967295}\n{}', 'invalid_framing'],
  ])('%s is refused', (_name, text, reason) => {
    expect(refusal(text).reason).toBe(reason)
  })

  test('more items than any envelope has are refused', () => {
    expect(decode(emptyItems(envelopeItemsMax)).items).toHaveLength(envelopeItemsMax)
    expect(refusal(emptyItems(envelopeItemsMax + 1)).reason).toBe('too_large')
  })
})

describe('the envelope header', () => {
  test('a dashed id in any case becomes 32 lower-case characters', () => {
    const dashed = '9EC79C33-ec99-42ab-8353-589fcb2e04dc'
    expect(decode(`{"event_id":"${dashed}"}`).header).toEqual({ event_id: id })
  })

  test('null means a missing member', () => {
    expect(decode('{"event_id":null,"dsn":null,"sent_at":null,"trace":null}').header).toEqual({})
  })

  test('unknown members are kept, even with names that objects have by nature', () => {
    const { header } = decode('{"__proto__":{"a":1},"constructor":2,"region":"eu"}')
    expect(Object.entries(header)).toEqual([
      ['__proto__', { a: 1 }],
      ['constructor', 2],
      ['region', 'eu'],
    ])
    expect(Object.getPrototypeOf(header)).toBe(Object.prototype)
  })

  test.each(['"yesterday"', '17', '{}', '"2026-02-30T00:00:00Z"'])(
    'a malformed sent_at (%s) is left out',
    (sentAt) => {
      expect(decode(`{"event_id":"${id}","sent_at":${sentAt}}`).header).toEqual({ event_id: id })
    },
  )

  test('a malformed sdk or trace is left out', () => {
    expect(decode('{"sdk":"x","trace":[1]}').header).toEqual({})
    expect(decode('{"sdk":{"name":7,"version":"1","a":1}}').header).toEqual({
      sdk: { version: '1', a: 1 },
    })
  })

  test.each([
    ['an id that is not a UUID', '{"event_id":"xyz"}', 'invalid_event_id'],
    ['an id that is a number', '{"event_id":7}', 'invalid_event_id'],
    ['an id with dashes astray', `{"event_id":"-${id}"}`, 'invalid_event_id'],
    ['the all-zero id', `{"event_id":"${'0'.repeat(32)}"}`, 'invalid_event_id'],
    ['a DSN that is not a text', '{"dsn":{}}', 'invalid_dsn'],
    ['broken JSON', '{"event_id":', 'invalid_envelope_header'],
    ['a list', '[]', 'invalid_envelope_header'],
    ['a text', '"{}"', 'invalid_envelope_header'],
    ['null', 'null', 'invalid_envelope_header'],
    ['a byte order mark', '\ufeff{}', 'invalid_envelope_header'],
  ])('%s is refused', (_name, text, reason) => {
    expect(refusal(text).reason).toBe(reason)
  })

  test('bytes that are not UTF-8 are refused', () => {
    const bytes = Uint8Array.from([...encoder.encode('{"a":"'), 0xff, ...encoder.encode('"}')])
    expect(refusal(bytes).reason).toBe('invalid_envelope_header')
  })

  test('a header that is too long or too deep is refused', () => {
    expect(decode(longHeader(headerLineBytesMax)).items).toEqual([])
    expect(refusal(longHeader(headerLineBytesMax + 1)).reason).toBe('invalid_envelope_header')
    expect(decode(deepHeader(headerDepthMax)).items).toEqual([])
    expect(refusal(deepHeader(headerDepthMax + 1)).reason).toBe('invalid_envelope_header')
  })

  test('can be read alone, whatever follows it', () => {
    const header = { dsn: 'https://key@host/1' }
    const bytes = encoder.encode(`${JSON.stringify(header)}\nnot an item`)
    expect(decodeEnvelopeHeader(bytes)).toEqual(header)
    expect(decodeEnvelopeHeader(new Uint8Array())).toMatchObject({ reason: 'empty_body' })
    expect(decodeEnvelopeHeader(encoder.encode('x'))).toMatchObject({
      reason: 'invalid_envelope_header',
    })
  })
})

describe('an item header', () => {
  test.each([
    '{}',
    '{"type":null}',
    '{"type":""}',
    '{"type":7}',
    '[]',
    'not json',
    '{"type":"event","length":"2"}',
    '{"type":"event","length":-1}',
    '{"type":"event","length":1.5}',
    '{"type":"event","length":4294967296}',
    '{"type":"event","length":true}',
    '{"type":"log","item_count":"1"}',
    '{"type":"log","item_count":-1}',
  ])('%s is refused', (line) => {
    expect(refusal(`{}\n${line}\n{}`).reason).toBe('invalid_item_header')
  })

  test('a null length is not a length', () => {
    expect(payloads(decode('{}\n{"type":"event","length":null}\n{}\n'))).toEqual(['{}'])
  })

  test('names that are not text are left out', () => {
    const line = '{"type":"attachment","filename":{},"content_type":7,"platform":null}'
    expect(decode(`{}\n${line}\nx`).items[0]?.header).toEqual({ type: 'attachment' })
  })
})

test('written items have lengths, and no newline at the end', () => {
  const payload = encoder.encode('a\nb')
  const bytes = encodeEnvelope({ event_id: id }, [
    { header: { type: 'attachment', filename: 'ä"\n' }, payload },
    { header: { type: 'event', length: 99 }, payload: '{}' },
  ])
  expect(decoder.decode(bytes)).toBe(
    [
      `{"event_id":"${id}"}`,
      '{"type":"attachment","filename":"ä\\"\\n","length":3}',
      'a\nb',
      '{"type":"event","length":2}',
      '{}',
    ].join('\n'),
  )
})
