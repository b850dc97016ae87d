import { expect, test } from 'vitest'
import { PageCache } from './page-cache.ts'

test('values stay below the bound, and one that is asked for outlives the others', () => {
  const cache = new PageCache<number, string>(100)
  cache.set(0, 'asked for', 10)
  for (let key = 1; key <= 50; key += 1) {
    cache.set(key, 'filler', 10)
    expect(cache.get(0)).toBe('asked for')
    expect(cache.bytes).toBeLessThanOrEqual(100)
  }
  expect(cache.get(1)).toBeUndefined()
  expect(cache.get(50)).toBe('filler')
})

test('a value in place of another counts once, and one of half the bound is not kept', () => {
  const cache = new PageCache<string, number>(100)
  cache.set('a', 1, 20)
  cache.set('a', 2, 30)
  cache.set('large', 3, 51)
  expect([cache.get('a'), cache.get('large'), cache.bytes]).toEqual([2, undefined, 30])
})
