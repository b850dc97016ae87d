import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { updateRateLimits } from './rate-limits.ts'

const now = Date.UTC(2026, 10, 20, 12)

/** Returns the limits of an answer: category → ms from now. */
function limitsOf(headers: Record<string, string>, status = 200): Record<string, number> {
  const limits = new Map<string, number>()
  updateRateLimits(limits, new Response('', { status, headers }), now)
  return Object.fromEntries([...limits].map(([category, until]) => [category, until - now]))
}

test.each<[header: string, limits: Record<string, number>]>([
  ['60:error', { error: 60_000 }],
  [
    '60:error;transaction:key:quota, 2700::organization',
    { error: 6e4, transaction: 6e4, '': 27e5 },
  ],
  ['0.5::planet', { '': 500 }],
  ['1.5:replay', { replay: 1500 }],
  ['0:error', { error: 0 }],
  [' , ,', {}],
  ['soon:error', { error: 60_000 }],
  ['-5:error', { error: 60_000 }],
  ['999999999:error', { error: 86_400_000 }],
])('%s limits %j', (header, limits) => {
  expect(limitsOf({ 'x-sentry-rate-limits': header })).toEqual(limits)
  expect(limitsOf({ 'x-sentry-rate-limits': header, 'retry-after': '9' }, 429)).toEqual(
    header.trim() === ', ,' ? {} : limits,
  )
})

test.each<[header: string | null, wait: number]>([
  [null, 60_000],
  ['', 60_000],
  ['?', 60_000],
  ['-1', 60_000],
  ['7', 7000],
  ['Fri, 20 Nov 2026 12:00:30 GMT', 30_000],
  ['Fri, 20 Nov 2026 12:00:00 GMT', 0],
  ['Fri, 20 Nov 2026 11:00:00 GMT', 60_000],
])('a 429 without limits whose Retry-After is %j holds everything for %d ms', (header, wait) => {
  expect(limitsOf(header === null ? {} : { 'retry-after': header }, 429)).toEqual({ '': wait })
  expect(limitsOf(header === null ? {} : { 'retry-after': header }, 200)).toEqual({})
})

test('earlier limits stay, and any header is read', () => {
  const limits = new Map([['replay', now + 5000]])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      const headers = { 'x-sentry-rate-limits': text, 'retry-after': text }
      updateRateLimits(limits, new Response('', { status: 429, headers }), now)
      for (const until of limits.values()) expect(until - now).toBeLessThanOrEqual(86_400_000)
    }),
  )
  expect(limits.has('replay')).toBe(true)
})
