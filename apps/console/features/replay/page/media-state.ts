import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { customOf, textOf } from '../timeline/recorded.ts'

/** The recorded browser's answers to media queries that depend on the person, not on the page. */
export interface MediaState {
  readonly colorScheme: 'light' | 'dark'
  readonly isMotionReduced: boolean
}

/** The state of a recording that names none. */
export const defaultMedia: MediaState = { colorScheme: 'light', isMotionReduced: false }

/**
 * The media state at `time` (ms, the client's clock): the last custom event `media` at or before it, else
 * the first one. The viewer's own settings never count.
 */
export function mediaAt(changes: readonly MediaChange[], time: number): MediaState {
  let state = changes[0]?.state ?? defaultMedia
  for (const change of changes) {
    if (change.timestamp > time) break
    state = change.state
  }
  return state
}

export interface MediaChange {
  readonly timestamp: number
  readonly state: MediaState
}

export function mediaChanges(events: readonly RecordingEvent[]): readonly MediaChange[] {
  const changes: MediaChange[] = []
  for (const event of events) {
    const custom = customOf(event)
    if (custom?.tag !== 'media') continue
    changes.push({
      timestamp: custom.timestamp,
      state: {
        colorScheme: textOf(custom.payload['colorScheme'], 8) === 'dark' ? 'dark' : 'light',
        isMotionReduced: custom.payload['reducedMotion'] === true,
      },
    })
  }
  return changes
}
