import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codeLines, failingRange, languageOf } from './code-lines.ts'

const typescript = languageOf('src/price.tsx?v=2', null)
const shown = (lines: readonly string[], language = typescript) =>
  codeLines(lines, language).map((line) => line.map((piece) => [piece.kind, piece.text]))

test('keywords, strings and comments are told apart, each at its column', () => {
  expect(codeLines(["const a = 'x' // why"], typescript)).toEqual([
    [
      { kind: 'keyword', text: 'const', column: 1 },
      { kind: 'plain', text: ' a = ', column: 6 },
      { kind: 'string', text: "'x'", column: 11 },
      { kind: 'plain', text: ' ', column: 14 },
      { kind: 'comment', text: '// why', column: 15 },
    ],
  ])
})

test('a comment that runs over lines is one on each of them', () => {
  expect(shown(['/* the sum', ' of all */ x', ''])).toEqual([
    [['comment', '/* the sum']],
    [
      ['comment', ' of all */'],
      ['plain', ' x'],
    ],
    [],
  ])
})

test('a file’s ending says its language, else the platform does, else nothing is set', () => {
  const python = languageOf('app/views.py', null)
  expect(shown(['def a(): # why'], python)[0]?.map(([kind]) => kind)).toEqual([
    'keyword',
    'plain',
    'comment',
  ])
  expect(languageOf('(sandbox)', 'python')).toBe(python)
  expect(languageOf('query.sql', 'other')).toBeNull()
  expect(shown(['const a'], null)).toEqual([[['plain', 'const a']]])
})

test('minified code is shown, not set', () => {
  const line = 'const a=1;'.repeat(60)
  expect(shown([line])).toEqual([[['plain', line]]])
})

test('no line and no character is lost, in any language', () => {
  const files = ['a.ts', 'a.py', 'a.java', 'a.go', 'a.rs', 'a.c', 'a.rb']
  const source = fc.stringMatching(/^[\w\s"'`/*#${}()\\:=<>.]{0,80}$/)
  const line = fc
    .oneof(source, fc.string({ maxLength: 80, unit: 'binary' }))
    .map((text) => text.replaceAll('\n', ' '))
  fc.assert(
    fc.property(
      fc.constantFrom(...files),
      fc.array(line, { minLength: 1, maxLength: 7 }),
      (file, lines) => {
        const pieces = codeLines(lines, languageOf(file, null))
        expect(pieces.map((one) => one.map((piece) => piece.text).join(''))).toEqual(lines)
      },
    ),
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
