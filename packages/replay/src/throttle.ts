import { customEventsMax, customEventsMs } from './limits.ts'

/**
 * Creates a throttle of 300 events in any 5 seconds. It returns whether an event may pass, and
 * calls `onRefusal` when it begins to refuse.
 */
export function createThrottle(onRefusal: () => void): (nowMs: number) => boolean {
  /** Times of the newest accepted events, as a ring that overwrites the oldest. */
  const times: number[] = []
  let next = 0
  let isRefusing = false
  return (nowMs) => {
    const wasRefusing = isRefusing
    isRefusing = nowMs - times[next]! < customEventsMs
    if (isRefusing) {
      if (!wasRefusing) onRefusal()
    } else {
      times[next] = nowMs
      next = (next + 1) % customEventsMax
    }
    return !isRefusing
  }
}
