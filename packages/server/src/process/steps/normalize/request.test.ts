import type { EventRequest } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { headerOf, normalizeRequest } from './request.ts'

function requestOf(raw: Record<string, unknown>): EventRequest {
  return normalizeRequest(raw) ?? {}
}

test.each([null, undefined, 'x', [[]], {}, { url: '', headers: {}, data: null, env: null }])(
  '%j is not a request',
  (raw) => expect(normalizeRequest(raw)).toBeNull(),
)

test.each([
  [
    'https://x.test/a?b=1#c',
    { url: 'https://x.test/a', query_string: [['b', '1']], fragment: 'c' },
  ],
  ['/a#c?d', { url: '/a', fragment: 'c?d' }],
  ['/a?', { url: '/a' }],
  ['/a#', { url: '/a' }],
  ['?b', { query_string: [['b', '']] }],
  ['#c', { fragment: 'c' }],
  ['/a?b=1?c', { url: '/a', query_string: [['b', '1?c']] }],
])('the address %s is taken apart', (url, expected) => expect(requestOf({ url })).toEqual(expected))

test('members sent by themselves count before those in the address', () => {
  const raw = { url: '/a?b=1#c', query_string: 'd=2', fragment: 'e', method: 'post' }
  expect(requestOf(raw)).toEqual({
    url: '/a',
    query_string: [['d', '2']],
    fragment: 'e',
    method: 'POST',
  })
})

test.each([
  ['?a=1', [['a', '1']]],
  ['a=b=c', [['a', 'b=c']]],
  ['a%20b=c%26+d', [['a b', 'c& d']]],
  ['a+b=1', [['a b', '1']]],
  ['a=%zz+b', [['a', '%zz+b']]],
  ['=x', [['', 'x']]],
  ['', undefined],
  ['?', undefined],
  [
    { a: 1, b: null, c: ['x', 'y'] },
    [
      ['a', '1'],
      ['b', ''],
      ['c', 'x, y'],
    ],
  ],
  [
    [['a', '1'], ['a', '2'], 'x', ['', '3']],
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
  [7, undefined],
])('the query %j has the pairs %j', (query_string, pairs) => {
  expect(requestOf({ query_string }).query_string).toEqual(pairs)
})

test('a query is bounded, as text and as pairs', () => {
  const [[, text = ''] = []] = requestOf({ query_string: `a=${'x'.repeat(2000)}` })
    .query_string as [[string, string]]
  expect(text).toHaveLength(1022)
  const pairs = Array.from({ length: 9 }, (_, index) => [`k${index}`, 'x'.repeat(300)])
  const kept = requestOf({ query_string: pairs }).query_string as [string, string][]
  expect(kept.map(([, value]) => value.length)).toEqual([300, 300, 300, 118])
  const wide = { k: Array.from({ length: 9 }, () => 'x'.repeat(300)) }
  expect(requestOf({ query_string: wide }).query_string?.[0]?.[1]).toHaveLength(1024)
})

test('headers have their names in one style, and at most a hundred are kept', () => {
  const headers = { 'user-AGENT': 'x', 'x-Forwarded-for': ['a', 'b', { c: 1 }, null], dnt: 1 }
  expect(requestOf({ headers }).headers).toEqual([
    ['User-Agent', 'x'],
    ['X-Forwarded-For', 'a, b, {"c":1}, '],
    ['Dnt', '1'],
  ])
  const many = Array.from({ length: 101 }, (_, index) => [`h${index}`, 'x'])
  expect(requestOf({ headers: many }).headers).toHaveLength(100)
  expect(requestOf({ headers: many }).headers?.at(-1)).toEqual(['H99', 'x'])
})

test('the style of a name does not depend on how many were seen before', () => {
  for (let n = 0; n < 30; n += 1) {
    const headers = Array.from({ length: 50 }, (_, index) => [`x-${n}-${index}-a`, 'x'])
    expect(requestOf({ headers }).headers?.[0]).toEqual([`X-${n}-0-A`, 'x'])
  }
  expect(requestOf({ headers: { 'x-0-0-a': 'x' } }).headers).toEqual([['X-0-0-A', 'x']])
})

test('cookies come by themselves or as a header, which is not kept', () => {
  const pairs = [
    ['a', '1'],
    ['b', ''],
    ['c', 'd=e'],
  ]
  expect(requestOf({ cookies: ' a = 1 ;b; ;=x;c=d=e' })).toEqual({ cookies: pairs })
  expect(requestOf({ headers: { cookie: 'a=1;b;c=d=e', dnt: 1 } })).toEqual({
    cookies: pairs,
    headers: [['Dnt', '1']],
  })
  expect(requestOf({ cookies: { a: 1 }, headers: { Cookie: 'b=2' } })).toEqual({
    cookies: [['a', '1']],
  })
  expect(requestOf({ cookies: ' ; ' })).toEqual({})
  const many = Array.from({ length: 101 }, (_, index) => `c${index}=x`).join(';')
  expect(requestOf({ cookies: many }).cookies).toHaveLength(100)
  expect(requestOf({ cookies: `a=${'x'.repeat(3000)}` }).cookies?.[0]?.[1]).toHaveLength(2046)
})

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
test.each([
  [' {"a":1}', { a: 1 }, json],
  ['[1]', [1], json],
  ['{"a":', '{"a":', undefined],
  ['"text"', '"text"', undefined],
  [
    'a=1&b[c]=2+3',
    [
      ['a', '1'],
      ['b[c]', '2 3'],
    ],
    form,
  ],
  ['user=ada', [['user', 'ada']], form],
  ['a=1 b', 'a=1 b', undefined],
  ['<a b="1">', '<a b="1">', undefined],
  [`${'k'.repeat(257)}=1`, `${'k'.repeat(257)}=1`, undefined],
  [{ a: 1 }, { a: 1 }, undefined],
  [7, 7, undefined],
])('the body %j is %j of the type %s', (data, expected, type) => {
  expect(requestOf({ data })).toEqual({
    data: expected,
    ...(type === undefined ? {} : { inferred_content_type: type }),
  })
})

test('the type of a body is the one that was sent', () => {
  expect(requestOf({ data: '{}', inferred_content_type: 'text/x' })).toEqual({
    data: {},
    inferred_content_type: 'text/x',
  })
  expect(requestOf({ data: '', inferred_content_type: 'text/x' })).toEqual({})
})

test('a header is found by its name', () => {
  const request = {
    headers: [
      ['Accept', 'x'],
      ['Dnt', '1'],
    ],
  } as EventRequest
  expect(headerOf(request, 'Dnt')).toBe('1')
  for (const [from, name] of [
    [request, 'dnt'],
    [{}, 'Dnt'],
    [null, 'Dnt'],
    [undefined, 'Dnt'],
  ] as const) {
    expect(headerOf(from, name)).toBeNull()
  }
})

test('the environment is kept as it is', () => {
  expect(requestOf({ env: { A: '1' } })).toEqual({ env: { A: '1' } })
})
