import { expect, test } from 'vitest'
import { culpritWords, kindOfIssue, shortFile, titleParts, whereOf } from './issue-title.ts'

test('an exception is its type and what it said', () => {
  expect(
    titleParts({
      title: 'TypeError: x is undefined',
      metadata: { type: 'TypeError', value: 'x is undefined' },
    }),
  ).toEqual({
    kind: 'TypeError',
    text: 'x is undefined',
  })
})

test('an exception without a message leaves what its title says', () => {
  expect(titleParts({ title: 'TypeError: x', metadata: { type: 'TypeError' } }).text).toBe('x')
  expect(titleParts({ title: 'TypeError', metadata: { type: 'TypeError' } }).text).toBe('')
})

test('a message has no kind', () => {
  expect(titleParts({ title: 'It broke', metadata: {} })).toEqual({ kind: null, text: 'It broke' })
})

test('a title that does not begin with its type is left whole', () => {
  const metadata = { type: 'script-src', value: 'inline' }
  const title = "Blocked inline 'script'"
  expect(titleParts({ title, metadata })).toEqual({ kind: null, text: title })
  expect(kindOfIssue('csp')).toBe('Policy violation')
  expect(kindOfIssue('default')).toBe('Message')
})

test('the place is the function and the end of its file', () => {
  expect(
    whereOf({
      culprit: 'x',
      metadata: { function: 'formatTotal', filename: 'https://shop.example/js/app.js?v=1' },
    }),
  ).toBe('formatTotal in js/app.js')
  expect(whereOf({ culprit: '/checkout', metadata: {} })).toBe('/checkout')
  expect(whereOf({ culprit: '', metadata: {} })).toBe('')
})

test('a culprit without a part that is known leaves that part out', () => {
  expect(culpritWords('?(app.ts)')).toBe('app.ts')
  expect(culpritWords('?(?)')).toBe('')
  expect(culpritWords('total(?)')).toBe('total')
  expect(culpritWords('A2.total(https://shop.example/js/cart.js)')).toBe('A2.total in js/cart.js')
  expect(culpritWords('GET /orders/:id')).toBe('GET /orders/:id')
  expect(culpritWords('/blog/(group)')).toBe('/blog/(group)')
})

test('bundlers’ prefixes are taken off', () => {
  expect(shortFile('webpack:///./src/cart.ts')).toBe('src/cart.ts')
  expect(shortFile('webpack://shop/./src/cart.ts')).toBe('src/cart.ts')
  expect(shortFile('../node_modules/x.js')).toBe('node_modules/x.js')
  expect(shortFile('app.js')).toBe('app.js')
  expect(shortFile('app:///_next/server/chunks/ssr/page.js')).toBe('ssr/page.js')
  expect(shortFile('https://shop.example/')).toBe('https://shop.example/')
})
