import type { EventProblem } from '@afterimage/protocol/event'
import { ageMsMax, futureMsMax } from '@afterimage/protocol/limits'
import { expect, test } from 'vitest'
import { correctTime, readTime } from './time.ts'

const receivedAt = Date.parse('2026-11-20T08:00:00Z')

test.each([
  [1795161347.318, 1795161347318],
  ['1795161347', 1795161347000],
  ['1795161347.5', 1795161347500],
  ['2026-11-20T07:55:47Z', Date.parse('2026-11-20T07:55:47Z')],
  ['1795161347.', null],
  ['.5', null],
  ['x1795161347', null],
  ['1795161347x', null],
  [`1${'0'.repeat(15)}`, null],
  [null, null],
])('%j is the time %j', (sent, expected) => expect(readTime(sent)).toBe(expected))

/** The corrected time of an event that says `ms`, and what is found wrong with it. */
function corrected(ms: number | string | null | undefined, clockDriftMs = 0) {
  const problems: EventProblem[] = []
  const raw = typeof ms === 'number' ? ms / 1000 : ms
  return { ...correctTime(raw, { receivedAt, clockDriftMs }, problems), problems }
}

test.each([
  [receivedAt - 5000, 0],
  [receivedAt + futureMsMax, 0],
  [receivedAt - ageMsMax, 0],
  [receivedAt - 7_200_000, 7_200_000],
  [receivedAt + 7_200_000, -7_200_000],
])('a time of %d with a drift of %d is only moved by the drift', (ms, driftMs) => {
  expect(corrected(ms, driftMs)).toEqual({
    timestamp: ms + driftMs,
    clientTimestamp: ms,
    shiftMs: driftMs,
    problems: [],
  })
})

test.each([
  [receivedAt + futureMsMax + 1000, 0, 'future_timestamp'],
  [receivedAt - ageMsMax - 1000, 0, 'past_timestamp'],
  [receivedAt - ageMsMax, -3_600_000, 'past_timestamp'],
])('a time of %d with a drift of %d is moved to its receipt: %s', (ms, driftMs, problem) => {
  expect(corrected(ms, driftMs)).toEqual({
    timestamp: receivedAt,
    clientTimestamp: ms,
    shiftMs: receivedAt - ms,
    problems: [{ type: problem, name: 'timestamp', value: String(ms / 1000) }],
  })
})

test.each([null, undefined, 'soon'])(
  'an event that says %j has the time of its receipt',
  (sent) => {
    expect(corrected(sent, 7_200_000)).toEqual({
      timestamp: receivedAt,
      clientTimestamp: receivedAt - 7_200_000,
      shiftMs: 7_200_000,
      problems: sent === 'soon' ? [{ type: 'invalid_data', name: 'timestamp', value: 'soon' }] : [],
    })
  },
)
