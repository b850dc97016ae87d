import { expect, test } from 'vitest'
import type { ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import { percent, tracesSentence } from './list-facts.ts'

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
    '3 pages and routes; a quarter of the visits to /checkout take longer than 4.21 s, and /b fails in 12 %.',
  )
  expect(sentence([page('/a', 900)])).toBe(
    'One page or route; a quarter of the visits to /a take longer than 900 ms, and none fails.',
  )
})

test('what is not all is not said to be', () => {
  expect(sentence([page('/a', 900), page('/b', 800)], true)).toMatch(
    /^The first 2 pages and routes; /,
  )
})

test('an anecdote is no finding', () => {
  expect(sentence([page('/a', 90_000, { count: 2 })])).toBe(
    'One page or route, each measured less than three times.',
  )
  expect(sentence([])).toBe('No traces yet.')
  expect([0, 0.004, 0.5].map(percent)).toEqual(['0 %', '0.4 %', '50 %'])
})
