import { afterEach, expect, test } from 'vitest'
import { cleanAddress, maskPath, setSecretPaths } from './clean-address.ts'

test.each([
  ['https://shop.test/a?token=secret&page=2#frag', 'https://shop.test/a?token=*&page=*'],
  ['/api/items?q=a?b=c&flag', '/api/items?q=*&*'],
  ['https://user:pass@shop.test/a', 'https://shop.test/a'],
  ['https://cdn.test/package@1.2.3/a.js', 'https://cdn.test/package@1.2.3/a.js'],
  ['//user:pass@shop.test/a', '//shop.test/a'],
  ['https://bob@mail.test:p@ss@shop.test/a@b', 'https://shop.test/a@b'],
  ['mailto:bob@mail.test?subject=Bob', 'mailto:'],
  ['sip:bob@mail.test', 'sip:'],
  ['geo:48.4,9.98', 'geo:'],
  ['webpack://shop/./src/a.js', 'webpack://shop/./src/a.js'],
  ['data:text/plain;base64,c2VjcmV0', 'data:'],
  ['javascript:alert(1)', 'javascript:'],
  ['/plain', '/plain'],
  ['/reset?c2VjcmV0', '/reset?*'],
  ['', ''],
])('of %s is sent %s', (address, clean) => expect(cleanAddress(address)).toBe(clean))

test('named parameters keep their values', () => {
  expect(cleanAddress('/a?page=2&token=secret', ['page'])).toBe('/a?page=2&token=*')
})

test('an address is cut at 2048 characters', () => {
  expect(cleanAddress(`/${'a'.repeat(2047)}`)).toHaveLength(2048)
  expect(cleanAddress(`/${'a'.repeat(2048)}`)).toHaveLength(2048)
})

test('the cut of an address keeps the last character whole', () => {
  expect(cleanAddress(`/${'a'.repeat(2046)}👍`)).toBe(`/${'a'.repeat(2046)}`)
})

test.each(['node:internal/process/task_queues', 'C:\\app\\server.js'])(
  '%s is a place in a stack',
  (address) => expect(cleanAddress(address)).toBe(address),
)
afterEach(() => setSecretPaths())

test('secrets in paths are masked wherever an address is recorded, until another client starts', () => {
  const address = 'https://shop.test/_next/data/b1/share/issue/s3cret.json?token=x#y'
  setSecretPaths([/(?<=\/share\/issue\/)[^/?#]+/g])
  expect(cleanAddress(address)).toBe('https://shop.test/_next/data/b1/share/issue/*?token=*')
  expect(maskPath('/share/issue/s3cret/more')).toBe('/share/issue/*/more')
  expect(maskPath('/share/issues')).toBe('/share/issues')
  setSecretPaths()
  expect(maskPath('/share/issue/s3cret')).toBe('/share/issue/s3cret')
})
