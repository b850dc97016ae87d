import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './fingerprint.ts'

/**
 * Which files a published package has. The kernel (`sdk-core`) keeps state, such as the scope and the
 * patches of the page, so there must be one of it: it lives in `browser`, and the other packages
 * import it from there. The protocol is pure functions, and so is what runs on an application's own
 * server (`sdk-core/src/server`), so that a tunnel installs alone, and so are React's
 * boundaries: each package holds the part it uses.
 */

/** The published packages, each before those that it imports. */
export const packageNames = ['svelte', 'vue', 'next', 'react', 'replay', 'browser'] as const

export type PackageName = (typeof packageNames)[number]

/** The entries that applications import. All other exports are for packages of our own. */
const publicEntries: Readonly<Record<PackageName, readonly string[]>> = {
  browser: [
    '.',
    './capture-console',
    './compat',
    './consent',
    './errors',
    './extra-error-data',
    './feature-flags',
    './feedback-widget',
    './http-client',
    './logger',
    './metrics',
    './remote-settings',
    './reporting-observer',
    './rewrite-frames',
    './scopes',
    './third-party-errors',
    './thrown-values',
    './tracing',
    './web-workers',
    './worker',
  ],
  replay: ['.', './canvas'],
  react: ['.', './react-router', './tanstack-router'],
  next: [
    '.',
    './client',
    './instrumentation-client',
    './not-found-shown',
    './server',
    './tunnel',
    './tunnel-node',
    './tunnel-route',
  ],
  vue: ['.'],
  svelte: ['.', './kit-client', './kit-server'],
}

/** The manifest of a workspace, as far as it is read here. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description?: string
  readonly license: string
  readonly sideEffects: boolean | readonly string[]
  readonly exports: Readonly<Record<string, string>>
  readonly engines?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** A compiled module: its script and declarations, with specifiers as in the source. */
export interface Compiled {
  readonly script: string
  readonly declarations: string
}

/** A source file by its path below `packages`: `sdk-core/src/scope.ts`. */
export type SourcePath = string

export interface Layout {
  /** Modules by their place below `dist` without the extension, with specifiers as published. */
  readonly modules: ReadonlyMap<string, Compiled & { readonly source: SourcePath }>
  /** Export name → place below `dist` without the extension. */
  readonly exports: ReadonlyMap<string, string>
  /** Libraries and packages that its modules import, by name. */
  readonly imports: ReadonlySet<string>
}

export function manifestOf(workspace: string): Manifest {
  return JSON.parse(
    readFileSync(join(root, 'packages', workspace, 'package.json'), 'utf8'),
  ) as Manifest
}

/** Lays out all packages, from compiled modules by their source. */
export function layOut(compiled: ReadonlyMap<SourcePath, Compiled>): Map<PackageName, Layout> {
  const shared = new Map(packageNames.map((name) => [name, new Set<SourcePath>()]))
  return new Map(
    packageNames.map((name) => {
      const entries = publicEntries[name].map((it) => sourceOf(`@afterimage/${name}${it.slice(1)}`))
      const sources = new Set([...entries, ...[...shared.get(name)!].sort()])
      return [name, layOutOne(name, sources, compiled, shared)]
    }),
  )
}

function layOutOne(
  name: PackageName,
  entries: ReadonlySet<SourcePath>,
  compiled: ReadonlyMap<SourcePath, Compiled>,
  shared: ReadonlyMap<PackageName, Set<SourcePath>>,
): Layout {
  const modules = new Map<string, Compiled & { readonly source: SourcePath }>()
  const imports = new Set<string>()
  const waiting = new Set(entries)
  const publish = (from: SourcePath, specifier: string): string => {
    const source = specifier.startsWith('.')
      ? join(dirname(from), specifier)
      : specifier.startsWith('@afterimage/')
        ? sourceOf(specifier)
        : null
    const home = source === null ? null : homeOf(source, name)
    if (source !== null && home === name) {
      waiting.add(source)
      const path = relative(dirname(placeOf(from, name)), placeOf(source, name))
      return `${path.startsWith('.') ? '' : './'}${path}.js`
    }
    if (source !== null && home !== null) shared.get(home)?.add(source)
    const published =
      source === null || home === null
        ? specifier
        : `@afterimage/${home}${exportOf(source, home).slice(1)}`
    if (!published.startsWith('node:')) imports.add(packageOf(published))
    return published
  }
  // A set also visits what is added to it meanwhile.
  for (const source of waiting) {
    const module = compiled.get(source)
    if (module === undefined) throw new Error(`${source} was not compiled.`)
    modules.set(placeOf(source, name), {
      source,
      script: withSpecifiers(module.script, inScript, (it) => publish(source, it)),
      declarations: withSpecifiers(module.declarations, inDeclarations, (it) =>
        publish(source, it),
      ),
    })
  }
  const exports = [...entries].map(
    (source) => [exportOf(source, name), placeOf(source, name)] as const,
  )
  return { modules, exports: new Map(exports), imports }
}

/** Returns the package that holds a source's only copy, or the asking one. */
function homeOf(source: SourcePath, asking: PackageName): PackageName {
  const [workspace = ''] = source.split('/', 1)
  if (/^(protocol|react)$/.test(workspace) || source.startsWith('sdk-core/src/server/'))
    return asking
  if (workspace === 'sdk-core') return 'browser'
  return workspace as PackageName
}

/** Folders of `dist` for what comes from another workspace. */
const folders: Readonly<Record<string, string>> = {
  'sdk-core': 'kernel',
  protocol: 'protocol',
  react: 'react',
}

/** `sdk-core/src/watch/fetch.ts` → `kernel/watch/fetch` */
function placeOf(source: SourcePath, home: PackageName): string {
  const [, workspace = '', path = ''] = /^([\w-]+)\/src\/(.+)\.ts$/.exec(source) ?? []
  return join(workspace === home ? '' : (folders[workspace] ?? ''), path)
}

/** `sdk-core/src/scope.ts` → `./kernel/scope`, `browser/src/index.ts` → `.` */
function exportOf(source: SourcePath, home: PackageName): string {
  const [workspace = ''] = source.split('/', 1)
  const file = `./${relative(workspace, source)}`
  const found = Object.entries(manifestOf(workspace).exports).find(([, it]) => it === file)
  if (found === undefined) throw new Error(`packages/${workspace} does not export ${file}.`)
  const folder = workspace === home ? undefined : folders[workspace]
  return folder === undefined ? found[0] : `./${folder}${found[0].slice(1)}`
}

/** `@afterimage/sdk-core/scope` → `sdk-core/src/scope.ts` */
function sourceOf(specifier: string): SourcePath {
  const [, workspace = '', entry = ''] = /^@afterimage\/([\w-]+)(.*)$/.exec(specifier) ?? []
  const file = manifestOf(workspace).exports[`.${entry}`]
  if (file === undefined) throw new Error(`${specifier} is not an export of its workspace.`)
  return join(workspace, file)
}

/** `@rrweb/record/some/file` → `@rrweb/record` */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Specifiers of imports and exports in a script of esbuild, which has no comments any more. */
const inScript = /(?<before>\bfrom |\bimport\(|^import )"(?<name>[^"\n]+)"/gm
/** The same in declarations, whose comments have examples, which stay as they are. */
const inDeclarations =
  /\/\*[^]*?\*\/|(?<before>\bfrom |\bimport\(|^import )["'](?<name>[^"'\n]+)["']/gm

function withSpecifiers(
  code: string,
  pattern: RegExp,
  publish: (specifier: string) => string,
): string {
  return code.replaceAll(pattern, (all: string, ...rest: unknown[]) => {
    const { before, name } = rest.at(-1) as Readonly<Record<string, string | undefined>>
    return before === undefined || name === undefined ? all : `${before}"${publish(name)}"`
  })
}
