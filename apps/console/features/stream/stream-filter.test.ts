import { expect, test } from 'vitest'
import {
  activeFilters,
  DEFAULT_FILTER,
  readStreamFilter,
  streamHref,
  streamSearch,
} from './stream-filter.ts'

test('an address without parameters is the default', () => {
  expect(readStreamFilter({})).toEqual(DEFAULT_FILTER)
  expect(streamSearch(DEFAULT_FILTER)).toBe('')
})

test('an empty query means all issues, and survives the round trip', () => {
  const filter = readStreamFilter({ query: '' })
  expect(filter.query).toBe('')
  expect(streamSearch(filter)).toBe('?query=')
})

test('every part of the filter is in the address', () => {
  const filter = {
    query: 'level:error',
    project: 'web',
    environment: 'production',
    period: '24h',
    sort: 'freq' as const,
    cursor: '0:25:0',
  }
  const params = Object.fromEntries(new URLSearchParams(streamSearch(filter)))
  expect(readStreamFilter(params)).toEqual(filter)
})

test('values that are not known fall back', () => {
  const filter = readStreamFilter({ period: '99y', sort: 'random', project: ['a', 'b'] })
  expect(filter.period).toBe('14d')
  expect(filter.sort).toBe('changed')
  expect(filter.project).toBe('a')
})

test('changing anything but the page goes to the first page', () => {
  const filter = { ...DEFAULT_FILTER, cursor: '0:25:0' }
  expect(streamHref(filter, { sort: 'freq' })).toBe('/issues?sort=freq')
  expect(streamHref(filter, { cursor: '0:50:0' })).toBe('/issues?cursor=0%3A50%3A0')
})

test('filters that hide things are counted, the default ones are not', () => {
  expect(activeFilters(DEFAULT_FILTER)).toBe(0)
  expect(
    activeFilters({ ...DEFAULT_FILTER, query: 'is:unresolved level:error x', environment: 'prod' }),
  ).toBe(3)
})
