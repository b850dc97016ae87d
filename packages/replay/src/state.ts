/**
 * The states of a recorder and the transitions between them. `recorder.ts` has the work done in each.
 *
 * ```
 *                start(buffer)                 convert
 *  not started ───────────────▶ running:buffer ───────▶ running:session ◀──┐
 *       │                            │                    │   ▲   │        │
 *       │ start(session)             │               pause│   │resume      │
 *       ├────────────────────────────┼──────────────▶     ▼   │   │        │
 *       │                            │            running:session:paused   │
 *       │ stop(reason)               │ stop(reason)       │       │ stop(reason)
 *       ▼                            ▼                    ▼       ▼        │
 *    stopped(reason) ◀──────────────────────────────────────────────       │
 *       └── start(session) ────────────────────────────────────────────────┘
 *       └── start(buffer) ───▶ running:buffer
 * ```
 *
 * - **not started**: nothing is recorded. The session was not sampled, or nobody called `start`.
 * - **running** in mode **buffer**: recorded and kept in memory only, until an error converts it.
 * - **running** in mode **session**: recorded and sent. **Paused** is its sub-state while the
 *   page is idle: nothing is recorded until the next click, input or navigation.
 * - **stopped** with a reason: nothing is recorded, and kept events are dropped.
 * @see docs/specification.md#s20
 */

export type Mode = 'buffer' | 'session'

/**
 * The reason for which a recorder stopped. A new session follows `sessionExpired` at once. After
 * `pageLeft` the next page of the tab continues the session, or this page if it is shown again.
 */
export type StopReason =
  | 'manual'
  | 'pageLeft'
  | 'sessionExpired'
  | 'sendError'
  | 'rateLimited'
  | 'mutationLimit'
  | 'bufferOverflow'

export type RecorderState =
  | { readonly name: 'notStarted' }
  | { readonly name: 'running'; readonly mode: Mode; readonly isPaused: boolean }
  | { readonly name: 'stopped'; readonly reason: StopReason }

export type Signal =
  | { readonly type: 'start'; readonly mode: Mode }
  | { readonly type: 'convert' | 'pause' | 'resume' }
  | { readonly type: 'stop'; readonly reason: StopReason }

export const notStarted: RecorderState = { name: 'notStarted' }

/** Tells whether recorded events are sent: the recorder runs in mode session, paused or not. */
export function isSending(state: RecorderState): state is RecorderState & { name: 'running' } {
  return (state as { mode?: Mode }).mode === 'session'
}

/** Returns the state after a signal; null where the signal is ignored, and the state stays. */
export function transition(state: RecorderState, signal: Signal): RecorderState | null {
  const isRunning = state.name === 'running'
  const isSession = isSending(state)
  switch (signal.type) {
    case 'start':
      return isRunning ? null : { name: 'running', mode: signal.mode, isPaused: false }
    case 'convert':
      return isRunning && !isSession ? { ...state, mode: 'session' } : null
    case 'pause':
      return isSession && !state.isPaused ? { ...state, isPaused: true } : null
    case 'resume':
      return isSession && state.isPaused ? { ...state, isPaused: false } : null
    case 'stop':
      return state.name === 'stopped' ? null : { name: 'stopped', reason: signal.reason }
  }
}
