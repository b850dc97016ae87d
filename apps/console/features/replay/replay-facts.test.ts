import { expect, test } from 'vitest'
import { listSentence, machineOf, personOf } from './replay-facts.ts'

const replay = (count_errors: number, count_rage_clicks = 0, count_dead_clicks = 0) => ({
  count_errors,
  count_rage_clicks,
  count_dead_clicks,
})
const sentence = (...given: Parameters<typeof listSentence>) =>
  listSentence(...given)
    .map((part) => part.text)
    .join('')

test('the list opens with what was counted', () => {
  const shown = [replay(2), replay(0, 1, 1), replay(0)]
  expect(sentence({ total: 3, shown, hasMore: false })).toBe(
    '3 replays: 1 met an error, 1 clicked in rage.',
  )
  expect(sentence({ total: null, shown, hasMore: true })).toBe(
    'The newest 3 replays: 1 met an error, 1 clicked in rage.',
  )
  expect(sentence({ total: 1, shown: [replay(0)], hasMore: false })).toBe(
    'One replay, none with an error or a dead click.',
  )
})

test('a list without rows says only that: why stands below it', () => {
  expect(sentence({ total: 0, shown: [], hasMore: false })).toBe('No replays.')
})

test('a person is named by what is known of them', () => {
  const nobody = { id: null, email: null, username: null, ip: null, display_name: null }
  expect(personOf({ user: nobody })).toBe('Someone')
  expect(personOf({ user: { ...nobody, id: '81f4a09be1d24c7f9a2b33c0d4e5f6c2' } })).toBe('81f4…c2')
  expect(personOf({ user: { ...nobody, email: 'ada@example.test', id: '7' } })).toBe(
    'ada@example.test',
  )
  const known = { ...nobody, id: '7', username: 'ada', display_name: 'ada@example.test' }
  expect(personOf({ user: known })).toBe('ada')
  expect(
    machineOf({ browser: { name: 'Safari', version: '17.6' }, os: { name: null, version: null } }),
  ).toBe('Safari 17.6')
})
