import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'

/**
 * Weighs the recorder's chunk as pages load it, with `@rrweb/record` inside: split from the client
 * and minified by esbuild for ES2022, then `gzip -9`. Run with `node tools/sdk-size/recorder.ts
 * --inputs` for the weight of each file.
 */

/**
 * Limits in bytes after gzip, which a test enforces: of the chunk that records, and of that with
 * the chunk that it loads by default while recording (requests, loading, vitals, memory).
 */
export const chunkBytesMax = 32 * 1024
export const allBytesMax = 34 * 1024

/** The application's bundle holds the client; the recorder is what its loader imports. */
const application = `
export * from '@afterimage/browser'
export { replayIntegration } from '@afterimage/replay'`

export async function weighChunks() {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: application,
      resolveDir: import.meta.dirname,
      loader: 'ts',
    },
    outdir: '.',
    splitting: true,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    define: { __AFTERIMAGE_DEBUG__: 'false' },
  })
  const chunks = Object.entries(metafile.outputs).map(([path, { inputs }]) => ({
    inputs: Object.entries(inputs)
      .map(([input, { bytesInOutput }]) => [input, bytesInOutput] as const)
      .sort((one, other) => other[1] - one[1]),
    gzippedBytes: gzipSync(outputFiles.find((it) => it.path.endsWith(path))?.contents ?? '', {
      level: 9,
    }).length,
  }))
  const holding = (file: string) => {
    const found = chunks.find(({ inputs }) => inputs.some(([path]) => path.includes(file)))
    if (found === undefined) throw new Error(`no chunk holds ${file}`)
    return found
  }
  return { recorder: holding('@rrweb/record'), measures: holding('capture/measures.ts') }
}

if (import.meta.main) {
  for (const [name, { gzippedBytes, inputs }] of Object.entries(await weighChunks())) {
    console.log(`${name}: ${gzippedBytes} bytes gzipped`)
    if (process.argv.includes('--inputs')) {
      for (const [path, bytes] of inputs) console.log(`  ${bytes}\t${path}`)
    }
  }
}
