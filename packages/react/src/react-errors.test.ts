import { close, start } from '@afterimage/sdk-core/api'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { textCharactersMax } from '@afterimage/sdk-core/limits'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { reactErrorHandler } from './react-errors.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  start({ dsn }, [])
})

afterEach(async () => {
  await close()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

async function sent(): Promise<SdkEvent[]> {
  await vi.waitFor(() => expect(network.events()).not.toEqual([]))
  return network.events()
}

test('an error of the root has its components, and without a callback goes to the console', async () => {
  const console = vi.spyOn(globalThis.console, 'error').mockReturnValue()
  const error = new Error('failed')
  reactErrorHandler()(error, { componentStack: '\n    at Price' })
  const [event] = await sent()
  expect(event?.contexts?.['react']).toMatchObject({ componentStack: '\n    at Price' })
  expect(event?.exception?.values[0]?.mechanism).toMatchObject({ handled: false })
  expect(console).toHaveBeenCalledExactlyOnceWith(error)
})

test('a callback makes it a handled error, and gets the id of the event', async () => {
  const callback = vi.fn<(...values: unknown[]) => void>()
  const info = { componentStack: '\n    at Price' }
  reactErrorHandler(callback)('a text', info)
  const [event] = await sent()
  expect(event?.exception?.values[0]?.mechanism).toMatchObject({ handled: true })
  expect(callback).toHaveBeenCalledExactlyOnceWith('a text', info, event?.event_id)
})

test.each([null, undefined])('a component stack may be %s', async (componentStack) => {
  reactErrorHandler(() => undefined)(new Error('failed'), { componentStack })
  expect((await sent())[0]?.contexts?.['react']).toMatchObject({ componentStack: '' })
})

test('of a long component stack the innermost components are sent', async () => {
  const componentStack = '\n    at Innermost' + '\n    at Outer'.repeat(2000)
  reactErrorHandler(() => undefined)(new Error('failed'), { componentStack })
  const stack = String((await sent())[0]?.contexts?.['react']?.['componentStack'])
  expect(stack.startsWith('\n    at Innermost')).toBe(true)
  expect(stack.length).toBeLessThanOrEqual(textCharactersMax + 3)
})
