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
  /** Where playing begins as long as nobody has moved the cursor; absent: where it stands. */
  readonly playFrom?: number
  /** `requestAnimationFrame` of the page; a test moves time itself. */
  readonly nextFrame?: (callback: (now: number) => void) => number
  readonly cancelFrame?: (id: number) => void
}

/** A cursor that plays. It has its own clock, so that it also moves where nothing can be drawn. */
export function createPlayer(options: Options): Player {
  return new CursorPlayer(options)
}

/** Its methods are properties: they are handed on as callbacks, without their object. */
class CursorPlayer implements Player {
  readonly #moved = new Set<(at: number) => void>()
  readonly #rested = new Set<(at: number) => void>()
  readonly #changed = new Set<() => void>()
  readonly #nextFrame: (callback: (now: number) => void) => number
  readonly #cancelFrame: (id: number) => void
  #timeline: Timeline
  #stage: Stage | null = null
  #at: number
  #playFrom: number | null
  #frame: number | null = null
  #frameAt: number | null = null
  #state: PlayerState = { isPlaying: false, speed: 1, isSkippingIdle: true, size: null }

  constructor(options: Options) {
    this.#nextFrame = options.nextFrame ?? ((callback) => requestAnimationFrame(callback))
    this.#cancelFrame = options.cancelFrame ?? ((id) => cancelAnimationFrame(id))
    this.#timeline = options.timeline
    this.#at = this.#clamp(options.at)
    this.#playFrom = options.playFrom ?? null
  }

  readonly at = (): number => this.#at
  readonly state = (): PlayerState => this.#state
  readonly timeline = (): Timeline => this.#timeline
  readonly document = (): Document | null => this.#stage?.document() ?? null
  readonly onMove: Player['onMove'] = (listener) => listen(this.#moved, listener)
  readonly onChange: Player['onChange'] = (listener) => listen(this.#changed, listener)
  readonly onRest: Player['onRest'] = (listener) => listen(this.#rested, listener)
  readonly toggle = (): void => (this.#state.isPlaying ? this.pause() : this.play())
  readonly setSize: Player['setSize'] = (size) => this.#change({ size })
  readonly setSkippingIdle = (isSkippingIdle: boolean): void => this.#change({ isSkippingIdle })

  readonly play = (): void => {
    if (this.#state.isPlaying || this.#timeline.durationMs === 0) return
    if (this.#playFrom !== null) this.#move(this.#clamp(this.#playFrom))
    else if (this.#at >= this.#timeline.durationMs) this.#move(0)
    this.#frameAt = null
    this.#change({ isPlaying: true })
    this.#stage?.play(this.#at)
    this.#frame = this.#nextFrame(this.#tick)
  }

  readonly pause = (): void => {
    if (this.#frame !== null) this.#cancelFrame(this.#frame)
    this.#frame = null
    if (!this.#state.isPlaying) return
    this.#stage?.pause(this.#at)
    this.#change({ isPlaying: false })
    this.#rest()
  }

  readonly seek = (next: number): void => {
    this.#move(this.#clamp(next))
    this.#frameAt = null
    if (this.#state.isPlaying) this.#stage?.play(this.#at)
    else {
      this.#stage?.pause(this.#at)
      this.#rest()
    }
  }

  readonly step = (direction: 1 | -1): void => {
    const marker = neighbourMarker(this.#timeline.markers, this.#at, direction)
    this.seek(marker?.at ?? (direction === 1 ? this.#timeline.durationMs : 0))
  }

  readonly setSpeed = (speed: number): void => {
    this.#stage?.setSpeed(speed)
    this.#change({ speed })
  }

  readonly changeSpeed = (direction: 1 | -1): void => {
    const index = speeds.findIndex((speed) => speed >= this.#state.speed)
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, index + direction))] ?? 1)
  }

  readonly setTimeline: Player['setTimeline'] = (next, drawn) => {
    this.#timeline = next
    this.#stage?.replaceEvents(drawn, this.#at)
    if (this.#state.isPlaying) this.#stage?.play(this.#at)
    this.#change({})
  }

  readonly attach = (next: Stage): (() => void) => {
    this.#stage = next
    next.setSpeed(this.#state.speed)
    if (this.#state.isPlaying) next.play(this.#at)
    else next.pause(this.#at)
    return () => {
      if (this.#stage === next) this.#stage = null
      next.close()
    }
  }

  readonly close = (): void => {
    if (this.#frame !== null) this.#cancelFrame(this.#frame)
    this.#moved.clear()
    this.#rested.clear()
    this.#changed.clear()
  }

  readonly #tick = (now: number): void => {
    const elapsed = this.#frameAt === null ? 0 : now - this.#frameAt
    this.#frameAt = now
    const { speed, isSkippingIdle } = this.#state
    // A page in the background gets no frames: a long gap is not played time.
    const next = this.#at + Math.min(elapsed, 250) * speed
    const target = isSkippingIdle ? skipTarget(this.#timeline.idle, next) : null
    this.#move(target ?? Math.min(next, this.#timeline.durationMs))
    const isApart = this.#stage !== null && Math.abs(this.#stage.at() - this.#at) > 400 * speed
    if (target !== null || isApart) this.#stage?.play(this.#at)
    if (this.#at >= this.#timeline.durationMs) return this.pause()
    this.#frame = this.#nextFrame(this.#tick)
  }

  #clamp(value: number): number {
    return Math.min(Math.max(0, value), this.#timeline.durationMs)
  }

  #change(part: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...part }
    for (const listener of this.#changed) listener()
  }

  #move(next: number): void {
    this.#at = next
    this.#playFrom = null
    for (const listener of this.#moved) listener(next)
  }

  #rest(): void {
    for (const listener of this.#rested) listener(this.#at)
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
