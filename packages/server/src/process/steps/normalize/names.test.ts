import type { EventProblem } from '@afterimage/protocol/event'
import { expect, test } from 'vitest'
import { readDist, readEnvironment, readLevel, readPlatform, readRelease } from './names.ts'

/** Returns a reader's result for a value, and the problems that it found. */
function read(
  reader: (value: unknown, problems: EventProblem[]) => string | null,
  value: unknown,
): [string | null, string | null] {
  const problems: EventProblem[] = []
  const name = reader(value, problems)
  expect(problems.length).toBeLessThan(2)
  return [name, problems[0]?.name ?? null]
}

test.each([
  ['node', 'node'],
  ['as3', 'as3'],
  ['ruby', 'ruby'],
  ['Node', 'other'],
  ['', 'other'],
  ['brainfuck', 'other'],
  [7, 'other'],
  [['node'], 'other'],
])('the platform %j is %s', (sent, platform) => expect(readPlatform(sent)).toBe(platform))

test.each([
  [' shop@1.2.3+7 ', 'shop@1.2.3+7'],
  [7, '7'],
  ['x'.repeat(200), 'x'.repeat(200)],
  ['a b', 'a b'],
  ['latest-1', 'latest-1'],
  ['..1', '..1'],
])('%j is the release %s', (sent, release) =>
  expect(read(readRelease, sent)).toEqual([release, null]),
)

test.each([
  '.',
  '..',
  'latest',
  'x'.repeat(201),
  {},
  [[]],
  ...['\n', '\r', '\t', '\f', '/', '\\'].map((it) => `a${it}b`),
])('%j is not a valid release, and is named', (sent) =>
  expect(read(readRelease, sent)).toEqual([null, 'release']),
)

test.each([null, undefined, '', '  '])('%j is not a release, and not an error', (sent) => {
  expect(read(readRelease, sent)).toEqual([null, null])
})

test.each([
  ['production', 'production', null],
  [' Staging\tEU ', 'Staging\tEU', null],
  ['x'.repeat(64), 'x'.repeat(64), null],
  ['none', null, 'environment'],
  ['None', null, 'environment'],
  ['x'.repeat(65), null, 'environment'],
  ['a/b', null, 'environment'],
  ['a\nb', null, 'environment'],
  ['a\rb', null, 'environment'],
  ['a\fb', null, 'environment'],
  [null, null, null],
])('the environment %j is %j', (sent, name, problem) => {
  expect(read(readEnvironment, sent)).toEqual([name, problem])
})

test.each([
  ['aZ-09_.', 'a@1', 'aZ-09_.', null],
  [7, 'a@1', '7', null],
  ['7', null, null, null],
  ['a b', 'a@1', null, 'dist'],
  ['a+b', null, null, 'dist'],
  ['x'.repeat(65), 'a@1', null, 'dist'],
  [undefined, 'a@1', null, null],
])('the dist %j of the release %j is %j', (sent, release, dist, problem) => {
  expect(read((value, problems) => readDist(value, release, problems), sent)).toEqual([
    dist,
    problem,
  ])
})

test.each([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['Warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['debug', 'debug'],
  ['trace', 'debug'],
  ['sample', 'sample'],
  [60, 'fatal'],
  [50, 'fatal'],
  [49, 'error'],
  [40, 'error'],
  ['39', 'warning'],
  [30, 'warning'],
  [29, 'info'],
  [20, 'info'],
  [19, 'debug'],
  [1, 'debug'],
  [0, null],
  [-10, null],
  ['loud', null],
  ['', null],
  [null, null],
])('the level %j is %j', (sent, level) => expect(readLevel(sent)).toBe(level))
