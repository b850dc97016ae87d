import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  createEventId,
  createSpanId,
  normalizeEventId,
  normalizePublicKey,
  normalizeSpanId,
  normalizeTraceId,
  toUuid,
} from './ids.ts'

const id = '9ec79c33ec9942ab8353589fcb2e04dc'

test.each([id, id.toUpperCase(), toUuid(id), toUuid(id).toUpperCase()])(
  'an event id is 32 lower-case characters, however it was written: %s',
  (value) => {
    expect(normalizeEventId(value)).toBe(id)
    expect(normalizeTraceId(value)).toBe(id)
  },
)

test.each([
  '',
  'xyz',
  id.slice(1),
  `${id}0`,
  `${id}\n`,
  ` ${id}`,
  `{${toUuid(id)}}`,
  `-${id}`,
  '9ec79c-33ec9942ab8353589fcb2e04dc',
  '0'.repeat(32),
  '00000000-0000-0000-0000-000000000000',
  7,
  null,
  undefined,
  [id],
])('%j is no event id', (value) => {
  expect(normalizeEventId(value)).toBeNull()
})

test('a span id is 16 characters and not all zero', () => {
  expect(normalizeSpanId('84E3A624BE7A2511')).toBe('84e3a624be7a2511')
  for (const value of ['', '84e3a624be7a251', `${id}`, '0'.repeat(16), 'z'.repeat(16), 1, null]) {
    expect(normalizeSpanId(value)).toBeNull()
  }
})

test('a public key is 32 characters', () => {
  expect(normalizePublicKey(id.toUpperCase())).toBe(id)
  expect(normalizePublicKey('public')).toBeNull()
  expect(normalizePublicKey(null)).toBeNull()
})

test('made ids are valid version 4 UUIDs and differ', () => {
  const ids = Array.from({ length: 200 }, createEventId)
  expect(new Set(ids).size).toBe(200)
  for (const made of ids) {
    expect(normalizeEventId(made)).toBe(made)
    expect(toUuid(made)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  }
  for (const made of Array.from({ length: 200 }, createSpanId)) {
    expect(normalizeSpanId(made)).toBe(made)
  }
})

test('any value gives an id or null', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(normalizeEventId(value) ?? id).toMatch(/^[0-9a-f]{32}$/)
      expect(normalizeSpanId(value) ?? 'a'.repeat(16)).toMatch(/^[0-9a-f]{16}$/)
    }),
  )
})
