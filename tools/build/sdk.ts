import { build, type BuildOptions } from 'esbuild'
import { buildOnce } from './build-folder.ts'
import { root } from './fingerprint.ts'

/** The inputs of the client's scripts. */
const SOURCES = [
  'packages/script-tag/src',
  'packages/browser/src',
  'packages/replay/src',
  'packages/sdk-core/src',
  'packages/protocol/src',
  'tools/build/sdk.ts',
  'package-lock.json',
]

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
export function buildSdk(say: (line: string) => void): Promise<string> {
  return buildOnce(
    { name: 'sdk', title: "the client's scripts", sources: SOURCES, make: bundle },
    say,
  )
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
    entryPoints: { replay: `${source}/recorder.ts` },
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
