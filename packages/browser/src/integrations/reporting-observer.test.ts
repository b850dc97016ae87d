import { close, flush, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, expect, test, vi } from 'vitest'
import { reportingObserver } from './reporting-observer.ts'

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

class DeprecationBody {
  get id() {
    return 'old-call'
  }
  get message() {
    return 'oldCall is deprecated'
  }
  get sourceFile() {
    return 'https://shop.test/app.js?token=secret'
  }
}
// Getters of a browser's own classes are enumerable.
for (const name of ['id', 'message', 'sourceFile']) {
  Object.defineProperty(DeprecationBody.prototype, name, { enumerable: true })
}

test('reports of the browser are messages, without secrets of addresses', async () => {
  const network = fakeNetwork()
  const observed = vi.fn()
  const disconnect = vi.fn()
  let tell: ((reports: readonly unknown[]) => void) | undefined
  vi.stubGlobal(
    'ReportingObserver',
    class {
      constructor(listener: NonNullable<typeof tell>, options: unknown) {
        tell = listener
        observed(options)
      }
      observe = () => {}
      disconnect = disconnect
    },
  )
  start({ dsn }, [reportingObserver({ types: ['deprecation'] })])
  expect(observed).toHaveBeenCalledWith({ types: ['deprecation'], buffered: true })
  tell?.([
    { type: 'deprecation', url: 'https://shop.test/?q=lamp', body: new DeprecationBody() },
    { type: 'crash', url: 'https://shop.test/', body: null },
  ])
  await flush()
  expect(network.events()).toMatchObject([
    {
      message: 'ReportingObserver [deprecation]: oldCall is deprecated',
      level: 'info',
      extra: {
        url: 'https://shop.test/?q=*',
        body: { id: 'old-call', sourceFile: 'https://shop.test/app.js?token=*' },
      },
    },
    { message: 'ReportingObserver [crash]: No details available' },
  ])
  await close()
  expect(disconnect).toHaveBeenCalledTimes(1)
})

test('a browser without such reports is left alone', () => {
  expect(start({ dsn }, [reportingObserver()])).not.toBeNull()
})
