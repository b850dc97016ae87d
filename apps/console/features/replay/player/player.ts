import { skipTarget } from '../timeline/activity.ts'
import { neighbourMarker } from '../timeline/markers.ts'
import { isPendingAt } from '../timeline/recording.ts'
import { indexAt, type Timeline } from '../timeline/timeline.ts'
import { drawnEventsOf } from './drawn-events.ts'
import type { Stage } from './stage.ts'

export const speeds = [0.5, 1, 2, 4, 8] as const

/** The state that changes rarely; the moving time is read separately (`onMove`). */
export interface PlayerState {
  readonly isPlaying: boolean
  readonly speed: number
  readonly isSkippingIdle: boolean
  /** The cursor stands where the recording has not come yet. */
  readonly isWaiting: boolean
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
  setTimeline(timeline: Timeline): void
  /** Gives the cursor a picture. Returns how to take it away. */
  attach(stage: Stage): () => void
  /** Returns the recorded document as it is drawn now; null without a picture. */
  document(): Document | null
  /** For the stage: the size of the recorded window. */
  setSize(size: { readonly width: number; readonly height: number }): void
  close(): void
}

interface Options {
  readonly timeline: Timeline
  readonly at: number
  /** Place to play from until the reader moves the cursor; absent: the cursor's own place. */
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
  #state: PlayerState = {
    isPlaying: false,
    speed: 1,
    isSkippingIdle: true,
    isWaiting: false,
    size: null,
  }

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
    this.#frame = this.#nextFrame(this.#tick)
  }

  readonly pause = (): void => {
    if (this.#frame !== null) this.#cancelFrame(this.#frame)
    this.#frame = null
    if (!this.#state.isPlaying) return
    this.#change({ isPlaying: false })
    this.#move(this.#clamp(this.#at))
    this.#rest()
  }

  readonly seek = (next: number): void => {
    this.#move(this.#clamp(next))
    this.#frameAt = null
    if (!this.#state.isPlaying) this.#rest()
  }

  readonly step = (direction: 1 | -1): void => {
    const marker = neighbourMarker(this.#timeline.markers, this.#at, direction)
    this.seek(marker?.at ?? (direction === 1 ? this.#timeline.durationMs : 0))
  }

  readonly setSpeed = (speed: number): void => this.#change({ speed })

  readonly changeSpeed = (direction: 1 | -1): void => {
    const index = speeds.findIndex((speed) => speed >= this.#state.speed)
    this.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, index + direction))] ?? 1)
  }

  readonly setTimeline: Player['setTimeline'] = (next) => {
    this.#timeline = next
    this.#stage?.setEvents(drawnEventsOf(next.recording))
    this.#draw()
    this.#change({})
  }

  readonly attach = (next: Stage): (() => void) => {
    this.#stage = next
    next.setEvents(drawnEventsOf(this.#timeline.recording))
    this.#draw()
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
    const elapsed = this.#frameAt === null || this.#state.isWaiting ? 0 : now - this.#frameAt
    this.#frameAt = now
    const { speed, isSkippingIdle } = this.#state
    // A page in the background gets no frames: a long gap is not played time.
    const next = this.#at + Math.min(elapsed, 250) * speed
    const target = isSkippingIdle ? skipTarget(this.#timeline.idle, next) : null
    this.#move(target ?? Math.min(next, this.#timeline.durationMs))
    if (this.#at >= this.#timeline.durationMs) return this.pause()
    this.#frame = this.#nextFrame(this.#tick)
  }

  /** A moment that the address can name: whole milliseconds. */
  #clamp(value: number): number {
    return Math.min(Math.max(0, Math.round(value)), this.#timeline.durationMs)
  }

  #change(part: Partial<PlayerState>): void {
    this.#state = { ...this.#state, ...part }
    for (const listener of this.#changed) listener()
  }

  #move(next: number): void {
    this.#at = next
    this.#playFrom = null
    this.#draw()
    for (const listener of this.#moved) listener(next)
  }

  /** Draws the moment, wherever the cursor came from. An empty picture is better than a wrong one. */
  #draw(): void {
    const { isPlaying, speed } = this.#state
    const { recording } = this.#timeline
    const isWaiting = isPendingAt(recording, recording.startedAt + this.#at)
    if (isWaiting !== this.#state.isWaiting) this.#change({ isWaiting })
    if (!isWaiting) this.#stage?.draw(this.#at, isPlaying ? speed : 0)
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
