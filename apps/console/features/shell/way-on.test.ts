import { expect, test } from 'vitest'
import { wayOn } from './way-on.ts'

const on = (address: string) => {
  const url = new URL(address, 'http://x')
  return wayOn(url.pathname, url.searchParams)
}

test('from a thing that is not there one goes on to the list it would be in, with its filter', () => {
  expect(on('/replays/abc?project=web&t=4')).toEqual({
    said: null,
    label: 'All replays',
    href: '/replays?project=web',
  })
})

test('a project that does not exist is named, and all projects are offered', () => {
  expect(on('/traces?project=nope&period=24h&cursor=x')).toEqual({
    said: 'There is no project called “nope”.',
    label: 'Traces of all projects',
    href: '/traces?period=24h',
  })
})

test('from anywhere else one goes on to the issues', () => {
  expect(on('/projects/nope/start')).toEqual({ said: null, label: 'All issues', href: '/issues' })
})
