import type { EventFrame } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { normalizeStacktrace } from './stacktrace.ts'

function frameOf(raw: Record<string, unknown>, platform = 'node'): EventFrame {
  return normalizeStacktrace({ frames: [raw] }, platform)!.frames[0]!
}

function manyOf(count: number, more: object = {}) {
  const frames = Array.from({ length: count }, (_, index) => ({
    function: `f${index}`,
    context_line: 'x',
  }))
  return normalizeStacktrace({ frames, ...more }, 'node')!
}

test.each([null, 'x', [[]], {}, { frames: {} }, { frames: [] }, { frames: [null, 'x', []] }])(
  '%j is not a stack trace',
  (raw) => expect(normalizeStacktrace(raw, 'node')).toBeNull(),
)

test('everything a frame says is kept', () => {
  const frame = {
    filename: 'a.js',
    abs_path: 'https://x.test/a.js',
    function: 'f',
    raw_function: 'g.f',
    module: 'm',
    package: 'p',
    platform: 'native',
    lineno: 7,
    colno: 8,
    in_app: true,
    context_line: 'x',
    pre_context: ['a', 'b'],
    post_context: ['c'],
    vars: { a: 1 },
    data: { b: 2 },
    debug_id: 'd',
    instruction_addr: '0x1',
  }
  expect(frameOf(frame)).toEqual(frame)
  expect(frameOf({ lineno: '7', colno: '8' })).toEqual({ in_app: true, lineno: 7, colno: 8 })
  expect(frameOf({ function: '?', lineno: 'x', filename: 7, vars: [1, 2] })).toEqual({
    in_app: true,
    filename: '7',
    vars: { 0: 1, 1: 2 },
  })
})

test.each([
  ['https://x.test/js/a.js', '/js/a.js'],
  ['https://x.test', 'https://x.test'],
  ['/srv/a.py', '/srv/a.py'],
  ['://a/b', '/b'],
])('a frame at %s without the name of its file is of %s', (abs_path, filename) => {
  expect(frameOf({ abs_path })).toMatchObject({ abs_path, filename })
})

function inApp(...frames: object[]): unknown[] {
  return normalizeStacktrace({ frames }, 'node')!.frames.map((frame) => frame.in_app)
}

test('frames are the application’s unless any says which are', () => {
  expect(inApp({}, {})).toEqual([true, true])
  expect(inApp({ in_app: true }, {})).toEqual([true, false])
  expect(inApp({ in_app: false }, { in_app: null })).toEqual([false, false])
})

test('a frame of a library is not the application’s, by its own platform', () => {
  const path = { filename: '/usr/lib/site-packages/x.py', in_app: true }
  expect(frameOf(path).in_app).toBe(true)
  expect(frameOf({ ...path, platform: 'python' }).in_app).toBe(false)
  expect(frameOf(path, 'python').in_app).toBe(false)
  const bundled = { filename: 'a.js', abs_path: 'https://unpkg.com/a.js', in_app: true }
  expect(frameOf(bundled).in_app).toBe(false)
})

test('the middle of more than 250 frames is left out, and said so', () => {
  expect(manyOf(250)).not.toHaveProperty('frames_omitted')
  expect(manyOf(250).frames).toHaveLength(250)
  const { frames, frames_omitted: omitted } = manyOf(251)
  expect(omitted).toEqual([125, 126])
  expect(frames[124]?.function).toBe('f124')
  expect(frames[125]?.function).toBe('f126')
  expect(frames).toHaveLength(250)
})

test('frames that the SDK left out are known', () => {
  expect(manyOf(2, { frames_omitted: [1, '7'] }).frames_omitted).toEqual([1, 7])
  for (const omitted of [null, 'x', [1], [null, 1], ['a', 1]]) {
    expect(manyOf(2, { frames_omitted: omitted })).not.toHaveProperty('frames_omitted')
  }
})

test('source is kept of the fifty frames nearest to the throw', () => {
  const { frames } = manyOf(51)
  expect(frames[0]).not.toHaveProperty('context_line')
  expect(frames.filter((frame) => frame.context_line === 'x')).toHaveLength(50)
})

test('the lines nearest to the frame’s own are kept, each to a bound', () => {
  const lines = Array.from({ length: 21 }, (_, index) => `l${index}`)
  const frame = frameOf({
    context_line: 'x'.repeat(1025),
    pre_context: [...lines, 7],
    post_context: lines,
  })
  expect(frame.context_line).toBe(`${'x'.repeat(1021)}...`)
  expect(frame.pre_context).toEqual([...lines.slice(2), ''])
  expect(frame.post_context).toEqual(lines.slice(0, 20))
  expect(frameOf({ context_line: 7, pre_context: [], post_context: 'x', vars: 'x' })).toEqual({
    in_app: true,
  })
})
