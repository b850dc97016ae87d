import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiSpan, ApiTrace } from '@afterimage/protocol/api/trace'
import { expectNoLeaks } from './support/audited.ts'
import { launchBrowser } from './support/browser.ts'
import { install, run, startScript, writeApplication } from './support/fresh-application.ts'
import { freePort, startProduct, type Product, type Project } from './support/product.ts'
import { eventOf, untilMeasured } from './support/reported.ts'
import { snippetsOf } from './support/snippets.ts'
import { until } from './support/until.ts'

/**
 * Fresh applications of whole frameworks, as their documentation begins them: they install the
 * packages from the server, their types are checked, they are built, and they report. Installing
 * takes a while, so `npm run test:long` runs them.
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

/** The documented files, which report to the product. */
function filesOf(page: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(snippetsOf(page)).map(([path, text]) => [
      path,
      text.replace(/'https:\/\/[\da-f]{32}@[^']+'/, `'${project.dsn}'`),
    ]),
  )
}

const layoutOfKit = {
  'tsconfig.json': '{ "extends": "$app/tsconfig", "include": ["src"] }',
  'src/app.html':
    '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
  'src/routes/+page.svelte': '<a href="/users/7">User</a>',
  'src/routes/users/[id]/+page.server.ts': `
    export const load = ({ params }: { params: { id: string } }) => {
      if (params.id === '0') throw new Error('failed on the server of SvelteKit')
      return { id: params.id }
    }`,
  'src/routes/users/[id]/+page.ts': `
    import { browser } from '$app/env'
    export const load = ({ params, data }: { params: { id: string }; data: { id: string } }) => {
      if (browser && params.id === '8') throw new Error('failed in a navigation')
      return data
    }`,
  'src/routes/users/[id]/+page.svelte': `
    <script lang="ts">
      import { captureBoundaryError } from '@afterimage/svelte'
      let isBroken = $state(false)
      function draw(): string {
        if (isBroken) throw new Error('failed in a boundary')
        return 'Pay'
      }
    </script>
    <a href="/users/8">Next</a>
    <svelte:boundary onerror={captureBoundaryError}>
      <button onclick={() => (isBroken = true)}>{draw()}</button>
      {#snippet failed()}<p>Something failed</p>{/snippet}
    </svelte:boundary>`,
  // The hooks by their own types.
  'src/lib/typed-hooks.ts': `
    import {
      afterimageHandle,
      handleErrorWithAfterimage,
    } from '@afterimage/svelte/kit-server'
    import { handleErrorWithAfterimage as onClient } from '@afterimage/svelte/kit-client'
    import type { Handle, HandleClientError, HandleServerError } from '@sveltejs/kit/hooks'
    export const handle: Handle = afterimageHandle()
    export const handleError: HandleServerError = handleErrorWithAfterimage()
    export const own: HandleServerError = handleErrorWithAfterimage(({ event }) => ({
      message: event.url.pathname,
    }))
    export const client: HandleClientError = onClient()`,
}

test.runIf(isLong)(
  'a fresh SvelteKit application: types, build, both halves in one trace',
  { timeout: 600_000 },
  async () => {
    const { 'hooks.server.js': ownHooks = '', ...documented } = filesOf('svelte.md')
    const application = writeApplication(folder, 'kit', {
      ...layoutOfKit,
      'vite.config.js': snippetsOf('tunnel.md')['vite.config.js'] ?? '',
      'src/hooks.client.ts': documented['src/hooks.client.js'] ?? '',
      'src/hooks.server.ts': documented['src/hooks.server.js'] ?? '',
      'src/routes/+layout.svelte': documented['src/routes/+layout.svelte'] ?? '',
      'src/lib/own-hooks.ts': ownHooks,
    })
    const others = [
      '@sveltejs/kit',
      '@sveltejs/adapter-node',
      '@sveltejs/vite-plugin-svelte',
      'svelte',
      'vite',
      '@types/node',
      'svelte-check@4.7.8',
      'typescript@6.0.3',
    ]
    await install(product.url, { application, ours: ['browser', 'replay', 'svelte'], others })
    await run(application, 'node_modules/.bin/svelte-kit', 'sync')
    await run(application, 'node_modules/.bin/svelte-check', '--fail-on-warnings')
    await run(application, 'node_modules/.bin/vite', 'build')
    const port = String(await freePort())
    const [bodySize = ''] = documented['start.sh']?.split(' ') ?? []
    const [name = '', value = ''] = bodySize.split('=')
    const environment = {
      HOST: '127.0.0.1',
      PORT: port,
      ORIGIN: `http://127.0.0.1:${port}`,
      AFTERIMAGE_DSN: project.dsn,
      [name]: value,
    }
    started.push(await startScript(application, ['build'], environment))

    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await untilMeasured(product, ['http.server GET /', 'pageload /'])
    await page.click('text=User')
    await page.click('button')
    const caught = await eventOf(product, 'failed in a boundary')
    expect(caught.tags).toContainEqual(
      expect.objectContaining({ key: 'transaction', value: '/users/[id]' }),
    )
    await untilMeasured(product, ['navigation /users/[id]', 'http.server GET /users/[id]'])
    await page.click('text=Next')
    await eventOf(product, 'failed in a navigation')
    await page.goto(`http://127.0.0.1:${port}/users/0`)
    const event = await eventOf(product, 'failed on the server of SvelteKit')
    expect(JSON.stringify(event)).toContain('GET /users/[id]')

    await untilMeasured(product, ['pageload /users/[id]'])
    // The page load that shows the error belongs to the request that failed.
    const { trace_id: traceId } = event.contexts['trace'] as { trace_id: string }
    const trace = await until('the trace of both halves', async () => {
      const found = await product.api<ApiTrace>(`organizations/main/traces/${traceId}/`)
      return found.spans[0]?.children.some(({ op }) => op === 'pageload') ? found : null
    })
    await page.close()
    expect(trace.spans).toMatchObject([
      { op: 'http.server', name: 'GET /users/[id]', status: 'internal_error' },
    ])
    const errors = (span: ApiSpan): unknown[] => [...span.errors, ...span.children.flatMap(errors)]
    expect(trace.spans.flatMap(errors)).toHaveLength(1)

    const all = ['event', 'replay_recording', 'transaction']
    await expectNoLeaks(`http://127.0.0.1:${port}/users/7`, all, { ignored: ['__data.json'] })
  },
)

test.runIf(isLong)(
  'a fresh Vite application with Vue: types, build, an error with its component',
  { timeout: 600_000 },
  async () => {
    const { 'src/main.js': main = '', 'src/router.js': router = '' } = filesOf('vue.md')
    const application = writeApplication(folder, 'vue', {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          module: 'esnext',
          moduleResolution: 'bundler',
          types: [],
          strict: true,
          skipLibCheck: false,
          verbatimModuleSyntax: true,
          noUncheckedSideEffectImports: true,
          noEmit: true,
        },
        include: ['src'],
      }),
      'vite.config.js': `
        import vue from '@vitejs/plugin-vue'
        export default { plugins: [vue()] }`,
      'index.html':
        '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
      'src/main.ts': main.replace("'./router.js'", "'./router'"),
      'src/router.ts': router,
      'src/components.d.ts': `
        declare module '*.vue' {
          import type { DefineComponent } from 'vue'
          const component: DefineComponent
          export default component
        }`,
      'src/app.vue':
        '<script setup>import { RouterView } from "vue-router"</script><template><RouterView /></template>',
      'src/home.vue': '<template><h1>Home</h1></template>',
      'src/user.vue': `<script setup lang="ts">
        function pay() { throw new Error('failed in a fresh application of Vue') }
        </script>
        <template><button @click="pay">Pay</button></template>`,
      'server.mjs': `
        import { readFileSync, existsSync } from 'node:fs'
        import { createServer } from 'node:http'
        import { createTunnel } from '@afterimage/next/tunnel'
        import { tunnelListener } from '@afterimage/next/tunnel-node'

        const [server, dsn, port] = process.argv.slice(2)
        const tunnel = tunnelListener(createTunnel({ server, dsns: [dsn] }))
        createServer((request, response) => {
          if (request.url.startsWith('/monitoring')) return tunnel(request, response)
          const file = 'dist' + request.url
          const path = request.url.includes('.') && existsSync(file) ? file : 'dist/index.html'
          response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html')
          response.end(readFileSync(path))
        }).listen(Number(port), '127.0.0.1', () => console.log('ready'))`,
    })
    const others = ['vue', 'vue-router', 'pinia', 'vite', 'typescript', '@vitejs/plugin-vue@6.0.11']
    await install(product.url, { application, ours: ['browser', 'replay', 'next', 'vue'], others })
    await run(application, 'node_modules/.bin/tsc', '-p', '.')
    await run(application, 'node_modules/.bin/vite', 'build')
    const port = String(await freePort())
    started.push(await startScript(application, ['server.mjs', product.url, project.dsn, port]))
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/users/7`)
    await page.click('button')
    const event = await eventOf(product, 'failed in a fresh application of Vue')
    await page.close()
    expect(event.contexts['vue']).toMatchObject({
      componentName: 'user',
      lifecycleHook: 'native event handler',
    })
    await untilMeasured(product, ['pageload /users/:id'])

    const all = ['event', 'replay_recording', 'transaction']
    await expectNoLeaks(`http://127.0.0.1:${port}/users/7`, all)
  },
)

test.runIf(isLong)(
  'a fresh Vite application with Svelte, without the recorder: types, build, an error of a boundary',
  { timeout: 600_000 },
  async () => {
    const { 'src/app.svelte': app = '' } = snippetsOf('svelte.md')
    const application = writeApplication(folder, 'svelte', {
      'tsconfig.json': JSON.stringify({
        compilerOptions: {
          target: 'es2023',
          lib: ['ES2023', 'DOM', 'DOM.Iterable'],
          module: 'esnext',
          moduleResolution: 'bundler',
          types: ['svelte', 'vite/client'],
          strict: true,
          skipLibCheck: false,
          allowJs: true,
          checkJs: true,
          verbatimModuleSyntax: true,
          noEmit: true,
        },
        include: ['src'],
      }),
      'vite.config.js': `
        import { svelte } from '@sveltejs/vite-plugin-svelte'
        export default { plugins: [svelte()] }`,
      'index.html':
        '<!doctype html><div id="app"></div><script type="module" src="/src/main.ts"></script>',
      'src/main.ts': `
        import { browserTracing, init } from '@afterimage/svelte'
        import { mount } from 'svelte'
        import App from './app.svelte'

        init({ dsn: '${project.dsn}', tunnel: false, integrations: [browserTracing()] })
        mount(App, { target: document.getElementById('app')! })`,
      'src/app.svelte': app,
      'src/page.svelte': `
        <script lang="ts">
          let isBroken = $state(false)
          function draw(): string {
            if (isBroken) throw new Error('failed in a fresh application of Svelte')
            return 'Pay'
          }
        </script>
        <button onclick={() => (isBroken = true)}>{draw()}</button>`,
    })
    const others = [
      'svelte',
      'vite',
      '@sveltejs/vite-plugin-svelte',
      'svelte-check@4.7.8',
      'typescript@6.0.3',
    ]
    await install(product.url, { application, ours: ['browser', 'svelte'], others })
    await run(application, 'node_modules/.bin/svelte-check', '--fail-on-warnings')
    await run(application, 'node_modules/.bin/vite', 'build')
    const port = String(await freePort())
    const preview = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1']
    started.push(await startScript(application, [...preview, '--strictPort', '--port', port]))
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.click('button')
    await page.waitForSelector('text=Something failed')
    const event = await eventOf(product, 'failed in a fresh application of Svelte')
    await page.close()
    expect(JSON.stringify(event.entries)).toContain('ui.click')

    await expectNoLeaks(`http://127.0.0.1:${port}/`, ['event', 'transaction'])
  },
)

test.runIf(isLong)(
  'a Vite application of @sentry/browser, moved by the documented alias: build, an error, its replay',
  { timeout: 600_000 },
  async () => {
    const application = writeApplication(folder, 'moved', {
      'vite.config.js': snippetsOf('migrate.md')['vite.config.js'] ?? '',
      'index.html':
        '<!doctype html><button>Pay</button><script type="module" src="/src/main.js"></script>',
      'src/main.js': `
        import * as Sentry from '@sentry/browser'

        Sentry.init({
          dsn: '${project.dsn}',
          tunnel: false,
          release: 'moved@1',
          tracesSampleRate: 1,
          replaysSessionSampleRate: 1,
          integrations: [
            Sentry.browserTracingIntegration(),
            Sentry.replayIntegration({ minReplayDuration: 0 }),
          ],
        })
        Sentry.setTag('shop', 'north')
        globalThis.getReplay = Sentry.getReplay
        document.querySelector('button').onclick = () => {
          throw new Error('failed in a moved application')
        }`,
    })
    await install(product.url, { application, ours: ['browser', 'replay'], others: ['vite'] })
    await run(application, 'node_modules/.bin/vite', 'build')
    const port = String(await freePort())
    const preview = ['node_modules/vite/bin/vite.js', 'preview', '--host', '127.0.0.1']
    started.push(await startScript(application, [...preview, '--strictPort', '--port', port]))
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.waitForFunction('getReplay().getReplayId()')
    await page.click('button')
    const event = await eventOf(product, 'failed in a moved application')
    await page.close()
    expect(event.release?.version).toBe('moved@1')
    expect(event.tags).toContainEqual({ key: 'shop', value: 'north' })
    expect(event.replayId).toMatch(/^[\da-f]{32}$/)
  },
)
