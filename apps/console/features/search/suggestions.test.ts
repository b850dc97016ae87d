import { expect, test } from 'vitest'
import { isKeyBegun, keyToAskFor, suggest, suggestionsFor } from './suggestions.ts'

test('the beginning of a key offers keys', () => {
  expect(suggest('rel', []).map((one) => one.insert)).toEqual(['release:'])
  expect(suggest('!rel', []).map((one) => one.insert)).toEqual(['!release:'])
  expect(suggest('', [])).toHaveLength(8)
})

test('a key offers its own values and then those of the server', () => {
  expect(suggest('level:e', []).map((one) => one.insert)).toEqual(['level:error', 'level:debug'])
  expect(suggest('release:2', ['2.14.0', '2.13.4', '1.0']).map((one) => one.insert)).toEqual([
    'release:2.14.0',
    'release:2.13.4',
  ])
})

test('values with spaces are quoted', () => {
  expect(suggest('browser:', ['Mobile Safari 17'])[0]?.insert).toBe('browser:"Mobile Safari 17"')
})

test('a word that is not a key offers nothing', () => {
  expect(suggest('zzz', [])).toEqual([])
})

test('the server is asked for tags, not for what is fixed', () => {
  expect(keyToAskFor('browser:Sa')).toBe('browser')
  expect(keyToAskFor('!user.email:')).toBe('user.email')
  expect(keyToAskFor('is:')).toBeNull()
  expect(keyToAskFor('brow')).toBeNull()
})

test('one word that begins a key is a key first, and can still be meant as a word', () => {
  expect(suggestionsFor('bro', []).map((one) => one.insert)).toEqual([
    'browser:',
    'browser.name:',
    'bro',
  ])
  expect(suggestionsFor('zzz', [])).toEqual([])
  expect(isKeyBegun('bro')).toBe(true)
})

test('words, values and quotes are not taken for the beginning of a key', () => {
  for (const text of ['', 'price is', 'browser:Sa', '"bro', 'b']) {
    expect([text, isKeyBegun(text)]).toEqual([text, false])
  }
})
