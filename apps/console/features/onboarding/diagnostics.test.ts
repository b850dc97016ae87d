import { expect, test } from 'vitest'
import { checksOf } from './diagnostics.ts'

const quiet = { isAnswering: true, origin: 'errors.example', outcomes: [], firstEventAt: null }

test('an address that answers and nothing yet', () => {
  expect(checksOf(quiet).map((check) => [check.title, check.state])).toEqual([
    ['The address answers', 'good'],
    ['First accepted event', 'waiting'],
  ])
})

test('an address that does not answer is named', () => {
  expect(checksOf({ ...quiet, isAnswering: false })[0]?.state).toBe('bad')
  expect(checksOf({ ...quiet, isAnswering: null })).toHaveLength(1)
})

test('refusals are shown with their reason, accepted items are not a problem', () => {
  const outcomes = [
    { outcome: 'invalid', reason: 'invalid_json', count: 2 },
    { outcome: 'accepted', reason: '', count: 9 },
    { outcome: 'filtered', reason: 'localhost', count: 1 },
    { outcome: 'rate_limited', reason: '', count: 0 },
  ]
  expect(checksOf({ ...quiet, outcomes }).slice(1, -1)).toEqual([
    {
      id: 'invalid-invalid_json',
      state: 'bad',
      title: '2 items were not readable',
      detail: 'invalid json',
    },
    {
      id: 'filtered-localhost',
      state: 'bad',
      title: 'One item was left out by a filter',
      detail: 'localhost',
    },
  ])
})

test('a wrong key is said with its answer and the remedy', () => {
  const outcomes = [{ outcome: 'invalid', reason: 'unknown_key', count: 3 }]
  expect(checksOf({ ...quiet, outcomes })[1]).toEqual({
    id: 'invalid-unknown_key',
    state: 'bad',
    title: '3 requests were refused with 403: a wrong key',
    detail: 'the DSN in the application is not the one on this page, or its key is switched off',
  })
})
