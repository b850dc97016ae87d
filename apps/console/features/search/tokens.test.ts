import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTokens, tokenProblems, withFilter, writeTokens, type SearchToken } from './tokens.ts'

test('filters, exclusions and text are told apart', () => {
  expect(readTokens('is:unresolved !url:/internal/* timeout "payment failed"')).toEqual([
    { type: 'filter', key: 'is', value: 'unresolved', isNegated: false },
    { type: 'filter', key: 'url', value: '/internal/*', isNegated: true },
    { type: 'text', value: 'timeout' },
    { type: 'text', value: 'payment failed' },
  ])
})

test('quoted values keep their spaces and quotes', () => {
  expect(readTokens('browser:"Mobile Safari" message:"say \\"hi\\""')).toEqual([
    { type: 'filter', key: 'browser', value: 'Mobile Safari', isNegated: false },
    { type: 'filter', key: 'message', value: 'say "hi"', isNegated: false },
  ])
})

test('a quote that never closes runs to the end', () => {
  expect(readTokens('"half a')).toEqual([{ type: 'text', value: 'half a' }])
})

test('addresses and times are text unless their key is a word', () => {
  expect(readTokens('12:30 :x')).toEqual([
    { type: 'text', value: '12:30' },
    { type: 'text', value: ':x' },
  ])
})

test('tags with odd names can be asked for', () => {
  expect(readTokens('tags[cart size]:3 tags[cart-size]:3').at(-1)).toEqual({
    type: 'filter',
    key: 'tags[cart-size]',
    value: '3',
    isNegated: false,
  })
})

test('brackets and OR stay as they were typed; in quotes they are words', () => {
  const query = 'is:new (level:fatal OR message:"a (b")) "OR" tags:"("'
  const tokens = readTokens(query)
  expect(tokens.map(({ type }) => type)).toEqual([
    'filter',
    'joint',
    'joint',
    'joint',
    'text',
    'filter',
  ])
  expect(writeTokens(tokens)).toBe(query)
})

test('a problem is said at each token that it is about', () => {
  const query = 'is:new  level:eror release:[1.0, 2.0'
  const list = { from: 19, to: query.length, detail: 'never closed' }
  const level = { from: 8, to: 18, detail: 'there is no level "eror"' }
  expect(tokenProblems(query, [list, level])).toEqual([
    null,
    'there is no level "eror"',
    'never closed',
    'never closed',
  ])
})

test('an empty query has no tokens', () => {
  expect(readTokens('   ')).toEqual([])
})

test('a filter replaces its own value and leaves the rest', () => {
  expect(withFilter('is:unresolved level:error', 'is', 'resolved')).toBe('is:resolved level:error')
  expect(withFilter('timeout', 'release', '2.14.0 beta')).toBe('timeout release:"2.14.0 beta"')
})

test('written tokens are read back as the same tokens', () => {
  const token = fc.oneof(
    fc.record({
      type: fc.constant('filter' as const),
      key: fc.stringMatching(/^[a-z][a-z_.]{0,12}$/),
      value: fc.string({ maxLength: 40 }),
      isNegated: fc.boolean(),
    }),
    fc.record({ type: fc.constant('text' as const), value: fc.string({ maxLength: 40 }) }),
  )
  fc.assert(
    fc.property(fc.array(token, { maxLength: 6 }), (tokens: SearchToken[]) => {
      expect(readTokens(writeTokens(tokens))).toEqual(tokens)
    }),
  )
})

test('any text is tokens, never a throw', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300, unit: 'binary' }), (text) => {
      expect(Array.isArray(readTokens(text))).toBe(true)
    }),
  )
})
