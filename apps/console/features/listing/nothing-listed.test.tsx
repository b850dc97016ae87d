import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { readListFilter } from './list-filter.ts'
import { NothingListed } from './nothing-listed.tsx'

const projects = [
  { slug: 'afterimage', name: 'Afterimage', hasEvents: true },
  { slug: 'shop', name: 'Shop', hasEvents: true },
  { slug: 'tea', name: 'Tea', hasEvents: false },
]

const drawn = (search: Record<string, string>, which = projects) =>
  renderToStaticMarkup(
    <NothingListed
      path="/replays"
      noun="replays"
      filter={readListFilter(search, [])}
      projects={which}
    >
      A page records when it is told to.
    </NothingListed>,
  )

test('a project that waits for its first event has nothing to clear: it is set up', () => {
  const html = drawn({ project: 'tea' })
  expect(html).toContain('No replays yet')
  expect(html).toContain('href="/projects/tea/start"')
  expect(html).not.toContain('Clear')
})

test('a server whose projects all wait leads to the first of them', () => {
  const html = drawn({}, [projects[0]!, projects[2]!])
  expect(html).toContain('href="/projects/tea/start"')
})

test('a quiet project in view does not count as a filter, and a longer time is offered', () => {
  const html = drawn({ project: 'shop' })
  expect(html).toContain('No replays in the last 14 days')
  expect(html).toContain('href="/replays?project=shop&amp;period=90d"')
  expect(drawn({ period: '90d' })).not.toContain('href=')
})

test('a search that finds nothing is cleared without leaving the project', () => {
  const html = drawn({ project: 'shop', query: 'url:/none', environment: 'production' })
  expect(html).toContain('Nothing matches')
  expect(html).toContain('href="/replays?project=shop"')
})
