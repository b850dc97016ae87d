import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, test } from 'vitest'
import { Collector } from './collector.ts'
import { defaultIngestLimits } from './limits.ts'

const hold = { take: () => true, giveBack: () => {}, becomeLarge: () => true }

function collector(): Collector {
  const options = { limits: defaultIngestLimits, decodedBytesMax: 1000, hold }
  return new Collector(options as unknown as ConstructorParameters<typeof Collector>[0])
}

test.each([
  ['compressed', 900],
  ['plain', null],
])('a %s body stops at its limit of decoded bytes, also when it grows slowly', (_, received) => {
  const collecting = collector()
  expect(collecting.add(Buffer.alloc(600), received)).toBeNull()
  expect(collecting.add(Buffer.alloc(400), received)).toBeNull()
  const step = collecting.add(Buffer.alloc(1), received)
  expect(isRefusal(step) && step.reason).toBe('too_large')
})
