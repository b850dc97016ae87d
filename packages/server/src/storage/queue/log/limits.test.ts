import { expect, test } from 'vitest'
import { defaultLogQueueLimits as limits } from './limits.ts'

test('every limit is a whole number', () => {
  for (const [name, value] of Object.entries(limits)) {
    expect(Number.isSafeInteger(value) && value > 0, name).toBe(true)
  }
})

test('a block fits into a write, a write into a segment, and many segments into the queue', () => {
  expect(limits.blockBytesMax).toBeLessThan(limits.batchBytesMax)
  expect(limits.batchBytesMax).toBeLessThan(limits.segmentBytesMax)
  expect(100 * limits.segmentBytesMax).toBeLessThanOrEqual(limits.queueBytesMax)
  expect(limits.segmentBytesMax).toBeLessThan(limits.freeBytesMin)
  expect(limits.batchBytesMax).toBeLessThan(limits.pendingBytesMax)
})

test('a turn is part of a block, a block is part of a take, and what is taken can be kept', () => {
  expect(limits.turnBytesMax).toBeLessThan(limits.blockBytesMax)
  expect(limits.blockBytesMax).toBeLessThan(limits.takeBytesMax)
  expect(limits.takeBytesMax).toBeLessThanOrEqual(limits.decodedBytesMax)
  expect(limits.takeBytesMax).toBeLessThan(limits.scanBytesMax)
})

test('damage that is set aside leaves the queue most of its room', () => {
  expect(limits.setAsideBytesMax).toBeGreaterThan(limits.segmentBytesMax)
  expect(limits.setAsideBytesMax).toBeLessThan(limits.queueBytesMax / 4)
})
