import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, normalize, textOf } from './normalize.ts'

function members(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))
}

test('plain data stays as it is', () => {
  const data = { text: 'a', number: 1, yes: true, none: null, list: [1, ['two']], empty: undefined }
  expect(normalize(data)).toEqual(data)
})

test('three levels below the first are kept', () => {
  expect(normalize({ a: { b: { c: { d: { e: 1 } } } } })).toEqual({
    a: { b: { c: { d: '[Object]' } } },
  })
})

test('1000 members are kept, and further ones are only hinted at', () => {
  expect(Object.keys(normalize(members(1000)))).toHaveLength(1000)
  const cut = Object.entries(normalize(members(1001)))
  expect(cut).toHaveLength(1001)
  expect(cut.at(-1)).toEqual(['k1000', '[More]'])
})

test('texts of 8192 characters stay whole', () => {
  expect(normalize('x'.repeat(8192))).toHaveLength(8192)
  expect(normalize('x'.repeat(8193))).toHaveLength(8195)
})

test('cycles, functions, big integers, classes, errors and unreadable members are named', () => {
  const cycle: Record<string, unknown> = {
    run: () => undefined,
    big: 12n,
    map: new Map(),
    error: new TypeError('no'),
    symbol: Symbol('s'),
    get broken() {
      throw new Error('a getter')
    },
  }
  cycle['self'] = cycle
  expect(normalize(cycle)).toEqual({
    run: '[object Function]',
    big: '12',
    map: '[object Map]',
    error: 'TypeError: no',
    symbol: 'Symbol(s)',
    broken: '[Unreadable]',
    self: '[Circular ~]',
  })
})

test('only real dates and errors become texts, and not those that they return themselves', () => {
  const own = { toString: () => 'Bob', toJSON: () => 'Bob' }
  for (const kind of ['Date', 'UserDate', 'DateRange', 'Exceptional', 'ErrorList']) {
    expect(textOf({ ...own, [Symbol.toStringTag]: kind })).toBe(`[object ${kind}]`)
  }
  expect(textOf({ ...own, [Symbol.toStringTag]: 'UserError' })).toBe('Error')
  class Birthday extends Date {
    override toString(): string {
      return 'Bob'
    }
  }
  expect(textOf(new Birthday(0))).toBe(String(new Date(0)))
  expect(textOf(Object.assign(new TypeError('no'), own))).toBe('TypeError: no')
  expect(textOf(Object.create(Date.prototype))).toBe('[Unreadable]')
})

test('runs no toJSON, and a member named __proto__ changes nothing', () => {
  expect(normalize({ toJSON: () => 'ran' })).toEqual({ toJSON: '[object Function]' })
  const plain = normalize(JSON.parse('{"__proto__":{"polluted":true}}') as object)
  expect((plain as { polluted?: boolean }).polluted).toBeUndefined()
  expect(Object.keys(plain)).toEqual(['__proto__'])
})

test('its result can always be written as JSON', () => {
  fc.assert(
    fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
      expect(() => JSON.stringify({ value: normalize(value) })).not.toThrow()
    }),
  )
})

test.each([
  ['a👍', 3, 'a👍'],
  ['a👍', 2, 'a...'],
  ['👍👍', 2, '👍...'],
  ['👍👍', 3, '👍...'],
  ['👍', 1, '...'],
])('%s cut at %d is %s: never half of a character', (text, charactersMax, shown) => {
  expect(cut(text, charactersMax)).toBe(shown)
})
