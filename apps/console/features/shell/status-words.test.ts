import { expect, test } from 'vitest'
import { statusWords } from './status-words.ts'

const quiet = {
  eventsPerMinute: 12,
  queue: { waiting: 0, oldestAgeMs: null, setAside: 0 },
  disk: { usedBytes: 5 * 1024 ** 2, freeBytes: 40 * 1024 ** 3 },
  warnings: [],
}

test('a server that is fine says two things', () => {
  expect(statusWords(quiet)).toEqual({
    facts: ['12 events per minute', '5.0 MB stored, 40 GB free'],
    warnings: [],
  })
})

const standing = (oldestAgeMs: number) =>
  statusWords({ ...quiet, queue: { waiting: 1204, oldestAgeMs, setAside: 0 } })

test('a queue that stands is said, and warned of when it stands long', () => {
  expect(standing(200).facts).toHaveLength(2)
  expect(standing(4000).facts.at(-1)).toBe('1,204 waiting, the oldest for 4 s')
  expect(standing(40_000).warnings).toEqual(['1,204 waiting, the oldest for 40 s'])
})

test('items set aside and warnings of the server are shown', () => {
  const words = statusWords({
    ...quiet,
    queue: { waiting: 0, oldestAgeMs: null, setAside: 1 },
    warnings: ['The disk is nearly full'],
  })
  expect(words.warnings).toEqual(['The disk is nearly full', '1 envelope set aside'])
})

test('a state that could not be read is said', () => {
  expect(statusWords(null).warnings).toHaveLength(1)
})
