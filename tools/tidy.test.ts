import { readFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Rules about the code itself, each with its reason. */

const root = fileURLToPath(new URL('..', import.meta.url))
const LINES_MAX = 400

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  .map((path) => ({ path, text: readText(path) }))
  .filter((file) => file.text !== '')

// A contract suite is a list of tests in one function.
const sources = files.filter(
  ({ path }) => !/(\.(test|spec)\.tsx?|\/contract(\.ts|\/.*\.ts))$/.test(path),
)

function readText(path: string): string {
  try {
    return readFileSync(`${root}${path}`, 'utf8')
  } catch {
    return ''
  }
}

test('no source file is longer than 400 lines: it becomes a folder with the same export', () => {
  const long = sources.filter(({ text }) => text.split('\n').length - 1 > LINES_MAX)
  expect(long.map(({ path, text }) => `${path} ${text.split('\n').length - 1}`)).toEqual([])
})

test('files are kebab-case and named after what they export', () => {
  // Next names its own files: _app, [param], (group), instrumentation-client.
  const odd = files.filter(({ path }) => {
    const name = path.split('/').at(-1) ?? ''
    return !/^[a-z0-9_[\]().-]+$/.test(name) || /^(utils?|helpers?|common|misc|types)\./.test(name)
  })
  expect(odd.map(({ path }) => path)).toEqual([])
})

test('no folder is called utils, helpers, common or misc', () => {
  expect(
    files.map(({ path }) => path).filter((path) => /\/(utils?|helpers?|common|misc)\//.test(path)),
  ).toEqual([])
})

test('no marker of unfinished work is left', () => {
  // Spelled backwards, or this file would be the first to be found.
  const words = ['ODOT', 'EMXIF', 'XXX', 'KCAH'].map((word) => Array.from(word).reverse().join(''))
  const marker = new RegExp(`\\b(${words.join('|')})\\b`)
  const marked = files.filter(
    ({ path, text }) => marker.test(text) && !path.endsWith('tidy.test.ts'),
  )
  expect(marked.map(({ path }) => path)).toEqual([])
})

test('no test is focused or skipped', () => {
  const focused = /\b(it|test|describe)\.(only|skip|todo)\(/
  const tests = files.filter(
    ({ path }) => /\.(test|spec)\.tsx?$/.test(path) && !path.endsWith('tidy.test.ts'),
  )
  expect(tests.filter(({ text }) => focused.test(text)).map(({ path }) => path)).toEqual([])
})

test('the environment is read in one file of the server', () => {
  const readers = sources.filter(
    ({ path, text }) => path.startsWith('packages/server/') && /process\.env\b/.test(text),
  )
  expect(readers.map(({ path }) => path).filter((path) => !path.endsWith('/env.ts'))).toEqual([])
})

test('no type is any', () => {
  const any = /(:\s*any\b|\bas any\b|<any>|any\[\])/
  expect(sources.filter(({ text }) => any.test(text)).map(({ path }) => path)).toEqual([])
})
