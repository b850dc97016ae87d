import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sdk } from '../packages/sdk-core/src/version.ts'
import { packageNames } from '../tools/build/package-layout.ts'
import { buildPackages } from '../tools/build/packages.ts'
import { expectNoLeaks } from './support/audited.ts'
import { launchBrowser } from './support/browser.ts'
import {
  install,
  run,
  startScript,
  versionOf,
  writeApplication,
} from './support/fresh-application.ts'
import { freePort, startProduct, type Product, type Project } from './support/product.ts'
import { eventOf } from './support/reported.ts'

/** The packages as applications get them: installed from the server into a folder elsewhere. */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
let product: Product
let project: Project
let browser: Browser
let folder: string
/** The page of the application with React, once it is served. */
let react: string
const started: ChildProcess[] = []

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('fresh')
  browser = await launchBrowser()
  folder = mkdtempSync(join(tmpdir(), 'afterimage-fresh-'))
})

afterAll(async () => {
  for (const child of started) child.kill()
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

test.each(packageNames)('publint and attw find nothing wrong in @afterimage/%s', async (name) => {
  const tarball = join(await buildPackages(() => {}), `afterimage-${name}-${sdk.version}.tgz`)
  await run('.', 'node_modules/.bin/publint', tarball, '--strict')
  // ES modules only: `require` reads them since Node 20.19, resolvers before `exports` never.
  await run('.', 'node_modules/.bin/attw', tarball, '--profile', 'esm-only', '--no-color')
})

/** The files that Vite's template for React with TypeScript has, without `skipLibCheck` and types of Node. */
const tsconfig = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    lib: ['ES2023', 'DOM', 'DOM.Iterable'],
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    strict: true,
    skipLibCheck: false,
    verbatimModuleSyntax: true,
    moduleDetection: 'force',
    erasableSyntaxOnly: true,
    noUncheckedSideEffectImports: true,
    noUnusedLocals: true,
    noEmit: true,
    jsx: 'react-jsx',
  },
  include: ['src'],
})

test('a fresh Vite application with React: types, build, an issue with its components, route and replay', async () => {
  const application = writeApplication(folder, 'vite', {
    'tsconfig.json': tsconfig,
    'index.html':
      '<!doctype html><div id="root"></div><script type="module" src="/src/main.tsx"></script>',
    'src/main.tsx': `
      import { thrownValues } from '@afterimage/browser/thrown-values'
      import { ErrorBoundary, init, reactErrorHandler, type FallbackProps } from '@afterimage/react'
      import { routerTracing, traceRouter } from '@afterimage/react/react-router'
      import { replayIntegration } from '@afterimage/replay'
      import { useState } from 'react'
      import { createRoot } from 'react-dom/client'
      import { createBrowserRouter, RouterProvider } from 'react-router'

      const replay = replayIntegration({ minMs: 0 })
      init({ dsn: '${project.dsn}', integrations: [routerTracing(), replay, thrownValues()] })
      Object.assign(globalThis, { replay })

      function Order() {
        const [isBroken, setBroken] = useState(false)
        if (isBroken) throw new Error('failed in a fresh application')
        return <button onClick={() => setBroken(true)}>Pay</button>
      }

      function failed({ error, resetError }: FallbackProps) {
        return <button onClick={resetError}>{String(error)}: again</button>
      }

      const order = <ErrorBoundary fallback={failed}><Order /></ErrorBoundary>
      const router = traceRouter(createBrowserRouter([{ path: '/orders/:id', element: order }]))
      createRoot(document.getElementById('root')!, { onUncaughtError: reactErrorHandler() }).render(
        <RouterProvider router={router} />,
      )`,
    // Plain Node, with the tunnel's half of the package for Next.
    'server.mjs': `
      import { existsSync, readFileSync } from 'node:fs'
      import { createServer } from 'node:http'
      import { createTunnel } from '@afterimage/next/tunnel'
      import { tunnelListener } from '@afterimage/next/tunnel-node'

      const [server, dsn, port] = process.argv.slice(2)
      const tunnel = tunnelListener(createTunnel({ server, dsns: [dsn] }))
      createServer((request, response) => {
        if (request.url.startsWith('/monitoring')) return tunnel(request, response)
        const path = request.url.startsWith('/assets/') ? request.url : '/index.html'
        response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
        response.end(existsSync('dist' + path) ? readFileSync('dist' + path) : '')
      }).listen(Number(port), '127.0.0.1', () => console.log('ready'))`,
  })
  const others = [
    'typescript',
    'vite',
    'react',
    'react-dom',
    '@types/react',
    '@types/react-dom',
    `react-router@${versionOf('e2e/sdks/node_modules/react-router-7')}`,
  ]
  const ours = ['browser', 'replay', 'react', 'next']
  await install(product.url, { application, ours, others })
  await run(application, 'node_modules/.bin/tsc', '-p', '.')
  await run(application, 'node_modules/.bin/vite', 'build')
  const port = String(await freePort())
  started.push(await startScript(application, ['server.mjs', product.url, project.dsn, port]))
  react = `http://127.0.0.1:${port}/orders/7`

  const page = await browser.newPage()
  await page.goto(react)
  await page.waitForFunction('replay.replayId() !== null')
  const replayId = await page.evaluate('replay.replayId()')
  await page.click('button')
  const event = await eventOf(product, 'failed in a fresh application')
  await page.click('text=again')
  await page.waitForSelector('text=Pay')
  await page.close()
  expect(event.contexts['react']?.['componentStack']).toContain('at ')
  expect(event.tags).toContainEqual({ key: 'transaction', value: '/orders/:id' })
  // Tracing, the recorder and the client share one kernel.
  expect(event.replayId).toBe(replayId)
  expect(JSON.stringify(event.entries)).toContain('ui.click')
})

// It mostly waits for what may still be sent.
test.runIf(isLong)('no secret leaves the application with React', { timeout: 300_000 }, () =>
  // It sends the contents of thrown values, by an integration.
  expectNoLeaks(react, ['event', 'replay_recording', 'transaction'], { allowed: /__serialized__/ }),
)

test('npm would publish each package as it is', async () => {
  const built = await buildPackages(() => {})
  // A registry that has none of them yet, and keeps nothing.
  await using registry = await startRegistry()
  for (const name of packageNames) {
    const flags = ['--dry-run', '--ignore-scripts', '--registry', registry.url]
    await run(join(built, name), 'npm', 'publish', ...flags)
  }
  const addresses = packageNames.map((it) => `GET /@afterimage%2f${it}`)
  expect(new Set(registry.asked)).toEqual(new Set(addresses))
})

interface Registry extends AsyncDisposable {
  readonly url: string
  /** The requests so far. */
  readonly asked: readonly string[]
}

async function startRegistry(): Promise<Registry> {
  const asked: string[] = []
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`)
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
