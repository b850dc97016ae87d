import { expect, test } from 'vitest'
import { createSession, isSent, loadSession, saveSession } from './session.ts'
import { memoryStorage } from './testing/fake-surroundings.ts'

const key = 'afterimageReplay'
const sound = createSession(1, 0)

test('a saved session is loaded unchanged', () => {
  const storage = memoryStorage()
  saveSession(storage, sound)
  expect(loadSession(storage)).toEqual(sound)
  saveSession(storage, null)
  expect(loadSession(storage)).toBeNull()
})

test.each([
  ['nothing', undefined],
  ['no JSON', '{'],
  ['an id that is too long', JSON.stringify({ ...sound, id: `${sound.id}0` })],
  ['an id with something before it', JSON.stringify({ ...sound, id: `"${sound.id}` })],
  ['no number of a segment', JSON.stringify({ ...sound, segmentId: undefined })],
  ['no times', JSON.stringify({ ...sound, startedAt: 0, lastActivityAt: 0, segmentId: 0 })],
])('%s in storage is not a session', (_, text) => {
  const storage = memoryStorage()
  if (text !== undefined) storage.setItem(key, text)
  expect(loadSession(storage)).toBeNull()
})

test('without storage there is no session, and nothing is thrown', () => {
  saveSession(null, sound)
  expect(loadSession(null)).toBeNull()
})

test('a session is sent when it was sampled for that, or once an error has converted it', () => {
  expect(isSent(createSession(1, 0))).toBe(true)
  expect(isSent(createSession(0, 1))).toBe(false)
  expect(isSent({ ...createSession(0, 1), isConverted: true })).toBe(true)
})
