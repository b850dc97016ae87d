import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { captureBoundaryError } from './boundary.ts'
import { handleError, handleErrorWithAfterimage } from './kit-client.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  vi.spyOn(console, 'error').mockReturnValue(undefined)
  start({ dsn }, [])
})

afterEach(async () => {
  await close(0)
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

test('an error of a navigation is reported and logged', async () => {
  const error = new Error('failed')
  handleError({ error, kind: 'unknown' })
  await flush()
  expect(network.events()).toMatchObject([
    {
      exception: {
        values: [
          { value: 'failed', mechanism: { type: 'sveltekit.handle_error', handled: false } },
        ],
      },
    },
  ])
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error)
})

test('an expected error is neither reported nor logged', async () => {
  handleError({ error: { status: 404, message: 'Not Found' }, kind: 'framework' })
  handleError({ error: new Error('Not found: /nowhere'), status: 404 })
  await flush()
  expect(network.events()).toEqual([])
  expect(console.error).not.toHaveBeenCalled()
})

test('the application’s own hook gives the answer', () => {
  const own = vi.fn(() => ({ message: 'Sorry' }))
  expect(handleErrorWithAfterimage(own)({ error: new Error('failed') })).toEqual({
    message: 'Sorry',
  })
})

test('an error that a boundary caught is reported and logged', async () => {
  const error = new Error('failed')
  const id = captureBoundaryError(error)
  await flush()
  expect(network.events()).toMatchObject([
    {
      event_id: id,
      exception: { values: [{ mechanism: { type: 'svelte.boundary', handled: true } }] },
    },
  ])
  expect(console.error).toHaveBeenCalledExactlyOnceWith(error)
})
