import type { EventProblem } from '@afterimage/protocol/event'
import { describe, expect, test } from 'vitest'
import { eventLimits } from './limits.ts'
import {
  addProblem,
  cut,
  isRecord,
  readAsText,
  readHexId,
  readInteger,
  readText,
  readValues,
  stringifyBounded,
} from './text.ts'

describe('text', () => {
  test.each([
    ['', 5, ''],
    ['12345', 5, '12345'],
    ['123456', 5, '12...'],
    ['a😀bcd', 6, 'a😀bcd'],
    ['a😀bcde', 6, 'a😀...'],
    ['ab😀cde', 6, 'ab...'],
    // Halves at the ends of their range, and the code points beside them.
    ['ab\ud800cdef', 6, 'ab...'],
    ['ab\udbffcdef', 6, 'ab...'],
    ['ab\ud7ffcde', 5, 'ab...'],
    ['ab\ud7ffcdef', 6, 'ab\ud7ff...'],
    ['ab\udc00cdef', 6, 'ab\udc00...'],
  ])('%j cut to %d is %j', (text, max, expected) => expect(cut(text, max)).toBe(expected))

  test.each<[unknown, string | null, string | null]>([
    ['x', 'x', 'x'],
    ['', null, null],
    [0, '0', '0'],
    [false, 'false', 'false'],
    [null, null, null],
    [undefined, null, null],
    [{ a: 1 }, null, '{"a":1}'],
    [[1], null, '[1]'],
    ['123456789', '12345...', '12345...'],
    [{ a: 12345 }, null, '{"a":...'],
  ])('%j is read as %j, and as text whatever it is as %j', (value, text, asText) => {
    expect(readText(value, 8)).toBe(text)
    expect(readAsText(value, 8)).toBe(asText)
  })

  test('values that JSON omits are empty, and those too deep are named', () => {
    let deep: unknown[] = []
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(stringifyBounded(undefined)).toBe('')
    expect(stringifyBounded(deep)).toBe('[Object]')
    expect(readAsText(deep, 20)).toBe('[Object]')
  })
})

test.each([
  [7, 7],
  [-7, -7],
  ['7', 7],
  ['0', 0],
  ['123456789012345', 123_456_789_012_345],
  ['1234567890123456', null],
  ['-7', null],
  ['7a', null],
  ['a7', null],
  ['', null],
  [7.5, null],
  [Number.NaN, null],
  [2 ** 53, null],
  [true, null],
  [null, null],
])('%j as an integer is %j', (value, expected) => expect(readInteger(value)).toBe(expected))

test.each([
  [{}, true],
  [[], false],
  [null, false],
  [undefined, false],
  ['x', false],
  [7, false],
])('whether %j is a record: %s', (value, expected) => expect(isRecord(value)).toBe(expected))

test.each<[unknown, readonly unknown[]]>([
  [
    [1, 2],
    [1, 2],
  ],
  [{ values: [1, 2] }, [1, 2]],
  [{ values: { type: 'Error' } }, [{ type: 'Error' }]],
  [{ type: 'Error' }, [{ type: 'Error' }]],
  [{ type: 'Error', values: null }, [{ type: 'Error', values: null }]],
  [{ values: null }, []],
  [{ values: undefined }, []],
  [{}, []],
  [null, []],
  ['Error', []],
])('the list in %j is %j', (value, expected) => expect(readValues(value)).toEqual(expected))

describe('ids', () => {
  const id = '0123456789abcdef'

  test.each<[unknown, 16 | 32, string | null]>([
    [id, 16, id],
    [id.toUpperCase(), 16, id],
    ['01234567-89ab-cdef', 16, id],
    [id + id, 32, id + id],
    [id, 32, null],
    [id + id, 16, null],
    [`${id}0`, 16, null],
    [`x${id}`, 16, null],
    ['g'.repeat(16), 16, null],
    ['0'.repeat(16), 16, null],
    [`${'0'.repeat(31)}1`, 32, `${'0'.repeat(31)}1`],
    [`x${id}${id}`, 32, null],
    [`${id}${id}0`, 32, null],
    [`${id}${'-'.repeat(48)}`, 16, id],
    [`${id}${'-'.repeat(49)}`, 16, null],
    [7, 16, null],
    [null, 16, null],
  ])('%j of %d characters is %j', (value, length, expected) => {
    expect(readHexId(value, length)).toBe(expected)
  })
})

test('problems have a value where there is one, and no more are kept than the limit', () => {
  const problems: EventProblem[] = []
  addProblem(problems, 'invalid_data', 'a', { b: 1 })
  addProblem(problems, 'invalid_data', 'a')
  addProblem(problems, 'invalid_data', 'a', '')
  expect(problems).toEqual([
    { type: 'invalid_data', name: 'a', value: '{"b":1}' },
    { type: 'invalid_data', name: 'a' },
    { type: 'invalid_data', name: 'a' },
  ])
  for (let n = 0; n < eventLimits.problems; n += 1) addProblem(problems, 'invalid_data', 'c')
  expect(problems).toHaveLength(eventLimits.problems)
})
