import { execFile } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, test, vi } from 'vitest'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { snippetsOf, writeProject } from './support/snippets.ts'
import { expectNoRelay, expectTunnel } from './support/tunnel-client.ts'

/**
 * The snippets of `docs/sdk/tunnel.md` in the frameworks' own servers: every post of the client
 * arrives whole.
 */

const sdks = fileURLToPath(new URL('./sdks', import.meta.url))
const installed = createRequire(join(sdks, 'package.json'))
const dsn = 'https://0123456789abcdef0123456789abcdef@afterimage.example.com/1'
const servers: Server[] = []
let recorder: SdkServer
let folder: string

beforeAll(async () => {
  recorder = await startSdkServer({})
  const snippets = snippetsOf('tunnel.md')
  folder = writeProject('docs-tunnel', {
    ...snippets,
    'tunnel.js': (snippets['tunnel.js'] ?? '').replace(
      "server: 'https://afterimage.example.com'",
      `server: '${recorder.url}'`,
    ),
    'package.json': '{ "private": true, "type": "module" }',
    'src/app.html': '<head>%sveltekit.head%</head><body>%sveltekit.body%</body>',
  })
  symlinkSync(join(sdks, 'node_modules'), join(folder, 'node_modules'))
})

afterEach(() => {
  vi.unstubAllEnvs()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

afterAll(() => recorder?.close())

async function listen(server: Server): Promise<string> {
  servers.push(server.listen(0, '127.0.0.1'))
  await new Promise((resolve) => server.once('listening', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A module of the application. */
async function load<T>(file: string): Promise<T> {
  return (await import(pathToFileURL(join(folder, file)).href)) as T
}

/** A package of the framework, as the application finds it. */
async function framework<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(installed.resolve(name)).href)) as T
}

async function expectReports(server: Server): Promise<void> {
  const url = await listen(server)
  await expectTunnel(url, dsn, recorder)
  await expectNoRelay(url, dsn, recorder)
}

test('SvelteKit, built for Node', async () => {
  const vite = join(sdks, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(process.execPath, [vite, 'build'], { cwd: folder })
  const [name = '', value] = snippetsOf('tunnel.md')['start.sh']?.split(/[= ]/) ?? []
  vi.stubEnv(name, value)
  const { handler } = await load<{ handler: RequestListener }>('build/handler.js')
  await expectReports(createServer(handler))
})

interface ReactRouterNode {
  createRequestListener(options: { readonly build: object }): RequestListener
}

test('React Router, as the server of framework mode', async () => {
  const { createRequestListener } = await framework<ReactRouterNode>('@react-router/node')
  // As its compiler writes it.
  const build = {
    entry: { module: { default: () => new Response('a page') } },
    routes: {
      root: { id: 'root', path: '', module: { default: () => null } },
      monitoring: {
        id: 'monitoring',
        parentId: 'root',
        path: 'monitoring',
        module: await load<object>('app/routes/monitoring.js'),
      },
    },
    assets: { entry: { imports: [], module: '' }, routes: {}, url: '', version: '1' },
    publicPath: '/',
    assetsBuildDirectory: 'build/client',
    future: {},
    ssr: true,
    isSpaMode: false,
    prerender: [],
    routeDiscovery: { mode: 'initial', manifestPath: '/__manifest' },
  }
  await expectReports(createServer(createRequestListener({ build })))
})

interface HonoNode {
  getRequestListener(fetch: unknown): RequestListener
}

test('Hono, as a server of Node', async () => {
  const { getRequestListener } = await framework<HonoNode>('@hono/node-server')
  const { app } = await load<{ app: { readonly fetch: unknown } }>('hono.js')
  await expectReports(createServer(getRequestListener(app.fetch)))
})

test('Express', async () => {
  const { app } = await load<{ app: RequestListener }>('express.js')
  await expectReports(createServer(app))
})

test('plain Node', async () => {
  const { server } = await load<{ server: Server }>('node.js')
  await expectReports(server)
})
