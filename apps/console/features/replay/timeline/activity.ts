import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { eventSource, eventType, fieldsOf, listOf, sourceOf } from './recorded.ts'
import type { Marker } from './markers.ts'
import type { Recording } from './recording.ts'

/** A stretch in which the person did nothing and nothing went wrong. */
export interface IdleGap {
  readonly at: number
  readonly until: number
}

/** Shorter pauses are part of what happened. */
export const idleMsMin = 10_000

/** Sources of events that count as activity of the person. */
const interactive: ReadonlySet<number> = new Set([
  eventSource.mouseMove,
  eventSource.mouseInteraction,
  eventSource.scroll,
  eventSource.resize,
  eventSource.input,
  eventSource.touchMove,
  eventSource.media,
  eventSource.drag,
  eventSource.selection,
])

/**
 * Returns the amount of change on screen, by equal stretches of time, 0 to 1. The square root keeps a page load from
 * flattening everything else.
 */
export function deriveDensity(recording: Recording, buckets = 200): readonly number[] {
  const sums = Array.from({ length: buckets }, () => 0)
  if (recording.durationMs <= 0) return sums
  for (const event of recording.drawn) {
    const share = (event.timestamp - recording.startedAt) / recording.durationMs
    const bucket = Math.min(buckets - 1, Math.max(0, Math.floor(share * buckets)))
    sums[bucket] = (sums[bucket] ?? 0) + weightOf(event)
  }
  const roots = sums.map((sum) => Math.sqrt(sum))
  const highest = roots.reduce((high, value) => Math.max(high, value), 0)
  return highest === 0 ? roots : roots.map((value) => value / highest)
}

export function deriveIdleGaps(
  recording: Recording,
  markers: readonly Marker[],
): readonly IdleGap[] {
  const moments = recording.drawn
    .filter((event) => event.type === eventType.full || interactive.has(sourceOf(event) ?? -1))
    .map((event) => event.timestamp - recording.startedAt)
  // An error may be outside of the recording; the idle time before it does not count.
  const all = [0, ...moments, ...markers.map((marker) => marker.at), recording.durationMs]
    .filter((at) => at >= 0 && at <= recording.durationMs)
    .sort((a, b) => a - b)
  const gaps: IdleGap[] = []
  for (let index = 1; index < all.length; index += 1) {
    const at = all[index - 1] ?? 0
    const until = all[index] ?? 0
    if (until - at >= idleMsMin) gaps.push({ at, until })
  }
  return gaps
}

/** Returns the place after the gap around `at`, when idle time is skipped; null outside of gaps. */
export function skipTarget(gaps: readonly IdleGap[], at: number): number | null {
  const gap = gaps.find((candidate) => at >= candidate.at + 1_000 && at < candidate.until - 1_000)
  return gap === undefined ? null : gap.until - 1_000
}

function weightOf(event: RecordingEvent): number {
  if (event.type === eventType.full) return 20
  if (event.type !== eventType.incremental) return 0
  const data = fieldsOf(event.data)
  if (data['source'] === eventSource.mutation) {
    const changes =
      listOf(data['adds']).length +
      listOf(data['removes']).length +
      listOf(data['texts']).length +
      listOf(data['attributes']).length
    return Math.min(60, 1 + changes)
  }
  return data['source'] === eventSource.mouseMove ? 2 : 3
}
