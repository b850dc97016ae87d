import { expect, test } from 'vitest'
import { KEY_HELP } from '../../ui/key-chords.ts'
import { placeOf, placesOf, projectHref, SETTINGS } from './places.ts'

test('places carry project, environment and period, and nothing else', () => {
  const search = new URLSearchParams('project=web&period=24h&query=x&cursor=1')
  expect(placesOf(search).map((place) => place.href)).toEqual([
    '/issues?project=web&period=24h',
    '/replays?project=web&period=24h',
    '/traces?project=web&period=24h',
  ])
  expect(placesOf(new URLSearchParams())[0]?.href).toBe('/issues')
})

test('a path is in its place', () => {
  expect(placeOf('/issues/42')).toBe('issues')
  expect(placeOf('/projects/new')).toBeNull()
  expect(placeOf('/')).toBeNull()
})

test('another project keeps the filters of a list and leaves the page of one thing', () => {
  expect(projectHref('/issues', new URLSearchParams('query=x&cursor=2'), 'api')).toBe(
    '/issues?query=x&project=api',
  )
  expect(projectHref('/issues/42', new URLSearchParams('event=1'), 'api')).toBe(
    '/issues?project=api',
  )
  expect(projectHref('/replays', new URLSearchParams('project=web'), null)).toBe('/replays')
  expect(projectHref('/settings', new URLSearchParams(), 'web')).toBe('/issues?project=web')
})

test('a chord goes where the link goes, with the same filter, and is in the help', () => {
  const places = [...placesOf(new URLSearchParams('project=web')), SETTINGS]
  expect(places.map(({ keys, href }) => [keys.join(' '), href])).toEqual([
    ['g i', '/issues?project=web'],
    ['g r', '/replays?project=web'],
    ['g t', '/traces?project=web'],
    ['g s', '/settings'],
  ])
  const listed = KEY_HELP.flatMap((group) => group.keys.map((row) => row.keys.join(' ')))
  for (const { keys } of places) expect(listed).toContain(keys.join(' '))
})
