import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { listElements } from './list-elements.ts'

function elementsOf(text: string): string[] | null {
  const bytes = Buffer.from(text)
  const elements = listElements(bytes)
  return elements?.map(({ start, end }) => bytes.subarray(start, end).toString()) ?? null
}

test('finds the elements of a list, whatever is in them', () => {
  expect(elementsOf('[{"a":[1,2]},"x,]y\\"",3 , [ ]\n]')).toEqual([
    '{"a":[1,2]}',
    '"x,]y\\""',
    '3 ',
    '[ ]\n',
  ])
  expect(elementsOf(' [ ] ')).toEqual([])
})

test.each([
  '',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1}2]',
  '{}',
  '[1]x',
  '["a',
  '["a\\',
  '[a:b]',
  '[[1]',
])('%s is not one whole list', (text) => {
  expect(elementsOf(text)).toBeNull()
})

test('agrees with a parser on any list', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.nat(4), (list, indent) => {
      const elements = elementsOf(JSON.stringify(list, null, indent))
      expect(elements?.map((text) => JSON.parse(text) as unknown)).toEqual(
        JSON.parse(JSON.stringify(list)),
      )
    }),
  )
})

test('a list by the parser is a list here', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('[]{},:"\\1 ')) }), (text) => {
      let isList = true
      try {
        isList = Array.isArray(JSON.parse(text))
      } catch {
        isList = false
      }
      if (isList) expect(elementsOf(text)).not.toBeNull()
    }),
    { numRuns: 3_000 },
  )
})

test('counts at least as many values as there are, and the depth', () => {
  const text = '[{"a":1,"b":[2,3,{"c":null}]}]'
  const [element] = listElements(Buffer.from(text)) ?? []
  expect(element?.depth).toBe(3)
  expect(element?.values).toBeGreaterThanOrEqual(6)
})
