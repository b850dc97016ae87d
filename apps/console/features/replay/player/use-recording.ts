import { useEffect, useState } from 'react'
import { drawableEvents } from './drawable-events.ts'
import { joinSegments, type RecordedSegment } from '../timeline/recording.ts'
import type { ReplayError } from '../timeline/steps.ts'
import { deriveTimeline } from '../timeline/timeline.ts'
import { createPlayer, type Player } from './player.ts'

export interface RecordingPart {
  readonly segments: readonly RecordedSegment[]
  /** Segments of the whole replay, as the server knows them. */
  readonly total: number
}

/** Gives the segments of a replay in order, some at a time. Throws when the server refuses. */
export type ReadRecording = (signal: AbortSignal) => AsyncIterable<RecordingPart>

export interface LoadedRecording {
  /** Null until something can be shown. */
  readonly player: Player | null
  readonly loaded: number
  readonly total: number
  readonly isComplete: boolean
  readonly failure: string | null
}

const nothing: LoadedRecording = {
  player: null,
  loaded: 0,
  total: 0,
  isComplete: false,
  failure: null,
}

/**
 * Loads a recording while its beginning can already be watched: a player as soon as there is a
 * picture, its timeline renewed when everything has come. `read` must keep its identity.
 */
export function useRecording(options: {
  readonly read: ReadRecording
  readonly errors: readonly ReplayError[]
  readonly startAt: (startedAt: number) => number
}): LoadedRecording {
  const { read, errors, startAt } = options
  const [state, setState] = useState(nothing)
  useEffect(() => {
    const abort = new AbortController()
    let player: Player | null = null
    setState(nothing)
    void (async () => {
      const segments: RecordedSegment[] = []
      let total = 0
      try {
        for await (const part of read(abort.signal)) {
          segments.push(...part.segments)
          total = part.total
          if (player === null) {
            const timeline = deriveTimeline(joinSegments(segments), errors)
            // A place beyond what has come is reached when the rest is here.
            const at = startAt(timeline.recording.startedAt)
            if (timeline.recording.drawn.length > 0 && at <= timeline.durationMs) {
              player = createPlayer({ timeline, at })
            }
          }
          if (abort.signal.aborted) return
          setState({ ...nothing, player, loaded: segments.length, total })
          await nextTask()
        }
        const timeline = deriveTimeline(joinSegments(segments), errors)
        if (abort.signal.aborted) return
        if (player === null) {
          player = createPlayer({ timeline, at: startAt(timeline.recording.startedAt) })
        } else if (timeline.recording.events.length > player.timeline().recording.events.length) {
          player.setTimeline(timeline, drawableEvents(timeline))
        }
        setState({ player, loaded: segments.length, total, isComplete: true, failure: null })
      } catch (cause) {
        if (abort.signal.aborted) return
        const failure = cause instanceof Error ? cause.message : String(cause)
        setState({ player, loaded: segments.length, total, isComplete: false, failure })
      }
    })()
    return () => {
      abort.abort()
      player?.close()
    }
  }, [read, errors, startAt])
  return state
}

/** Lets the browser draw and answer between two parts. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
