import { build, type BuildOptions } from 'esbuild'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { AppError } from '../../packages/server/src/errors.ts'
import { fingerprintOf, root } from './fingerprint.ts'

/** The inputs of the client's scripts. */
const SOURCES = [
  'packages/script-tag/src',
  'packages/browser/src',
  'packages/replay/src',
  'packages/sdk-core/src',
  'packages/protocol/src',
  'package-lock.json',
]
const folder = join(root, 'tools/build/.build/sdk')
/** Builds kept: this version's, and those that servers started earlier may still be reading. */
const BUILDS_MAX = 4

const common = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  target: 'es2022',
  define: { __AFTERIMAGE_DEBUG__: 'false' },
  absWorkingDir: root,
  logLevel: 'silent',
} satisfies BuildOptions

/**
 * Builds the client's scripts for pages without a bundler, unless there is a build of these very
 * sources, and returns its folder, which is named after them: `afterimage.js`, `loader.js`,
 * `replay.js` with the chunks it loads, and `compress.worker.js`.
 * @throws CONFIG_INVALID when the build fails, with what esbuild says
 */
export async function buildSdk(say: (line: string) => void): Promise<string> {
  const target = join(folder, fingerprintOf(SOURCES).slice(0, 16))
  if (existsSync(target)) return target
  const startedAt = performance.now()
  say("Building the client's scripts (once per version) …")
  const draft = `${target}.${process.pid}`
  try {
    await bundle(draft)
    publish(draft, target)
  } catch (error) {
    throw new AppError('CONFIG_INVALID', `The client could not be built:\n${String(error)}`)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
  forgetOldBuilds()
  say(`Built the client's scripts in ${Math.round(performance.now() - startedAt)} ms.`)
  return target
}

async function bundle(outdir: string): Promise<void> {
  const source = 'packages/script-tag/src'
  await build({
    ...common,
    entryPoints: { afterimage: `${source}/index.ts`, loader: `${source}/loader.ts` },
    format: 'iife',
    outdir,
  })
  await build({
    ...common,
    entryPoints: { replay: 'packages/replay/src/start-recorder.ts' },
    format: 'esm',
    splitting: true,
    chunkNames: '[name]-[hash]',
    outdir,
  })
  await build({
    ...common,
    entryPoints: { 'compress.worker': 'packages/replay/src/compress.worker.ts' },
    format: 'iife',
    outdir,
  })
}

/** Whole or not at all. Another start may have been quicker, with the same files. */
function publish(draft: string, target: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(draft, 'complete'), '')
  try {
    renameSync(draft, target)
  } catch (error) {
    if (!existsSync(target)) throw error
  }
}

function forgetOldBuilds(): void {
  const builds = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
  for (const { path } of builds.slice(BUILDS_MAX)) rmSync(path, { recursive: true, force: true })
}
