import { expect, test } from 'vitest'
import { notStarted, transition } from './state.ts'
import type { RecorderState, Signal, StopReason } from './state.ts'

const buffer: RecorderState = { name: 'running', mode: 'buffer', isPaused: false }
const session: RecorderState = { name: 'running', mode: 'session', isPaused: false }
const paused: RecorderState = { name: 'running', mode: 'session', isPaused: true }
const stopped: RecorderState = { name: 'stopped', reason: 'manual' }

const startBuffer: Signal = { type: 'start', mode: 'buffer' }
const startSession: Signal = { type: 'start', mode: 'session' }
const convert: Signal = { type: 'convert' }
const pause: Signal = { type: 'pause' }
const resume: Signal = { type: 'resume' }
const stop: Signal = { type: 'stop', reason: 'sendError' }
const stoppedBySend: RecorderState = { name: 'stopped', reason: 'sendError' }

// Every state with every signal; null where the signal is ignored.
test.each<[RecorderState, Signal, RecorderState | null]>([
  [notStarted, startBuffer, buffer],
  [notStarted, startSession, session],
  [notStarted, convert, null],
  [notStarted, pause, null],
  [notStarted, resume, null],
  [notStarted, stop, stoppedBySend],
  [buffer, startBuffer, null],
  [buffer, startSession, null],
  [buffer, convert, session],
  [buffer, pause, null],
  [buffer, resume, null],
  [buffer, stop, stoppedBySend],
  [session, startBuffer, null],
  [session, startSession, null],
  [session, convert, null],
  [session, pause, paused],
  [session, resume, null],
  [session, stop, stoppedBySend],
  [paused, startBuffer, null],
  [paused, startSession, null],
  [paused, convert, null],
  [paused, pause, null],
  [paused, resume, session],
  [paused, stop, stoppedBySend],
  [stopped, startBuffer, buffer],
  [stopped, startSession, session],
  [stopped, convert, null],
  [stopped, pause, null],
  [stopped, resume, null],
  [stopped, stop, null],
])('S15 %o with %o becomes %o', (state, signal, next) => {
  expect(transition(state, signal)).toEqual(next)
})

test.each<StopReason>([
  'manual',
  'pageLeft',
  'sessionExpired',
  'sendError',
  'rateLimited',
  'mutationLimit',
  'bufferOverflow',
])('S15 a recorder that stopped says why: %s', (reason) => {
  expect(transition(session, { type: 'stop', reason })).toEqual({ name: 'stopped', reason })
})
