import { expect, test } from 'vitest'
import { routeNames } from './route-names.ts'

const manifest = {
  staticRoutes: [{ path: '/' }, { path: '/shop/new' }],
  dynamicRoutes: [
    { path: '/:all*?', regex: '^/?(.*)$' },
    { path: '/docs/:path*', regex: '^/docs/(.+)$' },
    { path: '/:section/:id', regex: '^/([^/]+)/([^/]+)$' },
    { path: '/shop/:id', regex: '^/shop/([^/]+)$' },
    { path: '/broken/:id', regex: '^/broken/([' },
  ],
}

test('S9 an empty manifest names nothing: the raw path is the name', () => {
  expect(routeNames({})('/shop/7')).toBeNull()
  expect(routeNames({ staticRoutes: [], dynamicRoutes: [] })('/')).toBeNull()
})

test.each([
  ['/shop/7', '/shop/:id'],
  ['/cart/7', '/:section/:id'],
  ['/docs/a/b', '/docs/:path*'],
  ['/docs/a', '/:section/:id'],
  ['/anything/at/all', '/:all*?'],
  ['/broken/7', '/:section/:id'],
])(
  'S9 %s is the page %s: the most specific route, parameters 10, catch-all 100, optional catch-all 1000',
  (path, name) => {
    expect(routeNames(manifest)(path)).toBe(name)
  },
)

test.each(['/', '/shop/new'])(
  'S9 the static route %s has no parameters and stays as it is',
  (path) => {
    expect(routeNames(manifest)(path)).toBeNull()
  },
)
