import { build, type Plugin } from 'esbuild'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sdks = join(root, 'e2e/sdks')

/** The files of a page of the documentation: fenced code whose info string says `file=…`. */
export function snippetsOf(page: string): Record<string, string> {
  const text = readFileSync(join(root, 'docs/sdk', page), 'utf8')
  const found: Record<string, string> = {}
  for (const [, file = '', code = ''] of text.matchAll(/^```\w+ file=(\S+)\n([^]*?)^```$/gm)) {
    found[file] = code
  }
  return found
}

/** Writes files into a folder of this repository, so that its packages are found from there. */
export function writeProject(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, 'e2e/.build', name)
  rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return folder
}

/** One script of a project, with the compilers of its components and the installed frameworks. */
export async function bundleProject(folder: string, entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, entry)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    jsx: 'automatic',
    nodePaths: [join(sdks, 'node_modules')],
    conditions: ['browser', 'production'],
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    plugins: [svelte, vue],
  })
  return outputFiles[0]?.text ?? ''
}

/** A compiler among the installed frameworks, as far as it is used here. */
async function compiler<T>(name: string): Promise<T> {
  const path = createRequire(join(sdks, 'package.json')).resolve(name)
  return (await import(pathToFileURL(path).href)) as T
}

interface SvelteCompiler {
  compile(source: string, options: object): { readonly js: { readonly code: string } }
}

interface VueCompiler {
  parse(source: string, options: object): { readonly descriptor: unknown }
  compileScript(descriptor: unknown, options: object): { readonly content: string }
}

const svelte: Plugin = {
  name: 'svelte',
  setup({ onLoad }) {
    onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { compile } = await compiler<SvelteCompiler>('svelte/compiler')
      const options = { filename: path, generate: 'client' }
      const { js } = compile(readFileSync(path, 'utf8'), options)
      return { contents: js.code, loader: 'js', resolveDir: dirname(path) }
    })
  },
}

const vue: Plugin = {
  name: 'vue',
  setup({ onLoad }) {
    onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { parse, compileScript } = await compiler<VueCompiler>('vue/compiler-sfc')
      const { descriptor } = parse(readFileSync(path, 'utf8'), { filename: path })
      const { content } = compileScript(descriptor, { id: path, inlineTemplate: true })
      return { contents: content, loader: 'ts', resolveDir: dirname(path) }
    })
  },
}
