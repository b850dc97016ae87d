import { expect, test } from 'vitest'
import { isSameOrigin } from './same-origin.ts'

const url = 'http://inside:9000/api/x'
const own = 'https://errors.test'

test.each<[string, Record<string, string>, boolean]>([
  ['nothing', {}, false],
  ['its own site', { 'sec-fetch-site': 'same-origin' }, true],
  ['another site', { 'sec-fetch-site': 'cross-site' }, false],
  ['a sibling of its site', { 'sec-fetch-site': 'same-site' }, false],
  ['no site, as a bookmark has none', { 'sec-fetch-site': 'none' }, false],
  [
    'another site and our origin',
    { 'sec-fetch-site': 'cross-site', origin: own, host: 'errors.test' },
    false,
  ],
  ['our origin', { origin: own, host: 'errors.test' }, true],
  ['our origin, by the address that was asked', { origin: 'https://inside:9000' }, true],
  [
    'our origin behind a proxy',
    { origin: own, host: 'inside', 'x-forwarded-host': 'errors.test' },
    true,
  ],
  [
    'the origin of the proxy’s inside',
    { origin: 'http://inside', host: 'inside', 'x-forwarded-host': 'errors.test' },
    false,
  ],
  ['another origin', { origin: 'https://evil.test', host: 'errors.test' }, false],
  ['another port', { origin: `${own}:8443`, host: 'errors.test' }, false],
  [
    'its own site behind a proxy that says no host',
    { 'sec-fetch-site': 'same-origin', origin: own, host: 'inside' },
    true,
  ],
  ['an origin that is hidden', { origin: 'null', host: 'errors.test' }, false],
  [
    'its own site and an origin that is hidden',
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
    false,
  ],
])('a request that names %s', (_, headers, expected) => {
  // `fetch` forbids these headers; a server reads them as they come.
  const request = { url, headers: new Headers(headers) } as Request
  expect(isSameOrigin(request)).toBe(expected)
})
