/** Wait of limits that name no time, and the longest wait that is obeyed. */
const waitMsDefault = 60_000
const waitMsMax = 86_400_000
const entriesMax = 100

/** Times (ms since the epoch) until which data categories must wait; `''` holds for all of them. */
export type RateLimits = Map<string, number>

/** Takes the limits of an answer over. They may come with any status, even 200. */
export function updateRateLimits(limits: RateLimits, response: Response, nowMs: number): void {
  const { headers, status } = response
  const header = headers.get('x-sentry-rate-limits')
  // A wait that is not a number, or negative by a wrong clock, becomes the default.
  const set = (name: string, ms: number): unknown =>
    limits.set(name, nowMs + (ms >= 0 ? Math.min(ms, waitMsMax) : waitMsDefault))
  if (header) {
    for (const entry of header.split(',', entriesMax)) {
      const [seconds, names = ''] = entry.split(':')
      if (!entry.trim()) continue
      for (const name of names.split(';')) set(name, Number(seconds || NaN) * 1000)
    }
  } else if (status === 429) {
    const after = headers.get('retry-after')!
    set('', Number(after) * 1000 || Date.parse(after) - nowMs)
  }
}
