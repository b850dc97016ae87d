import { createClient } from '@afterimage/sdk-core/client'
import type { Options } from '@afterimage/sdk-core/options'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadReplay } from './loader.ts'
import type { ReplayOptions } from './options.ts'
import type { startRecorder } from './start-recorder.ts'

beforeEach(() => {
  fakeNetwork()
  vi.stubGlobal('document', Object.assign(new EventTarget(), { readyState: 'complete' }))
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => vi.unstubAllGlobals())

test.each<[init: Partial<Options>, own: ReplayOptions, used: ReplayOptions]>([
  [{}, {}, {}],
  [{ replaysSessionSampleRate: 0 }, {}, { sessionSampleRate: 0 }],
  [
    { replaysOnErrorSampleRate: 0.5 },
    { sessionSampleRate: 1 },
    { sessionSampleRate: 1, onErrorSampleRate: 0.5 },
  ],
  [{ replaysSessionSampleRate: 0 }, { sessionSampleRate: 1 }, { sessionSampleRate: 1 }],
])('with the rates %j for init and %j of its own it records by %j', async (init, own, used) => {
  const started = vi.fn<typeof startRecorder>(() => ({ recorder: {} }) as never)
  const replay = loadReplay(async () => ({ startRecorder: started }), own)
  createClient({ dsn, ...init }, [replay])
  await vi.waitFor(() => expect(started).toHaveBeenCalled())
  expect(started.mock.calls[0]?.[2]).toEqual(used)
})
