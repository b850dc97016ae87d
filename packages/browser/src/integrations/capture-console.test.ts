import { captureException, close, flush, start } from '@afterimage/sdk-core/api'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { captureConsole } from './capture-console.ts'

const printed = vi.fn()
const { error, warn, assert } = console

afterEach(async () => {
  await close(0)
  Object.assign(console, { error, warn, assert })
  vi.unstubAllGlobals()
  printed.mockReset()
})

function begin(...options: Parameters<typeof captureConsole>) {
  Object.assign(console, { error: printed, warn: printed, assert: printed })
  const network = fakeNetwork()
  start({ dsn }, [captureConsole(...options)])
  return network
}

test('errors and failed assertions are reported, and still printed', async () => {
  const network = begin()
  console.error('cart', 7, { lines: ['lamp'] })
  console.assert(true, 'fine')
  console.assert(network.requests.length > 2, 'the sum is', 2)
  console.warn('quiet')
  await flush()
  expect(printed).toHaveBeenCalledTimes(4)
  expect(network.events()).toMatchObject([
    {
      message: 'cart 7 [object Object]',
      level: 'error',
      logger: 'console',
      extra: { arguments: ['cart', 7, { lines: ['lamp'] }] },
    },
    { message: 'Assertion failed: the sum is 2', level: 'error' },
  ])
})

test('an Error among the values is reported as one, and only once', async () => {
  const network = begin({ levels: ['warn'], handled: false })
  const failed = new RangeError('too many')
  console.warn('could not pay', failed)
  console.warn(failed)
  captureException(failed)
  await flush()
  expect(network.events()).toMatchObject([
    {
      level: 'warning',
      logger: 'console',
      exception: {
        values: [
          { type: 'RangeError', mechanism: { type: 'console', handled: false }, stacktrace: {} },
        ],
      },
      extra: { arguments: ['could not pay', 'RangeError: too many'] },
    },
  ])
})

test('calls of a hook itself are not reported, and close restores the console', async () => {
  Object.assign(console, { error: printed })
  const network = fakeNetwork()
  const beforeSend = vi.fn((event: SdkEvent) => {
    console.error('from the hook')
    return event
  })
  start({ dsn, beforeSend }, [captureConsole()])
  console.error('from the page')
  await close()
  expect(network.events()).toMatchObject([{ message: 'from the page' }])
  expect(console.error).toBe(printed)
})
