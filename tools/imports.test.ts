import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Enforces the table of imports in ARCHITECTURE.md. */

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  readonly from: string
  /** A path in this repository, `node:…`, or a package name. */
  readonly to: string
  /** As it is written. */
  readonly specifier: string
  readonly isTypeOnly: boolean
}

const imports = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) =>
      /^(packages|apps|examples)\/.*\.tsx?$/.test(path) && !/\.(test|spec)\.tsx?$/.test(path),
  )
  .filter((path) => !/\/(contract|contract\/.*|testing\/.*|.*\.fixture)\.ts$/.test(path))
  .flatMap(importsOf)

function importsOf(path: string): Import[] {
  const code = readCode(path)
  // Examples in texts stand behind the imports of the file itself.
  const [head = ''] = code.split('`', 1)
  const found = [
    ...head.matchAll(
      /^(?:import|export)(?<type>\s+type)?\b[^'"\n;]*?(?:\{[^}]*\})?[^'"\n;]*?from\s+'(?<name>[^']+)'/gm,
    ),
    ...head.matchAll(/^import\s+'(?<name>[^']+)'/gm),
    ...code.matchAll(/(?<type>\btypeof )?\bimport\(\s*'(?<name>[^']+)'/gm),
  ]
  return found.map(({ groups = {} }) => {
    const { name = '', type } = groups
    return {
      from: path,
      to: resolveImport(path, name),
      specifier: name,
      isTypeOnly: type !== undefined,
    }
  })
}

/** A file without its comments; '' when it was removed. */
function readCode(path: string): string {
  try {
    return readFileSync(join(root, path), 'utf8').replaceAll(/\/\*.*?\*\/|^\s*\/\/[^\n]*/gms, '')
  } catch {
    return ''
  }
}

function resolveImport(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return join(dirname(from), specifier)
  if (specifier.startsWith('@/')) return join('apps/console', specifier.slice(2))
  const [, name, entry] = /^@afterimage\/([a-z-]+)(\/.*)?$/.exec(specifier) ?? []
  if (name === undefined) return specifier
  const { exports = {} } = manifestOf(`packages/${name}`)
  const file = exports[`.${entry ?? ''}`]
  return file === undefined
    ? `${specifier}, which it does not export`
    : join('packages', name, file)
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
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

/** The adapters of the stores: a folder, or one file. */
const adapter =
  /^packages\/server\/src\/storage\/(queue\/log\/|blobs\/directory-blobs|metadata\/sqlite|events\/sqlite\/)/

test('a store adapter knows its own store, what the stores share, and one vendor library', () => {
  const shared = /^packages\/server\/src\/(errors|storage\/(?!open|stores)[\w-]+)\.ts$/
  expect(
    breaches(adapter, ({ from, to }) => {
      const [store = ''] = /^packages\/server\/src\/storage\/\w+\//.exec(from) ?? []
      if (to === 'piscina') return store.endsWith('/events/')
      return to.startsWith(store) || shared.test(to) || protocol.test(to) || to.startsWith('node:')
    }),
  ).toEqual([])
})

test('the code that the stores share knows no room of the server', () => {
  expect(
    breaches(
      /^packages\/server\/src\/storage\//,
      ({ to }) =>
        !to.startsWith('packages/server/src/') ||
        /^packages\/server\/src\/(storage\/|errors\.ts|config\.ts)/.test(to),
    ),
  ).toEqual([])
})

test('item folders are pure: the protocol, each other, and no I/O', () => {
  const pure = /^packages\/server\/src\/process\/(?!worker)/
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

test('ingest knows nothing of the front door that calls it', () => {
  expect(
    breaches(
      /^packages\/server\/src\/ingest\//,
      ({ to }) => !to.startsWith('packages/server/src/front-door/'),
    ),
  ).toEqual([])
})

test('the API and the rooms with routes know nothing of the programs that start them', () => {
  expect(
    breaches(
      /^packages\/server\/src\/(?!programs\/)/,
      ({ to }) => !to.startsWith('packages/server/src/programs/'),
    ),
  ).toEqual([])
})

test('a noun, the API, sign-in and the search language know neither ingest nor process nor the console', () => {
  const roles = /^packages\/server\/src\/(front-door|ingest|process|web)\//
  expect(
    breaches(
      /^packages\/server\/src\/(?!front-door\/|ingest\/|process\/|web\/|programs\/)/,
      ({ to }) => !roles.test(to),
    ),
  ).toEqual([])
})

test('the search language knows no noun', () => {
  expect(
    breaches(
      /^packages\/server\/src\/search\//,
      ({ to }) => protocol.test(to) || /^packages\/server\/src\/(search|storage)\//.test(to),
    ),
  ).toEqual([])
})

test('building is not part of the server, which knows of our client its version alone', () => {
  const client = /^packages\/(sdk-core|browser|replay|react|next|vue|svelte|script-tag)\//
  expect(
    breaches(
      /^packages\/server\//,
      ({ to }) =>
        !to.startsWith('tools/') && (!client.test(to) || to === 'packages/sdk-core/src/version.ts'),
    ),
  ).toEqual([])
})

test('the commands know the server, what builds and starts it, the browser of the audit, what rewrites sources, and how scripts get debug ids', () => {
  expect(
    breaches(/^packages\/cli\//, ({ to }) =>
      /^(packages\/(cli|server|protocol)\/|tools\/build\/|start\.ts$|packages\/next\/src\/source-maps\/debug-id\.ts$|node:|playwright-core$|(diff|magic-string|yazl|@babel\/(parser|traverse|types))$)/.test(
        to,
      ),
    ),
  ).toEqual([])
})

test('nobody but open.ts knows a store adapter; the context knows the type of one', () => {
  const outside = /^(?!packages\/server\/src\/storage\/)/
  expect(
    breaches(
      outside,
      ({ from, to, isTypeOnly }) =>
        !adapter.test(to) || (isTypeOnly && from === 'packages/server/src/context.ts'),
    ),
  ).toEqual([])
  const within = /^packages\/server\/src\/storage\/(?!open\.ts)/
  expect(breaches(within, (it) => !adapter.test(it.to) || adapter.test(it.from))).toEqual([])
})

test('SQL stands in no route: a question is asked of its noun', () => {
  const paths = [...new Set(imports.map(({ from }) => from))].filter((path) =>
    /^packages\/server\/src\/.*(routes\.ts|\/routes\/[^/]+\.ts)$/.test(path),
  )
  expect(paths.length).toBeGreaterThan(10)
  const sql =
    /\b(?:metadata|tx|database)\.(?:all|transaction)\b|['"`]\s*(?:select|insert|update|delete|with)\s/i
  expect(paths.filter((path) => sql.test(readCode(path)))).toEqual([])
})

test('the console never imports the server; only data/ fetches', () => {
  expect(breaches(/^apps\/console\//, ({ to }) => !to.startsWith('packages/server/'))).toEqual([])
  const fetchers = [...new Set(imports.map(({ from }) => from))]
    .filter((path) => path.startsWith('apps/console/') && !path.startsWith('apps/console/data/'))
    .filter((path) => /(?<![.\w])fetch\(/.test(readFileSync(join(root, path), 'utf8')))
  expect(fetchers).toEqual([])
})

/**
 * Room of the console → what of this repository it may import besides itself, and which libraries.
 * `ui` and `chart` know no noun; features draw what they are given; `data` draws nothing.
 */
const consoleRooms: Readonly<Record<string, readonly [ours: RegExp, libraries: RegExp]>> = {
  ui: [/^$/, /^(react|lucide-react|@base-ui\/react\/.+)$/],
  chart: [/^apps\/console\/ui\//, /^react$/],
  features: [
    /^apps\/console\/(ui|chart)\/|^packages\/(protocol\/|sdk-core\/src\/version\.ts|next\/src\/not-found-shown\.ts)/,
    /^(?!next(\/(?!head$)|$)|node:)/,
  ],
  data: [/^packages\/(protocol|sdk-core|next)\//, /^(react|next\/.+|node:.+)$/],
  styles: [/^$/, /^next\/font\/local$/],
  app: [/^apps\/console\/(features|ui|chart|data|styles)\/|^packages\//, /^/],
  pages: [/^apps\/console\/(features|ui|chart|data|styles)\/|^packages\//, /^/],
}

test.each(Object.entries(consoleRooms))(
  'the console’s %s imports what its row says',
  (room, [ours, libraries]) => {
    const own = `apps/console/${room}/`
    const isOfUs = /^(apps|packages|tools|examples)\//
    expect(imports.some(({ from }) => from.startsWith(own))).toBe(true)
    expect(
      breaches(new RegExp(`^${own}`), ({ to }) =>
        isOfUs.test(to) ? to.startsWith(own) || ours.test(to) : libraries.test(to),
      ),
    ).toEqual([])
  },
)

/** Workspace → what of ours its sources may import. The order is that of the floors of the house. */
const floors: Readonly<Record<string, readonly string[]>> = {
  'packages/protocol': [],
  'packages/sdk-core': ['protocol'],
  'packages/replay': ['protocol', 'sdk-core'],
  'packages/browser': ['protocol', 'sdk-core', 'replay'],
  'packages/react': ['sdk-core', 'browser'],
  'packages/script-tag': ['sdk-core', 'browser', 'replay'],
  'packages/next': ['protocol', 'sdk-core', 'browser', 'replay', 'react'],
  'packages/vue': ['sdk-core', 'browser'],
  'packages/svelte': ['protocol', 'sdk-core', 'browser'],
  'packages/server': ['protocol', 'sdk-core'],
  'packages/cli': ['protocol', 'next', 'server'],
  'apps/console': ['protocol', 'sdk-core', 'next'],
  'examples/shop': ['next'],
}

const workspaces = ['packages', 'apps', 'examples'].flatMap((folder) =>
  readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
)

function workspaceOf({ from }: Import): string {
  return from.split('/', 2).join('/')
}

test('every package imports from lower floors only, so there is no cycle', () => {
  expect([...workspaces].sort()).toEqual(Object.keys(floors).sort())
  const order = Object.keys(floors)
  for (const [workspace, below] of Object.entries(floors)) {
    for (const name of below) {
      expect(order.indexOf(`packages/${name}`), `${workspace} on ${name}`).toBeLessThan(
        order.indexOf(workspace),
      )
    }
    const { dependencies, peerDependencies } = manifestOf(workspace)
    const declared = Object.keys({ ...dependencies, ...peerDependencies })
      .filter((name) => name.startsWith('@afterimage/'))
      .map((name) => name.replace('@afterimage/', ''))
    expect(
      declared.filter((name) => !below.includes(name)),
      workspace,
    ).toEqual([])
  }
})

test('a workspace declares its imports, and imports only exports', () => {
  const undeclared = imports.filter((it) => {
    if (/^(\.|node:|@\/)/.test(it.specifier)) return false
    const { name, dependencies, devDependencies, peerDependencies } = manifestOf(workspaceOf(it))
    const [, packageName = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(it.specifier) ?? []
    const declared = { ...dependencies, ...peerDependencies, ...(it.isTypeOnly && devDependencies) }
    return packageName !== name && !Object.hasOwn(declared, packageName)
  })
  expect(undeclared.map(({ from, specifier }) => `${from} imports ${specifier}`)).toEqual([])
  expect(breaches(/./, ({ to }) => !to.includes('does not export'))).toEqual([])
})

test('a workspace names each file that it exports, and the file exists', () => {
  for (const workspace of workspaces) {
    const files = Object.values(manifestOf(workspace).exports ?? {})
    expect(
      files.filter((file) => file.includes('*') || !existsSync(join(root, workspace, file))),
      workspace,
    ).toEqual([])
  }
})

test('of the browser’s entries only the compatible one imports the recorder’s loader', () => {
  expect(
    breaches(
      /^packages\/browser\/src\/(?!compat\/)/,
      ({ to }) => !to.startsWith('packages/replay/'),
    ),
  ).toEqual([])
})

function isWithin(it: Import): boolean {
  return it.to.startsWith(`${workspaceOf(it)}/`)
}

test('a workspace reaches into another by its name, never by a path', () => {
  expect(
    breaches(
      /^packages\/(?!cli\/|server\/)/,
      (it) => !it.specifier.startsWith('.') || isWithin(it),
    ),
  ).toEqual([])
})

test.each([
  ['sdk-core', /^$/],
  ['browser', /^$/],
  ['replay', /^@rrweb\/record$/],
  ['script-tag', /^$/],
  ['react', /^react$/],
  ['next', /^(next|react|node:.+)$/],
  ['vue', /^$/],
  ['svelte', /^$/],
])('@afterimage/%s brings no library but its own', (name, libraries) => {
  expect(
    breaches(
      new RegExp(`^packages/${name}/src/`),
      ({ to }) => to.startsWith('packages/') || libraries.test(to),
    ),
  ).toEqual([])
})
