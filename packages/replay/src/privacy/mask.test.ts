import { assert, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { stars } from './mask.ts'

test('every character but space becomes a star', () => {
  expect(stars('Order 7\n of\tBob')).toBe('***** *\n **\t***')
  expect(stars('')).toBe('')
  for (const length of [62, 63, 64, 65, 66]) {
    expect(stars('a'.repeat(length))).toBe('*'.repeat(length))
    expect(stars(`${'a'.repeat(length - 2)} b`)).toBe(`${'*'.repeat(length - 2)} *`)
  }
})

test('nothing else is left of any text, of whatever length', () => {
  const texts = oneof(string({ maxLength: 130 }), string({ unit: 'binary', maxLength: 80 }))
  assert(property(texts, (text) => stars(text) === text.replace(/\S/g, '*')))
})
