import { isDataCategory } from './data-category.ts'
import type { DataCategory } from './data-category.ts'
import { categoryOfItemType } from './item-type.ts'
import { rateLimitDefaultMs, rateLimitWaitMsMax, rateLimitsMax } from './limits.ts'

export const rateLimitScopes = ['organization', 'project', 'key'] as const

/** One entry of `X-Sentry-Rate-Limits`. */
export interface RateLimit {
  /** Whole milliseconds to wait from the moment of the answer; 0 lifts a limit. */
  readonly retryAfterMs: number
  /** Empty means everything. */
  readonly categories: readonly DataCategory[]
  readonly scope: (typeof rateLimitScopes)[number] | null
  readonly reasonCode: string | null
}

/** The header's value, e.g. `60:error;transaction:key:quota, 2700::organization`. */
export function formatRateLimits(limits: readonly RateLimit[]): string {
  return limits.map(formatRateLimit).join(', ')
}

/** Seconds for `Retry-After`: the longest wait of all limits. */
export function formatRetryAfter(limits: readonly RateLimit[]): string {
  return String(Math.max(0, ...limits.map((limit) => toSeconds(limit.retryAfterMs))))
}

/** Reads the header. Unknown categories are left out; an entry with none but unknown ones is skipped. */
export function parseRateLimits(header: string): RateLimit[] {
  const limits: RateLimit[] = []
  for (const entry of header.split(',', rateLimitsMax)) {
    const [wait = '', names = '', scope, reason] = entry.trim().split(':')
    const categories = names.split(';').map((name) => (name === 'metric' ? 'trace_metric' : name))
    const known = [...new Set(categories)].filter(isDataCategory)
    if (entry.trim() === '' || (names !== '' && known.length === 0)) continue
    limits.push({
      retryAfterMs: parseSeconds(wait) ?? rateLimitDefaultMs,
      categories: known,
      scope: rateLimitScopes.find((known) => known === scope) ?? null,
      reasonCode: reason === undefined || reason === '' ? null : reason,
    })
  }
  return limits
}

/** Reads `Retry-After`, seconds or an HTTP date, as milliseconds from `nowMs`. Null when neither. */
export function parseRetryAfter(header: string, nowMs: number): number | null {
  const seconds = parseSeconds(header.trim())
  if (seconds !== null) return seconds
  // Anything that begins like a number is a malformed number, not a date.
  const date = /^[a-z]/i.test(header.trim()) ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? null : bounded(date - nowMs)
}

/** Until when (ms since the epoch) each category must wait; `all` holds for every one. */
export type RateLimitState = Readonly<Partial<Record<DataCategory | 'all', number>>>

/**
 * The state after an answer: its limits on top of what was known. Limits may come with any status;
 * without the header `Retry-After` on a 429 holds for everything, and a bare 429 for a minute.
 */
export function updateRateLimits(
  state: RateLimitState,
  answer: {
    readonly status: number
    readonly rateLimits: string | null
    readonly retryAfter: string | null
    readonly nowMs: number
  },
): RateLimitState {
  const next: Partial<Record<DataCategory | 'all', number>> = { ...state }
  if (answer.rateLimits !== null && answer.rateLimits.trim() !== '') {
    for (const limit of parseRateLimits(answer.rateLimits)) {
      const keys = limit.categories.length === 0 ? (['all'] as const) : limit.categories
      for (const key of keys) next[key] = answer.nowMs + limit.retryAfterMs
    }
  } else if (answer.status === 429) {
    const wait =
      answer.retryAfter === null ? null : parseRetryAfter(answer.retryAfter, answer.nowMs)
    next.all = answer.nowMs + (wait ?? rateLimitDefaultMs)
  }
  return next
}

/** Whether an item of this type must wait. Client reports (`internal`) never do, save when all do. */
export function isRateLimited(state: RateLimitState, itemType: string, nowMs: number): boolean {
  const until = Math.max(state.all ?? 0, state[categoryOfItemType(itemType)] ?? 0)
  return until > nowMs
}

/** SDKs of 10.x look for metrics under a name of their own, so both are written. */
function formatRateLimit(limit: RateLimit): string {
  const names = limit.categories.flatMap((category) =>
    category === 'trace_metric' ? ['trace_metric', 'metric'] : [category],
  )
  const scope = limit.scope === null ? '' : `:${limit.scope}`
  const tail = limit.reasonCode === null ? scope : `${scope || ':'}:${limit.reasonCode}`
  return `${toSeconds(limit.retryAfterMs)}:${names.join(';')}${tail}`
}

function toSeconds(ms: number): number {
  return Math.ceil(Math.max(0, ms) / 1000)
}

function parseSeconds(text: string): number | null {
  return /^\d{1,15}(\.\d{1,15})?$/.test(text) ? bounded(Math.ceil(Number(text) * 1000)) : null
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, ms), rateLimitWaitMsMax)
}
