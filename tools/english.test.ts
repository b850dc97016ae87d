import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { objectionsTo, objectionsToComments } from './english.ts'

/** The phrases that `STYLE.md` refuses, in comments, titles, messages and documents. */

const root = fileURLToPath(new URL('..', import.meta.url))
const written = /\.(ts|tsx|mjs|css|sql|md)$/

function trackedFiles(): { readonly path: string; readonly text: string }[] {
  return execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => written.test(path) && path !== 'tools/english.test.ts')
    .flatMap((path) => {
      try {
        return [{ path, text: readFileSync(`${root}${path}`, 'utf8') }]
      } catch {
        return []
      }
    })
}

test('no tracked text says "is none", "is no X" or a bare row number', () => {
  const found = trackedFiles().flatMap(({ path, text }) =>
    objectionsTo(text).map(({ phrase, rule }) => `${path}: "${phrase}", rather ${rule}`),
  )
  expect(found).toEqual([])
})

test('no comment begins with What, Who, Of, Whether or How', () => {
  const found = trackedFiles()
    .filter(({ path }) => !path.endsWith('.md'))
    .flatMap(({ path, text }) =>
      objectionsToComments(text).map(({ phrase, rule }) => `${path}: "${phrase}", rather ${rule}`),
    )
  expect(found).toEqual([])
})

test.each([
  ['/** What a page is called. */', 1],
  ['/**\n * Whether an envelope arrived.\n */', 1],
  ['  // Of two, the first.\n', 1],
  ['/* How it works. */ /** Who may read. */', 2],
  ['/** Names a page. What follows is free. */', 0],
  ['// Reads the page:\n// What follows continues the sentence.', 0],
  ['/** Whose turn it is. */ const what = 1', 0],
])('%j has %d comments that begin so', (source, count) => {
  expect(objectionsToComments(source)).toHaveLength(count)
})

test.each([
  ['a DSN that is none', 1],
  ['A cursor\n * that is none', 1],
  ["test('what is no Error is masked')", 1],
  ['// Ports are no secrets.', 1],
  ['/** Waits five minutes (S20). */', 1],
  ['The limits (rows S12 to S26) hold.', 1],
  ['/** Protocol 3.4: the sender. */', 1],
  ['A page that is no transaction, or none (S10)', 2],
])('%j is refused', (text, count) => {
  expect(objectionsTo(text)).toHaveLength(count)
})

test.each([
  'Null when there is none.',
  'Null when there\n * are none.',
  '`refuse` when there will be none.',
  'There is no session, and there are no pages.',
  'It is no longer kept, and is no larger than its parent.',
  'Nothing is noted twice.',
  '@see docs/specification.md#s20',
  '[S20](docs/specification.md#s20)',
  "test('S20 a paused session wakes with a click')",
])('%j is right', (text) => {
  expect(objectionsTo(text)).toEqual([])
})
