import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** The protocol runs in browsers and in Node alike, and depends on nothing. */

const folder = import.meta.dirname
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))

test('sources import only their own files', () => {
  for (const { name, text } of sources) {
    const imported = [...text.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)]
    for (const [, from, bare] of imported) expect(from ?? bare, name).toMatch(/^\.\.?\//)
  }
})

test('sources name no global of Node alone or of a page alone', () => {
  const globals = /\b(Buffer|process|require|__dirname|window|document|localStorage)\s*[.([]/
  for (const { name, text } of sources) {
    const code = text.replaceAll(/\/\*.*?\*\/|\/\/[^\n]*|'[^'\n]*'|`[^`]*`/gs, '')
    expect(code, name).not.toMatch(globals)
  }
})

test('the package has no dependencies', () => {
  const manifest = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8')) as object
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([])
})
