import { expect, test } from 'vitest'
import { decodeScopes } from './encoded-scopes.ts'

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function item(...numbers: readonly number[]): string {
  return numbers
    .map((number) => {
      let text = ''
      let rest = number
      while (rest > 31) {
        text += digits[(rest % 32) + 32]
        rest = Math.floor(rest / 32)
      }
      return text + digits[rest]
    })
    .join('')
}

const names = ['checkout', 'pay']

/** A module with `checkout`, in it a block, in it the function `pay`; the numbers are relative. */
const originals = [
  item(1, 0, 0, 0),
  item(1, 1 | 4, 1, 0, 0),
  item(1, 0, 1, 2),
  item(1, 1 | 4, 1, 4, 2),
  item(2, 1, 4),
  item(2, 1, 2),
  item(2, 1, 0),
  item(2, 9, 0),
]

test('each range has the name of the function around its scope, after it that of the range around', () => {
  const ranges = [
    item(4, 2, 0, 0),
    item(4, 2 | 4, 10, 2),
    item(4, 2, 40, 2),
    item(4, 2 | 4, 50, 2),
    item(6, 1),
    item(5, 100),
    item(5, 100),
    item(5, 1),
    item(4, 1 | 2 | 4, 2, 7, 3),
    item(5, 1, 3),
    item(5, 1),
  ]
  expect(decodeScopes([...originals, ...ranges].join(), names)).toEqual([
    { line: 0, column: 0, name: null },
    { line: 0, column: 10, name: 'checkout' },
    { line: 0, column: 50, name: 'checkout' },
    { line: 0, column: 100, name: 'pay' },
    { line: 0, column: 200, name: 'checkout' },
    { line: 0, column: 300, name: 'checkout' },
    { line: 0, column: 301, name: null },
    { line: 2, column: 7, name: 'checkout' },
    { line: 3, column: 3, name: null },
    { line: 3, column: 4, name: null },
  ])
})

test('text that is not scopes has no names', () => {
  for (const text of ['', '!!', 'F,F,F', 'E', item(4, 2, 0, 9999), item(4, 1, 0x7fff_ffff, 1)]) {
    expect(decodeScopes(text, names).every(({ name }) => name === null)).toBe(true)
  }
})
