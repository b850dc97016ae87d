import { expect, test } from 'vitest'
import type { ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import { failuresOf, percent, tracesSentence } from './list-facts.ts'

function page(transaction: string, p75: number | null, more: Partial<ApiTransactionSummary> = {}) {
  return {
    transaction,
    op: 'pageload',
    project_slug: 'web',
    count: 40,
    per_minute: 1,
    p50: p75,
    p75,
    p95: p75,
    p99: p75,
    failure_rate: 0,
    users: 1,
    vitals: {},
    ...more,
  } satisfies ApiTransactionSummary
}
const sentence = (rows: readonly ApiTransactionSummary[], hasMore = false) =>
  tracesSentence(rows, hasMore)
    .map((part) => part.text)
    .join('')

test('the slowest and the one that fails most are named', () => {
  expect(
    sentence([page('/a', 900), page('/checkout', 4210), page('/b', 20, { failure_rate: 0.123 })]),
  ).toBe(
    '3 pages and routes; a quarter of the visits to /checkout take longer than 4.21 s, and /b fails in 12 % of 40.',
  )
  expect(sentence([page('/a', 900)])).toBe(
    'One page or route; a quarter of the visits to /a take longer than 900 ms, and none fails.',
  )
})

test('a part of the pages is not called all of them', () => {
  expect(sentence([page('/a', 900), page('/b', 800)], true)).toMatch(
    /^The first 2 pages and routes; /,
  )
})

test('an anecdote is not a finding', () => {
  const rare = page('/a', 90_000, { count: 19, failure_rate: 1 })
  expect(sentence([rare])).toBe('One page or route, each with fewer than 20 visits.')
  expect(sentence([rare, page('/b', 20, { count: 20 })])).toBe(
    '2 pages and routes; a quarter of the visits to /b take longer than 20 ms, and none fails.',
  )
  expect(sentence([])).toBe('No traces.')
  expect([0, 0.004, 0.5].map(percent)).toEqual(['0 %', '0.4 %', '50 %'])
})

test('a share of failures says of how many', () => {
  expect(failuresOf({ count: 40, failure_rate: 0.125 })).toBe('5 of 40 visits')
  expect(failuresOf({ count: 1, failure_rate: 1 })).toBe('1 of 1 visit')
})
