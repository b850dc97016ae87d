import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createId, normalizeEventId, normalizePublicKey } from './ids.ts'

const id = '9ec79c33ec9942ab8353589fcb2e04dc'
const uuid = '9ec79c33-ec99-42ab-8353-589fcb2e04dc'

test.each([id, id.toUpperCase(), uuid, uuid.toUpperCase()])(
  'an event id is 32 lower-case characters, however it was written: %s',
  (value) => {
    expect(normalizeEventId(value)).toBe(id)
  },
)

test.each([
  '',
  'xyz',
  id.slice(1),
  `${id}0`,
  `${id}\n`,
  ` ${id}`,
  `{${uuid}}`,
  `-${id}`,
  '9ec79c-33ec9942ab8353589fcb2e04dc',
  '0'.repeat(32),
  '00000000-0000-0000-0000-000000000000',
  7,
  null,
  undefined,
  [id],
])('%j is not an event id', (value) => {
  expect(normalizeEventId(value)).toBeNull()
})

test('a public key is 32 characters', () => {
  expect(normalizePublicKey(id.toUpperCase())).toBe(id)
  expect(normalizePublicKey('public')).toBeNull()
  expect(normalizePublicKey(null)).toBeNull()
})

test('made ids have the length that was asked for, and differ', () => {
  const ids = Array.from({ length: 200 }, () => createId())
  expect(new Set(ids).size).toBe(200)
  for (const made of ids) expect(normalizeEventId(made)).toBe(made)
  expect(createId(8)).toMatch(/^[0-9a-f]{16}$/)
})

test('any value gives an id or null', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(normalizeEventId(value) ?? id).toMatch(/^[0-9a-f]{32}$/)
    }),
  )
})
