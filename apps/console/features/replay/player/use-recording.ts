import { useEffect, useState } from 'react'
import { drawableEvents } from './drawable-events.ts'
import { joinSegments, type RecordedSegment } from '../timeline/recording.ts'
import type { ReplayError } from '../timeline/steps.ts'
import { deriveTimeline, type Timeline } from '../timeline/timeline.ts'
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

interface LoadOptions {
  readonly read: ReadRecording
  readonly errors: readonly ReplayError[]
  /** Where the cursor begins, ms; it is told when the recording starts. */
  readonly startAt: (startedAt: number) => number
  /** Playing begins this long before that place, until the cursor was moved; absent: there. */
  readonly playBeforeMs?: number
}

/**
 * Loads a recording while its beginning can already be watched: a player as soon as there is a
 * picture, its timeline renewed when everything has come. What is given must keep its identity.
 */
export function useRecording(options: LoadOptions): LoadedRecording {
  const { read, errors, startAt, playBeforeMs } = options
  const [state, setState] = useState(nothing)
  useEffect(() => {
    const abort = new AbortController()
    const before = playBeforeMs === undefined ? {} : { playBeforeMs }
    void load({ read, errors, startAt, ...before }, abort.signal, setState)
    return () => abort.abort()
  }, [read, errors, startAt, playBeforeMs])
  return state
}

async function load(
  options: LoadOptions,
  signal: AbortSignal,
  publish: (state: LoadedRecording) => void,
): Promise<void> {
  const segments: RecordedSegment[] = []
  let total = 0
  let player: Player | null = null
  signal.addEventListener('abort', () => player?.close())
  const say = (more: Partial<LoadedRecording>): void => {
    if (!signal.aborted) publish({ ...nothing, player, loaded: segments.length, total, ...more })
  }
  const timelineNow = () => deriveTimeline(joinSegments(segments), options.errors)
  try {
    for await (const part of options.read(signal)) {
      segments.push(...part.segments)
      total = part.total
      player ??= playerAt(timelineNow(), options, false)
      say({})
      await nextTask()
    }
    if (signal.aborted) return
    const timeline = timelineNow()
    if (player === null) player = playerAt(timeline, options, true)
    else if (timeline.recording.events.length > player.timeline().recording.events.length) {
      player.setTimeline(timeline, drawableEvents(timeline))
    }
    say({ isComplete: true })
  } catch (cause) {
    say({ failure: cause instanceof Error ? cause.message : String(cause) })
  }
}

/** A player, once there is a picture and the place to begin has come; at the end in any case. */
function playerAt(
  timeline: Timeline,
  { startAt, playBeforeMs }: LoadOptions,
  isComplete: boolean,
): Player | null {
  const at = startAt(timeline.recording.startedAt)
  const canBegin = timeline.recording.drawn.length > 0 && at <= timeline.durationMs
  const from = playBeforeMs === undefined ? {} : { playFrom: at - playBeforeMs }
  return isComplete || canBegin ? createPlayer({ timeline, at, ...from }) : null
}

/** Lets the browser draw and answer between two parts. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
