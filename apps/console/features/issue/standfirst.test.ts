import type { ApiTag } from '@afterimage/protocol/api/issue'
import { expect, test } from 'vitest'
import { percent, standfirstOf } from './standfirst.ts'
import type { Step } from './steps.ts'

const now = Date.parse('2026-11-20T12:46:00Z')
const issue = {
  count: '412',
  userCount: 187,
  firstSeen: '2026-11-20T10:46:00Z',
  lastSeen: '2026-11-20T12:46:00Z',
  tags: [],
  replayCount: 38,
}

function tag(key: string, ...counts: (readonly [string, number])[]): ApiTag {
  return {
    key,
    name: key,
    totalValues: counts.reduce((sum, [, count]) => sum + count, 0),
    uniqueValues: counts.length,
    topValues: counts.map(([value, count]) => ({ key, value, name: value, count, lastSeen: null })),
  }
}

const click: Step = {
  at: -6400,
  marker: 'click',
  kind: 'actions',
  verb: 'Clicked',
  object: '“Apply”',
  arrow: null,
  result: '',
  isFailed: false,
  data: null,
}

const words = (...args: Parameters<typeof standfirstOf>) =>
  standfirstOf(...args)
    .map((part) => (typeof part === 'string' ? part : part.strong))
    .join('')

test('people, events, release, step and browser', () => {
  const tags = [
    tag('release', ['shop@2.14.0', 412]),
    tag('browser', ['Safari 17.6', 375], ['Safari 18.0', 37]),
  ]
  expect(words({ ...issue, tags }, click, now)).toBe(
    '187 people, 412 events in two hours, all on 2.14.0. Here it follows a click on “Apply”. 91 % of 412 use Safari 17.6.',
  )
})

test('an element without a name is its selector, bare', () => {
  expect(words(issue, { ...click, object: 'button#boom' }, now)).toContain(
    'it follows a click on button#boom.',
  )
})

test('without tags and steps it is one short sentence', () => {
  expect(words(issue, null, now)).toBe('187 people, 412 events in two hours.')
  expect(words({ ...issue, userCount: 0, count: '3' }, null, now)).toBe(
    'Three events in two hours.',
  )
})

test('a single event says when', () => {
  expect(words({ ...issue, count: '1', userCount: 0 }, null, now)).toBe('Once, two hours ago.')
  expect(words({ ...issue, count: '1', userCount: 1 }, null, now)).toBe(
    'One person, two hours ago.',
  )
})

test('a release that only most have is a share; a split one is not said', () => {
  const most = { ...issue, tags: [tag('release', ['2.14.0', 90], ['2.13.4', 10])] }
  expect(words(most, null, now)).toContain(', 90 % of 100 on 2.14.0.')
  const split = { ...issue, tags: [tag('release', ['2.14.0', 60], ['2.13.4', 40])] }
  expect(words(split, null, now)).not.toContain('2.14.0')
})

test('a share of fewer than twenty events is not said', () => {
  const few = [tag('release', ['2.14.0', 18], ['2.13.4', 1]), tag('browser', ['Safari 17.6', 19])]
  expect(words({ ...issue, count: '19', tags: few }, null, now)).toBe(
    '187 people, 19 events in two hours.',
  )
  const enough = [
    tag('release', ['2.14.0', 19], ['2.13.4', 1]),
    tag('browser', ['Safari 17.6', 20]),
  ]
  expect(words({ ...issue, count: '20', tags: enough }, null, now)).toBe(
    '187 people, 20 events in two hours, 95 % of 20 on 2.14.0. All use Safari 17.6.',
  )
})

test('"all" is not said when events without a release exist', () => {
  const some = { ...issue, tags: [tag('release', ['2.14.0', 100])] }
  expect(words(some, null, now)).not.toContain('all on')
})

test('a navigation is a visit', () => {
  const step: Step = {
    ...click,
    marker: 'navigation',
    verb: null,
    object: '/basket',
    arrow: '/checkout',
  }
  expect(words(issue, step, now)).toContain('Here it follows a visit to /checkout.')
})

test('shares are never rounded to all or to none', () => {
  expect([1, 0.999, 0.5, 0.001, 0].map(percent)).toEqual(['100 %', '99 %', '50 %', '< 1 %', '0 %'])
})
