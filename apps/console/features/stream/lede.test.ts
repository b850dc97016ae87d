import type { ApiIssueOverview } from '@afterimage/protocol/api/stats'
import { expect, test } from 'vitest'
import { ledeOf, shortVersion, type LedePart } from './lede.ts'

const now = Date.parse('2026-11-20T12:46:00Z')
const none: ApiIssueOverview = {
  newestRelease: null,
  newIssues: 0,
  regressedIssues: 0,
  escalatingIssues: 0,
  usersAffected: 0,
  usersOfChanges: 0,
  events: 0,
  quarantined: 0,
  histogram: { interval: 1800, series: [] },
  releases: [],
  views: {},
}
const released = { version: 'shop@2.14.0', firstSeen: '2026-11-20T10:42:00Z', project: 'shop' }
const range = 'the last 14 days'

const words = (parts: readonly LedePart[]) =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('')
const sentence = (facts: Partial<ApiIssueOverview>, project: string | null = null) =>
  words(ledeOf({ ...none, ...facts }, now, range, project).sentence)

test('a release with new issues and a regression', () => {
  expect(
    sentence({
      newestRelease: released,
      newIssues: 2,
      regressedIssues: 1,
      usersAffected: 900,
      usersOfChanges: 366,
      events: 900,
    }),
  ).toBe('Since 2.14.0, two hours ago: two new issues and one regression, felt by 366 people.')
  const one = { newestRelease: released, newIssues: 1, events: 1 }
  expect(sentence({ ...one, usersOfChanges: 1 })).toBe(
    'Since 2.14.0, two hours ago: one new issue, felt by one person.',
  )
  expect(sentence({ ...one, usersOfChanges: null })).toBe(
    'Since 2.14.0, two hours ago: one new issue.',
  )
})

test('the numbers set the filter', () => {
  const { sentence } = ledeOf(
    { ...none, newestRelease: released, newIssues: 1, events: 1 },
    now,
    range,
    null,
  )
  expect(sentence).toContainEqual({
    text: 'one new issue',
    query: 'firstSeen:>=2026-11-20T10:42:00Z',
    project: 'shop',
  })
  expect(sentence).toContainEqual({
    text: '2.14.0',
    query: 'release:shop@2.14.0',
    project: 'shop',
  })
})

test('where several projects are in view, the release says whose it is', () => {
  expect(sentence({ newestRelease: released, newIssues: 1, events: 1 }, 'Shop')).toBe(
    'Since 2.14.0 of Shop, two hours ago: one new issue.',
  )
})

test('without a release the range stands in its place', () => {
  expect(sentence({ newIssues: 3, events: 40 })).toBe('In the last 14 days: three new issues.')
})

test('nothing new is said as such', () => {
  expect(sentence({ events: 412, usersAffected: 1 })).toBe(
    'Nothing new in the last 14 days: 412 events, felt by one person.',
  )
  expect(sentence({ newestRelease: released, events: 1 })).toBe(
    'Nothing new since 2.14.0, two hours ago: one event in the last 14 days.',
  )
})

test('no events at all', () => {
  expect(sentence({})).toBe('No events in the last 14 days.')
  expect(sentence({ newestRelease: released })).toBe('No events in the last 14 days.')
})

test('events and people of the range are said apart from what is new', () => {
  const facts = { ...none, newIssues: 2, events: 430, usersAffected: 81 }
  expect(words(ledeOf(facts, now, range, null).rest)).toBe(
    '430 events from 81 people in the last 14 days.',
  )
})

test('the second line names what escalates and what is in quarantine', () => {
  expect(
    words(ledeOf({ ...none, escalatingIssues: 2, quarantined: 1904 }, now, range, null).rest),
  ).toBe('Two issues are escalating. 1,904 events are in quarantine.')
  expect(words(ledeOf({ ...none, quarantined: 1 }, now, range, null).rest)).toBe(
    '1 event is in quarantine.',
  )
  expect(ledeOf(none, now, range, null).rest).toEqual([])
})

test('versions are shown short', () => {
  expect(shortVersion('shop@2.14.0')).toBe('2.14.0')
  expect(shortVersion('a41c9e2b7d0f4c1e9a41c9e2b7d0f4c1e9a41c9e')).toBe('a41c9e2b')
  expect(shortVersion('2.14.0')).toBe('2.14.0')
})
