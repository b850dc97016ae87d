import { expect, test } from 'vitest'
import { createPageHeaders } from './page-headers.ts'

const headersOf = createPageHeaders('https://monitoring.shop.test/ignored')

test('a page loads and talks to its own server only, by whichever name it is open', () => {
  const policy = headersOf('/issues')['content-security-policy']
  expect(policy).toContain("default-src 'self'")
  expect(policy).toContain("connect-src 'self' https://monitoring.shop.test;")
  expect(policy).not.toMatch(/\*|unsafe-eval/)
})

test('nobody else puts a page into a frame, but the address that is made for it', () => {
  expect(headersOf('/issues')['content-security-policy']).toContain("frame-ancestors 'self'")
  expect(headersOf('/share/replay/abc')['content-security-policy']).toContain('frame-ancestors')
  expect(headersOf('/embed/replay/abc')['content-security-policy']).not.toContain('frame-ancestors')
})

test('no other site learns which page a link was followed from', () => {
  expect(headersOf('/share/issue/abc')).toMatchObject({
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  })
})
