import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FRAMEWORKS } from '../apps/console/features/onboarding/frameworks.ts'
import {
  codeText,
  type Address,
  type SetupStep,
} from '../apps/console/features/onboarding/setup-step.ts'
import { buildSdk } from '../tools/build/sdk.ts'
import { launchBrowser } from './support/browser.ts'
import { breakingPage, startNextApp } from './support/next-app.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import {
  breakPage,
  brokenParts,
  bundleProject,
  writeProject,
  type ReportedError,
} from './support/snippets.ts'

/** The console's snippets, pasted: built, opened, and an error arrives. */

let browser: Browser

beforeAll(async () => {
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
})

/** The address of a project on a server, as the console shows it. */
function addressOn(server: SdkServer, tunnel = '/monitoring'): Address {
  const dsn = `${server.url.replace('//', `//${'5'.repeat(32)}@`)}/7`
  return { dsn, tunnel: `${tunnel}?o=1&p=7`, origin: server.url }
}

function stepsOf(id: string, client: 'own' | 'sentry', address: Address): readonly SetupStep[] {
  return FRAMEWORKS.find((one) => one.id === id)?.[client]?.(address) ?? []
}

/** The whole files of some steps. */
function filesOf(steps: readonly SetupStep[]): Record<string, string> {
  const snippets = steps.flatMap((step) => step.snippets)
  return Object.fromEntries(
    snippets.flatMap(({ file, code }) => (file === undefined ? [] : [[file, codeText(code)]])),
  )
}

/** Pages and scripts that are told only when the server's address is known. */
async function startPage(): Promise<{
  readonly server: SdkServer
  readonly page: SdkPage & { html: string }
  readonly script: { type: string; body: string }
}> {
  const page = { html: '' }
  const script = { type: 'text/javascript', body: '' }
  const server = await startSdkServer({ page }, { '/main.js': script })
  return { server, page, script }
}

const mount = '<div id="app"></div><script src="/main.js"></script>'

test.for([
  ['react', 'src/main.jsx'],
  ['vue', 'src/main.js'],
  ['svelte', 'src/main.js'],
] as const)('our client in %s', async ([name, entry]) => {
  const { server, page, script } = await startPage()
  const files = filesOf(stepsOf(name, 'own', addressOn(server)))
  expect(Object.keys(files)).toContain(entry)
  const folder = writeProject(`onboarding-${name}`, { ...brokenParts[name], ...files })
  script.body = await bundleProject(folder, entry)
  page.html = mount
  const message = `failed in ${name}`
  await breakPage(browser, `${server.url}/page`, { server, message })
  expect(server.envelopes.map((it) => it.path)).toContain('/monitoring?o=1&p=7')
  await server.close()
})

test('our client by its script tag', async () => {
  const folder = await buildSdk(() => {})
  const fixed = Object.fromEntries(
    readdirSync(folder).map((name) => [
      `/sdk/0.1.0/${name}`,
      { type: 'text/javascript', body: readFileSync(join(folder, name), 'utf8') },
    ]),
  )
  const page = { html: '' }
  const server = await startSdkServer({ page }, fixed)
  const { 'index.html': tags = '' } = filesOf(stepsOf('browser', 'own', addressOn(server)))
  page.html = `${tags}<button onclick="throw new Error('failed in a plain page')">Pay</button>`
  const message = 'failed in a plain page'
  await breakPage(browser, `${server.url}/page`, { server, message })
  expect(server.envelopes.map((it) => it.path)).toContain('/monitoring?o=1&p=7')
  await server.close()
})

test.for([
  ['browser', '@sentry/browser', 'sentry-browser-11'],
  ['react', '@sentry/react', 'sentry-react-11'],
] as const)('the SDK of Sentry in %s', async ([id, name, installed]) => {
  const { server, page, script } = await startPage()
  const [, start] = stepsOf(id, 'sentry', addressOn(server))
  const folder = writeProject(`onboarding-sentry-${id}`, {
    'main.js': codeText(start?.snippets[0]?.code ?? []),
  })
  script.body = await bundleProject(folder, 'main.js', { [name]: installed })
  const message = 'failed with another client'
  page.html = `${mount}<button onclick="throw new Error('${message}')">Pay</button>`
  await breakPage(browser, `${server.url}/page`, { server, message })
  expect(server.envelopes.map((it) => it.path)).toContain('/monitoring?o=1&p=7')
  await server.close()
})

interface Manifest {
  readonly files: readonly {
    readonly debugId: string
    readonly map: string
    readonly file: string
  }[]
}

// By Turbopack in `next-sdk.spec.ts`. `npm run test:long` builds by webpack, too.
test.runIf(process.env.AFTERIMAGE_TEST_LONG === '1')(
  'our client in Next, built by webpack: every chunk and its map have one debug id',
  async () => {
    const server = await startSdkServer({})
    const files = filesOf(stepsOf('nextjs', 'own', addressOn(server, '/t/errors')))
    const app = await startNextApp('onboarding-next', {
      bundler: 'webpack',
      files: {
        ...files,
        // An application's present options go between the braces. Types are checked with all others.
        'next.config.ts': (files['next.config.ts'] ?? '').replace(
          '{}',
          '{ typescript: { ignoreBuildErrors: true } }',
        ),
        'app/page.tsx': breakingPage('app'),
      },
    })
    try {
      const message = 'failed in the app router'
      const event = await breakPage(browser, app.url, { server, message })
      checkDebugIds(join(app.folder, '.next'), event)
    } finally {
      await app.stop()
      await server.close()
    }
  },
)

/** Checks the debug ids of the build's files and of an event's frames. */
function checkDebugIds(build: string, event: ReportedError): void {
  const read = (...path: string[]): string => readFileSync(join(build, ...path), 'utf8')
  const { files } = JSON.parse(read('source-maps/manifest.json')) as Manifest
  const chunks = files.filter(({ file }) => /^static\/chunks\/.*\.js$/.test(file))
  expect(chunks.length).toBeGreaterThan(5)
  for (const { debugId, map, file } of chunks) {
    expect(read(file)).toContain(`//# debugId=${debugId}`)
    expect(JSON.parse(read('source-maps', map))).toMatchObject({ debugId })
  }
  const ids = new Set(chunks.map(({ debugId }) => debugId))
  expect(event.debug_meta?.images.length).toBeGreaterThan(0)
  for (const image of event.debug_meta?.images ?? []) expect(ids).toContain(image.debug_id)
}
