import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { createTunnel } from '@afterimage/next/tunnel'
import { tunnelListener } from '@afterimage/next/tunnel-node'
import { run, writeApplication } from './fresh-application.ts'
import type { Product, Project } from './product.ts'

/** Open applications that report to Sentry, whose packages in npm's registry hold their sources. */

/** The diff of all files of an application. */
const printedBytesMax = 16_777_216

export interface OpenApplication {
  /** Its package, in an exact version. */
  readonly name: string
  readonly version: string
  /** Dependencies that npm does not have, or that only its tests use. */
  readonly without: readonly string[]
  /** The packages that build it, in place of all that develop it. */
  readonly tools: Readonly<Record<string, string>>
  /** Files of its repository that its package lacks, as short as a build allows. */
  readonly files: Readonly<Record<string, string>>
  /** The folder that a build fills. */
  readonly built: string
}

/** React with Vite. MIT. */
export const openNeuro: OpenApplication = {
  name: '@openneuro/app',
  version: '5.1.3',
  without: ['@bids/validator'],
  tools: {
    '@codecov/vite-plugin': '1.9.1',
    sass: '1.108.2',
    'stream-browserify': '3.0.0',
    vite: '7.3.8',
    'vite-plugin-node-polyfills': '0.17.0',
  },
  files: {
    'tsconfig.json': '{ "compilerOptions": { "jsx": "react", "target": "es2022" } }',
    'src/lerna.json': '{ "version": "5.1.3" }',
    'src/scripts/workers/validator-config.json': '{}',
    'validator.js': `
      export class DatasetIssues {}
      export const fileListToTree = () => null
      export const validate = () => null`,
    'with-validator.config.js': `
      import { fileURLToPath } from 'node:url'
      import own from './vite.config.js'
      const replacement = fileURLToPath(new URL('validator.js', import.meta.url))
      const alias = [{ find: /^@bids\\/validator\\/.+/, replacement }, ...own.resolve.alias]
      export default { ...own, resolve: { alias } }`,
  },
  built: 'src/dist',
}

/** Vue with Vite. Apache-2.0. */
export const volView: OpenApplication = {
  name: 'volview',
  version: '4.4.1',
  without: ['@netlify/edge-functions', '@wdio/globals'],
  tools: {
    '@vitejs/plugin-vue': '4.6.2',
    sass: '1.77.8',
    vite: '4.5.14',
    'vite-plugin-vuetify': '1.0.2',
  },
  files: {
    'index.html':
      '<!doctype html><div id="app"></div><script type="module" src="/src/main.js"></script>',
    'vite.config.mjs': `
      import { fileURLToPath } from 'node:url'
      import vue from '@vitejs/plugin-vue'
      import vuetify, { transformAssetUrls } from 'vite-plugin-vuetify'
      export default {
        define: { __VERSIONS__: {} },
        resolve: { alias: { '@/': fileURLToPath(new URL('.', import.meta.url)) } },
        plugins: [vue({ template: { transformAssetUrls } }), vuetify({ autoImport: true })],
      }`,
  },
  built: 'dist',
}

/** Kept between runs: the packages as the registry gives them. */
const kept = join(tmpdir(), 'afterimage-open-applications')

/** Fetches an application into `folder`, installed and with what its package lacks. */
export async function fetchApplication(folder: string, given: OpenApplication): Promise<void> {
  const { name, version, without, tools, files } = given
  const tarball = join(kept, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`)
  for (const it of [kept, folder]) mkdirSync(it, { recursive: true })
  if (!existsSync(tarball)) await run(kept, 'npm', 'pack', `${name}@${version}`)
  await run(folder, 'tar', '-xzf', tarball, '--strip-components=1', '--exclude=package/dist')
  const { devDependencies: _left, ...manifest } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string>; devDependencies?: unknown }
  const own = Object.entries(manifest.dependencies).filter(([it]) => !without.includes(it))
  const dependencies = { ...Object.fromEntries(own), ...tools }
  const written = { 'package.json': JSON.stringify({ ...manifest, dependencies }, null, 2) }
  writeApplication(folder, '.', { ...files, ...written })
  await installAgain(folder)
}

/** Installs what the manifest of an application names. */
export function installAgain(folder: string): Promise<void> {
  const flags = ['--prefer-offline', '--legacy-peer-deps', '--ignore-scripts']
  return run(folder, 'npm', 'install', '--no-audit', '--no-fund', ...flags)
}

export interface Moved {
  readonly code: number
  /** The paths of the files that change. */
  readonly files: readonly string[]
  /** The lines that the diff adds. */
  readonly added: readonly string[]
  /** The list of what was left alone, or is to be looked at: place and name. */
  readonly left: readonly string[]
}

/** Runs `migrate-sdk` on an application, and reads what it prints. */
export async function migrate(
  folder: string,
  server: string,
  ...flags: readonly string[]
): Promise<Moved> {
  const command = ['tools/run.mjs', 'packages/cli/src/index.ts', 'migrate-sdk', folder]
  const { code, printed } = await new Promise<{ code: number; printed: string }>((resolve) => {
    execFile(
      process.execPath,
      [...command, '--server', server, ...flags],
      { maxBuffer: printedBytesMax },
      (error, printed) => resolve({ code: error === null ? 0 : Number(error.code), printed }),
    )
  })
  const lines = printed.split('\n')
  const pick = (pattern: RegExp): string[] =>
    lines.flatMap((it) => pattern.exec(it)?.slice(1, 2) ?? [])
  return {
    code,
    files: pick(/^\+\+\+ b\/([^\t]+)/),
    added: pick(/^\+(?!\+\+ )\s*(.*)/),
    left: pick(/^ {2}(\S+:\d+ {2}[^:]+):/),
  }
}

/** Returns the paths of sources that name one of Sentry's packages. */
export function filesWithSentry(folder: string): string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((it) => /^(?!dist\/).*\.(?:[jt]sx?|vue)$/.test(it))
    .map((it) => `src/${it}`)
    .filter((it) => readFileSync(join(folder, it), 'utf8').includes('@sentry/'))
    .sort()
}

export interface Served {
  readonly url: string
  close(): void
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
}

/** Serves a build, with files that its own server would make, and the tunnel to the product. */
export async function serveBuild(
  folder: string,
  { url }: Product,
  { dsn }: Project,
  made: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const tunnel = tunnelListener(createTunnel({ server: url, dsns: [dsn] }))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/monitoring')) return tunnel(request, response)
    const path = join(folder, pathname === '/' ? 'index.html' : pathname)
    const body = made[pathname] ?? (existsSync(path) ? readFileSync(path) : null)
    const type = types[extname(path)] ?? 'application/octet-stream'
    response.writeHead(body === null ? 404 : 200, { 'content-type': type }).end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}
