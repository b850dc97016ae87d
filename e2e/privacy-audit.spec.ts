import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describe as inWords, verdict } from '../packages/cli/src/privacy-audit.ts'
import {
  audit,
  places,
  placesOfSecrets,
  seedMarkup,
  type AuditResult,
} from '../packages/cli/src/privacy-audit/index.ts'
import { itemTypes, leaksOf } from './support/audited.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'

/** The canary audit: our client with everything on leaks from no place; and it does find leaks. */

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
const media = 'svg,picture,img,video,audio,object,embed'

const ours = (unmask = '', unblock = '') => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
import { browserTracing } from '@afterimage/browser/tracing'
afterimage.init({
  dsn: 'https://${'a'.repeat(32)}@errors.test/42',
  release: 'shop@1',
  unmask: '${unmask}',
  integrations: [browserTracing(), replayIntegration({ sessionSampleRate: 1, minMs: 0, unblock: '${unblock}' })],
})`

let server: SdkServer

beforeAll(async () => {
  const official = await build({
    stdin: {
      contents: `import * as Sentry from 'sentry-browser-11'
        Sentry.init({
          dsn: 'https://${'a'.repeat(32)}@errors.test/42',
          tunnel: '/tunnel',
          tracesSampleRate: 1,
          replaysSessionSampleRate: 1,
          integrations: [Sentry.browserTracingIntegration(), Sentry.replayIntegration({ minReplayDuration: 0 })],
        })`,
      resolveDir: fileURLToPath(new URL('sdks', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
  })
  server = await startSdkServer({
    seeded: { html: seedMarkup(places), script: ours() },
    drawn: {
      html: seedMarkup(places),
      script: ours('', media),
    },
    unmasked: { html: seedMarkup(placesOfSecrets), script: ours('html', media) },
    foreign: {
      html: '<h1>Account of</h1><input name="city"><p>Balance</p>',
      script: ours(),
    },
    silent: { html: '<p>Nobody watches</p>' },
    talkative: {
      html: '<p>Sends all it knows</p>',
      before: `addEventListener('pagehide', () => navigator.sendBeacon('/monitoring',
        new Blob([JSON.stringify({ html: document.documentElement.outerHTML })])))`,
    },
    official: { html: seedMarkup(places), before: official.outputFiles[0]?.text ?? '' },
  })
})

afterAll(async () => {
  await server?.close()
})

// Most of an audit is waiting for what may still be sent: they run beside each other.
function auditPage(name: string, given = places): Promise<AuditResult> {
  return audit(`${server.url}/${name}`, given)
}

test('there are many places, each with a canary of its own', () => {
  expect(places.length).toBeGreaterThan(280)
  expect(placesOfSecrets.length).toBeGreaterThan(70)
  for (const all of [places, placesOfSecrets]) {
    expect(new Set(all.map(({ canary }) => canary)).size).toBe(all.length)
  }
})

// Drawings hold words of their own; they are recorded only where asked for.
const pages = isLong ? ['seeded', 'foreign', 'drawn'] : ['seeded', 'foreign']
for (const name of pages) {
  test.concurrent(`our client leaks from no place of a page that is ${name}`, async () => {
    const result = await auditPage(name)
    console.log(inWords(result))
    expect(itemTypes(result)).toEqual(
      expect.arrayContaining(['event', 'replay_event', 'replay_recording', 'transaction']),
    )
    expect(leaksOf(result)).toEqual([])
    expect(verdict(result)).toBe('clean')
    // Not vacuous: the page was used, and what may be told was.
    expect(result.told.map(({ place }) => place.name)).toContain('words of an error')
  })
}

test.concurrent('S17 passwords and cards leave no page, though all of it is unmasked', async () => {
  const result = await auditPage('unmasked', placesOfSecrets)
  expect(leaksOf(result)).toEqual([])
  expect(verdict(result)).toBe('clean')
  // Not vacuous: all is unmasked.
  expect(new Set(result.told.map(({ place }) => place.name)).size).toBe(3)
})

test.concurrent('a page that reports nothing proves nothing', async () => {
  expect(verdict(await auditPage('silent'))).toBe('unproven')
})

test.concurrent('a beacon at the very end is looked through as well', async () => {
  const result = await auditPage('talkative')
  const names = result.leaks.map(({ place }) => place.name)
  expect(names).toEqual(expect.arrayContaining(['text of a paragraph', 'placeholder', 'comment']))
  expect(inWords(result)).toContain('LEAK  text of a paragraph\n      POST ')
})

test.concurrent('the official client, for comparison, sends private texts of the same page', async () => {
  const result = await auditPage('official')
  console.log(`@sentry/browser 11, with its defaults:\n${inWords(result)}`)
  expect(itemTypes(result)).toEqual(expect.arrayContaining(['event', 'replay_recording']))
  expect(result.leaks.length).toBeGreaterThan(0)
})
