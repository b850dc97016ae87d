import { expect, test } from 'vitest'
import { joined, routeName } from './route-name.ts'

const matches = (...paths: readonly (string | undefined)[]) =>
  paths.map((path) => ({ route: { path } }))

test.each([
  [['/', 'users/:id'], '/users/:id'],
  [['/users', ':id', 'edit'], '/users/:id/edit'],
  [[undefined, '/users', undefined], '/users'],
  [['/users', '/users/:id'], '/users/:id'],
  [['/', ''], '/'],
  [['files/*'], '/files/*'],
  [['/:lang?', 'about'], '/:lang?/about'],
])('the nested routes %j are named %s', (paths, name) => {
  expect(routeName(matches(...paths))).toBe(name)
})

test.each([[null], [undefined], [[]]])(
  'a page without a matching route has no name: %j',
  (none) => {
    expect(routeName(none)).toBeUndefined()
  },
)

test.each([
  [['', '/users/:id'], '/users/:id'],
  [['/', '/'], '/'],
  [['/shop/', '/users/'], '/shop/users'],
  [['/shop', '/'], '/shop'],
])('%j are joined as %s', (parts, whole) => {
  expect(joined(...parts)).toBe(whole)
})
