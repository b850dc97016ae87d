import { createClient } from '@afterimage/sdk-core/client'
import type { Options } from '@afterimage/sdk-core/options'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadReplay } from './loader.ts'
import type { RecorderModule } from './loader.ts'
import type { ReplayOptions } from './options.ts'
import type { startRecorder } from './start-recorder.ts'
import { memoryStorage } from './testing/fake-surroundings.ts'

const mirror = {} as RecorderModule['mirror']

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
  const replay = loadReplay(async () => ({ startRecorder: started, mirror }), own)
  createClient({ dsn, ...init }, [replay])
  await vi.waitFor(() => expect(started).toHaveBeenCalled())
  expect(started.mock.calls[0]?.[2]).toEqual(used)
})

test.each([
  [true, true, 'not recorded'],
  [true, false, 'recorded'],
  [false, true, 'recorded'],
])(
  'told to obey (%s), with the signal %s a page is %s',
  async (globalPrivacyControl, signal, is) => {
    vi.stubGlobal('navigator', { globalPrivacyControl: signal })
    const recorder = { start: vi.fn() }
    const load = vi.fn(async () => ({ startRecorder: () => ({ recorder }) as never, mirror }))
    const replay = loadReplay(load, { globalPrivacyControl })
    createClient({ dsn }, [replay])
    await replay.start()
    await new Promise(setImmediate)
    const times = is === 'recorded' ? 1 : 0
    expect(load).toHaveBeenCalledTimes(times)
    expect(recorder.start).toHaveBeenCalledTimes(times)
  },
)

test('settings that come before the client are those that it begins with', async () => {
  const started = vi.fn<typeof startRecorder>(() => ({ recorder: {} }) as never)
  const replay = loadReplay(async () => ({ startRecorder: started, mirror }), {
    sessionSampleRate: 1,
  })
  replay.restrict!({ replaysSessionSampleRate: 0.2 })
  createClient({ dsn }, [replay])
  await vi.waitFor(() => expect(started).toHaveBeenCalled())
  expect(started.mock.calls[0]?.[2]).toEqual({ sessionSampleRate: 0.2 })
})

test.each([
  [100, 'continues the session', 'numbers'],
  [10_000, 'begins a session of its own', null],
])(
  'a page that comes back, whose tab is let go after %d ms, %s',
  async (letGoAfterMs, _, session) => {
    const storage = memoryStorage()
    const globals = { self: globalThis, parent: globalThis, sessionStorage: storage }
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    const comeBack = vi.fn()
    const page = { recorder: { state: { name: 'running' }, comeBack }, leave: vi.fn() }
    const started = vi.fn(() => page as never)
    createClient({ dsn }, [loadReplay(async () => ({ startRecorder: started, mirror }), {})])
    await vi.waitFor(() => expect(started).toHaveBeenCalled())
    vi.useFakeTimers()
    window.dispatchEvent(new Event('pagehide'))
    storage.setItem('afterimageReplayHeld', '1')
    storage.setItem('afterimageReplay', 'numbers')
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    setTimeout(() => storage.removeItem('afterimageReplayHeld'), letGoAfterMs)
    vi.advanceTimersByTime(80)
    expect(comeBack).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1000)
    expect(comeBack).toHaveBeenCalledOnce()
    expect(storage.getItem('afterimageReplay')).toBe(session)
    vi.useRealTimers()
  },
)
