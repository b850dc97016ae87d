import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import type { Options } from './options.ts'
import { createScope, getIsolationScope, getScope, withScope } from './scope.ts'
import { dsn, fakeNetwork } from './testing/fake-network.ts'
import type { FakeNetwork } from './testing/fake-network.ts'

let network: FakeNetwork
let client: Client

beforeEach(() => {
  network = fakeNetwork()
  client = createClient({ dsn }, [])!
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('a scope lies on top of its parent: it sees later changes of it, and covers what it sets itself', () => {
  const parent = createScope()
  const scope = createScope(parent)
  scope.setTag('own', 1)
  parent.setTags({ own: 2, late: 3, gone: 4 })
  parent.setUser({ id: 'u-1' })
  scope.setTag('gone', undefined)
  expect(scope.data).toMatchObject({ tags: { own: 1, late: 3 }, user: { id: 'u-1' } })
  expect(scope.data.tags).toHaveProperty('gone', undefined)
  scope.setUser(null)
  expect(scope.data.user).toBeUndefined()
  expect(parent.data.user).toEqual({ id: 'u-1' })
})

test('extras are set together as one by one', () => {
  const scope = createScope()
  scope.setExtra('one', 1)
  scope.setExtras({ two: { deep: 2 }, three: 3 })
  expect(scope.data.extra).toEqual({ one: 1, two: { deep: 2 }, three: 3 })
})

test.each([undefined, null, 'text', 7])(
  'data that is %j sets nothing of the known members',
  (odd) => {
    const scope = createScope()
    scope.setTag('kept', true)
    scope.update(odd as never)
    expect(scope.data.tags).toEqual({ kept: true })
  },
)

test('the scope of the page is the same inside of another, and events there have its data', async () => {
  withScope(() => {
    expect(getIsolationScope()).not.toBe(getScope())
    getIsolationScope().setTag('of the page', true)
    client.capture({ message: 'inside' })
  })
  expect(getIsolationScope()).toBe(getScope())
  await client.flush()
  expect(network.events()[0]?.tags).toEqual({ 'of the page': true })
  getIsolationScope().setTag('of the page', undefined)
})

test.each<[form: string, initialScope: NonNullable<Options['initialScope']>]>([
  ['data', { tags: { plan: 'pro' }, user: { id: 'u-1' } }],
  [
    'a function',
    (scope) => {
      scope.setTag('plan', 'pro')
      scope.setUser({ id: 'u-1' })
      return scope
    },
  ],
])('the initial scope is %s', async (_, initialScope) => {
  client = createClient({ dsn, initialScope }, [])!
  client.capture({ message: 'hello' })
  await client.flush()
  expect(network.events()[0]).toMatchObject({ tags: { plan: 'pro' }, user: { id: 'u-1' } })
  getScope().setTag('plan', undefined)
  getScope().setUser(null)
})

test('an initial scope that fails leaves the client alone', () => {
  client = createClient({ dsn, initialScope: failing }, [])!
  expect(client.capture({ message: 'hello' })).not.toBe('')
})

function failing(): never {
  throw new Error('of the page')
}
