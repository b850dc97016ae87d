import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { isSearchProblem, parseSearch } from './parse.ts'

const short = (text: string) => {
  const tree = parseSearch(text)
  if (isSearchProblem(tree)) return tree
  return tree.map((term) => {
    const not = term.isNegated ? '!' : ''
    return term.type === 'text'
      ? `${not}text(${term.text})`
      : `${not}${term.key} ${term.comparison} ${term.values.join('|')}${term.isQuoted ? ' quoted' : ''}`
  })
}

test.each([
  ['', []],
  ['  ', []],
  ['is:unresolved level:error', ['is = unresolved', 'level = error']],
  ['!browser:Safari', ['!browser = Safari']],
  ['timesSeen:>5 firstSeen:<=2026-01-02', ['timesSeen > 5', 'firstSeen <= 2026-01-02']],
  [
    'user.email:x@y.z has:replay assigned:me',
    ['user.email = x@y.z', 'has = replay', 'assigned = me'],
  ],
  ['"free text" word', ['text(free text)', 'text(word)']],
  ['!"not this"', ['!text(not this)']],
  ['url:"a \\"b\\" *"', ['url = a "b" * quoted']],
  ['release:[1.0, "2 0",3]', ['release = 1.0|2 0|3']],
  ['release:shop@1.4+7', ['release = shop@1.4+7']],
  ['https://example.com/a:b', ['text(https://example.com/a:b)']],
  ['message:*timeout*', ['message = *timeout*']],
  ['a:b:c', ['a = b:c']],
])('%s', (text, expected) => {
  expect(short(text)).toEqual(expected)
})

test.each([
  ['level:', 6, 'needs a value'],
  ['is:unresolved level: x', 20, 'needs a value'],
  ['timesSeen:>', 11, 'needs a value'],
  ['say "hello', 4, 'never closed'],
  ['url:"x', 4, 'never closed'],
  ['release:[1.0', 8, 'never closed'],
  ['release:[]', 8, 'at least one'],
  ['! x', 0, 'before a word'],
  ['x'.repeat(2001), 2000, 'at most'],
  ['x '.repeat(51), 100, 'at most'],
])('%s is refused with its place', (text, position, detail) => {
  expect(parseSearch(text)).toEqual({
    type: 'problem',
    position,
    detail: expect.stringContaining(detail),
  })
})

test('any text is a tree or a problem, within its length', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 200 }), (text) => {
      const tree = parseSearch(text)
      if (isSearchProblem(tree)) expect(tree.position).toBeLessThanOrEqual(text.length)
    }),
  )
})
