import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { install, run, startScript, writeApplication } from './support/fresh-application.ts'
import { freePort, startProduct, type Product, type Project } from './support/product.ts'
import { eventOf, transactionOf, untilMeasured } from './support/reported.ts'
import { snippetsOf } from './support/snippets.ts'

/**
 * Fresh applications with a server of their own, which passes reports on: React Router's framework
 * mode, Express and Hono. Installing takes a while, so `npm run test:long` runs them.
 */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
let product: Product
let project: Project
let browser: Browser
let folder: string
const started: ChildProcess[] = []

beforeAll(async () => {
  if (!isLong) return
  product = await startProduct()
  project = await product.createProject('fresh')
  browser = await launchBrowser()
  folder = mkdtempSync(join(tmpdir(), 'afterimage-fresh-'))
})

afterAll(async () => {
  for (const child of started) child.kill()
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
  if (isLong) rmSync(folder, { recursive: true, force: true })
})

/** A TypeScript project of Node, whose libraries are checked too. */
const tsconfigOfNode = JSON.stringify({
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    noEmit: true,
  },
  include: ['*.ts'],
})

/** A page that loads the client's modules as they are packed, without a bundler. */
const page = `
  const [server = '', dsn = '', port = '', name = ''] = process.argv.slice(2)
  export const given = { server, dsn, port: Number(port) }
  export const html = \`<!doctype html><button>Pay</button>
    <script type="importmap">{ "imports": { "@afterimage/browser": "/client/index.js" } }</script>
    <script type="module">
      import { init } from '@afterimage/browser'
      init({ dsn: '\${dsn}' })
      document.querySelector('button').onclick = () => { throw new Error('failed behind \${name}') }
      document.body.dataset.ready = 'true'
    </script>\``

const servers = {
  express: `
    import { createTunnel } from '@afterimage/next/tunnel'
    import { tunnelListener } from '@afterimage/next/tunnel-node'
    import express from 'express'
    import { given, html } from './page.js'

    const app = express()
    app.use(express.json())
    app.post('/monitoring', tunnelListener(createTunnel({ server: given.server, dsns: [given.dsn] })))
    app.use('/client', express.static('node_modules/@afterimage/browser/dist'))
    app.get('/orders/:id', (_request, response) => void response.send(html))
    app.listen(given.port, '127.0.0.1', () => console.log('ready'))`,
  hono: `
    import { createTunnel } from '@afterimage/next/tunnel'
    import { serve } from '@hono/node-server'
    import { serveStatic } from '@hono/node-server/serve-static'
    import { Hono } from 'hono'
    import { given, html } from './page.js'

    const tunnel = createTunnel({ server: given.server, dsns: [given.dsn] })
    const rewriteRequestPath = (path: string) => path.replace('/client', '')
    const app = new Hono()
    app.post('/monitoring', (c) => tunnel(c.req.raw))
    app.use(
      '/client/*',
      serveStatic({ root: 'node_modules/@afterimage/browser/dist', rewriteRequestPath }),
    )
    app.get('/orders/:id', (c) => c.html(html))
    serve({ fetch: app.fetch, port: given.port, hostname: '127.0.0.1' }, () => console.log('ready'))`,
}

test.runIf(isLong)(
  'fresh servers of Express and Hono, without Next and the recorder: types, a page without a bundler',
  { timeout: 600_000 },
  async () => {
    const application = writeApplication(folder, 'servers', {
      'tsconfig.json': tsconfigOfNode,
      'page.ts': page,
      'express.ts': servers.express,
      'hono.ts': servers.hono,
    })
    const others = [
      'express',
      'hono',
      '@hono/node-server',
      '@types/express',
      '@types/node',
      'typescript@6.0.3',
    ]
    await install(product.url, { application, ours: ['browser', 'next'], others })
    await run(application, 'node_modules/.bin/tsc', '-p', '.', '--noEmit', 'false')
    for (const name of Object.keys(servers)) {
      const port = String(await freePort())
      const parameters = [`${name}.js`, product.url, project.dsn, port, name]
      started.push(await startScript(application, parameters))
      const visit = await browser.newPage()
      await visit.goto(`http://127.0.0.1:${port}/orders/7`)
      await visit.waitForSelector('[data-ready]')
      await visit.click('button')
      const event = await eventOf(product, `failed behind ${name}`)
      await visit.close()
      expect(JSON.stringify(event.entries)).toContain(`http://127.0.0.1:${port}/orders/7`)
    }
  },
)

/** The files of `create-react-router`, as far as they matter here. */
const layoutOfReactRouter = {
  'tsconfig.json': JSON.stringify({
    include: ['**/*', '.react-router/types/**/*'],
    exclude: ['build', 'node_modules'],
    compilerOptions: {
      lib: ['DOM', 'DOM.Iterable', 'ES2022'],
      types: ['node', 'vite/client'],
      target: 'ES2022',
      module: 'ES2022',
      moduleResolution: 'bundler',
      jsx: 'react-jsx',
      rootDirs: ['.', './.react-router/types'],
      esModuleInterop: true,
      verbatimModuleSyntax: true,
      noEmit: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      strict: true,
    },
  }),
  'vite.config.ts': `
    import { reactRouter } from '@react-router/dev/vite'
    import { defineConfig } from 'vite'
    export default defineConfig({ plugins: [reactRouter()] })`,
  'app/routes.ts': `
    import { index, route, type RouteConfig } from '@react-router/dev/routes'
    export default [
      index('./home.tsx'),
      route('orders/:id', './order.tsx'),
      route('monitoring', './routes/monitoring.ts'),
    ] satisfies RouteConfig`,
  'app/routes/monitoring.ts': `
    import { tunnel } from '../../tunnel'
    import type { Route } from './+types/monitoring'
    export const action = ({ request }: Route.ActionArgs) => tunnel(request)`,
  'app/root.tsx': `
    import { Links, Meta, Outlet, Scripts } from 'react-router'
    export function Layout({ children }: { children: React.ReactNode }) {
      return (
        <html lang="en">
          <head><Meta /><Links /></head>
          <body>{children}<Scripts /></body>
        </html>
      )
    }
    export default function App() { return <Outlet /> }`,
  'app/home.tsx': `
    import { Link } from 'react-router'
    export default function Home() { return <Link to="/orders/7">Order</Link> }`,
  'app/order.tsx': `
    import { useState } from 'react'
    import type { Route } from './+types/order'
    export const loader = ({ params }: Route.LoaderArgs) => ({ id: params.id })
    function Broken(): never { throw new Error('failed in a fresh application of React Router') }
    export default function Order({ loaderData }: Route.ComponentProps) {
      const [isBroken, setBroken] = useState(false)
      if (isBroken) return <Broken />
      return <button onClick={() => setBroken(true)}>Pay {loaderData.id}</button>
    }`,
}

test.runIf(isLong)(
  'a fresh application of React Router in framework mode: types, build, an error by its route',
  { timeout: 600_000 },
  async () => {
    const entry = snippetsOf('react.md')['app/entry.client.tsx'] ?? ''
    const application = writeApplication(folder, 'react-router', {
      ...layoutOfReactRouter,
      'app/entry.client.tsx': entry.replace(/'https:\/\/[\da-f]{32}@[^']+'/, `'${project.dsn}'`),
      'tunnel.ts': `
        import { createTunnel } from '@afterimage/next/tunnel'
        export const tunnel = createTunnel({ server: '${product.url}', dsns: ['${project.dsn}'] })`,
    })
    const others = [
      '@react-router/dev@8.4.0',
      '@react-router/serve@8.4.0',
      '@react-router/node',
      'react-router',
      'react',
      'react-dom',
      'vite',
      'isbot@5.2.3',
      '@types/node',
      '@types/react',
      '@types/react-dom',
      'typescript@6.0.3',
    ]
    await install(product.url, { application, ours: ['browser', 'react', 'next'], others })
    await run(application, 'node_modules/.bin/react-router', 'typegen')
    await run(application, 'node_modules/.bin/tsc', '-p', '.')
    await run(application, 'node_modules/.bin/react-router', 'build')
    const port = String(await freePort())
    const environment = { HOST: '127.0.0.1', PORT: port, NODE_ENV: 'production' }
    const serve = 'node_modules/@react-router/serve/bin.cjs'
    started.push(await startScript(application, [serve, 'build/server/index.js'], environment))

    const visit = await browser.newPage()
    await visit.goto(`http://127.0.0.1:${port}/`)
    await untilMeasured(product, ['pageload /'])
    await visit.click('text=Order')
    await visit.click('button')
    const event = await eventOf(product, 'failed in a fresh application of React Router')
    await visit.close()
    expect(transactionOf(event)).toBe('/orders/:id')
    expect(event.contexts['react']?.['componentStack']).toContain('at ')
    await untilMeasured(product, ['navigation /orders/:id'])
  },
)
