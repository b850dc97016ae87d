import { expect, test } from 'vitest'
import type { Delivery } from '../port.ts'
import { decodeRecords, recordOverheadMax } from './record.ts'
import { Stage, Stages, type Waiting } from './staging.ts'
import { deliveryOf } from './written-log.fixture.ts'

const size = 2 * recordOverheadMax + 20
const waiting: Waiting = { resolve: () => {}, reject: () => {} }

function sized(bytes: number): Delivery {
  return deliveryOf(7, 'x'.repeat(bytes))
}

test('deliveries are written one after the other, and counted with who waits for them', () => {
  const stage = new Stage(new ArrayBuffer(size))
  expect([stage.count, stage.bytes.length, stage.payloadBytes]).toEqual([0, 0, 0])
  stage.add(sized(3), waiting)
  stage.add(sized(4), waiting)
  expect([stage.count, stage.payloadBytes, stage.waiting]).toEqual([2, 7, [waiting, waiting]])
  const written = decodeRecords(Buffer.from(stage.bytes), 2)
  expect(written?.map(({ bytes }) => bytes.length)).toEqual([3, 4])
})

test('room is what is left, whatever the texts of a delivery are', () => {
  const stage = new Stage(new ArrayBuffer(recordOverheadMax + 10))
  expect([stage.hasRoomFor(sized(10)), stage.hasRoomFor(sized(11))]).toEqual([true, false])
  stage.add(sized(1), waiting)
  expect(stage.hasRoomFor(sized(10))).toBe(false)
})

test('memory of bytes that have it for themselves is freed, that of others is not', () => {
  const stage = new Stage(new ArrayBuffer(size))
  const own = new Uint8Array(4)
  const shared = new Uint8Array(new ArrayBuffer(8), 0, 4)
  for (const bytes of [own, shared]) stage.add({ ...sized(0), bytes }, waiting)
  expect([own.length, shared.length]).toEqual([0, 4])
})

function memoryOf(stage: Stage): ArrayBuffer {
  return stage.bytes.buffer
}

test('memory that came back is used again, so much of it', () => {
  const stages = new Stages(size, 1)
  const first = memoryOf(stages.take(sized(1)))
  const second = memoryOf(stages.take(sized(1)))
  expect(second).not.toBe(first)
  expect(first.byteLength).toBe(size)
  stages.giveBack(first)
  stages.giveBack(second)
  expect(memoryOf(stages.take(sized(1)))).toBe(first)
  expect(memoryOf(stages.take(sized(1)))).not.toBe(second)
})

test('a delivery larger than a piece gets one of its own, which is not kept', () => {
  const stages = new Stages(size, 8)
  const exact = size - recordOverheadMax
  expect(stages.take(sized(exact)).bytes.buffer.byteLength).toBe(size)
  const large = stages.take(sized(exact + 1))
  expect(large.hasRoomFor(sized(exact + 1))).toBe(true)
  expect(large.bytes.buffer.byteLength).toBe(size + 1)
  stages.giveBack(large.bytes.buffer)
  expect(stages.take(sized(1)).bytes.buffer.byteLength).toBe(size)
})
