import { expect, test } from 'vitest'
import { windowCharactersMax, windowMs } from './limits.ts'
import { createSpending } from './spending.ts'

test('pictures are recorded up to the limit of a window, and further ones in the next', () => {
  const mayTake = createSpending()
  expect(mayTake(windowCharactersMax - 1, 1000)).toBe(true)
  expect(mayTake(2, 1000)).toBe(false)
  expect(mayTake(1, 1000 + windowMs - 1)).toBe(true)
  expect(mayTake(1, 1000 + windowMs - 1)).toBe(false)
  expect(mayTake(1, 1000 + windowMs)).toBe(true)
})

test('a clock that is set back does not stop the pictures', () => {
  const mayTake = createSpending()
  expect(mayTake(windowCharactersMax, 1_000_000)).toBe(true)
  expect(mayTake(1, 0)).toBe(true)
})
