import { expect, test } from 'vitest'
import { boundedBag, boundedCopy } from './bag.ts'

const wide = { size: 1000, depth: 3 }

test('data within the limits is copied unchanged', () => {
  const value = { a: [1, 'x', null, true], b: { c: {} }, d: [] }
  const copy = boundedCopy(value, wide) as typeof value
  expect(copy).toEqual(value)
  expect(copy).not.toBe(value)
  expect(copy.b).not.toBe(value.b)
  for (const single of [7, null, false, 'x']) expect(boundedCopy(single, wide)).toBe(single)
})

test('values too deep are replaced by the name of their kind', () => {
  expect(boundedCopy({ a: { b: { c: 1, d: {}, e: [] } } }, wide)).toEqual({
    a: { b: { c: 1, d: '[Object]', e: '[Array]' } },
  })
  expect(boundedCopy([[[[1], {}]]], wide)).toEqual([[['[Array]', '[Object]']]])
  expect(boundedCopy({ a: {} }, { size: 1000, depth: 1 })).toEqual({ a: '[Object]' })
})

function copyOf(text: string, size: number): unknown {
  return boundedCopy(text, { size, depth: 1 })
}

test('long text is cut to what is left, and to its end mark when nothing is', () => {
  expect(copyOf('123456', 6)).toBe('123456')
  expect(copyOf('1234567', 6)).toBe('123...')
  expect(copyOf('1234567', 1)).toBe('...')
})

/** Counts the members left of this many, each of `value`, within a size. */
function kept(value: unknown, size: number): { readonly list: number; readonly record: number } {
  const list = Array.from({ length: 99 }, () => value)
  const record = Object.fromEntries(list.map((one, index) => [`k${index + 100}`, one]))
  const limit = { size, depth: 3 }
  return {
    list: (boundedCopy(list, limit) as unknown[]).length,
    record: Object.keys(boundedCopy(record, limit) as object).length,
  }
}

test.each([
  // About what JSON takes: a list of numbers 6 each, a record of them 4 more and its name.
  [1, 122, { list: 20, record: 10 }],
  [1, 123, { list: 21, record: 10 }],
  [1, 133, { list: 22, record: 11 }],
  ['abcd', 72, { list: 10, record: 5 }],
  [{}, 72, { list: 24, record: 7 }],
  [[[[]]], 72, { list: 5, record: 3 }],
])('of many %j within %i stay %j', (value, size, expected) => {
  expect(kept(value, size)).toEqual(expected)
})

test('names are cut, and none sets a prototype', () => {
  const name = 'n'.repeat(256)
  const copy = boundedBag(
    JSON.parse(`{"__proto__":{"a":1},"${name}":1,"${name}x":2}`),
    wide,
  ) as Record<string, unknown>
  expect(Object.keys(copy)).toEqual([name, `${'n'.repeat(253)}...`])
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
})

test('a bag is an object and nothing else', () => {
  expect(boundedBag({ a: 1 }, wide)).toEqual({ a: 1 })
  for (const value of [null, undefined, 'x', 7, [1]]) expect(boundedBag(value, wide)).toBeNull()
})
