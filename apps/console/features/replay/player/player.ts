import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { skipTarget } from '../timeline/activity.ts'
import { neighbourMarker } from '../timeline/markers.ts'
import { indexAt, type Timeline } from '../timeline/timeline.ts'
import type { Stage } from './stage.ts'

export const speeds = [0.5, 1, 2, 4, 8] as const

/** What changes rarely; the moving time is asked for separately (`onMove`). */
export interface PlayerState {
  readonly isPlaying: boolean
  readonly speed: number
  readonly isSkippingIdle: boolean
  /** The recorded window, CSS px; null until the first picture. */
  readonly size: { readonly width: number; readonly height: number } | null
}

/** One cursor for everything on the page. All times are ms since the start of the recording. */
export interface Player {
  at(): number
  state(): PlayerState
  timeline(): Timeline
  /** Hears every move of the cursor, each frame while it plays. */
  onMove(listener: (at: number) => void): () => void
  /** Hears changes of the state and of the timeline. */
  onChange(listener: () => void): () => void
  /** Hears where the cursor came to rest: after a pause, a seek while paused, and the end. */
  onRest(listener: (at: number) => void): () => void
  play(): void
  pause(): void
  toggle(): void
  seek(at: number): void
  step(direction: 1 | -1): void
  setSpeed(speed: number): void
  changeSpeed(direction: 1 | -1): void
  setSkippingIdle(isSkipping: boolean): void
  /** More of the recording has arrived. */
  setTimeline(timeline: Timeline, drawn: readonly RecordingEvent[]): void
  /** Gives the cursor a picture. Returns how to take it away. */
  attach(stage: Stage): () => void
  /** The recorded document as it is drawn now; null where there is no picture. */
  document(): Document | null
  /** For the stage: the size of the recorded window, and that it drew the last event. */
  setSize(size: { readonly width: number; readonly height: number }): void
  close(): void
}

interface Options {
  readonly timeline: Timeline
  readonly at: number
  /** `requestAnimationFrame` of the page; a test moves time itself. */
  readonly nextFrame?: (callback: (now: number) => void) => number
  readonly cancelFrame?: (id: number) => void
}

/** A cursor that plays. It has its own clock, so that it also moves where nothing can be drawn. */
export function createPlayer(options: Options): Player {
  const nextFrame = options.nextFrame ?? ((callback) => requestAnimationFrame(callback))
  const cancelFrame = options.cancelFrame ?? ((id) => cancelAnimationFrame(id))
  const moved = new Set<(at: number) => void>()
  const rested = new Set<(at: number) => void>()
  const changed = new Set<() => void>()
  let timeline = options.timeline
  let stage: Stage | null = null
  let at = clamp(options.at)
  let frame: number | null = null
  let frameAt: number | null = null
  let state: PlayerState = { isPlaying: false, speed: 1, isSkippingIdle: true, size: null }

  function clamp(value: number): number {
    return Math.min(Math.max(0, value), timeline.durationMs)
  }

  function change(part: Partial<PlayerState>): void {
    state = { ...state, ...part }
    for (const listener of changed) listener()
  }

  function move(next: number): void {
    at = next
    for (const listener of moved) listener(at)
  }

  function rest(): void {
    for (const listener of rested) listener(at)
  }

  function tick(now: number): void {
    const elapsed = frameAt === null ? 0 : now - frameAt
    frameAt = now
    // A page in the background gets no frames: a long gap is not played time.
    const next = at + Math.min(elapsed, 250) * state.speed
    const target = state.isSkippingIdle ? skipTarget(timeline.idle, next) : null
    if (target !== null) {
      move(target)
      stage?.play(target)
    } else {
      move(Math.min(next, timeline.durationMs))
      if (stage !== null && Math.abs(stage.at() - at) > 400 * state.speed) stage.play(at)
    }
    if (at >= timeline.durationMs) return pause()
    frame = nextFrame(tick)
  }

  function play(): void {
    if (state.isPlaying || timeline.durationMs === 0) return
    if (at >= timeline.durationMs) move(0)
    frameAt = null
    change({ isPlaying: true })
    stage?.play(at)
    frame = nextFrame(tick)
  }

  function pause(): void {
    if (frame !== null) cancelFrame(frame)
    frame = null
    if (!state.isPlaying) return
    stage?.pause(at)
    change({ isPlaying: false })
    rest()
  }

  function seek(next: number): void {
    move(clamp(next))
    frameAt = null
    if (state.isPlaying) stage?.play(at)
    else {
      stage?.pause(at)
      rest()
    }
  }

  function setSpeed(speed: number): void {
    stage?.setSpeed(speed)
    change({ speed })
  }

  return {
    at: () => at,
    state: () => state,
    timeline: () => timeline,
    onMove: (listener) => listen(moved, listener),
    onChange: (listener) => listen(changed, listener),
    onRest: (listener) => listen(rested, listener),
    play,
    pause,
    toggle: () => (state.isPlaying ? pause() : play()),
    seek,
    step: (direction) => {
      const marker = neighbourMarker(timeline.markers, at, direction)
      seek(marker?.at ?? (direction === 1 ? timeline.durationMs : 0))
    },
    setSpeed,
    changeSpeed: (direction) => {
      const index = speeds.findIndex((speed) => speed >= state.speed)
      setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, index + direction))] ?? 1)
    },
    setSkippingIdle: (isSkippingIdle) => change({ isSkippingIdle }),
    setTimeline: (next, drawn) => {
      timeline = next
      stage?.replaceEvents(drawn, at)
      if (state.isPlaying) stage?.play(at)
      change({})
    },
    attach: (next) => {
      stage = next
      next.setSpeed(state.speed)
      if (state.isPlaying) next.play(at)
      else next.pause(at)
      return () => {
        if (stage === next) stage = null
        next.close()
      }
    },
    document: () => stage?.document() ?? null,
    setSize: (size) => change({ size }),
    close: () => {
      if (frame !== null) cancelFrame(frame)
      moved.clear()
      rested.clear()
      changed.clear()
    },
  }
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** The row the cursor is on; -1 before the first. */
export function rowAt(rows: readonly { readonly at: number }[], at: number): number {
  // A click lands on a row's own time, which the clock may have rounded.
  return indexAt(rows, at + 1)
}
