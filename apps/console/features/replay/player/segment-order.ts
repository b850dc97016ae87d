import type { PendingPart } from '../timeline/recording.ts'
import { countUntil } from './picture-at.ts'

/** A segment that the server has; times are ms on the client's clock, null when it holds no event. */
export interface ListedSegment {
  readonly segmentId: number
  readonly firstAt: number | null
  readonly lastAt: number | null
}

/** Facts about a segment that was read: the time of its first full snapshot, null without one. */
export interface ReadSegment {
  readonly snapshotAt: number | null
}

/** Places of the list to read next. */
export interface Places {
  readonly from: number
  readonly count: number
}

/** Read ahead of the cursor while nothing is missing, and before it while its page has not begun. */
const aheadCount = 4
/** Read of the rest, which the scrubber and the panes show. */
const restCount = 20

/**
 * Returns the segments to read next, for a cursor at `time` (ms, the client's clock): first the
 * beginning, which says when the recording starts; then those of the picture at the cursor, back to
 * the full snapshot; then those that follow; then the rest in order. Null when everything is read.
 */
export function nextPlaces(
  listed: readonly ListedSegment[],
  read: ReadonlyMap<number, ReadSegment>,
  time: number,
): Places | null {
  const missing = (from: number, most: number): Places | null => {
    let first = from
    while (first < listed.length && read.has(first)) first += 1
    let count = 0
    while (count < most && first + count < listed.length && !read.has(first + count)) count += 1
    return count === 0 ? null : { from: first, count }
  }
  if (!hasBeginning(read)) return missing(0, aheadCount)
  const target = placeAt(listed, time)
  if (!read.has(target)) return missing(target, aheadCount)
  const gap = gapBefore(read, target, time)
  if (gap !== null) {
    const from = Math.max(0, gap - aheadCount + 1)
    return missing(from, gap - from + 1)
  }
  const ahead = missing(target, aheadCount)
  const isNear = ahead !== null && ahead.from <= target + aheadCount
  return isNear ? ahead : missing(0, restCount)
}

/** True when the picture at `time` can be drawn: the recording's beginning is there, and the page up to `time`. */
export function hasPictureAt(
  listed: readonly ListedSegment[],
  read: ReadonlyMap<number, ReadSegment>,
  time: number,
): boolean {
  return hasBeginning(read) && gapBefore(read, placeAt(listed, time), time) === null
}

/** True when the first page of the recording is there: all that comes before its snapshot, and that. */
function hasBeginning(read: ReadonlyMap<number, ReadSegment>): boolean {
  for (let place = 0; ; place += 1) {
    const segment = read.get(place)
    if (segment === undefined) return false
    if (segment.snapshotAt !== null) return true
  }
}

/** The last segment that had begun at `time`. Segments without a time belong to the one before them. */
export function placeAt(listed: readonly ListedSegment[], time: number): number {
  let latest = Number.NEGATIVE_INFINITY
  const starts = listed.map(({ firstAt }) => (latest = Math.max(latest, firstAt ?? latest)))
  return Math.max(0, countUntil(starts.length, (index) => (starts[index] ?? 0) <= time) - 1)
}

/** The nearest missing place before `target` that the picture needs; null when it needs none. */
function gapBefore(
  read: ReadonlyMap<number, ReadSegment>,
  target: number,
  time: number,
): number | null {
  for (let place = target; place >= 0; place -= 1) {
    const segment = read.get(place)
    if (segment === undefined) return place
    if (segment.snapshotAt !== null && segment.snapshotAt <= time) return null
  }
  return null
}

/** The stretches between what was read. */
export function pendingParts(
  listed: readonly ListedSegment[],
  read: ReadonlyMap<number, ReadSegment>,
): readonly PendingPart[] {
  const parts: PendingPart[] = []
  for (const [place, { firstAt, lastAt }] of listed.entries()) {
    if (read.has(place) || firstAt === null || lastAt === null) continue
    const last = parts.at(-1)
    if (last !== undefined && !read.has(place - 1)) {
      const [at, until] = [Math.min(last.at, firstAt), Math.max(last.until, lastAt)]
      parts[parts.length - 1] = { at, until }
    } else parts.push({ at: firstAt, until: lastAt })
  }
  return parts
}
