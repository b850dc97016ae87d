import type { EventProblem } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { normalizeTags } from './tags.ts'

function tagged(raw: unknown): { readonly tags: object; readonly problems: unknown[] } {
  const problems: EventProblem[] = []
  const tags = normalizeTags(raw, problems)
  return { tags, problems: problems.map(({ name }) => name) }
}

test('values are text, numbers and booleans; what says nothing is left out', () => {
  const raw = { a: ' x ', b: 0, c: true, d: false, e: null, f: '', g: undefined }
  expect(tagged(raw)).toEqual({ tags: { a: 'x', b: '0', c: 'True', d: 'False' }, problems: [] })
})

test('keys are trimmed, their spaces dashes, and those of the event’s own members left out', () => {
  const raw = {
    ' a b c ': 1,
    release: 1,
    dist: 1,
    user: 1,
    filename: 1,
    function: 1,
    environment: 1,
  }
  expect(tagged(raw)).toEqual({ tags: { 'a-b-c': '1', environment: '1' }, problems: [] })
})

test.each<[string, unknown]>([
  ['a/b', 'x'],
  ['', 'x'],
  ['a\tb', 'x'],
  ['k'.repeat(201), 'x'],
  ['k', 'x'.repeat(201)],
  ['k', 'x\ny'],
  ['k', '  '],
  ['k', {}],
  ['k', ['x']],
])('the tag %s with the value %j is left out and named', (key, value) => {
  expect(tagged([[key, value]])).toEqual({ tags: {}, problems: [`tags.${key.slice(0, 200)}`] })
})

test.each<[string, string]>([
  ['größe', 'm'],
  ['a_B.c:d-0', 'x'],
  ['k'.repeat(200), 'x'],
  ['k', 'x'.repeat(200)],
])('the tag %s with the value %j is kept', (key, value) => {
  expect(tagged({ [key]: value })).toEqual({ tags: { [key]: value }, problems: [] })
})

test('a list holds pairs in either form, of which the first of a key counts', () => {
  const pairs = [
    ['a', 'x'],
    { key: 'a', value: 'y' },
    { key: 'b', value: 'z' },
    [7, true],
    [false, 1],
    { key: 8, value: 'n' },
  ]
  expect(
    tagged([...pairs, 'c', null, [], [{}, 'x'], [null, 'x'], { key: {}, value: 'x' }]),
  ).toEqual({
    tags: { a: 'x', b: 'z', '7': 'True', false: '1', '8': 'n' },
    problems: [],
  })
  for (const raw of ['a', 7, null, undefined]) expect(normalizeTags(raw)).toEqual({})
})

test('the first hundred are kept, the others named', () => {
  const raw = Array.from({ length: 102 }, (_, index) => [`k${index}`, 'x'])
  const { tags, problems } = tagged([['k0', 'x'], ...raw])
  expect(Object.keys(tags)).toHaveLength(100)
  expect(problems).toEqual(['tags.k100', 'tags.k101'])
})

test('no key sets a prototype', () => {
  const { tags, problems } = tagged(JSON.parse('{"__proto__":"x"}'))
  expect(Object.keys(tags)).toEqual([])
  expect(problems).toEqual(['tags.__proto__'])
})
