import { inflateSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { createCompress, deflate } from './compress.ts'

afterEach(() => vi.unstubAllGlobals())

test('compressed bytes are zlib, as servers expect', async () => {
  const bytes = await deflate(['{"type":4}', '{"type":2}'])
  expect(bytes?.[0]).toBe(0x78)
  expect(inflateSync(bytes!).toString()).toBe('[{"type":4},{"type":2}]')
})

test('a browser that cannot compress gives null, and the text is sent as it is', async () => {
  vi.stubGlobal('CompressionStream', undefined)
  vi.stubGlobal('Worker', undefined)
  expect(await deflate([])).toBeNull()
  expect(await createCompress().compress([])).toBeNull()
})

/** A worker that answers as the test says. */
function stubWorkers(behave: (address: string, worker: FakeWorker) => void): string[] {
  const addresses: string[] = []
  vi.stubGlobal(
    'Worker',
    class extends FakeWorker {
      constructor(address: string) {
        super()
        addresses.push(address)
        behave(address, this)
      }
    },
  )
  return addresses
}

class FakeWorker {
  heard: ((event: unknown) => void) | undefined
  failed: (() => void) | undefined
  addEventListener(type: string, listener: () => void): void {
    if (type === 'message') this.heard = listener
    else this.failed = listener
  }
  posted: unknown[] = []
  postMessage(message: unknown): void {
    this.posted.push(message)
  }
  terminate(): void {}
}

test('a worker compresses, and is not made before there is something to compress', async () => {
  let worker: FakeWorker | undefined
  stubWorkers((_, made) => (worker = made))
  const { compress } = createCompress()
  expect(worker).toBeUndefined()
  const answer = compress([])
  expect(worker!.posted).toEqual([[1, []]])
  worker!.heard!({ data: [1, Uint8Array.of(1, 2, 3)] })
  expect(await answer).toEqual(Uint8Array.of(1, 2, 3))
})

test('where CSP forbids workers from blobs, the hosted file is tried, then the page compresses', async () => {
  const addresses = stubWorkers((_, made) => queueMicrotask(() => made.failed?.()))
  const { compress } = createCompress('/compress.worker.js')
  expect(inflateSync((await compress(['1']))!).toString()).toBe('[1]')
  expect(addresses.map((it) => it.replace(/^blob:.*/, 'blob'))).toEqual([
    'blob',
    '/compress.worker.js',
  ])
  expect(inflateSync((await compress(['1']))!).toString()).toBe('[1]')
})

test('lists that a worker left unanswered when it died are compressed all the same', async () => {
  let worker: FakeWorker | undefined
  stubWorkers((_, made) => (worker = made))
  const { compress } = createCompress()
  const answer = compress(['2'])
  worker!.failed!()
  expect(inflateSync((await answer)!).toString()).toBe('[2]')
})

test('a browser that refuses to make a worker throws nothing at the page', async () => {
  stubWorkers(() => {
    throw new TypeError('This document requires TrustedScriptURL')
  })
  expect((await createCompress('/x.js').compress([]))?.[0]).toBe(0x78)
})

test('a worker that never answers delays a chunk by 5 s at most', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  stubWorkers(() => undefined)
  const answer = createCompress().compress(['3'])
  vi.advanceTimersByTime(5000)
  vi.useRealTimers()
  expect(inflateSync((await answer)!).toString()).toBe('[3]')
})
