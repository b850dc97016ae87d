import { assert, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { shapeCharactersMax, shapesMax } from '../limits.ts'
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

test('a page with more shapes than are kept is masked all the same', () => {
  for (let n = 0; n < 2 * shapesMax; n += 1) {
    const text = n.toString(2).replaceAll('0', ' ').padEnd(shapeCharactersMax, 'é')
    expect(stars(text)).toBe(text.replace(/\S/g, '*'))
    expect(stars(text)).toBe(text.replace(/\S/g, '*'))
  }
})
