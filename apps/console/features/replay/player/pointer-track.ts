import type { RecordingEvent } from '@afterimage/protocol/api/replay'
import { interaction } from '../page/focus.ts'
import { eventSource, eventType, fieldsOf, listOf, numberOf } from '../timeline/recorded.ts'
import { countUntil } from './picture-at.ts'

/** A place where the pointer was. Times are ms on the client's clock, places CSS px in the frame of `id`. */
export interface PointerPoint {
  readonly at: number
  readonly x: number
  readonly y: number
  /** The node under it. */
  readonly id: number
  readonly isPress: boolean
  readonly isTouch: boolean
  /** False once a touch has ended. */
  readonly isDown: boolean
}

/** The pointer at a moment. */
export interface Pointer {
  readonly point: PointerPoint
  /** Its places shortly before, the oldest first. */
  readonly trail: readonly PointerPoint[]
  /** Milliseconds since the last press on this page; null before the first. */
  readonly sincePress: number | null
}

/** Duration of the pointer's trail, ms. */
const trailMs = 700

/** Everywhere the pointer was, in order of time: a move is recorded with the moves of half a second before it. */
export function pointerTrack(events: readonly RecordingEvent[]): readonly PointerPoint[] {
  const track: PointerPoint[] = []
  for (const event of events) {
    if (event.type !== eventType.incremental) continue
    const data = fieldsOf(event.data)
    const source = data['source']
    const isTouch = source === eventSource.touchMove
    if (isTouch || source === eventSource.mouseMove || source === eventSource.drag) {
      for (const position of listOf(data['positions']).map(fieldsOf)) {
        const offset = Math.min(0, numberOf(position['timeOffset']) ?? 0)
        track.push({
          ...placeOf(position),
          at: event.timestamp + offset,
          isPress: false,
          isTouch,
          isDown: isTouch,
        })
      }
    } else if (source === eventSource.mouseInteraction) {
      const kind = numberOf(data['type']) ?? -1
      if (numberOf(data['x']) === null && kind !== interaction.touchEnd) continue
      const isPress = kind === interaction.click || kind === interaction.touchStart
      const isTouched = kind === interaction.touchStart || kind === interaction.touchEnd
      track.push({
        ...placeOf(data),
        at: event.timestamp,
        isPress,
        isTouch: isTouched,
        isDown: kind === interaction.touchStart,
      })
    }
  }
  return track.sort((a, b) => a.at - b.at)
}

function placeOf(data: Readonly<Record<string, unknown>>): { x: number; y: number; id: number } {
  return {
    x: numberOf(data['x']) ?? 0,
    y: numberOf(data['y']) ?? 0,
    id: numberOf(data['id']) ?? -1,
  }
}

/** The pointer at `time`, as far as it moved since `from`, when the page began. Null before its first move. */
export function pointerAt(
  track: readonly PointerPoint[],
  time: number,
  from: number,
): Pointer | null {
  const end = countUntil(track.length, (index) => (track[index]?.at ?? 0) <= time)
  const point = track[end - 1]
  if (point === undefined || point.at < from) return null
  let first = end - 1
  let pressedAt: number | null = null
  for (let index = end - 1; index >= 0; index -= 1) {
    const earlier = track[index]
    if (earlier === undefined || earlier.at < Math.max(from, time - trailMs)) break
    first = index
    if (earlier.isPress) pressedAt ??= earlier.at
  }
  return {
    point,
    trail: track.slice(first, end),
    sincePress: pressedAt === null ? null : time - pressedAt,
  }
}
