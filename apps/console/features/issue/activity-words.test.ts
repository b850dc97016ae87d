import type { ApiActivity } from '@afterimage/protocol/api/issue'
import { expect, test } from 'vitest'
import { activityWords } from './activity-words.ts'

function entry(type: string, data: Record<string, unknown> = {}): ApiActivity {
  return {
    id: '1',
    type,
    user: { id: 'u', name: 'Mara' },
    dateCreated: '2026-11-20T12:00:00Z',
    data,
  }
}

const sentence = (one: ApiActivity) => {
  const { who, did } = activityWords(one)
  return `${who} ${did}`.trim()
}

test('an action of a person is written with their name', () => {
  expect(sentence(entry('set_resolved'))).toBe('Mara resolved it')
  expect(sentence(entry('set_resolved', { inNextRelease: true }))).toBe(
    'Mara resolved it in the next release',
  )
  expect(sentence(entry('set_resolved', { inRelease: 'shop@2.14.0' }))).toBe(
    'Mara resolved it in 2.14.0',
  )
  expect(sentence(entry('set_ignored', { ignoreCount: 10 }))).toBe(
    'Mara archived it until 10 more events',
  )
  expect(sentence(entry('assigned', { assigneeName: 'Jonas' }))).toBe('Mara assigned it to Jonas')
})

test('an automatic change is written without a name', () => {
  expect(sentence({ ...entry('first_seen', { release: '2.14.0' }), user: null })).toBe(
    'First seen in 2.14.0',
  )
  expect(sentence({ ...entry('set_regression'), user: null })).toBe(
    'Regressed after it was resolved',
  )
})

test('a comment is speech', () => {
  expect(activityWords(entry('note', { text: 'hello' }))).toEqual({
    who: 'Mara',
    did: 'hello',
    isSpeech: true,
  })
})

test('an entry of a kind we do not know keeps its name', () => {
  expect(sentence({ ...entry('merge_done'), user: null })).toBe('Afterimage merge done')
})
