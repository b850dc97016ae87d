import { expect, test } from 'vitest'
import { normalizeBreadcrumbs } from './breadcrumbs.ts'

test('everything a breadcrumb says is kept, its time moved', () => {
  const crumb = {
    type: 'http',
    level: 'error',
    category: 'fetch',
    message: 'GET /',
    data: { a: 1 },
    event_id: 'ab'.repeat(16),
  }
  expect(normalizeBreadcrumbs([{ ...crumb, timestamp: 1_795_161_347 }], 500)).toEqual([
    { ...crumb, timestamp: 1_795_161_347_500 },
  ])
})

test('one that says little is an informative one of the default type', () => {
  const loose = { timestamp: 'x', level: 'loud', data: 'x', event_id: 'x', message: { a: 1 } }
  expect(normalizeBreadcrumbs([{}, loose, null, 'x'], 0)).toEqual([
    { type: 'default', level: 'info' },
    { type: 'default', level: 'info', message: '{"a":1}' },
  ])
})

test('the newest hundred are kept, oldest first', () => {
  const many = Array.from({ length: 101 }, (_, index) => ({ message: `m${index}` }))
  const kept = normalizeBreadcrumbs({ values: many }, 0)
  expect(kept.map(({ message }) => message)).toEqual(many.slice(1).map(({ message }) => message))
})
