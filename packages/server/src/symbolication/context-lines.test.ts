import { expect, test } from 'vitest'
import { cutLine } from './context-lines.ts'

const long = 'a'.repeat(100) + 'X' + 'b'.repeat(199)

test('a line of 150 characters stays, a longer one is cut around the position', () => {
  expect(cutLine('a'.repeat(150), 149)).toBe('a'.repeat(150))
  expect(cutLine(long, 0)).toBe(`${long.slice(0, 140)} {snip}`)
  expect(cutLine(long, 100)).toBe(`{snip} ${long.slice(40, 180)} {snip}`)
  expect(cutLine(long, 299)).toBe(`{snip} ${long.slice(160)}`)
  expect(cutLine(long, 9999)).toBe(`{snip} ${long.slice(160)}`)
})

test('a cut of a few characters at either end is not made', () => {
  expect(cutLine(long, 64)).toBe(`${long.slice(0, 140)} {snip}`)
  expect(cutLine(long, 217)).toBe(`{snip} ${long.slice(160)}`)
})
