import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePieces, failingRange } from './code-words.ts'

test('keywords, strings and comments are told apart', () => {
  expect(codePieces("const a = 'x' // why").map((piece) => [piece.kind, piece.text])).toEqual([
    ['keyword', 'const'],
    ['plain', ' a = '],
    ['string', "'x'"],
    ['plain', ' '],
    ['comment', '// why'],
  ])
})

test('a string that never closes runs to the end', () => {
  expect(codePieces('"open').map((piece) => piece.kind)).toEqual(['string'])
})

test('no character is lost', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (line) => {
      const oneLine = line.replaceAll(/[\n\r\u2028\u2029]/g, ' ')
      expect(
        codePieces(oneLine)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(oneLine)
    }),
  )
})

test('the failing expression is the word at the column and its members', () => {
  const line = '  return money(voucher.discount.amount, x)'
  const range = failingRange(line, line.indexOf('discount') + 1)
  expect(line.slice(...(range ?? [0, 0]))).toBe('discount.amount')
})

test('a column that points at nothing underlines nothing', () => {
  expect(failingRange('a b', 2)).toBeNull()
  expect(failingRange('ab', 40)).toBeNull()
  expect(failingRange('ab', null)).toBeNull()
  expect(failingRange('x'.repeat(600), 5)).toBeNull()
})
