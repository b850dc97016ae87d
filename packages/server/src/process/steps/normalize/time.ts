import type { EventProblem } from '@afterimage/protocol/event'
import { ageMsMax, futureMsMax } from '@afterimage/protocol/limits'
import { parseTimestamp } from '@afterimage/protocol/timestamp'
import { addProblem } from './text.ts'

/**
 * Reads a time in ms since the epoch as `parseTimestamp` does, and also seconds written as text.
 * Returns null when it is not a valid time.
 */
export function readTime(value: unknown): number | null {
  const isNumberText = typeof value === 'string' && /^\d{1,15}(?:\.\d{1,15})?$/.test(value)
  return parseTimestamp(isNumberText ? Number(value) : value)
}

export interface EventTime {
  /** ms, corrected. */
  readonly timestamp: number
  /** ms, as the client's clock had it. */
  readonly clientTimestamp: number
  /** ms to add to every other client time of the same event. */
  readonly shiftMs: number
}

/**
 * Corrects an event's time: drift of the whole envelope first; then an event from the future or
 * from more than 30 days ago is moved, with all its times, to the time of receipt.
 */
export function correctTime(
  raw: unknown,
  clock: { readonly receivedAt: number; readonly clockDriftMs: number },
  problems: EventProblem[],
): EventTime {
  const { receivedAt, clockDriftMs } = clock
  const clientTimestamp = raw === undefined || raw === null ? null : readTime(raw)
  if (clientTimestamp === null) {
    if (raw !== undefined && raw !== null) addProblem(problems, 'invalid_data', 'timestamp', raw)
    return {
      timestamp: receivedAt,
      clientTimestamp: receivedAt - clockDriftMs,
      shiftMs: clockDriftMs,
    }
  }
  const timestamp = clientTimestamp + clockDriftMs
  const isFuture = timestamp > receivedAt + futureMsMax
  if (!isFuture && timestamp >= receivedAt - ageMsMax) {
    return { timestamp, clientTimestamp, shiftMs: clockDriftMs }
  }
  addProblem(problems, isFuture ? 'future_timestamp' : 'past_timestamp', 'timestamp', raw)
  return { timestamp: receivedAt, clientTimestamp, shiftMs: receivedAt - clientTimestamp }
}
