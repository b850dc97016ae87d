import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../packages/server/src/errors.ts'

/** What the documents claim is compared with the code, in both directions. */

function read(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')
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
