import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Delivery, QueueWriter } from '../port.ts'
import { requeueSegment } from './requeue.ts'
import { segmentPath } from './segment.ts'
import {
  blockOf,
  damaged,
  deliveryOf,
  miscountedBlock,
  openFilesIn,
  writeSegment,
} from './written-log.fixture.ts'

let folder: string
let published: Delivery[]
let waitingMax: number
let waiting: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'requeue-'))
  published = []
  waiting = 0
  waitingMax = 0
})
afterEach(() => rmSync(folder, { recursive: true }))

const queue = {
  async publish(delivery: Delivery): Promise<void> {
    waiting += 1
    waitingMax = Math.max(waiting, waitingMax)
    await new Promise((resolve) => setImmediate(resolve))
    waiting -= 1
    published.push(delivery)
  },
} as unknown as QueueWriter

test('everything that can be read is published again, and broken places are counted', async () => {
  const [a, b, c] = ['a', 'b', 'c'].map((text) => deliveryOf(7, text))
  const broken = damaged(blockOf([b!]), -1)
  writeSegment(folder, 1, [[a!, b!], broken, [c!], broken])
  const requeued = await requeueSegment(segmentPath(folder, 1), queue)
  expect(requeued).toEqual({ deliveries: 3, broken: 2 })
  expect(published).toEqual(
    [a, b, c].map((one) => ({ ...one, bytes: Uint8Array.from(one!.bytes) })),
  )
  for (const { bytes } of published) expect(bytes.buffer.byteLength).toBe(bytes.byteLength)
  expect(openFilesIn(folder)).toEqual([])
})

test('a block that is whole, but holds something else, is passed over and counted', async () => {
  const [a, b] = ['a', 'b'].map((text) => deliveryOf(7, text))
  writeSegment(folder, 1, [[a!], miscountedBlock([b!]), [b!]])
  const requeued = await requeueSegment(segmentPath(folder, 1), queue)
  expect(requeued).toEqual({ deliveries: 2, broken: 1 })
  expect(published).toHaveLength(2)
})

test('a bounded number waits for the disk at one time', async () => {
  const blocks = Array.from({ length: 12 }, () => Array.from({ length: 100 }, () => deliveryOf(7)))
  writeSegment(folder, 1, blocks)
  expect(await requeueSegment(segmentPath(folder, 1), queue)).toEqual({
    deliveries: 1200,
    broken: 0,
  })
  expect([published.length, waiting, waitingMax]).toEqual([1200, 0, 500])
})

test('a file that is not a segment is refused', async () => {
  const path = join(folder, 'a')
  writeFileSync(path, 'x'.repeat(100))
  await expect(requeueSegment(path, queue)).rejects.toMatchObject({ code: 'INPUT_INVALID' })
})

test('a queue that is full says so', async () => {
  writeSegment(folder, 1, [[deliveryOf(7)]])
  const full = { publish: () => Promise.reject(new Error('full')) } as unknown as QueueWriter
  await expect(requeueSegment(segmentPath(folder, 1), full)).rejects.toThrow('full')
  expect(openFilesIn(folder)).toEqual([])
})
