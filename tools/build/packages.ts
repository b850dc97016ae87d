import { execFile } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { build, transform } from 'esbuild'
import { buildOnce } from './build-folder.ts'
import { root } from './fingerprint.ts'
import {
  layOut,
  manifestOf,
  packageNames,
  type Compiled,
  type Layout,
  type PackageName,
  type SourcePath,
} from './package-layout.ts'

/** The workspaces whose modules the packages have. */
const workspaces = [...packageNames, 'sdk-core', 'protocol']
/** The inputs of the packages. */
const SOURCES = [
  ...workspaces.map((name) => `packages/${name}`),
  'tools/build/packages.ts',
  'tools/build/package-layout.ts',
  'package-lock.json',
  'LICENSE',
]

/** The level of ECMAScript that the packages are written in; a test parses them by it. */
export const ecmaVersion = 'es2020'

/** The script of the recorder's worker: one classic file, which a page may host. */
const workerEntry = './compress.worker'

/**
 * Builds the packages that applications install, unless there is a build of these very sources, and
 * returns its folder: `afterimage-<name>-<version>.tgz`, and a folder with the contents of each.
 * @throws CONFIG_INVALID when the build fails, with what the compiler or npm says
 */
export function buildPackages(say: (line: string) => void): Promise<string> {
  return buildOnce(
    { name: 'packages', title: "the client's packages", sources: SOURCES, make },
    say,
  )
}

async function make(draft: string): Promise<void> {
  mkdirSync(draft)
  const declarations = await declare(join(draft, 'declarations'))
  const compiled = new Map<SourcePath, Compiled & { readonly map: string }>()
  for (const [source, text] of declarations) {
    const { code, map } = await compile(source)
    compiled.set(source, { script: code, map, declarations: text })
  }
  for (const [name, layout] of layOut(compiled)) {
    const folder = join(draft, name)
    for (const [place, { source, script, declarations: text }] of layout.modules) {
      const file = join(folder, 'dist', place)
      write(`${file}.js`, `${script}//# sourceMappingURL=${basename(place)}.js.map\n`)
      write(`${file}.js.map`, compiled.get(source)?.map ?? '')
      write(`${file}.d.ts`, text)
    }
    if (name === 'replay') await bundleWorker(folder)
    write(
      join(folder, 'package.json'),
      `${JSON.stringify(publishedManifest(name, layout), null, 2)}\n`,
    )
    copyFileSync(join(root, 'packages', name, 'README.md'), join(folder, 'README.md'))
    copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  }
  await pack(draft)
}

/** Returns the declarations of all modules, by their source. */
async function declare(folder: string): Promise<Map<SourcePath, string>> {
  const project = join(folder, 'tsconfig.json')
  write(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: {
        noEmit: false,
        emitDeclarationOnly: true,
        declaration: true,
        // The repository's own check of types sees the same files.
        noCheck: true,
        rootDir: join(root, 'packages'),
        outDir: folder,
      },
      include: workspaces.map((name) => join(root, 'packages', name, 'src')),
      exclude: ['*.test.ts', 'testing/**'].map((it) => join(root, 'packages/*/src/**', it)),
    }),
  )
  await run(join(root, 'node_modules/.bin/tsc'), ['-p', project])
  const found = globSync('*/src/**/*.d.ts', { cwd: folder }).sort()
  const declarations = new Map(
    found.map((path) => [
      path.replace(/\.d\.ts$/, '.ts'),
      readFileSync(join(folder, path), 'utf8'),
    ]),
  )
  rmSync(folder, { recursive: true })
  return declarations
}

async function compile(source: SourcePath): Promise<{ code: string; map: string }> {
  const { code, map } = await transform(readFileSync(join(root, 'packages', source), 'utf8'), {
    ...output,
    loader: 'ts',
    format: 'esm',
    sourcemap: 'external',
    sourcefile: `@afterimage/${source}`,
  })
  return { code, map }
}

const output = {
  target: ecmaVersion,
  charset: 'utf8',
  // Fields are assigned, which is shorter and, without accessors of the same name, the same.
  tsconfigRaw: {
    compilerOptions: { verbatimModuleSyntax: true, useDefineForClassFields: false },
  },
} as const

async function bundleWorker(folder: string): Promise<void> {
  await build({
    ...output,
    bundle: true,
    format: 'iife',
    entryPoints: [join(root, 'packages/replay/src/compress.worker.ts')],
    outfile: join(folder, 'dist/compress.worker.js'),
    logLevel: 'silent',
  })
  write(join(folder, 'dist/compress.worker.d.ts'), 'export {}\n')
}

/** Makes the manifest that is published of the workspace's own. */
function publishedManifest(name: PackageName, { exports, imports }: Layout): object {
  const { version, description, license, engines, sideEffects, ...own } = manifestOf(name)
  const ours = [...imports].filter((it) => it.startsWith('@afterimage/')).sort()
  const libraries = Object.entries(own.dependencies ?? {}).filter(
    ([it]) => imports.has(it) && !ours.includes(it),
  )
  // npm does not leave a package out that two others want in one exact version. The recorder itself
  // asks for its version of the client.
  const ranges = ours.map((it) => [it, it === '@afterimage/browser' ? version : '*'])
  const peers = { ...Object.fromEntries(ranges), ...own.peerDependencies }
  const peerNames = Object.keys(peers)
  const entries = [...exports]
  if (name === 'replay') entries.push([workerEntry, 'compress.worker'])
  const [main = ''] = files(exports.get('.') ?? '')
  return {
    name: own.name,
    version,
    description,
    license,
    type: 'module',
    sideEffects: Array.isArray(sideEffects) ? sideEffects.map(distFile) : sideEffects,
    main,
    exports: {
      ...Object.fromEntries(
        entries.map(([entry, place]) => {
          const [script, types] = files(place)
          return [entry, { types, default: script }]
        }),
      ),
      './package.json': './package.json',
    },
    files: ['dist'],
    publishConfig: { access: 'public' },
    engines,
    ...(libraries.length > 0 && { dependencies: Object.fromEntries(libraries) }),
    ...(peerNames.length > 0 && {
      peerDependencies: peers,
      // Nothing of ours is installed from a registry, and a tunnel alone brings no framework along.
      peerDependenciesMeta: Object.fromEntries(peerNames.map((it) => [it, { optional: true }])),
    }),
  }
}

/** A module's script and declarations, by its place below `dist`. */
function files(place: string): readonly [script: string, declarations: string] {
  return [`./dist/${place}.js`, `./dist/${place}.d.ts`]
}

/** `./src/a.ts` → `./dist/a.js` */
function distFile(source: string): string {
  return `./dist/${relative('src', source).replace(/\.ts$/, '.js')}`
}

/** Packs by npm, which gives all files the same time: the same contents are the same bytes. */
async function pack(draft: string): Promise<void> {
  const folders = packageNames.map((name) => join(draft, name))
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', draft, ...folders])
}

/** @throws Error with what the program printed, when it fails */
async function run(program: string, parameters: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, [...parameters], { cwd: root })
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string }
    throw new Error(`${message}\n${stdout}`.slice(0, 4000), { cause: error })
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
