import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoLeaks } from './support/audited.ts'
import { launchBrowser, signIn } from './support/browser.ts'
import { install, run, startScript, writeApplication } from './support/fresh-application.ts'
import { breakingPage } from './support/next-app.ts'
import { freePort, startProduct, type Product } from './support/product.ts'
import { eventOf, transactionOf, untilMeasured } from './support/reported.ts'
import { snippetsOf } from './support/snippets.ts'

/**
 * A fresh application of Next with the files of its documentation, below a base path, in both
 * routers and with each bundler. Its build takes a minute, so `npm run test:long` runs it.
 */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
let product: Product
let browser: Browser
/** The console, signed in. */
let reader: Page
let folder: string
let application: string
const started: ChildProcess[] = []

/** The options of `create-next-app`. */
const tsconfig = {
  compilerOptions: {
    target: 'ES2017',
    lib: ['dom', 'dom.iterable', 'esnext'],
    allowJs: true,
    skipLibCheck: true,
    strict: true,
    noEmit: true,
    esModuleInterop: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    resolveJsonModule: true,
    isolatedModules: true,
    jsx: 'react-jsx',
    incremental: true,
    plugins: [{ name: 'next' }],
  },
  include: ['next-env.d.ts', '**/*.ts', '**/*.tsx', '.next/types/**/*.ts'],
  exclude: ['node_modules'],
}

const files = {
  'package.json': '{ "private": true }',
  'tsconfig.json': JSON.stringify(tsconfig),
  ...snippetsOf('next.md'),
  'next.config.ts': `
    import { withAfterimage } from '@afterimage/next'
    import type { NextConfig } from 'next'

    const config: NextConfig = { basePath: '/shop' }
    export default withAfterimage(config, { release: 'shop@1.4.0', routeManifest: 'scan' })`,
  'app/layout.tsx': `
    export default function Layout({ children }: Readonly<{ children: React.ReactNode }>) {
      return <html lang="en"><body>{children}</body></html>
    }`,
  'app/orders/[id]/page.tsx': breakingPage('app'),
  'pages/gifts/[slug].tsx': breakingPage('pages'),
  'app/api/stock/[slug]/route.ts': `
    export async function GET(_: Request, { params }: { params: Promise<{ slug: string }> }) {
      const { slug } = await params
      if (slug === 'lamp') throw new Error('failed on the server')
      return Response.json({ slug })
    }`,
}

beforeAll(async () => {
  if (!isLong) return
  product = await startProduct()
  browser = await launchBrowser()
  reader = await browser.newPage()
  await signIn(reader, product.url)
  folder = mkdtempSync(join(tmpdir(), 'afterimage-fresh-'))
  application = writeApplication(folder, 'next', files)
  const others = [
    'next',
    'react',
    'react-dom',
    '@types/node',
    '@types/react',
    '@types/react-dom',
    'typescript@6.0.3',
  ]
  await install(product.url, { application, ours: ['browser', 'replay', 'next'], others })
}, 600_000)

afterAll(async () => {
  for (const child of started) child.kill()
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
  if (isLong) rmSync(folder, { recursive: true, force: true })
})

const next = 'node_modules/next/dist/bin/next'

test.runIf(isLong).each(['turbopack', 'webpack'])(
  'a fresh Next application, built by %s: types, both routers and the server, by their routes',
  { timeout: 900_000 },
  async (bundler) => {
    const { dsn } = await product.createProject(bundler)
    writeFileSync(join(application, '.env.production'), `AFTERIMAGE_DSN=${dsn}\n`)
    rmSync(join(application, '.next'), { recursive: true, force: true })
    await run(application, process.execPath, next, 'build', `--${bundler}`)
    const port = String(await freePort())
    const environment = { NODE_ENV: 'production' }
    const parameters = [next, 'start', '--hostname', '127.0.0.1', '-p', port]
    started.push(await startScript(application, parameters, environment))

    const shop = `http://127.0.0.1:${port}/shop`
    const broken = { app: '/orders/7', pages: '/gifts/jug' }
    for (const [router, path] of Object.entries(broken)) {
      const page = await browser.newPage()
      await page.goto(shop + path)
      await page.click('button')
      await eventOf(product, `failed in the ${router} router`, bundler)
      await page.close()
    }
    expect((await fetch(`${shop}/api/stock/jug`)).status).toBe(200)
    expect((await fetch(`${shop}/api/stock/lamp`)).status).toBe(500)

    const names = {
      'failed in the app router': '/shop/orders/:id',
      'failed in the pages router': '/shop/gifts/:slug',
      'failed on the server': 'GET /api/stock/[slug]',
    }
    for (const [title, name] of Object.entries(names)) {
      const event = await eventOf(product, title, bundler)
      expect(transactionOf(event)).toBe(name)
      expect(event.release?.version).toBe('shop@1.4.0')
      await reader.goto(`${product.url}/issues/${event.groupID}`)
      await reader.getByRole('heading', { level: 1, name: title }).waitFor()
      await reader.getByText(name).first().waitFor()
    }
    const loads = ['pageload /shop/orders/:id', 'pageload /shop/gifts/:slug']
    await untilMeasured(product, loads, bundler)

    const all = ['event', 'replay_recording', 'transaction']
    for (const path of Object.values(broken)) {
      await expectNoLeaks(shop + path, all, { ignored: ['_rsc=', '/_next/'] })
    }
  },
)
