import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSdk } from '../packages/server/src/web/build-sdk.ts'
import { launchBrowser } from './support/browser.ts'
import { freePort } from './support/product.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { bundleProject, snippetsOf, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** The snippets of `docs/sdk`, compiled and run as they stand there: an error arrives. */

interface SentEvent {
  readonly exception: { readonly values: readonly { readonly value: string }[] }
  readonly contexts: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly release?: string
  readonly tags?: Readonly<Record<string, string>>
}

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
})

/** What the page reported of the error with this message, after its button was clicked. */
async function visit(address: string, server: SdkServer, message: string): Promise<SentEvent> {
  const page = await browser.newPage()
  try {
    await page.goto(address)
    await page.click('button')
    return await until(`an error ${message}`, () =>
      server
        .items<SentEvent>('event')
        .find((it) => it.exception.values.some(({ value }) => value === message)),
    )
  } finally {
    await page.close()
  }
}

/** A bundled application: the snippets of a page of the documentation, and what they leave to the reader. */
async function visitBundled(
  name: string,
  entry: string,
  own: Readonly<Record<string, string>>,
): Promise<SentEvent> {
  const snippets = snippetsOf(`${name}.md`)
  expect(Object.keys(snippets)).toContain(entry)
  const folder = writeProject(`docs-${name}`, { ...own, ...snippets })
  const body = await bundleProject(folder, entry)
  const html = '<div id="app"></div><script src="/main.js"></script>'
  const server = await startSdkServer(
    { [name]: { html } },
    { '/main.js': { type: 'text/javascript', body } },
  )
  try {
    const event = await visit(`${server.url}/${name}`, server, `failed in ${name}`)
    expect(server.items('event')).toHaveLength(1)
    return event
  } finally {
    await server.close()
  }
}

test('script tags', async () => {
  const folder = await buildSdk(() => {})
  const fixed = Object.fromEntries(
    readdirSync(folder).map((name) => [
      `/sdk/0.1.0/${name}`,
      { type: 'text/javascript', body: readFileSync(`${folder}/${name}`, 'utf8') },
    ]),
  )
  const snippets = snippetsOf('script-tag.md')
  expect(Object.keys(snippets)).toEqual(['tag.html', 'loader.html'])
  const button = `<button onclick="throw new Error('failed in a plain page')">Pay</button>`
  for (const html of Object.values(snippets)) {
    const own = html.replaceAll('src="https://afterimage.example.com/', 'src="/') + button
    const server = await startSdkServer({ plain: { html: own } }, fixed)
    await visit(`${server.url}/plain`, server, 'failed in a plain page')
    await server.close()
  }
})

test('React', async () => {
  const event = await visitBundled('react', 'src/main.jsx', {
    'src/app.jsx': `import { useState } from 'react'
      function Broken() { throw new Error('failed in react') }
      export function App() {
        const [isBroken, setBroken] = useState(false)
        return isBroken ? <Broken /> : <button onClick={() => setBroken(true)}>Pay</button>
      }`,
  })
  expect(String(event.contexts['react']?.['componentStack'])).toContain('at ')
})

test('Vue', async () => {
  const event = await visitBundled('vue', 'src/main.js', {
    'src/app.vue': `<script setup>
      function pay() { throw new Error('failed in vue') }
      </script>
      <template><button @click="pay">Pay</button></template>`,
  })
  expect(event.contexts['vue']?.['info']).toBeDefined()
})

test('Svelte', async () => {
  await visitBundled('svelte', 'src/main.js', {
    'src/page.svelte': `<script>
      let isBroken = $state(false)
      function draw() { if (isBroken) throw new Error('failed in svelte'); return 'Pay' }
      </script>
      <button onclick={() => (isBroken = true)}>{draw()}</button>`,
  })
})

const nextButton = (mode: string): string => `'use client'
import { useState } from 'react'
function Broken(): never { throw new Error('failed in the ${mode} router') }
export default function Page() {
  const [isBroken, setBroken] = useState(false)
  return isBroken ? <Broken /> : <button onClick={() => setBroken(true)}>Pay</button>
}`

test('Next, both routers', { timeout: 600_000 }, async () => {
  const snippets = snippetsOf('next.md')
  const folder = writeProject('docs-next', {
    ...snippets,
    // Types are checked with all others; here the application is built.
    'next.config.ts': (snippets['next.config.ts'] ?? '').replace(
      'reactStrictMode: true',
      'reactStrictMode: true, typescript: { ignoreBuildErrors: true }',
    ),
    'tsconfig.json': JSON.stringify({
      extends: '../../../tsconfig.json',
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        types: ['node', 'react', 'react-dom', 'next'],
        isolatedModules: true,
        resolveJsonModule: true,
        esModuleInterop: true,
        allowJs: false,
        incremental: false,
        plugins: [{ name: 'next' }],
      },
      include: ['**/*.ts', '**/*.tsx'],
    }),
    'package.json': '{ "private": true, "type": "module" }',
    'app/layout.tsx': `export default function Layout({ children }: { children: React.ReactNode }) {
      return <html lang="en"><body>{children}</body></html>
    }`,
    'app/page.tsx': nextButton('app'),
    'pages/old.tsx': nextButton('pages'),
  })
  const server = await startSdkServer({})
  const environment = {
    ...process.env,
    NODE_ENV: 'production' as const,
    NEXT_TELEMETRY_DISABLED: '1',
    AFTERIMAGE_DSN: `${server.url.replace('//', `//${'5'.repeat(32)}@`)}/1`,
  }
  const next = (...rest: string[]): { child: ChildProcess; printed: () => string } => {
    const path = fileURLToPath(import.meta.resolve('next/dist/bin/next'))
    const child = spawn(process.execPath, [path, ...rest], { cwd: folder, env: environment })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
    }
    return { child, printed: () => text }
  }
  const building = next('build')
  const [code] = (await once(building.child, 'exit')) as [number | null]
  expect(code, building.printed().slice(-4000)).toBe(0)

  const port = await freePort()
  const serving = next('start', '-p', String(port))
  try {
    await until('Next is ready', () => serving.printed().includes('Ready in'), 60_000)
    for (const [path, mode] of [
      ['/', 'app'],
      ['/old', 'pages'],
    ]) {
      const address = `http://localhost:${port}${path}`
      const event = await visit(address, server, `failed in the ${mode} router`)
      expect(event.release).toBe('shop@1.4.0')
    }
  } finally {
    serving.child.kill('SIGTERM')
    await once(serving.child, 'exit')
    await server.close()
  }
})
