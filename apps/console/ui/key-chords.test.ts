import { expect, test } from 'vitest'
import { CHORD_MS, keyName, nextChord } from './key-chords.ts'

const press = { hasMod: false, hasShift: false, hasAlt: false }

test('keys are named as they are typed', () => {
  expect(keyName({ ...press, key: 'j' })).toBe('j')
  expect(keyName({ ...press, key: '?', hasShift: true })).toBe('?')
  expect(keyName({ ...press, key: 'K', hasMod: true })).toBe('mod+k')
  expect(keyName({ ...press, key: 'ArrowLeft', hasShift: true })).toBe('shift+ArrowLeft')
  expect(keyName({ ...press, key: 'E', hasShift: true })).toBe('E')
})

test('caps lock types the same keys', () => {
  expect(keyName({ ...press, key: 'J' })).toBe('j')
})

test('Alt belongs to the system', () => {
  expect(keyName({ ...press, key: 'j', hasAlt: true })).toBeNull()
})

const actions = new Set(['g i', 'i', 'j'])
const known = (name: string) =>
  name.endsWith(' ') ? [...actions].some((key) => key.startsWith(name)) : actions.has(name)

test('a chord wins over its second key alone', () => {
  expect(nextChord('g', null, 0, known)).toEqual({ action: null, waiting: true })
  expect(nextChord('i', { name: 'g', at: 0 }, 500, known).action).toBe('g i')
  expect(nextChord('i', null, 500, known).action).toBe('i')
})

test('a chord that comes too late is its second key', () => {
  expect(nextChord('i', { name: 'g', at: 0 }, CHORD_MS + 1, known).action).toBe('i')
})

test('a chord that does not exist does what its second key does', () => {
  expect(nextChord('j', { name: 'g', at: 0 }, 10, known).action).toBe('j')
  expect(nextChord('z', { name: 'g', at: 0 }, 10, known)).toEqual({ action: null, waiting: false })
})
