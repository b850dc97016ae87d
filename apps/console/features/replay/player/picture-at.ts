import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { eventType, fieldsOf, numberOf } from '../timeline/recorded.ts'

/** The events that make the picture of a moment: a full snapshot, and the changes after it. */
export interface PicturePlan {
  /** Index of the full snapshot with which the page begins. */
  readonly snapshot: number
  /** Index of the first event that is not part of the picture. */
  readonly until: number
}

/**
 * The picture at `time` (ms, the client's clock): the page that had begun by then, and what had happened to
 * it. Before the first page it is the first page as it began. Null when nothing can be drawn.
 */
export function pictureAt(
  events: readonly RecordingEvent[],
  snapshots: readonly number[],
  time: number,
): PicturePlan | null {
  const first = snapshots[0]
  if (first === undefined) return null
  const until = countUntil(events.length, (index) => (events[index]?.timestamp ?? 0) <= time)
  const count = countUntil(snapshots.length, (index) => (snapshots[index] ?? 0) < until)
  const snapshot = snapshots[count - 1]
  return snapshot === undefined ? { snapshot: first, until: first + 1 } : { snapshot, until }
}

/** Returns the indexes at which the pages of a recording begin. */
export function snapshotsOf(events: readonly RecordingEvent[]): readonly number[] {
  return events.flatMap((event, index) => (event.type === eventType.full ? [index] : []))
}

/** The window that a page began in: said just before its snapshot. Null when it was not said. */
export function sizeAtStart(
  events: readonly RecordingEvent[],
  snapshot: number,
): { readonly width: number; readonly height: number } | null {
  for (let index = snapshot - 1; index >= 0; index -= 1) {
    const event = events[index]
    if (event?.type !== eventType.meta) continue
    const { width, height } = fieldsOf(event.data)
    if (numberOf(width) === null || numberOf(height) === null) return null
    return { width: width as number, height: height as number }
  }
  return null
}

/** Counts the places that fulfil `isBefore` among the first `length`, by bisection: they come first. */
export function countUntil(length: number, isBefore: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
