import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { mediaChanges, type MediaChange } from '../page/media-state.ts'
import type { Recording } from '../timeline/recording.ts'

/** The drawn part of a recording. */
export interface DrawnEvents {
  /** From the first full snapshot on, in order of time. */
  readonly events: readonly RecordingEvent[]
  /** When the recording starts, ms on the client's clock. */
  readonly startedAt: number
  readonly media: readonly MediaChange[]
}

/** A stage's input: the drawn events, and the person's recorded settings. */
export function drawnEventsOf(recording: Recording): DrawnEvents {
  const { drawn, events, startedAt } = recording
  return { events: drawn, startedAt, media: mediaChanges(events) }
}
