import { expect, test } from 'vitest'
import { eventLimits } from './limits.ts'
import { normalizeMessage } from './message.ts'

test.each([
  ['%s and %d', ['x', 7], 'x and 7'],
  ['%r %i %f %j %s', [1, 2, 3, { a: 1 }, true], '1 2 3 {"a":1} true'],
  ['%(who)s has %(n)d', { who: 'ada', n: 7 }, 'ada has 7'],
  ['%(who)x %(n', { who: 'ada' }, '%(who)x %(n'],
  ['{} and {}', ['x', 'y'], 'x and y'],
  ['{1}{0}{1} {}', ['x', 'y'], 'yxy x'],
  ['{who} {a.b} {}', { who: 'ada', 0: 'x' }, 'ada {a.b} x'],
  ['{0} %s {} %d', ['x', 'y', 'z'], 'x x y z'],
  ['%s %s %s', ['x'], 'x %s %s'],
  ['{length} {toString}', ['x'], '1 {toString}'],
  ['%s', [null], 'null'],
  ['%% %x %s', [7], '%% %x 7'],
  ['%s', 'x', '%s'],
  ['%s', null, '%s'],
])('%j with %j reads %j', (message, params, text) => {
  expect(normalizeMessage({ message, params }, null)?.formatted).toBe(text)
})

test('the template and its parameters are kept beside the text', () => {
  expect(normalizeMessage({ message: 'a %s', params: ['x'] }, null)).toEqual({
    formatted: 'a x',
    message: 'a %s',
    params: ['x'],
  })
  expect(normalizeMessage({ message: 'a', params: null }, null)).toEqual({ formatted: 'a' })
  expect(normalizeMessage({ message: 'a %s', formatted: 'a b' }, null)).toEqual({
    formatted: 'a b',
    message: 'a %s',
  })
  expect(normalizeMessage({ formatted: 'a b', params: 7 }, null)).toEqual({
    formatted: 'a b',
    params: 7,
  })
})

test('a value without a template is read as text, the entry before the message', () => {
  expect(normalizeMessage('entry', 'message')).toEqual({ formatted: 'entry' })
  expect(normalizeMessage(null, 'message')).toEqual({ formatted: 'message' })
  expect(normalizeMessage({}, { message: 'm' })).toEqual({ formatted: 'm' })
  expect(normalizeMessage(['x'], null)).toEqual({ formatted: '["x"]' })
  for (const nothing of [null, undefined, '', {}, { params: ['x'] }]) {
    expect(normalizeMessage(nothing, nothing)).toBeNull()
  }
})

test('texts and parameters are bounded', () => {
  const long = 'x'.repeat(eventLimits.message + 1)
  const cut = `${long.slice(4)}...`
  expect(normalizeMessage(long, null)).toEqual({ formatted: cut })
  const message = normalizeMessage({ message: '%s', params: [long] }, null)
  expect(message?.formatted).toBe(cut)
  expect(JSON.stringify(message?.params).length).toBeLessThan(2100)
  expect(
    normalizeMessage({ message: `%(${'n'.repeat(65)})s`, params: { ['n'.repeat(65)]: 1 } }, null),
  ) //
    .toMatchObject({ formatted: `%(${'n'.repeat(65)})s` })
})
