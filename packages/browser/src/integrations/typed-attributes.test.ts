import { expect, test } from 'vitest'
import { attributeCharactersMax, attributesMax } from './limits.ts'
import { typedAttributes } from './typed-attributes.ts'

test('attributes have the types of the wire, and absent ones are left out', () => {
  const given = {
    text: 'a',
    whole: 3,
    part: 0.5,
    isOpen: false,
    list: ['a', 'b'],
    bag: { lines: 3 },
    endless: Infinity,
    nothing: null,
    missing: undefined,
  }
  expect(typedAttributes(given)).toEqual({
    text: { type: 'string', value: 'a' },
    whole: { type: 'integer', value: 3 },
    part: { type: 'double', value: 0.5 },
    isOpen: { type: 'boolean', value: false },
    list: { type: 'array', value: ['a', 'b'] },
    bag: { type: 'string', value: '{"lines":3}' },
    endless: { type: 'string', value: 'Infinity' },
  })
})

test('attributes of any size and kind are bounded, and never throw', () => {
  const hostile = {
    get broken() {
      throw new Error('getter')
    },
    long: 'x'.repeat(10 * attributeCharactersMax),
    wide: Array(1000).fill('x'.repeat(100)),
    ...Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`key${at}`, at])),
  }
  const kept = typedAttributes(hostile)
  expect(Object.keys(kept)).toHaveLength(attributesMax)
  expect(kept['broken']?.value).toBe('[Unreadable]')
  for (const name of ['long', 'wide']) {
    expect(kept[name]?.type).toBe('string')
    expect(String(kept[name]?.value)).toHaveLength(attributeCharactersMax + '...'.length)
  }
})
