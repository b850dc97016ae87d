const waitMsDefault = 60_000
const waitMsMax = 86_400_000

/** Until when (ms since the epoch) a data category must wait; `''` holds for all of them. */
export type RateLimits = Map<string, number>

/** Takes over what an answer demands. Limits may come with any status, also with 200. */
export function updateRateLimits(limits: RateLimits, response: Response, nowMs: number): void {
  const header = response.headers.get('x-sentry-rate-limits')
  if (header?.trim()) {
    for (const entry of header.split(',', 100)) {
      const [wait = '', names = ''] = entry.trim().split(':')
      if (entry.trim() === '') continue
      for (const name of names.split(';')) limits.set(name, nowMs + waitMs(wait))
    }
  } else if (response.status === 429) {
    const after = response.headers.get('retry-after') ?? ''
    limits.set('', nowMs + waitMs(after, nowMs))
  }
}

export function isRateLimited(limits: RateLimits, category: string, nowMs: number): boolean {
  return Math.max(limits.get('') ?? 0, limits.get(category) ?? 0) > nowMs
}

/** Seconds, or a date when `nowMs` is given. Neither is a minute, and nothing is longer than a day. */
function waitMs(text: string, nowMs?: number): number {
  const ms = /^\d+(\.\d+)?$/.test(text)
    ? Math.ceil(Number(text) * 1000)
    : nowMs !== undefined && /^[a-z]/i.test(text)
      ? Date.parse(text) - nowMs
      : waitMsDefault
  return Math.min(Math.max(0, Number.isNaN(ms) ? waitMsDefault : ms), waitMsMax)
}
