import type { EventException } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { adoptStacktrace, normalizeExceptions, normalizeThreads } from './exceptions.ts'

function exceptionOf(raw: Record<string, unknown>): EventException | undefined {
  return normalizeExceptions([raw], 'node')[0]
}

const stacktrace = { frames: [{ function: 'f' }] }
const normalized = { frames: [{ function: 'f', in_app: true }] }

test('everything an exception says is kept', () => {
  const mechanism = {
    type: 'onerror',
    handled: false,
    synthetic: true,
    is_exception_group: false,
    exception_id: 1,
    parent_id: 0,
    description: 'd',
    help_link: 'h',
    source: 's',
    data: { a: 1 },
    meta: { b: 2 },
  }
  const exception = { type: 'E', value: 'v', module: 'm', thread_id: 7, mechanism }
  expect(exceptionOf({ ...exception, stacktrace, raw_stacktrace: stacktrace })).toEqual({
    ...exception,
    stacktrace: normalized,
    raw_stacktrace: normalized,
  })
  const loose = { handled: 'no', exception_id: 'x', data: 'x', description: null }
  expect(exceptionOf({ type: 'E', thread_id: 'main', mechanism: loose })).toEqual({
    type: 'E',
    thread_id: 'main',
    mechanism: { type: 'generic' },
  })
})

test.each([{}, { value: '' }, { type: null, mechanism: { type: 'x' } }, { module: 'm' }])(
  'one that says only %j says nothing, and is left out',
  (raw) => expect(exceptionOf(raw)).toBeUndefined(),
)

test('a stack trace alone is an exception', () => {
  expect(exceptionOf({ stacktrace })).toEqual({ stacktrace: normalized })
})

test.each([
  ['E: x', 'E', 'x'],
  ['E:x', 'E', 'x'],
  ['E:  x', 'E', ' x'],
  ['a.b$C_1: x\ny', 'a.b$C_1', 'x\ny'],
  ['E: ', 'E', undefined],
  ['E:', 'E', undefined],
  ['1E: x', undefined, '1E: x'],
  ['an E: x', undefined, 'an E: x'],
  [': x', undefined, ': x'],
  [`${'E'.repeat(128)}: x`, 'E'.repeat(128), 'x'],
  [`${'E'.repeat(129)}: x`, undefined, `${'E'.repeat(129)}: x`],
])('the value %j without a type is of the type %s and reads %j', (sent, type, value) => {
  expect(exceptionOf({ value: sent })).toEqual({
    ...(type === undefined ? {} : { type }),
    ...(value === undefined ? {} : { value }),
  })
})

test('a value keeps its first word where the type was sent, or there is none', () => {
  expect(exceptionOf({ type: 'T', value: 'E: x' })).toEqual({ type: 'T', value: 'E: x' })
  const mechanism = { type: 'generic', synthetic: true }
  expect(exceptionOf({ value: 'cart: x', mechanism })?.value).toBe('cart: x')
  const real = { type: 'generic', synthetic: false }
  expect(exceptionOf({ value: 'E: x', mechanism: real })?.value).toBe('x')
})

test('the last fifty exceptions are kept, other values are left out', () => {
  const many = Array.from({ length: 51 }, (_, index) => ({ type: `E${index}` }))
  const kept = normalizeExceptions({ values: many }, 'node')
  expect(kept.map(({ type }) => type)).toEqual(many.slice(1).map(({ type }) => type))
  expect(normalizeExceptions([null, 'x', [], { type: 'E' }], 'node')).toEqual([{ type: 'E' }])
})

test('everything a thread says is kept, of a hundred of them', () => {
  const thread = {
    id: 7,
    name: 'main',
    state: 'RUNNABLE',
    crashed: true,
    current: false,
    main: true,
  }
  expect(normalizeThreads([{ ...thread, stacktrace }, {}, 'x'], 'node')).toEqual([
    { ...thread, stacktrace: normalized },
    {},
  ])
  expect(normalizeThreads([{ id: 'a', crashed: 'yes' }], 'node')).toEqual([{ id: 'a' }])
  const many = Array.from({ length: 101 }, (_, id) => ({ id }))
  expect(normalizeThreads(many, 'node')).toEqual(many.slice(0, 100))
})

test('a stack trace sent beside a single exception without one becomes its own', () => {
  const own: EventException = { type: 'E' }
  expect(adoptStacktrace([own], normalized)).toBe(true)
  expect(own.stacktrace).toBe(normalized)
  const other = { frames: [] }
  expect(adoptStacktrace([own], other)).toBe(false)
  expect(own.stacktrace).toBe(normalized)
  const [first, second]: EventException[] = [{ type: 'A' }, { type: 'B' }]
  expect(adoptStacktrace([first!, second!], normalized)).toBe(false)
  expect(first).toEqual({ type: 'A' })
  expect(adoptStacktrace([], normalized)).toBe(false)
  expect(adoptStacktrace([first!], null)).toBe(false)
})
