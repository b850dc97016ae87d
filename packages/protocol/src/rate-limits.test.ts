import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { dataCategories } from './data-category.ts'
import { rateLimitDefaultMs, rateLimitWaitMsMax } from './limits.ts'
import {
  formatRateLimits,
  formatRetryAfter,
  isRateLimited,
  parseRateLimits,
  parseRetryAfter,
  rateLimitScopes,
  updateRateLimits,
} from './rate-limits.ts'

const nowMs = Date.UTC(2026, 10, 20, 12)
const quiet = { status: 200, rateLimits: null, retryAfter: null, nowMs }

test('limits are written with categories, scope and reason, empty ones left empty', () => {
  const limits = [
    {
      retryAfterMs: 60_000,
      categories: ['error', 'transaction'],
      scope: 'key',
      reasonCode: 'quota',
    },
    { retryAfterMs: 2_699_001, categories: [], scope: 'organization', reasonCode: null },
    { retryAfterMs: 1, categories: [], scope: null, reasonCode: null },
  ] as const
  expect(formatRateLimits(limits)).toBe('60:error;transaction:key:quota, 2700::organization, 1:')
  expect(formatRetryAfter(limits)).toBe('2700')
  expect(formatRetryAfter([])).toBe('0')
})

test('metrics are limited under both of their names', () => {
  const limit = {
    retryAfterMs: 1000,
    categories: ['trace_metric'],
    scope: null,
    reasonCode: null,
  } as const
  expect(formatRateLimits([limit])).toBe('1:trace_metric;metric')
  expect(parseRateLimits('1:trace_metric;metric')).toEqual([limit])
  expect(parseRateLimits('1:metric')).toEqual([limit])
})

test('what others write is read', () => {
  expect(
    parseRateLimits('60:transaction:key, 2700:default;error;security:organization:x:ns'),
  ).toEqual([
    { retryAfterMs: 60_000, categories: ['transaction'], scope: 'key', reasonCode: null },
    {
      retryAfterMs: 2_700_000,
      categories: ['default', 'error', 'security'],
      scope: 'organization',
      reasonCode: 'x',
    },
  ])
  expect(parseRateLimits('0.5::planet')).toEqual([
    { retryAfterMs: 500, categories: [], scope: null, reasonCode: null },
  ])
})

test('an entry with only unknown categories limits nothing, a malformed wait is a minute', () => {
  expect(parseRateLimits('60:from_the_future:key')).toEqual([])
  expect(parseRateLimits('60:error;from_the_future')).toMatchObject([{ categories: ['error'] }])
  expect(parseRateLimits('soon:error')).toMatchObject([{ retryAfterMs: rateLimitDefaultMs }])
  expect(parseRateLimits('-5:error')).toMatchObject([{ retryAfterMs: rateLimitDefaultMs }])
  expect(parseRateLimits(' , ,')).toEqual([])
})

test('no wait is longer than a day', () => {
  expect(parseRateLimits('999999999:error')).toMatchObject([{ retryAfterMs: rateLimitWaitMsMax }])
})

test('Retry-After is seconds or a date', () => {
  expect(parseRetryAfter('120', nowMs)).toBe(120_000)
  expect(parseRetryAfter('Fri, 20 Nov 2026 12:00:30 GMT', nowMs)).toBe(30_000)
  expect(parseRetryAfter('Fri, 20 Nov 2026 11:00:00 GMT', nowMs)).toBe(0)
  for (const value of ['', 'soon', '-1', '1e3', '0x10']) {
    expect(parseRetryAfter(value, nowMs)).toBeNull()
  }
})

test('limits hold for their categories, until their time', () => {
  const state = updateRateLimits({}, { ...quiet, rateLimits: '60:error;replay:key, 10:session' })
  expect(isRateLimited(state, 'event', nowMs)).toBe(true)
  expect(isRateLimited(state, 'replay_recording', nowMs + 59_999)).toBe(true)
  expect(isRateLimited(state, 'replay_recording', nowMs + 60_000)).toBe(false)
  expect(isRateLimited(state, 'sessions', nowMs + 10_001)).toBe(false)
  expect(isRateLimited(state, 'transaction', nowMs)).toBe(false)
  expect(isRateLimited(state, 'client_report', nowMs)).toBe(false)
})

test('empty categories hold for everything, and other limits stay', () => {
  const first = updateRateLimits({}, { ...quiet, rateLimits: '60:error' })
  const state = updateRateLimits(first, { ...quiet, rateLimits: '5::organization' })
  expect(isRateLimited(state, 'session', nowMs)).toBe(true)
  expect(isRateLimited(state, 'session', nowMs + 5000)).toBe(false)
  expect(isRateLimited(state, 'event', nowMs + 5000)).toBe(true)
})

test('a 429 without limits waits as Retry-After says, or a minute', () => {
  const limited = { ...quiet, status: 429 }
  expect(updateRateLimits({}, { ...limited, retryAfter: '7' })).toEqual({ all: nowMs + 7000 })
  expect(updateRateLimits({}, { ...limited, retryAfter: '?' })).toEqual({ all: nowMs + 60_000 })
  expect(updateRateLimits({}, limited)).toEqual({ all: nowMs + 60_000 })
  expect(updateRateLimits({}, { ...limited, rateLimits: '9:error', retryAfter: '9' })).toEqual({
    error: nowMs + 9000,
  })
  expect(updateRateLimits({}, quiet)).toEqual({})
  expect(updateRateLimits({}, { ...quiet, retryAfter: '7' })).toEqual({})
})

const anyLimit = fc.record({
  retryAfterMs: fc.integer({ min: 0, max: 86_400 }).map((seconds) => seconds * 1000),
  categories: fc.uniqueArray(fc.constantFrom(...dataCategories)),
  scope: fc.constantFrom(null, ...rateLimitScopes),
  reasonCode: fc.constantFrom(null, 'quota', 'disk_full'),
})

test('what is written is read back', () => {
  fc.assert(
    fc.property(fc.array(anyLimit, { maxLength: 20 }), (limits) => {
      expect(parseRateLimits(formatRateLimits(limits))).toEqual(limits)
    }),
  )
})

test('any text is read without an exception', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      for (const limit of parseRateLimits(text)) {
        expect(limit.retryAfterMs).toBeLessThanOrEqual(rateLimitWaitMsMax)
      }
      parseRetryAfter(text, nowMs)
    }),
  )
})
