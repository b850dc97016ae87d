import { build, type Plugin } from 'esbuild'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import type { SdkServer } from './sdk-server.ts'
import { until } from './until.ts'

/** The user's own code beside the snippets: a button, and an error behind it. */
export const brokenParts = {
  react: {
    'src/app.jsx': `import { useState } from 'react'
      function Broken() { throw new Error('failed in react') }
      export function App() {
        const [isBroken, setBroken] = useState(false)
        return isBroken ? <Broken /> : <button onClick={() => setBroken(true)}>Pay</button>
      }`,
  },
  vue: {
    'src/app.vue': `<script setup>
      import { RouterView } from 'vue-router'
      function pay() { throw new Error('failed in vue') }
      </script>
      <template><button @click="pay">Pay</button><RouterView /></template>`,
    'src/home.vue': `<script setup>
      const title = 'Home'
      </script>
      <template><h1>{{ title }}</h1></template>`,
    'src/user.vue': `<script setup>
      const title = 'User'
      </script>
      <template><h1>{{ title }}</h1></template>`,
  },
  svelte: {
    'src/page.svelte': `<script>
      let isBroken = $state(false)
      function draw() { if (isBroken) throw new Error('failed in svelte'); return 'Pay' }
      </script>
      <button onclick={() => (isBroken = true)}>{draw()}</button>`,
  },
} as const

export interface ReportedError {
  readonly exception: { readonly values: readonly { readonly value: string }[] }
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly release?: string
  readonly tags?: Readonly<Record<string, string>>
  readonly debug_meta?: { readonly images: readonly { readonly debug_id: string }[] }
}

/** Returns the page's reports of the error with this message, after its button was clicked. */
export async function breakPage(
  browser: Browser,
  address: string,
  { server, message }: { readonly server: SdkServer; readonly message: string },
): Promise<ReportedError> {
  const page = await browser.newPage()
  try {
    await page.goto(address)
    await page.click('button')
    return await until(`an error ${message}`, () =>
      server
        .items<ReportedError>('event')
        .find((it) => it.exception.values.some(({ value }) => value === message)),
    )
  } finally {
    await page.close()
  }
}

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

/**
 * One script of a project, with the compilers of its components and the installed frameworks.
 * `alias` names packages that are installed under another name.
 */
export async function bundleProject(
  folder: string,
  entry: string,
  alias: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { outputFiles } = await build({
    alias,
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
      // Bundlers put the address of the file here.
      'import.meta.url': 'location.href',
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
