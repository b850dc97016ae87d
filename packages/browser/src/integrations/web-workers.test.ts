import { captureException, close, flush, lastEventId, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onError } from '../capture/global-errors.ts'
import { webWorkers } from './web-workers.ts'
import { registerWorker } from './worker.ts'

const file = 'https://shop.test/worker.js'

let network: FakeNetwork

/** A worker whose scope is this realm: its messages reach the page's side as copies. */
class FakeWorker extends EventTarget {
  /** Raises an error inside of the worker. */
  raise(type: string, members: object): void {
    const scope = new EventTarget()
    vi.stubGlobal('addEventListener', scope.addEventListener.bind(scope))
    vi.stubGlobal('location', { href: `${file}?v=secret` })
    vi.stubGlobal('postMessage', (data: unknown) =>
      this.dispatchEvent(new MessageEvent('message', { data: structuredClone(data) })),
    )
    registerWorker()
    scope.dispatchEvent(Object.assign(new Event(type), members))
    vi.stubGlobal('location', undefined)
  }
}

function thrownIn(worker: FakeWorker, error: unknown): void {
  const message = `Uncaught ${String(error)}`
  worker.raise('error', { error, message, filename: file, lineno: 3, colno: 7 })
}

function failed(): Error {
  const error = new TypeError('in the worker')
  error.stack = `TypeError: in the worker\n    at run (${file}?v=secret:3:7)`
  return error
}

beforeEach(() => {
  network = fakeNetwork()
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

test('uncaught errors of a worker arrive with their causes, frames and debug ids', async () => {
  const worker = new FakeWorker()
  const seen = vi.fn()
  start({ dsn }, [webWorkers({ workers: [worker as unknown as Worker] })])
  worker.addEventListener('message', seen)
  vi.stubGlobal('_sentryDebugIds', {
    [`Error\n    at ${file}?v=secret:1:1`]: 'd1',
    'Error\n    at https://shop.test/other.js:1:1': 'd2',
  })
  thrownIn(worker, failed())
  worker.raise('unhandledrejection', { reason: { lines: 3, text: 'private' } })
  await flush()
  const [error, rejection] = network.events()
  expect(error).toMatchObject({
    exception: {
      values: [
        {
          type: 'TypeError',
          value: 'in the worker',
          mechanism: { type: 'onerror', handled: false },
          stacktrace: { frames: [{ function: 'run', lineno: 3, colno: 7 }] },
        },
      ],
    },
    contexts: { worker: { filename: `${file}?v=*` } },
    debug_meta: { images: [{ code_file: `${file}?v=*`, debug_id: 'd1' }] },
  })
  expect(rejection).toMatchObject({
    exception: { values: [{ mechanism: { type: 'onunhandledrejection' } }] },
    extra: { __serialized__: { lines: 3, text: '********' } },
  })
  expect(seen).not.toHaveBeenCalled()
})

test('the same error that the browser raises on the page is not reported again', async () => {
  const worker = new FakeWorker()
  const workers = webWorkers()
  workers.addWorker(worker as unknown as Worker)
  start({ dsn }, [workers])
  thrownIn(worker, failed())
  const id = lastEventId()
  const raised = { message: 'Uncaught TypeError: in the worker', filename: file, lineno: 3 }
  onError({ ...raised, colno: 7, error: null } as ErrorEvent)
  expect(lastEventId()).toBe(id)
  onError({ ...raised, colno: 8, error: null } as ErrorEvent)
  captureException(new Error('of the page'))
  await flush()
  expect(network.events().map(({ exception }) => exception?.values.at(-1)?.value)).toEqual([
    'in the worker',
    'TypeError: in the worker',
    'of the page',
  ])
})

test('other messages reach the page, and after close all do', async () => {
  const worker = new FakeWorker()
  const seen = vi.fn()
  start({ dsn }, [webWorkers({ workers: [worker as unknown as Worker] })])
  worker.addEventListener('message', seen)
  for (const data of [
    null,
    'text',
    { afterimage: 1 },
    { afterimage: { event: { exception: {} } } },
  ]) {
    worker.dispatchEvent(new MessageEvent('message', { data }))
  }
  expect(seen).toHaveBeenCalledTimes(4)
  await close()
  thrownIn(worker, failed())
  expect(seen).toHaveBeenCalledTimes(5)
  expect(network.events()).toEqual([])
})
