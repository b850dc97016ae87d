/** Wait of limits that name no time, and the longest wait that is obeyed. */
const waitMsDefault = 60_000
const waitMsMax = 86_400_000
const entriesMax = 100

/** Times (ms since the epoch) until which data categories must wait; `''` holds for all of them. */
export type RateLimits = Map<string, number>

/** Takes the limits of an answer over. They may come with any status, even 200. */
export function updateRateLimits(limits: RateLimits, response: Response, nowMs: number): void {
  const header = response.headers.get('x-sentry-rate-limits')
  if (header) {
    for (const entry of header.split(',', entriesMax)) {
      const [wait = '', names = ''] = entry.split(':')
      if (!entry.trim()) continue
      for (const name of names.split(';')) limits.set(name, nowMs + bounded(msOf(wait)))
    }
  } else if (response.status === 429) {
    const after = response.headers.get('retry-after') ?? ''
    limits.set('', nowMs + bounded(msOf(after) || Date.parse(after) - nowMs))
  }
}

/** Converts seconds to ms; NaN where the text is not a number. */
function msOf(seconds: string): number {
  return Number(seconds || NaN) * 1000
}

/** Limits a wait. One that is not a number, or negative by a wrong clock, becomes the default. */
function bounded(ms: number): number {
  return ms >= 0 ? Math.min(ms, waitMsMax) : waitMsDefault
}
