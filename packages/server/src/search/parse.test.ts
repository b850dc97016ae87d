import { array, assert, constantFrom, oneof, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { leavesOf, parseSearch, type SearchTerm } from './parse.ts'

const short = (text: string) => {
  const { tree, problems } = parseSearch(text)
  expect(problems).toEqual([])
  return tree.map(shortTerm)
}

function shortTerm(term: SearchTerm): string {
  if (term.type === 'any') {
    return `(${term.alternatives.map((one) => one.map(shortTerm).join(' & ')).join(' | ')})`
  }
  const not = term.isNegated ? '!' : ''
  return term.type === 'text'
    ? `${not}text(${term.text})`
    : `${not}${term.key} ${term.comparison} ${term.values.join('|')}${term.isQuoted ? ' quoted' : ''}`
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
  ['tags[url]:/cart !tags[a b]:x', ['tags[url] = /cart', '!text(tags[a)', 'text(b]:x)']],
  ['a OR b', ['(text(a) | text(b))']],
  ['a b OR c', ['(text(a) & text(b) | text(c))']],
  ['a (b OR level:error)', ['text(a)', '(text(b) | level = error)']],
  ['(a b)', ['text(a)', 'text(b)']],
  ['a AND b', ['text(a)', 'text(b)']],
  ['!(a b)', ['(!text(a) | !text(b))']],
  ['!(a OR !b:c)', ['!text(a)', 'b = c']],
  ['((a OR b) c) OR d', ['((text(a) | text(b)) & text(c) | text(d))']],
  ['(message:pay(card) OR b)', ['(message = pay(card) | text(b))']],
  ['or "OR"', ['text(or)', 'text(OR)']],
  [':)', ['text(:))']],
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
  ['a OR', 2, 'between two terms'],
  ['OR a', 0, 'between two terms'],
  ['a OR OR b', 5, 'between two terms'],
  ['(a b', 0, 'never closed'],
  ['a ()', 2, 'nothing between'],
  ['a )', 2, 'never opened'],
])('%s is refused with its place', (text, position, detail) => {
  expect(parseSearch(text).problems).toEqual([
    {
      type: 'problem',
      position,
      from: expect.any(Number),
      to: expect.any(Number),
      detail: expect.stringContaining(detail),
    },
  ])
})

test.each([
  ['is:unresolved level: x', ['is', 'text'], ['level:']],
  ['a say "hello world', ['text', 'text'], ['"hello world']],
  ['release:[1.0 is:new', [], ['release:[1.0 is:new']],
  ['release:[] x level:', ['text'], ['release:[]', 'level:']],
  ['! x', ['text'], ['!']],
  ['a OR level:', ['text'], ['OR', 'level:']],
  ['(level:) (x', ['text'], ['(level:)', '(']],
])('what is wrong with %s is cut out, and the rest means what it says', (text, kept, cut) => {
  const { tree, problems } = parseSearch(text)
  expect(leavesOf(tree).map((term) => (term.type === 'text' ? 'text' : term.key))).toEqual(kept)
  expect(problems.map(({ from, to }) => text.slice(from, to))).toEqual(cut)
})

test('any text is terms and problems, each in its own place, in order', () => {
  assert(
    property(string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { tree, problems } = parseSearch(text)
      const places = [
        ...leavesOf(tree).map(({ position, end }) => [position, end] as const),
        ...problems.map(({ from, to }) => [from, to] as const),
      ].toSorted((a, b) => a[0] - b[0])
      let last = 0
      for (const [from, to] of places) {
        expect(from).toBeGreaterThanOrEqual(last)
        expect(to).toBeGreaterThan(from)
        last = to
      }
      expect(last).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('without the parts that are wrong nothing is wrong', () => {
  const words = array(
    oneof(
      constantFrom(
        'a',
        'level:',
        'x:"',
        'r:[',
        '!',
        'is:new',
        'b:[]',
        '"',
        'OR',
        '(',
        ')',
        '!(',
        '()',
      ),
      string(),
    ),
    { maxLength: 8 },
  ).map((parts) => parts.join(' '))
  assert(
    property(words, (text) => {
      const rest = parseSearch(text).problems.reduceRight(
        (left, { from, to }) => `${left.slice(0, from)} ${left.slice(to)}`,
        text,
      )
      expect(parseSearch(rest).problems).toEqual([])
    }),
  )
})
