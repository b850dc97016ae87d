import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../packages/server/src/errors.ts'

/** The claims of the documents are compared with the code, in both directions. */

const root = fileURLToPath(new URL('..', import.meta.url))

function read(path: string): string {
  return readFileSync(`${root}${path}`, 'utf8')
}

test('docs/errors.md lists exactly the error codes there are', () => {
  const listed = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)` \| (\d+) \|/gm)].map((it) => [
    it[1],
    Number(it[2]),
  ])
  expect(listed).toEqual(Object.entries(errorCodes).map(([code, { status }]) => [code, status]))
})

test('docs/operating.md lists exactly the settings that are read', () => {
  const readVariables = [
    ...read('packages/server/src/env.ts').matchAll(/(?:text|secret)\('([A-Z_]+)'\)/g),
  ].map((it) => it[1])
  const forTests = new Set(['AFTERIMAGE_TEST_CLOCK'])
  const table = read('docs/operating.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const listed = table.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map((it) => it[1]),
  )
  expect(new Set(listed)).toEqual(
    new Set(readVariables.filter((name) => !forTests.has(name ?? ''))),
  )
})

test('every dependency is pinned exactly and has its line in the record of decisions', () => {
  const record = read('docs/adr/0002-dependencies.md')
  const missing: string[] = []
  for (const folder of ['.', ...workspaces()]) {
    const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest
    for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
      for (const [name, version] of Object.entries(manifest[kind] ?? {})) {
        expect(version, `${folder}: ${name}`).toMatch(/^\d+\.\d+\.\d+/)
        const isOurs = name.startsWith('@afterimage/') || name.startsWith('@types/')
        if (!isOurs && !record.includes(name.replace(/^@fontsource-variable\//, ''))) {
          missing.push(`${folder}: ${name}`)
        }
      }
    }
  }
  expect(missing).toEqual([])
})

test('docs/specification.md has every row, and every file and test that it names exists', () => {
  const text = read('docs/specification.md')
  const rows = text.split(/^## /m).slice(1)
  const names = rows.map((row) => row.split('\n', 1)[0])
  expect(names).toEqual(Array.from({ length: 27 }, (_, index) => `S${index + 1}`))
  for (const row of rows) {
    const tests = [...row.matchAll(/^- `([^`]+)`: “(.+)”$/gm)]
    expect([row.split('\n', 1)[0], tests.length]).not.toContain(0)
    for (const [, path = '', title = ''] of tests) {
      expect(read(path).includes(title), `${path}: ${title}`).toBe(true)
    }
  }
  for (const [, link = ''] of text.matchAll(/\]\((\.\.\/[^)#]+)\)/g)) {
    const path = decodeURIComponent(link).replace('../', '')
    expect(existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url))), path).toBe(true)
  }
})

test('docs/specification.md has the numbers of the constants that it names', async () => {
  const compared: string[] = []
  for (const row of read('docs/specification.md').split(/^## /m).slice(1)) {
    const limits = await limitsOf(row)
    let numbers: number[] = []
    // A number in bold, or the names in brackets of the numbers since the last ones.
    for (const [, number, named] of row.matchAll(/\*\*([\d,]+)\*\*|\(((?:`\w+`(?:, )?)+)\)/g)) {
      if (number !== undefined) {
        numbers.push(Number(number.replaceAll(',', '')))
        continue
      }
      if (numbers.length === 0) continue
      const names = [...(named ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
      const values = names.map((name) => limits[name])
      // The document gives, for a list of waits, the length.
      const inCode = values.map((value) => (Array.isArray(value) ? value.length : value))
      expect(inCode, names.join()).toEqual(numbers)
      compared.push(...names)
      numbers = []
    }
  }
  expect(compared.length).toBeGreaterThanOrEqual(17)
})

/** Returns the constants of the files called `limits.ts` to which a row links. */
async function limitsOf(row: string): Promise<Readonly<Record<string, unknown>>> {
  const files = [...row.matchAll(/\]\((\.\.\/[^)]+\/limits\.ts)\)/g)].map(([, file = '']) => file)
  const modules = files.map((file) => import(new URL(`../docs/${file}`, import.meta.url).href))
  return Object.assign({}, ...(await Promise.all(modules))) as Record<string, unknown>
}

test('every path that ARCHITECTURE.md names exists, in the repository or in the server', () => {
  const named = codeOf('ARCHITECTURE.md').filter((code) =>
    /^(?![/@…]|node:)[^\s…]*(\/[^\s…]*|\.(ts|tsx|mjs|md))$/.test(code),
  )
  expect(named.length).toBeGreaterThan(80)
  expect(named.filter((path) => !isThere(path) && !isThere(`packages/server/src/${path}`))).toEqual(
    [],
  )
})

test('every path of the repository that another document names exists', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md']
  const folders = /^(packages|apps|tools|e2e|bench|fixtures|examples|docs)\/[^\s…]+$/
  const missing = [...documents, ...globSync('docs/{,sdk/}*.md', { cwd: root })].flatMap(
    (document) =>
      codeOf(document)
        .flatMap((code) => code.split(/\s+/))
        .filter((path) => folders.test(path) && !isThere(path))
        .map((path) => `${document}: ${path}`),
  )
  expect(missing).toEqual([])
})

/** Returns the texts between backticks in a document, on one line. */
function codeOf(document: string): string[] {
  return [...read(document).matchAll(/(?<!`)`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** A part in angle brackets stands for any name; a place within a file is left out. */
function isThere(place: string): boolean {
  const path = place.replace(/#.*/, '')
  if (existsSync(`${root}${path}`)) return true
  return globSync(path.replaceAll(/<[^>]*>/g, '*'), { cwd: root }).length > 0
}

test('links to a row of the specification name one that there is', () => {
  const linked = execFileSync('git', ['grep', '-ohE', 'specification\\.md#s[0-9]+'], {
    cwd: root,
    encoding: 'utf8',
  })
  const rows = new Set(
    linked
      .trim()
      .split('\n')
      .map((link) => Number(link.split('#s')[1])),
  )
  expect([...rows].filter((row) => row < 1 || row > 27)).toEqual([])
})

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function workspaces(): string[] {
  return ['packages', 'apps', 'examples'].flatMap((folder) =>
    readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url))).map(
      (name) => `${folder}/${name}`,
    ),
  )
}
