import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Who may import whom: the table of ARCHITECTURE.md, enforced. */

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  readonly from: string
  /** A path in this repository, `node:…`, or a package name. */
  readonly to: string
  readonly isTypeOnly: boolean
}

const imports = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => /^(packages|apps)\/.*\.tsx?$/.test(path) && !/\.(test|spec)\.tsx?$/.test(path))
  .filter((path) => !/\/(contract|contract\/.*|testing\/.*|.*\.fixture)\.ts$/.test(path))
  .flatMap(importsOf)

function importsOf(path: string): Import[] {
  let text: string
  try {
    text = readFileSync(join(root, path), 'utf8')
  } catch {
    return []
  }
  const found: Import[] = []
  for (const match of text.matchAll(
    /^(import|export)(\s+type)?\b[^'"\n;]*?(?:\{[^}]*\})?[^'"\n;]*?from\s+'([^']+)'/gm,
  )) {
    found.push({
      from: path,
      to: resolveImport(path, match[3] ?? ''),
      isTypeOnly: match[2] !== undefined,
    })
  }
  for (const match of text.matchAll(/^import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm)) {
    found.push({
      from: path,
      to: resolveImport(path, match[1] ?? match[2] ?? ''),
      isTypeOnly: false,
    })
  }
  return found
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('@/')) return join('apps/console', specifier.slice(2))
  const own = /^@afterimage\/([a-z]+)(?:\/(.*))?$/.exec(specifier)
  if (own !== null) return `packages/${own[1]}/src/${own[2] ?? 'index'}`
  return specifier
}

function breaches(from: RegExp, isAllowed: (it: Import) => boolean): string[] {
  return imports
    .filter((it) => from.test(it.from) && !isAllowed(it))
    .map((it) => `${it.from} imports ${it.to}`)
}

const protocol = /^packages\/protocol\/src\//

test('the protocol imports nothing but itself', () => {
  expect(breaches(/^packages\/protocol\/src\//, ({ to }) => protocol.test(to))).toEqual([])
})

test('a store port knows the protocol and its own tables only', () => {
  expect(
    breaches(
      /^packages\/server\/src\/storage\/\w+\/(port|tables)\.ts$/,
      ({ from, to }) => protocol.test(to) || dirname(to) === dirname(from),
    ),
  ).toEqual([])
})

test('item folders are pure: the protocol, each other, and no I/O', () => {
  const pure = /^packages\/server\/src\/process\/(?!worker|role)/
  const pureNode = /^node:(crypto|zlib|net|buffer)$/
  expect(
    breaches(
      pure,
      ({ to, isTypeOnly }) =>
        protocol.test(to) ||
        pure.test(to) ||
        pureNode.test(to) ||
        to === 'bowser' ||
        (isTypeOnly && /^packages\/server\/src\/storage\/\w+\/(port|tables)\.ts$/.test(to)),
    ),
  ).toEqual([])
})

test('nobody but open.ts and the context knows a store adapter', () => {
  const adapter =
    /^packages\/server\/src\/storage\/(queue|blobs|metadata|events)\/(?!port|tables|contract|placeholders)/
  const server = /^packages\/server\/src\/(?!storage\/)(?!context)/
  expect(breaches(server, ({ to, isTypeOnly }) => isTypeOnly || !adapter.test(to))).toEqual([])
})

test('the console never imports the server; only data/ fetches', () => {
  expect(breaches(/^apps\/console\//, ({ to }) => !to.startsWith('packages/server/'))).toEqual([])
  const fetchers = [...new Set(imports.map(({ from }) => from))]
    .filter((path) => path.startsWith('apps/console/') && !path.startsWith('apps/console/data/'))
    .filter((path) => /(?<![.\w])fetch\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(fetchers).toEqual([])
})

test('ui and chart know no noun: neither features, data nor the protocol', () => {
  expect(
    breaches(
      /^apps\/console\/(ui|chart)\//,
      ({ to }) => !/^apps\/console\/(features|data|app|pages)\/|^packages\//.test(to),
    ),
  ).toEqual([])
})

test('features draw what they are given', () => {
  expect(
    breaches(/^apps\/console\/features\//, ({ to }) => !/^apps\/console\/(app|pages)\//.test(to)),
  ).toEqual([])
})

test('the Next integration builds on the client, the recorder, the protocol and Next', () => {
  expect(
    breaches(/^packages\/next\/src\//, ({ to }) =>
      /^packages\/(next|browser|replay|protocol)\/|^node:|^next($|\/)|^react($|\/)/.test(to),
    ),
  ).toEqual([])
})

test('the browser packages bring no dependency but web-vitals and @rrweb/record', () => {
  expect(
    breaches(/^packages\/(browser|replay)\/src\//, ({ to }) =>
      /^packages\/(protocol|browser|replay)\/|^web-vitals|^@rrweb\/record$/.test(to),
    ),
  ).toEqual([])
})
