import { expect, test } from 'vitest'
import { freshness } from './fresh.ts'
import { sampleIssue } from './sample-issue.fixture.ts'

const drawnAt = Date.parse('2026-11-20T12:00:00Z')
const drawn = [sampleIssue({ id: '1', count: '10' }), sampleIssue({ id: '2', count: '5' })]

test('more events in known issues are counted', () => {
  const latest = [sampleIssue({ id: '1', count: '17' }), sampleIssue({ id: '2', count: '5' })]
  expect(freshness(drawn, latest, drawnAt)).toEqual({ events: 7, issues: 1 })
})

test('an issue that began since brings all its events', () => {
  const born = sampleIssue({
    id: '3',
    count: '4',
    firstSeen: '2026-11-20T12:00:05Z',
    lastSeen: '2026-11-20T12:00:09Z',
  })
  expect(freshness(drawn, [born, ...drawn], drawnAt)).toEqual({ events: 4, issues: 1 })
})

test('an older issue that slid in is news only when it was seen since', () => {
  const slid = sampleIssue({ id: '3', lastSeen: '2026-11-20T11:00:00Z' })
  const seen = sampleIssue({ id: '4', count: '900', lastSeen: '2026-11-20T12:00:09Z' })
  expect(freshness(drawn, [slid], drawnAt)).toEqual({ events: 0, issues: 0 })
  expect(freshness(drawn, [seen], drawnAt)).toEqual({ events: 1, issues: 1 })
})

test('counts that fall (another range) are not news', () => {
  expect(freshness(drawn, [sampleIssue({ id: '1', count: '3' })], drawnAt).events).toBe(0)
})
