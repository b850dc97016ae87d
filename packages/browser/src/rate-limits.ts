/** For limits that name no time, and the longest that one is believed. */
const waitMsDefault = 60_000
const waitMsMax = 86_400_000
const entriesMax = 100

/** Until when (ms since the epoch) a data category must wait; `''` holds for all of them. */
export type RateLimits = Map<string, number>

/** Takes over what an answer demands. Limits may come with any status, also with 200. */
export function updateRateLimits(limits: RateLimits, response: Response, nowMs: number): void {
  const header = response.headers.get('x-sentry-rate-limits')?.trim()
  if (header) {
    for (const entry of header.split(/\s*,\s*/, entriesMax)) {
      const [wait = '', names = ''] = entry.split(':')
      for (const name of names.split(';')) if (entry) limits.set(name, nowMs + waitMs(wait))
    }
  } else if (response.status === 429) {
    const after = response.headers.get('retry-after') ?? ''
    // A date begins with the name of a day; engines read much else as one.
    const dateMs = Date.parse(/^[a-z]/i.test(after) ? after : '') - nowMs
    limits.set('', nowMs + waitMs(after, dateMs))
  }
}

/** Seconds as ms; where the text has none, `otherwiseMs` if that is a number. */
function waitMs(text: string, otherwiseMs = NaN): number {
  const ms = /^\d+(\.\d+)?$/.test(text) ? Math.ceil(Number(text) * 1000) : otherwiseMs
  return Number.isNaN(ms) ? waitMsDefault : Math.min(Math.max(0, ms), waitMsMax)
}
