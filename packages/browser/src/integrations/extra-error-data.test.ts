import { captureException, close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { extraErrorData } from './extra-error-data.ts'
import type { ExtraErrorDataOptions } from './extra-error-data.ts'

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

async function contextsOf(error: unknown, options?: ExtraErrorDataOptions) {
  const network = fakeNetwork()
  start({ dsn }, [extraErrorData(options)])
  captureException(error)
  await flush()
  return network.events()[0]?.contexts
}

test('the members of an error and of its cause are a context with its name', async () => {
  const cause = Object.assign(new TypeError('no card'), { code: 'E7' })
  const error = Object.assign(new Error('failed', { cause }), {
    name: 'PaymentError',
    code: 402,
    order: { id: 'o-1' },
  })
  expect((await contextsOf(error))?.['PaymentError']).toEqual({
    code: 402,
    order: { id: 'o-1' },
    cause: { TypeError: { code: 'E7' } },
  })
  const again = Object.assign(new Error('failed', { cause }), { code: 1 })
  expect((await contextsOf(again, { captureErrorCause: false }))?.['Error']).toEqual({ code: 1 })
})

test('members are bounded in depth, and hostile ones do no harm', async () => {
  const error = Object.assign(new Error('deep'), { a: { b: { c: { d: { e: 1 } } } } })
  Object.defineProperty(error, 'broken', {
    enumerable: true,
    get() {
      throw new Error('getter')
    },
  })
  Object.assign(error, { self: error, toJSON: () => ({ secret: 1 }) })
  expect((await contextsOf(error))?.['Error']).toEqual({
    a: { b: { c: { d: '[Object]' } } },
    broken: '[Unreadable]',
    self: 'Error: deep',
  })
  const flat = Object.assign(new Error('flat'), { a: { b: { c: 1 } }, list: [[1]] })
  expect((await contextsOf(flat, { depth: 1 }))?.['Error']).toEqual({
    a: { b: '[Object]' },
    list: ['[Array]'],
  })
})

test('an error that calls itself like a context of the event does not replace it', async () => {
  const error = Object.assign(new Error('posed'), { name: 'trace', trace_id: 'x' })
  expect((await contextsOf(error))?.['trace']?.['trace_id']).toMatch(/^[0-9a-f]{32}$/)
})

test('errors without members of their own have no context', async () => {
  expect(Object.keys((await contextsOf(new Error('plain'))) ?? {})).toEqual(['trace'])
})
