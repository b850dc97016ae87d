import { afterEach, expect, test, vi } from 'vitest'
import type { Recorder } from './recorder.ts'
import { limited, redraw, stop } from './restrict.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  [{}, {}, {}],
  [
    { sessionSampleRate: 0.5, mask: '.a' },
    { replaysSessionSampleRate: 0.2 },
    { sessionSampleRate: 0.2, mask: '.a' },
  ],
  [{ sessionSampleRate: 0.5 }, { replaysSessionSampleRate: 1 }, { sessionSampleRate: 0.5 }],
  [{}, { replaysSessionSampleRate: 1 }, { sessionSampleRate: 0.1 }],
  [{}, { replaysOnErrorSampleRate: 0.25 }, { onErrorSampleRate: 0.25 }],
  [{}, { mask: ['.b', '#c'] }, { mask: '.b,#c' }],
  [
    { mask: '.a', block: '.d', unmask: 'main' },
    { mask: ['.b'], block: ['.e'] },
    { mask: '.a,.b', block: '.d,.e', unmask: 'main' },
  ],
])('options %j become with the settings %j %j', (options, settings, result) => {
  expect(limited(options, settings)).toEqual(result)
})

function fakeRecorder(sampled: 'session' | 'buffer') {
  return {
    replayId: 'f'.repeat(32),
    outbox: { session: { sampled }, takeUnsent: vi.fn() },
    stop: vi.fn(),
    leave: vi.fn(),
    comeBack: vi.fn(),
  }
}

test.each([
  ['session', { sessionSampleRate: 0.5 }, 0.99, true],
  ['session', { sessionSampleRate: 0.5 }, 0.01, false],
  ['session', { onErrorSampleRate: 0 }, 0, false],
  ['buffer', { onErrorSampleRate: 0 }, 0, true],
  ['buffer', { sessionSampleRate: 0 }, 0, false],
] as const)(
  'a replay drawn as %s ends by %j when the lot is %d: %s',
  (sampled, now, lot, isOver) => {
    vi.spyOn(Math, 'random').mockReturnValue(lot)
    const recorder = fakeRecorder(sampled)
    redraw(
      recorder as unknown as Recorder,
      { sessionSampleRate: 1 },
      { sessionSampleRate: 1, ...now },
    )
    expect(recorder.stop.mock.calls).toEqual(isOver ? [['manual', false]] : [])
    expect(recorder.outbox.takeUnsent).toHaveBeenCalledTimes(isOver ? 1 : 0)
    expect(recorder.leave).not.toHaveBeenCalled()
  },
)

test('other selectors restart the recording, and what is stopped keeps its segments by default', () => {
  const recorder = fakeRecorder('session')
  redraw(recorder as unknown as Recorder, { mask: '.a' }, { mask: '.a,.b' })
  expect([recorder.leave, recorder.comeBack].map((it) => it.mock.calls.length)).toEqual([1, 1])
  stop(recorder as unknown as Recorder)
  expect(recorder.stop).toHaveBeenCalledWith('manual', true)
  expect(recorder.outbox.takeUnsent).not.toHaveBeenCalled()
})
