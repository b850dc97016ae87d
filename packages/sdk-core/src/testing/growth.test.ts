import { expect, test } from 'vitest'
import { growthOf, linearGrowthMax } from './growth.ts'

const spaces = (length: number) => `${' '.repeat(length)}x`

test('linear work grows less than the limit', () => {
  expect(growthOf((text) => text.trim().split(''), spaces, 2000)).toBeLessThan(linearGrowthMax)
})

test('a pattern that starts anew at each character grows more', () => {
  expect(growthOf((text) => /\s+$/.exec(text), spaces, 1000)).toBeGreaterThan(linearGrowthMax)
})
