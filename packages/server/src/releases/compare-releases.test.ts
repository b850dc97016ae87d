import { expect, test } from 'vitest'
import { compareReleases, newestRelease } from './compare-releases.ts'

const at = (version: string, date = 0) => ({ version, at: date })

test.each([
  ['1.9.0', '1.10.0'],
  ['1.0.0-alpha', '1.0.0'],
  ['1.0.0-alpha.1', '1.0.0-alpha.beta'],
  ['1.0.0-alpha.2', '1.0.0-alpha.10'],
  ['1.0.0-rc', '1.0.0-rc.1'],
  ['shop@1.2.3+7', 'shop@1.3'],
  ['@scope/shop@1.2.3', '@scope/shop@v2.0.0'],
])('%s comes before %s, whatever their dates', (older, newer) => {
  expect(compareReleases(at(older, 9), at(newer, 1))).toBeLessThan(0)
  expect(compareReleases(at(newer, 1), at(older, 9))).toBeGreaterThan(0)
})

test('without two semantic versions the date decides', () => {
  expect(compareReleases(at('9f2c1d', 1), at('0a0b0c', 2))).toBeLessThan(0)
  expect(compareReleases(at('1.0.0', 5), at('0a0b0c', 2))).toBeGreaterThan(0)
})

test('build data does not order', () => {
  expect(compareReleases(at('1.0.0+1'), at('1.0.0+2'))).toBe(0)
})

test('the newest release: by version among versions, by date among hashes, null among none', () => {
  expect(newestRelease([at('1.10.0', 1), at('1.9.0', 2)])?.version).toBe('1.10.0')
  expect(newestRelease([at('abc', 1), at('def', 2), at('1.0.0', 0)])?.version).toBe('def')
  expect(newestRelease([])).toBeNull()
})
