import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wildcard } from './wildcard.ts'

test.each([
  ['shop', 'Shop', true],
  ['shop', 'shops', false],
  ['shop*', 'shop', true],
  ['*op', 'shop', true],
  ['s*p', 'shop', true],
  ['sho*hop', 'shop', false],
  ['a*b*c', 'a-b-b-c', true],
  ['a.c', 'abc', false],
  ['*', '', true],
])('%s and %s: %s', (pattern, text, matches) => {
  expect(wildcard(pattern, false)(text)).toBe(matches)
})

test('a quoted pattern has no wildcards', () => {
  expect(wildcard('s*p', true)('shop')).toBe(false)
  expect(wildcard('s*p', true)('s*p')).toBe(true)
})

test('it equals a regular expression', () => {
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  fc.assert(
    fc.property(texts, texts, (pattern, text) => {
      const parts = pattern.split('*').map(RegExp.escape)
      expect(wildcard(pattern, false)(text)).toBe(new RegExp(`^${parts.join('.*')}$`).test(text))
    }),
  )
})

test('many wildcards are no more work than one', () => {
  expect(wildcard(`${'*a'.repeat(40)}*b`, false)('a'.repeat(200))).toBe(false)
})
