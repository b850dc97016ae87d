import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildSdk } from '../tools/build/sdk.ts'
import { launchBrowser } from './support/browser.ts'
import { breakingPage, startNextApp } from './support/next-app.ts'
import { startSdkServer } from './support/sdk-server.ts'
import {
  breakPage,
  brokenParts,
  bundleProject,
  snippetsOf,
  writeProject,
  type ReportedError,
} from './support/snippets.ts'
import { expectNoRelay, expectTunnel } from './support/tunnel-client.ts'

/** The snippets of `docs/sdk`, compiled and run as they stand there: an error arrives. */

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
})

/** A bundled application: the snippets of a page of the documentation, and what they leave to the reader. */
async function visitBundled(name: keyof typeof brokenParts, entry: string): Promise<ReportedError> {
  const snippets = snippetsOf(`${name}.md`)
  expect(Object.keys(snippets)).toContain(entry)
  const folder = writeProject(`docs-${name}`, { ...brokenParts[name], ...snippets })
  const body = await bundleProject(folder, entry)
  const html = '<div id="app"></div><script src="/main.js"></script>'
  const server = await startSdkServer(
    { [name]: { html } },
    { '/main.js': { type: 'text/javascript', body } },
  )
  try {
    const event = await breakPage(browser, `${server.url}/${name}`, {
      server,
      message: `failed in ${name}`,
    })
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
    await breakPage(browser, `${server.url}/plain`, { server, message: 'failed in a plain page' })
    await server.close()
  }
})

test('React', async () => {
  const event = await visitBundled('react', 'src/main.jsx')
  expect(String(event.contexts['react']?.['componentStack'])).toContain('at ')
})

test('Vue', async () => {
  const event = await visitBundled('vue', 'src/main.js')
  expect(event.contexts['vue']).toEqual({
    componentName: 'app',
    lifecycleHook: 'native event handler',
  })
})

test('Svelte', async () => {
  await visitBundled('svelte', 'src/main.js')
})

test('Angular, whose types hold and whose handler reports and logs', async () => {
  const snippets = snippetsOf('angular.md')
  const folder = writeProject('docs-angular', {
    ...snippets,
    // In place of `bootstrapApplication`, whose components need Angular's own compiler.
    'src/main.ts': `
      import './start-afterimage'
      import { ErrorHandler, Injector } from '@angular/core'
      import { appConfig } from './app/app.config'
      const injector = Injector.create({ providers: [...appConfig.providers] as never[] })
      const button = document.body.appendChild(document.createElement('button'))
      button.addEventListener('click', () => {
        injector.get(ErrorHandler).handleError(new Error('failed in angular'))
      })`,
    'tsconfig.json': JSON.stringify({
      extends: '../../../tsconfig.json',
      compilerOptions: {
        module: 'esnext',
        moduleResolution: 'bundler',
        paths: { '@angular/*': ['../../sdks/node_modules/@angular/*'] },
      },
      include: ['src'],
    }),
  })
  await promisify(execFile)('node_modules/.bin/tsc', ['-p', folder])
  const body = await bundleProject(folder, 'src/main.ts')
  const server = await startSdkServer(
    { angular: { html: '<script src="/main.js"></script>' } },
    { '/main.js': { type: 'text/javascript', body } },
  )
  const page = await browser.newPage()
  const logged = page.waitForEvent('console', (it) => it.text().includes('failed in angular'))
  try {
    await page.goto(`${server.url}/angular`)
    await page.click('button')
    expect((await logged).type()).toBe('error')
    await expect.poll(() => server.items('event')).toHaveLength(1)
    expect(JSON.stringify(server.items('event'))).toContain('failed in angular')
  } finally {
    await page.close()
    await server.close()
  }
})

test('Next, both routers', { timeout: 600_000 }, async () => {
  const snippets = snippetsOf('next.md')
  const server = await startSdkServer({})
  const dsn = `${server.url.replace('//', `//${'5'.repeat(32)}@`)}/1`
  const app = await startNextApp('docs-next', {
    files: {
      ...snippets,
      // Types are checked with all others; here the application is built.
      'next.config.ts': (snippets['next.config.ts'] ?? '').replace(
        'reactStrictMode: true',
        'reactStrictMode: true, typescript: { ignoreBuildErrors: true }',
      ),
      'app/page.tsx': breakingPage('app'),
      'pages/old.tsx': breakingPage('pages'),
    },
    environment: { AFTERIMAGE_DSN: dsn },
  })
  try {
    // Before any page is visited, whose own reports would arrive in between.
    await expectTunnel(app.url, dsn, server)
    await expectNoRelay(app.url, dsn, server)
    for (const [path, mode] of [
      ['/', 'app'],
      ['/old', 'pages'],
    ]) {
      const event = await breakPage(browser, `${app.url}${path}`, {
        server,
        message: `failed in the ${mode} router`,
      })
      expect(event.release).toBe('shop@1.4.0')
    }
  } finally {
    await app.stop()
    await server.close()
  }
})
