import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dedupe, repeatMs } from './dedupe.ts'
import type { SdkEvent } from '@afterimage/sdk-core/event'

beforeEach(() => vi.useFakeTimers({ now: 1_000_000 }))
afterEach(() => vi.useRealTimers())

function error(value: string): SdkEvent {
  return { exception: { values: [{ type: 'Error', value }] } }
}

function see(integration: ReturnType<typeof dedupe>, event: SdkEvent): boolean {
  return integration.processEvent?.(event, {}, undefined as never) !== null
}

test('an error equal to the one before it is discarded', () => {
  const integration = dedupe()
  expect(
    [error('a'), error('a'), error('b'), error('a')].map((it) => see(integration, it)),
  ).toEqual([true, false, true, true])
})

test('a storm is reported once, as long as it lasts', () => {
  const integration = dedupe()
  const told = Array.from({ length: 100 }, () => {
    vi.advanceTimersByTime(repeatMs - 1)
    return see(integration, error('storm'))
  })
  expect(told.filter(Boolean)).toHaveLength(1)
})

test('the same error after a pause is a new one (the reference never reports it again)', () => {
  const integration = dedupe()
  expect(see(integration, error('a'))).toBe(true)
  vi.advanceTimersByTime(repeatMs)
  expect(see(integration, error('a'))).toBe(true)
})

test('transactions are never equal', () => {
  const integration = dedupe()
  expect(see(integration, { type: 'transaction' })).toBe(true)
  expect(see(integration, { type: 'transaction' })).toBe(true)
})
