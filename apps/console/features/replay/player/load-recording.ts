import { eventType, fieldsOf, numberOf } from '../timeline/recorded.ts'
import { joinSegments, type RecordedSegment } from '../timeline/recording.ts'
import type { ReplayError } from '../timeline/steps.ts'
import { deriveTimeline, type Timeline } from '../timeline/timeline.ts'
import { createPlayer, type Player } from './player.ts'
import {
  hasPictureAt,
  nextPlaces,
  pendingParts,
  type ListedSegment,
  type ReadSegment,
} from './segment-order.ts'

/** Source of a recording. Both methods throw when the server refuses. */
export interface RecordingSource {
  /** All segments, in order. */
  list(signal: AbortSignal): Promise<readonly ListedSegment[]>
  /** The events of the `count` segments from place `from` of the list. */
  read(from: number, count: number, signal: AbortSignal): Promise<readonly (readonly unknown[])[]>
}

export interface LoadedRecording {
  /** Null until something can be shown. */
  readonly player: Player | null
  readonly loaded: number
  readonly total: number
  readonly isComplete: boolean
  readonly failure: string | null
}

export const nothingLoaded: LoadedRecording = {
  player: null,
  loaded: 0,
  total: 0,
  isComplete: false,
  failure: null,
}

export interface LoadOptions {
  readonly source: RecordingSource
  readonly errors: readonly ReplayError[]
  /** Returns the cursor's first place, ms, given the start of the recording. */
  readonly startAt: (startedAt: number) => number
  /** Playing begins this long before that place, until the cursor was moved; absent: there. */
  readonly playBeforeMs?: number
}

/** Loads a recording around the cursor first: a player as soon as there is a picture, the rest behind it. */
export async function loadRecording(
  options: LoadOptions,
  signal: AbortSignal,
  publish: (state: LoadedRecording) => void,
): Promise<void> {
  const loading = new Loading(options, signal, publish)
  try {
    await loading.run()
  } catch (cause) {
    loading.say({ failure: cause instanceof Error ? cause.message : String(cause) })
  }
}

/** Segments read before the list is known: most recordings are looked at from their beginning. */
const firstCount = 2

class Loading {
  readonly #options: LoadOptions
  readonly #signal: AbortSignal
  readonly #publish: (state: LoadedRecording) => void
  readonly #segments: RecordedSegment[] = []
  readonly #read = new Map<number, ReadSegment>()
  #listed: readonly ListedSegment[] = []
  #player: Player | null = null
  /** Segments that the present timeline was made of. */
  #derived = 0

  constructor(
    options: LoadOptions,
    signal: AbortSignal,
    publish: (state: LoadedRecording) => void,
  ) {
    this.#options = options
    this.#signal = signal
    this.#publish = publish
    signal.addEventListener('abort', () => this.#player?.close())
  }

  say(more: Partial<LoadedRecording>): void {
    if (this.#signal.aborted) return
    const [loaded, total] = [this.#segments.length, this.#listed.length]
    this.#publish({ ...nothingLoaded, player: this.#player, loaded, total, ...more })
  }

  async run(): Promise<void> {
    const { source } = this.#options
    const [listed, first] = await Promise.all([
      source.list(this.#signal),
      source.read(0, firstCount, this.#signal),
    ])
    this.#listed = listed
    this.#take(0, first)
    for (;;) {
      if (this.#signal.aborted) return
      this.#show()
      const next = nextPlaces(listed, this.#read, this.#time())
      if (next === null) break
      const events = await source.read(next.from, next.count, this.#signal)
      // A segment that was removed meanwhile is an empty one.
      this.#take(
        next.from,
        Array.from({ length: next.count }, (_, index) => events[index] ?? []),
      )
      await nextTask()
    }
    this.say({ isComplete: true })
  }

  #take(from: number, parts: readonly (readonly unknown[])[]): void {
    for (const [index, events] of parts.entries()) {
      const segmentId = this.#listed[from + index]?.segmentId
      if (segmentId === undefined || this.#read.has(from + index)) continue
      this.#segments.push({ segmentId, events })
      this.#read.set(from + index, { snapshotAt: snapshotIn(events) })
    }
  }

  /** The moment that is looked at, ms on the client's clock. */
  #time(): number {
    const startedAt = this.#startedAt()
    const at = this.#player?.at() ?? this.#options.startAt(startedAt)
    return startedAt + at
  }

  #startedAt(): number {
    const known = this.#player?.timeline().recording.startedAt
    return known ?? this.#listed.find(({ firstAt }) => firstAt !== null)?.firstAt ?? 0
  }

  /** Makes the player, or gives it what has come: when it waits for it, else each time that it is twice as much. */
  #show(): void {
    const isAll = this.#read.size >= this.#listed.length
    if (this.#player === null) this.#player = this.#begin(isAll)
    else if (
      isAll ||
      this.#player.state().isWaiting ||
      this.#segments.length >= 2 * this.#derived
    ) {
      if (this.#segments.length > this.#derived) this.#player.setTimeline(this.#derive())
    }
    this.say({})
  }

  /** A player, once the picture at the place to begin is there; at the end in any case. */
  #begin(isAll: boolean): Player | null {
    if (!isAll && !hasPictureAt(this.#listed, this.#read, this.#time())) return null
    const { startAt, playBeforeMs } = this.#options
    const timeline = this.#derive()
    const at = startAt(timeline.recording.startedAt)
    const from = playBeforeMs === undefined ? {} : { playFrom: at - playBeforeMs }
    return createPlayer({ timeline, at, ...from })
  }

  #derive(): Timeline {
    this.#derived = this.#segments.length
    const lastAt = Math.max(0, ...this.#listed.map((segment) => segment.lastAt ?? 0))
    const pending = pendingParts(this.#listed, this.#read)
    return deriveTimeline(joinSegments(this.#segments, { lastAt, pending }), this.#options.errors)
  }
}

/** When the first full snapshot of a segment was taken; null without one. */
function snapshotIn(events: readonly unknown[]): number | null {
  for (const event of events) {
    const { type, timestamp } = fieldsOf(event)
    if (type === eventType.full) return numberOf(timestamp)
  }
  return null
}

/** Lets the browser draw and answer between two parts. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
