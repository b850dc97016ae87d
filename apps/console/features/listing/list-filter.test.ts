import { expect, test } from 'vitest'
import { listHref, readListFilter, toggleTerm } from './list-filter.ts'

test('the address says the filter, and only what differs from the default', () => {
  const filter = readListFilter(
    { project: 'web', period: '24h', query: 'url:/checkout', sort: '-duration', cursor: 'x' },
    ['-duration'],
  )
  expect(filter).toEqual({
    project: 'web',
    environment: null,
    period: '24h',
    query: 'url:/checkout',
    sort: '-duration',
    cursor: 'x',
  })
  expect(listHref('/replays', filter, { period: '14d', query: '' })).toBe(
    '/replays?project=web&sort=-duration',
  )
})

test('a value that is not offered becomes the default, and a repeated parameter counts once', () => {
  const filter = readListFilter({ period: '3y', sort: 'evil', project: ['a', 'b'], query: '' }, [])
  expect(filter).toMatchObject({ period: '14d', sort: null, project: 'a', query: '' })
  expect(listHref('/replays', filter, { project: null })).toBe('/replays')
})

test('a term is added once and taken out again', () => {
  expect(toggleTerm('url:/a', 'errors:>0')).toBe('url:/a errors:>0')
  expect(toggleTerm('url:/a errors:>0', 'errors:>0')).toBe('url:/a')
})
