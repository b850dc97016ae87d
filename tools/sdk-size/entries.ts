import { build } from 'esbuild'
import { gzipSync } from 'node:zlib'

/**
 * Weighs entries in an application: all their exports in use, bundled and minified by esbuild for
 * ES2022 with the debug texts left out, then `gzip -9`. Run it with `node
 * tools/sdk-size/entries.ts` for a table, with `--inputs` for the weight of each file.
 */

/** Greatest sizes, in bytes after gzip. A test holds the entries to them. */
export const budgets = {
  '@afterimage/browser/errors': 7 * 1024,
  '@afterimage/browser': 8.75 * 1024,
  '@afterimage/browser/errors + @afterimage/browser/tracing': 13.5 * 1024,
} as const

/** Applications have them anyway. */
const frameworks = ['react', 'vue', 'svelte']

export interface Weight {
  readonly minified: number
  readonly gzipped: number
  /** Minified bytes by source file, the heaviest first. */
  readonly inputs: readonly (readonly [path: string, bytes: number])[]
}

/** `entry` is what an application imports, or several joined by ` + `. */
export async function weigh(entry: string): Promise<Weight> {
  const uses = await Promise.all(
    entry.split(' + ').map(async (path, index) => {
      const names = Object.keys((await import(path)) as object)
      // Packages of frameworks have the client's names as well.
      const imports = names.map((it) => `${it} as ${it}${index}`).join(', ')
      const used = names.map((it) => it + index).join(', ')
      return `import { ${imports} } from '${path}'; globalThis.uses.push(${used})`
    }),
  )
  return weighSource(uses.join('\n'), import.meta.dirname)
}

/** A module's source, which may import what `resolveDir` can. */
export async function weighSource(contents: string, resolveDir: string): Promise<Weight> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    target: 'es2022',
    external: frameworks,
    define: { __AFTERIMAGE_DEBUG__: 'false', __SENTRY_DEBUG__: 'false' },
  })
  const bytes = outputFiles[0]?.contents ?? new Uint8Array()
  const output = Object.values(metafile.outputs)[0]
  return {
    minified: bytes.length,
    gzipped: gzipSync(bytes, { level: 9 }).length,
    inputs: Object.entries(output?.inputs ?? {})
      .map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const)
      .sort((one, other) => other[1] - one[1]),
  }
}

if (import.meta.main) {
  for (const [entry, budget] of Object.entries(budgets)) {
    const { minified, gzipped, inputs } = await weigh(entry)
    console.log(`${entry}: ${gzipped} of ${budget} bytes gzipped, ${minified} minified`)
    if (process.argv.includes('--inputs')) {
      for (const [path, bytes] of inputs) console.log(`  ${bytes}\t${path}`)
    }
  }
}
