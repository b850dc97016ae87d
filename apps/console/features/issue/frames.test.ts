import type { ApiFrame } from '@afterimage/protocol/api/event'
import { expect, test } from 'vitest'
import { exceptionsOf, foldedWords, packageOf, placeOf, stackParts } from './frames.ts'

function frame(change: Partial<ApiFrame> = {}): ApiFrame {
  return {
    filename: 'app.js',
    absPath: null,
    module: null,
    package: null,
    function: 'f',
    rawFunction: null,
    lineNo: 1,
    colNo: null,
    inApp: true,
    context: [[1, 'x']],
    vars: null,
    platform: null,
    ...change,
  }
}

const vendor = (name: string) =>
  frame({ inApp: false, context: [], absPath: `https://x/node_modules/${name}/index.js` })

const stack = (frames: ApiFrame[]) => ({ frames, framesOmitted: null, hasSystemFrames: true })

test('the newest frame of ours is first and open', () => {
  const parts = stackParts(stack([frame({ function: 'old' }), frame({ function: 'new' })]), false)
  expect(parts.map((part) => part.type === 'frame' && [part.frame.function, part.isOpen])).toEqual([
    ['new', true],
    ['old', false],
  ])
})

test('frames of others are folded where they stand together', () => {
  const parts = stackParts(
    stack([vendor('scheduler'), frame(), vendor('react-dom'), vendor('scheduler'), frame()]),
    false,
  )
  expect(parts.map((part) => (part.type === 'folded' ? part.words : 'frame'))).toEqual([
    'frame',
    '2 frames in scheduler and react-dom',
    'frame',
    'frame',
  ])
})

test('shown in full, or with none of ours, nothing is folded', () => {
  const frames = [vendor('a'), vendor('b'), frame()]
  expect(stackParts(stack(frames), true)).toHaveLength(3)
  expect(stackParts(stack([vendor('a'), vendor('b')]), false)).toHaveLength(2)
})

test('folds name at most two packages', () => {
  expect(foldedWords([vendor('a'), vendor('b'), vendor('c')])).toBe('3 frames in a, b and 1 more')
  expect(foldedWords([frame({ filename: null }), frame({ filename: null })])).toBe(
    '2 frames of others',
  )
})

test('packages are read from paths', () => {
  expect(packageOf(vendor('@scope/lib'))).toBe('@scope/lib')
  expect(packageOf(frame({ absPath: '/a/node_modules/.pnpm/x@1/node_modules/x/i.js' }))).toBe('x')
  expect(packageOf(frame({ absPath: 'node:internal/timers' }))).toBe('Node')
  expect(packageOf(frame({ absPath: '/usr/lib/python3/site-packages/django/core.py' }))).toBe(
    'django',
  )
})

test('places have line and column when they are known', () => {
  expect(placeOf(frame({ lineNo: 87, colNo: 42 }))).toBe('app.js:87:42')
  expect(placeOf(frame({ lineNo: null }))).toBe('app.js')
})

const exception = (type: string) => ({
  type,
  value: null,
  module: null,
  threadId: null,
  mechanism: null,
  stacktrace: null,
  rawStacktrace: null,
})

test('a chain begins with what was thrown last', () => {
  const chain = exceptionsOf({
    entries: [
      {
        type: 'exception',
        data: { values: [exception('Cause'), exception('Thrown')], hasSystemFrames: false },
      },
    ],
  })
  expect(chain.map((one) => [one.exception.type, one.relation])).toEqual([
    ['Thrown', null],
    ['Cause', 'Caused by'],
  ])
  expect(exceptionsOf({ entries: [] })).toEqual([])
})

const member = (id: number, parent: number | null, isGroup = false) => ({
  ...exception(`E${id}`),
  mechanism: {
    type: 'chained',
    handled: null,
    exception_id: id,
    ...(parent === null ? {} : { parent_id: parent }),
    ...(isGroup ? { is_exception_group: true } : {}),
  },
})

test('members of a group are not causes of one another', () => {
  const values = [member(3, 2), member(2, 0), member(1, 0), member(0, null, true)]
  const chain = exceptionsOf({
    entries: [{ type: 'exception', data: { values, hasSystemFrames: false } }],
  })
  expect(chain.map((one) => one.relation)).toEqual([
    null,
    'One of the group',
    'One of the group',
    'Caused by',
  ])
})
