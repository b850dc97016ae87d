import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { captureMessage, close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { piniaPlugin } from './pinia.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  start({ dsn }, [])
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

test('an action is a breadcrumb with the names of the store and the action, and nothing else', async () => {
  const listeners: ((action: { readonly name: string }) => void)[] = []
  let isKept: boolean | undefined
  piniaPlugin({
    store: {
      $id: 'cart',
      $onAction(listener, isDetached) {
        listeners.push(listener)
        isKept = isDetached
      },
    },
  })
  const action = { name: 'add', args: ['secret'], store: { owner: 'secret' } }
  for (const listener of listeners) listener(action)
  captureMessage('hello')
  await flush()
  expect(network.events()[0]?.breadcrumbs).toEqual([
    { timestamp: expect.any(Number), category: 'pinia.action', level: 'info', message: 'cart.add' },
  ])
  expect(isKept).toBe(true)
})
