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
  /** Events to draw: from the first full snapshot (and its size) on. Empty without a snapshot. */
  readonly drawn: readonly RecordingEvent[]
  /** Everything, in order of time, entries of the recorder included. */
  readonly events: readonly RecordingEvent[]
  readonly startedAt: number
  readonly endedAt: number
  readonly durationMs: number
  /** Segments that never arrived, below the highest that did. */
  readonly missingSegments: readonly number[]
  /** Duration before the first full snapshot, which cannot be drawn; 0 without such a part. */
  readonly undrawnMs: number
  /** Entries that are not valid events, or beyond the limit. */
  readonly droppedEvents: number
  /** Stretches that are still to come from the server, in order. */
  readonly pending: readonly PendingPart[]
}

/** A stretch of a recording that is not there yet; ms on the client's clock. */
export interface PendingPart {
  readonly at: number
  readonly until: number
}

/**
 * True when the picture at `time` (ms, the client's clock) is made of something that is not there yet: `time` is
 * in a pending stretch, or the page has not begun anew since one.
 */
export function isPendingAt(recording: Recording, time: number): boolean {
  const begun = recording.pending.filter((part) => part.at <= time)
  if (begun.length === 0) return false
  const until = Math.max(...begun.map((part) => part.until))
  if (time < until) return true
  return !recording.drawn.some(
    ({ type, timestamp }) => type === eventType.full && timestamp >= until && timestamp <= time,
  )
}

/**
 * Joins segments in any order, with repeats (the later one wins) and gaps. Sorted stably by time,
 * since a recorder writes an entry when it learns of it, not when it happened. `whole` says what is known of segments
 * that are still to come: where the recording ends (ms, the client's clock), and what is missing.
 */
export function joinSegments(
  segments: readonly RecordedSegment[],
  whole: { readonly lastAt: number; readonly pending: readonly PendingPart[] } = nothingPending,
): Recording {
  const bySegment = new Map(segments.map((segment) => [segment.segmentId, segment]))
  const ordered = [...bySegment.values()].sort((a, b) => a.segmentId - b.segmentId)
  const read = readEvents(ordered)
  const events = read.events.sort((a, b) => a.timestamp - b.timestamp)
  const first = firstDrawable(events)
  const visible = events.filter((event) => event.type !== eventType.custom)
  const drawn = first === null ? [] : visible.filter((event) => isDrawn(event, first))
  const startedAt = (drawn[0] ?? visible[0] ?? events[0])?.timestamp ?? 0
  const endedAt = Math.max(startedAt, events.at(-1)?.timestamp ?? startedAt, whole.lastAt)
  return {
    drawn,
    events,
    startedAt,
    endedAt,
    durationMs: endedAt - startedAt,
    missingSegments: missingIn([...bySegment.keys()]),
    undrawnMs: undrawnBefore(visible, drawn),
    droppedEvents: read.dropped,
    pending: whole.pending,
  }
}

const nothingPending = { lastAt: 0, pending: [] }

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
