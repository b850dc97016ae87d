import { expect, test } from 'vitest'
import { cleanAddress } from './clean-address.ts'

test.each([
  ['https://shop.test/a?token=secret&page=2#frag', 'https://shop.test/a?token=*&page=*'],
  ['/api/items?q=a?b=c&flag', '/api/items?q=*&*'],
  ['https://user:pass@shop.test/a', 'https://shop.test/a'],
  ['https://cdn.test/package@1.2.3/a.js', 'https://cdn.test/package@1.2.3/a.js'],
  ['data:text/plain;base64,c2VjcmV0', 'data:'],
  ['javascript:alert(1)', 'javascript:'],
  ['/plain', '/plain'],
  ['/reset?c2VjcmV0', '/reset?*'],
  ['', ''],
])('of %s is sent %s', (address, clean) => expect(cleanAddress(address)).toBe(clean))

test('parameters that are named keep their values', () => {
  expect(cleanAddress('/a?page=2&token=secret', ['page'])).toBe('/a?page=2&token=*')
})

test('an address is cut at 2048 characters', () => {
  expect(cleanAddress(`/${'a'.repeat(2047)}`)).toHaveLength(2048)
  expect(cleanAddress(`/${'a'.repeat(2048)}`)).toHaveLength(2048)
})
