/** For limits that name no time, and the longest that one is believed. */
const waitMsDefault = 60_000
const waitMsMax = 86_400_000
const entriesMax = 100

/** Until when (ms since the epoch) a data category must wait; `''` holds for all of them. */
export type RateLimits = Map<string, number>

/** Takes over what an answer demands. Limits may come with any status, also with 200. */
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

/** Seconds as ms; not a number where the text is not one. */
function msOf(seconds: string): number {
  return Number(seconds || NaN) * 1000
}

/** A wait that is not a number, or over before it began, as by a wrong clock, is the default one. */
function bounded(ms: number): number {
  return ms >= 0 ? Math.min(ms, waitMsMax) : waitMsDefault
}
