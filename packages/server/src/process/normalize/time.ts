import type { EventProblem } from '@afterimage/protocol/event'
import { addProblem } from './text.ts'

/** An event's clock may run ahead of ours by this much. */
const futureMsMax = 60_000
/** Older events are taken for those of a wrong clock. */
const pastMsMax = 30 * 24 * 3_600_000
/** The first millisecond of the year 10000. */
const timeMax = 253_402_300_800_000

/**
 * A time in ms since the epoch: from seconds (number, or number as text) or ISO 8601 text, which
 * is UTC when it names no zone. Null when it is none of them, negative, or beyond the year 9999.
 */
export function readTime(value: unknown): number | null {
  if (typeof value === 'number') return inRange(Math.round(value * 1e6) / 1e3)
  if (typeof value !== 'string' || value.length > 64) return null
  const text = value.trim()
  if (/^\d+(\.\d+)?$/.test(text)) return inRange(Math.round(Number(text) * 1e6) / 1e3)
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return null
  const isDateTime = text.length > 10
  const hasZone = /(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text.slice(10))
  return inRange(Date.parse(isDateTime && !hasZone ? `${text}Z` : text))
}

function inRange(ms: number): number | null {
  return ms >= 0 && ms < timeMax ? ms : null
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
  if (!isFuture && timestamp >= receivedAt - pastMsMax) {
    return { timestamp, clientTimestamp, shiftMs: clockDriftMs }
  }
  addProblem(problems, isFuture ? 'future_timestamp' : 'past_timestamp', 'timestamp', raw)
  return { timestamp: receivedAt, clientTimestamp, shiftMs: receivedAt - clientTimestamp }
}
