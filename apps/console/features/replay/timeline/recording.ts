import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { eventType, numberOf, sourceOf, toMs } from './recorded.ts'

/** Events kept of one replay; a recorder stops after an hour, so more is not a recording. */
export const recordingEventsMax = 500_000

export interface RecordedSegment {
  readonly segmentId: number
  readonly events: readonly unknown[]
}

/** The segments of one replay as one ordered list. Times are ms on the client's clock. */
export interface Recording {
  /** What the player draws: from the first full snapshot (and its size) on. Empty when there is none. */
  readonly drawn: readonly RecordingEvent[]
  /** Everything, in order of time, entries of the recorder included. */
  readonly events: readonly RecordingEvent[]
  readonly startedAt: number
  readonly endedAt: number
  readonly durationMs: number
  /** Segments that never arrived, below the highest that did. */
  readonly missingSegments: readonly number[]
  /** How much was recorded before the first full snapshot and cannot be drawn; 0 when nothing. */
  readonly undrawnMs: number
  /** Events that were no events, or too many. */
  readonly droppedEvents: number
}

/**
 * Joins segments in any order, with repeats (the later one wins) and gaps. Sorted stably by time,
 * since a recorder writes an entry when it learns of it, not when it happened.
 */
export function joinSegments(segments: readonly RecordedSegment[]): Recording {
  const bySegment = new Map(segments.map((segment) => [segment.segmentId, segment]))
  const ordered = [...bySegment.values()].sort((a, b) => a.segmentId - b.segmentId)
  const read = readEvents(ordered)
  const events = read.events.sort((a, b) => a.timestamp - b.timestamp)
  const first = firstDrawable(events)
  const visible = events.filter((event) => event.type !== eventType.custom)
  const drawn = first === null ? [] : visible.filter((event) => isDrawn(event, first))
  const startedAt = (drawn[0] ?? visible[0] ?? events[0])?.timestamp ?? 0
  const endedAt = Math.max(startedAt, events.at(-1)?.timestamp ?? startedAt)
  return {
    drawn,
    events,
    startedAt,
    endedAt,
    durationMs: endedAt - startedAt,
    missingSegments: missingIn([...bySegment.keys()]),
    undrawnMs: undrawnBefore(visible, drawn),
    droppedEvents: read.dropped,
  }
}

function readEvents(segments: readonly RecordedSegment[]): {
  events: RecordingEvent[]
  dropped: number
} {
  const events: RecordingEvent[] = []
  let dropped = 0
  for (const segment of segments) {
    for (const value of segment.events) {
      const event = readEvent(value)
      if (event === null || events.length >= recordingEventsMax) dropped += 1
      else events.push(event)
    }
  }
  return { events, dropped }
}

function readEvent(value: unknown): RecordingEvent | null {
  if (typeof value !== 'object' || value === null) return null
  const { type, timestamp, data } = value as Record<string, unknown>
  const at = numberOf(timestamp)
  if (numberOf(type) === null || at === null || at <= 0) return null
  return { type: type as number, timestamp: toMs(at), data }
}

/** The Meta event that belongs to the first full snapshot, else the snapshot itself. */
function firstDrawable(events: readonly RecordingEvent[]): RecordingEvent | null {
  const snapshot = events.findIndex((event) => event.type === eventType.full)
  if (snapshot < 0) return null
  for (let index = snapshot - 1; index >= 0; index -= 1) {
    const event = events[index]
    if (event?.type === eventType.meta) return event
    if (event?.type === eventType.incremental) break
  }
  return events[snapshot] ?? null
}

function isDrawn(event: RecordingEvent, first: RecordingEvent): boolean {
  if (event === first) return true
  if (event.timestamp < first.timestamp) return false
  return event.type >= eventType.full
}

function undrawnBefore(
  visible: readonly RecordingEvent[],
  drawn: readonly RecordingEvent[],
): number {
  const start = drawn[0]
  if (start === undefined) return 0
  const earlier = visible.find((event) => sourceOf(event) !== null)
  return earlier === undefined ? 0 : Math.max(0, start.timestamp - earlier.timestamp)
}

/** At most this many missing ids are listed: a forged id of a billion must not fill memory. */
const missingSegmentsMax = 1_000

function missingIn(present: readonly number[]): readonly number[] {
  const known = new Set(present)
  const highest = present.reduce((high, id) => Math.max(high, id), -1)
  const missing: number[] = []
  for (let id = 0; id < highest && missing.length < missingSegmentsMax; id += 1) {
    if (!known.has(id)) missing.push(id)
  }
  return missing
}
