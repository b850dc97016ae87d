import { expect, test } from 'vitest'
import { announcesLargeItem } from './large-items.ts'

function isLarge(...lines: string[]): boolean {
  return announcesLargeItem(Buffer.from(lines.join('\n')))
}

test.each(['attachment', 'profile', 'profile_chunk'])(
  'an item of the type %s may be large',
  (type) => {
    expect(isLarge('{}', `{"type":"${type}"}`, 'x')).toBe(true)
    expect(isLarge('{}', `{"type":"${type}","length":100}`)).toBe(true)
    expect(isLarge('{}', `{"type":"x${type}"}`, 'x')).toBe(false)
  },
)

test('a large item is found behind others, with and without a length', () => {
  const large = '{"type":"attachment"}'
  expect(isLarge('{}', '{"type":"event"}', '{"a":1}', large, 'x')).toBe(true)
  expect(isLarge('{}', '{"type":"event","length":9}', '{"a":1}\n.', large, 'x')).toBe(true)
  expect(isLarge('{}', '{"type":"event","length":0}', '', large, 'x')).toBe(true)
  expect(isLarge('{}', '{"type":"event"}', '{"a":1}')).toBe(false)
})

test('a payload is not taken for an item', () => {
  expect(isLarge('{}', '{"type":"event"}', '{"type":"attachment"}', '{"type":"event"}')).toBe(false)
  expect(isLarge('{}', '{"type":"event","length":99}', '{"type":"attachment"}')).toBe(false)
})

test.each(['-1', '0.5', '"3"', 'null'])('a length of %s counts as absent', (length) => {
  const first = `{"type":"event","length":${length}}`
  expect(isLarge('{}', first, '{"a":1}', '{"type":"attachment"}')).toBe(true)
})

test('nothing is announced by what cannot be read', () => {
  expect(isLarge('')).toBe(false)
  expect(isLarge('{}')).toBe(false)
  expect(isLarge('{}', 'nonsense', '{"type":"attachment"}')).toBe(false)
  const long = JSON.stringify({ type: 'attachment', x: 'x'.repeat(1_000_000) })
  expect(isLarge('{}', long)).toBe(false)
})
