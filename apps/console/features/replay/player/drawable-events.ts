import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import type { Timeline } from '../timeline/timeline.ts'
import { makeHarmless } from './harmless-events.ts'

/** A recording is cleaned once: cleaning changes the events themselves. */
const cleaned = new WeakMap<readonly RecordingEvent[], readonly RecordingEvent[]>()

/**
 * What the stage is given: the drawn events made harmless, and a last event that draws nothing, so that
 * playback goes on to the end of the recording.
 */
export function drawableEvents(timeline: Timeline): readonly RecordingEvent[] {
  const { drawn, endedAt } = timeline.recording
  const known = cleaned.get(drawn)
  if (known !== undefined) return known
  const end: RecordingEvent = {
    type: 5,
    timestamp: Math.max(endedAt, (drawn.at(-1)?.timestamp ?? 0) + 1),
    data: { tag: 'end', payload: {} },
  }
  const events = [...makeHarmless(drawn, new Map()), end]
  cleaned.set(drawn, events)
  return events
}
