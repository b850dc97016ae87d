import { expect, test } from 'vitest'
import { segmentNameOf, segmentSourceOf, spanNameOf } from './names.ts'
import { platformOf, serviceOf } from './service.ts'
import { spanStatus } from './status.ts'

const page = 'http://shop.test/products/42?color=red'

test.for([
  ['pageload', 'Pageload', { 'url.path': '/products/42', 'url.full': page }, '/products/42'],
  ['pageload', 'Pageload', { 'url.full': page }, '/products/42'],
  [
    'navigation',
    'Navigation',
    { 'url.template': '/products/:id', 'url.path': '/products/42' },
    '/products/:id',
  ],
  ['pageload', '/shop', { 'url.path': '/shop' }, '/shop'],
  ['pageload', 'Checkout', { 'url.path': '/checkout' }, 'Checkout'],
  ['pageload', 'Pageload', {}, 'Pageload'],
  ['pageload', '', {}, 'pageload'],
  ['http.server', 'GET /orders/:id', { 'http.route': '/other' }, 'GET /orders/:id'],
  ['http.server', 'GET', { 'http.request.method': 'GET', 'url.path': '/nope' }, 'GET /nope'],
  [
    'http.server',
    'POST',
    { 'http.request.method': 'POST', 'http.route': '/a/:b', 'url.path': '/a/1' },
    'POST /a/:b',
  ],
  ['http.server', 'GET', {}, 'GET'],
  ['queue.process', 'mail', {}, 'mail'],
] as const)(
  'a segment %s called %s is listed by its page or route',
  ([op, name, attributes, expected]) => {
    expect(segmentNameOf({ op, name, attributes })).toBe(expected)
  },
)

const request = {
  'http.request.method': 'GET',
  'url.domain': 'shop.test',
  'server.address': 'shop.test:80',
}

test.for([
  ['GET shop.test', { ...request, 'url.full': 'http://shop.test/api/a?token=1' }, 'GET /api/a'],
  [
    'GET shop.test',
    { ...request, 'url.full': 'https://cdn.test/api/a?b#c' },
    'GET https://cdn.test/api/a',
  ],
  ['GET shop.test', request, 'GET shop.test'],
  ['GET /api/a', { ...request, 'url.full': 'http://shop.test/api/b' }, 'GET /api/a'],
  ['my own fetch', { ...request, 'url.full': 'http://shop.test/api/b' }, 'my own fetch'],
  ['GET shop.test', { ...request, 'url.full': 'no url' }, 'GET shop.test'],
] as const)('a request called %s is shown by its address', ([name, attributes, expected]) => {
  const place = { isSegment: false, pageOrigin: 'http://shop.test' }
  expect(spanNameOf({ op: 'http.client', name, attributes }, place)).toBe(expected)
})

test('a name without an operation that gives it another is kept, and one that is missing is the operation', () => {
  const place = { isSegment: false, pageOrigin: null }
  expect(spanNameOf({ op: 'db', name: 'select 1', attributes: {} }, place)).toBe('select 1')
  expect(spanNameOf({ op: 'db', name: '', attributes: {} }, place)).toBe('db')
  expect(spanNameOf({ op: 'db', name: 'x'.repeat(9_000), attributes: {} }, place)).toHaveLength(
    2_048,
  )
})

test('only the sources of transactions are valid', () => {
  expect(segmentSourceOf({ 'sentry.segment.name.source': 'route' })).toBe('route')
  expect(segmentSourceOf({ 'sentry.source': 'url' })).toBe('url')
  expect(segmentSourceOf({ 'sentry.source': 'somewhere' })).toBeNull()
})

test.for([
  ['ok', {}, 'ok'],
  [undefined, {}, 'unknown'],
  ['not_found', {}, 'not_found'],
  ['error', { 'sentry.status.message': 'deadline_exceeded' }, 'deadline_exceeded'],
  ['error', { 'http.response.status_code': 404 }, 'not_found'],
  ['error', { 'http.response.status_code': 502 }, 'internal_error'],
  ['error', { 'sentry.status.message': 'it broke' }, 'internal_error'],
  ['it broke', {}, 'internal_error'],
  ['canceled', {}, 'cancelled'],
  [7, {}, 'unknown'],
] as const)('status %s', ([sent, attributes, expected]) => {
  expect(spanStatus(sent, attributes)).toBe(expected)
})

test.for([
  ['sentry.javascript.react', false, 'browser', 'javascript'],
  ['sentry.javascript.node', true, 'node', 'node'],
  ['sentry.javascript.bun', false, 'bun', 'node'],
  ['sentry.javascript.nextjs', true, 'browser', 'javascript'],
  ['sentry.javascript.nextjs', false, 'node', 'node'],
  ['sentry.python.django', false, 'python', 'python'],
  [null, true, 'browser', 'javascript'],
  [null, false, 'unknown', 'unknown'],
] as const)('%s is the service', ([sdk, isBrowser, service, platform]) => {
  expect(serviceOf(sdk, {}, isBrowser)).toBe(service)
  expect(platformOf(service, sdk)).toBe(platform)
  expect(serviceOf(sdk, { 'service.name': 'checkout' }, isBrowser)).toBe('checkout')
})
