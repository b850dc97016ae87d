import { customEventsMax, customEventsMs } from './limits.ts'

export type Verdict = 'accepted' | 'firstRefused' | 'refused'

/** Lets 300 events through in any 5 seconds (S26), and says when it begins to refuse. */
export function createThrottle(): (nowMs: number) => Verdict {
  /** Times of the newest accepted events, as a ring: what is overwritten is the oldest. */
  const times: number[] = []
  let next = 0
  let isRefusing = false
  return (nowMs) => {
    const oldest = times[next]
    if (oldest !== undefined && nowMs - oldest < customEventsMs) {
      const verdict = isRefusing ? 'refused' : 'firstRefused'
      isRefusing = true
      return verdict
    }
    times[next] = nowMs
    next = (next + 1) % customEventsMax
    isRefusing = false
    return 'accepted'
  }
}
