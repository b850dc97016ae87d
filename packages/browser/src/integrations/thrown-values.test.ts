import { captureException, close, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { thrownValues } from './thrown-values.ts'

afterEach(() => vi.unstubAllGlobals())

test('texts of thrown objects are sent only where the page asks for them by name', async () => {
  const network = fakeNetwork()
  for (const [integrations, reason] of [
    [[], '********'],
    [[thrownValues()], 'sold out'],
  ] as const) {
    start({ dsn }, integrations)
    captureException({ code: 7, reason: 'sold out' })
    captureException(new Error('plain'))
    await close(0)
    const sent = JSON.stringify(network.events().slice(-2))
    expect(sent).toContain(`"__serialized__":{"code":7,"reason":"${reason}"}`)
    expect(sent.split('__serialized__')).toHaveLength(2)
  }
})
