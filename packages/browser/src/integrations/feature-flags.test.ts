import { captureEvent, captureMessage, close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { featureFlags, openFeatureHook } from './feature-flags.ts'
import { flagsMax } from './limits.ts'

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

test('errors carry the flags in the order of their last evaluation', async () => {
  const network = fakeNetwork()
  const flags = featureFlags()
  start({ dsn }, [flags])
  captureMessage('before')
  flags.addFeatureFlag('new-cart', false)
  flags.addFeatureFlag('fast-pay', true)
  flags.addFeatureFlag('new-cart', true)
  flags.addFeatureFlag('colour', 'red')
  captureMessage('after')
  await flush()
  const [before, after] = network.events()
  expect(before?.contexts).not.toHaveProperty('flags')
  expect(after?.contexts?.['flags']).toEqual({
    values: [
      { flag: 'fast-pay', result: true },
      { flag: 'new-cart', result: true },
    ],
  })
  expect(captureEvent({ type: 'transaction' })).toBeTruthy()
})

test('only the newest flags are kept', async () => {
  const network = fakeNetwork()
  const flags = featureFlags()
  start({ dsn }, [flags])
  for (let at = 0; at < flagsMax + 5; at += 1) flags.addFeatureFlag(`flag-${at}`, true)
  captureMessage('many')
  await flush()
  const values = network.events()[0]?.contexts?.['flags']?.['values'] as { flag: string }[]
  expect(values.map(({ flag }) => flag)).toEqual(
    Array.from({ length: flagsMax }, (_, at) => `flag-${at + 5}`),
  )
})

test('the hook of OpenFeature notes evaluations, and defaults of failed ones', () => {
  const flags = featureFlags()
  const hook = openFeatureHook(flags)
  hook.after({}, { flagKey: 'new-cart', value: true })
  hook.error({ flagKey: 'fast-pay', defaultValue: false })
  expect(flags.processEvent!({}, {}, null as never)?.contexts?.['flags']).toEqual({
    values: [
      { flag: 'new-cart', result: true },
      { flag: 'fast-pay', result: false },
    ],
  })
})
