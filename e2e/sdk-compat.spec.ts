import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments, joinSegments } from './support/replay-decode.ts'
import { scenarios } from './support/compat-scenarios.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** One source against `@sentry/browser` and against our compatible entry: their events agree. */

/** Run in the pages. */
declare const run: (name: string) => Promise<void>
declare const flush: () => Promise<boolean>

const clients = ['theirs', 'ours'] as const

let browser: Browser
let server: SdkServer
let pages: Page[]

beforeAll(async () => {
  browser = await launchBrowser()
  pages = await Promise.all(clients.map(() => browser.newPage()))
  const [theirs, ours] = await Promise.all(clients.map(bundle))
  server = await startSdkServer(
    {
      theirs: { html: '<script src="/theirs.js"></script>' },
      ours: { html: '<script src="/ours.js"></script>' },
      replayed: {
        html: `<p>Words</p><p class="sentry-unmask">Opening hours</p><p data-sentry-block>hush</p><img alt="Ann" src="/a.png">
          <canvas class="chart"></canvas><canvas class="sentry-block"></canvas>`,
        script: `import * as Sentry from '@afterimage/browser/compat'
          Sentry.init({
            dsn: 'https://${'a'.repeat(32)}@o1.ingest.sentry.io/42', tunnel: '/monitoring', replaysSessionSampleRate: 1,
            integrations: [
              Sentry.replayIntegration({ minReplayDuration: 0, unblock: ['.chart'] }),
              Sentry.replayCanvasIntegration({ quality: 'high' }),
            ],
          })
          globalThis.flush = Sentry.flush`,
      },
    },
    {
      '/theirs.js': { type: 'text/javascript', body: theirs! },
      '/ours.js': { type: 'text/javascript', body: ours! },
    },
  )
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function bundle(client: (typeof clients)[number]): Promise<string> {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const { outputFiles } = await build({
    entryPoints: [`${folder}support/compat-scenarios.ts`],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    keepNames: true,
    ...(client === 'theirs' && {
      alias: { '@afterimage/browser/compat': `${folder}sdks/node_modules/sentry-browser-11` },
    }),
  })
  return outputFiles[0]?.text ?? ''
}

/** Runs a scenario with both clients, and returns what is compared of their events, in order. */
async function eventsOf(name: string): Promise<Record<(typeof clients)[number], unknown[]>> {
  server.clear()
  await Promise.all(
    pages.map(async (page, index) => {
      await page.goto(`${server.url}/${clients[index]}`)
      await page.evaluate((name) => run(name), name)
    }),
  )
  const events = [...server.items<SdkEvent>('event'), ...server.items<SdkEvent>('transaction')]
    .toSorted((one, other) => one.timestamp! - other.timestamp!)
    .map((event) => ({ isOurs: event.sdk?.name?.startsWith('afterimage'), event: compared(event) }))
  const { ours = [], theirs = [] } = Object.groupBy(events, (it) => (it.isOurs ? 'ours' : 'theirs'))
  return { ours: ours.map((it) => it.event), theirs: theirs.map((it) => it.event) }
}

/** Returns the members that groups, searches and people depend on. */
function compared(event: SdkEvent): unknown {
  // The other client sends locale and time zone; ours does not.
  const {
    trace,
    culture: _culture,
    ...contexts
  } = (event.contexts ?? {}) as Record<string, Record<string, unknown>>
  // It also sends the arguments of callbacks that it wraps.
  const { arguments: _arguments, ...extra } = event.extra ?? {}
  // It makes an exception without a type of a message, for its stack.
  const exceptions = (event.exception?.values ?? []).filter(({ type }) => type !== undefined)
  const spans = (event.spans ?? []) as readonly Record<string, unknown>[]
  return {
    type: event.type,
    level: event.type === 'transaction' ? undefined : event.level,
    // The other client gives a thrown text a message as well.
    message: exceptions.length > 0 ? undefined : event.message,
    transaction: event.type === 'transaction' ? event.transaction : undefined,
    release: event.release,
    environment: event.environment,
    platform: event.platform,
    user: filled(event.user),
    tags: filled(event.tags),
    extra: filled(extra),
    contexts: filled(contexts),
    fingerprint: event.fingerprint,
    exceptions: exceptions.map(({ type, value, mechanism, stacktrace }) => ({
      type,
      value,
      isHandled: mechanism?.handled,
      top: stacktrace?.frames.at(-1)?.function,
    })),
    breadcrumbs: (event.breadcrumbs ?? [])
      .filter(({ category }) => category !== 'console' && !category?.startsWith('sentry.'))
      .map(({ category, message, level, type, data }) => ({
        category,
        message,
        level,
        type,
        data,
      })),
    trace: trace && {
      hasIds: [trace['trace_id'], trace['span_id']].every(Boolean),
      op: trace['op'],
      status: trace['status'],
      parent: trace['parent_span_id'],
      data: ownData(trace['data']),
    },
    spans: spans.map(({ description, op, status, data, parent_span_id }) => ({
      description,
      op,
      status,
      data: ownData(data),
      isChildOfRoot: parent_span_id === trace?.['span_id'],
    })),
  }
}

/** Returns nothing of an empty object: one client leaves it out, the other does not. */
function filled(members: object | undefined): object | undefined {
  return members && Object.keys(members).length > 0 ? members : undefined
}

/** Returns the attributes that the application set. */
function ownData(data: unknown): object {
  return Object.fromEntries(
    Object.entries(data ?? {}).filter(([name]) => !name.startsWith('sentry.')),
  )
}

test.each(Object.keys(scenarios))('the events are those of the other client: %s', async (name) => {
  const { ours, theirs } = await eventsOf(name)
  expect(ours).toEqual(theirs)
})

test('replayIntegration and replayCanvasIntegration record by our recorder, masked by its marks', async () => {
  server.clear()
  const page = await browser.newPage()
  await page.goto(`${server.url}/replayed`)
  const events = await until('a picture of the canvas came', async () => {
    await page.evaluate(() => flush())
    const events = joinSegments(decodeSegments(server.envelopes))
    return events.some(({ data }) => data['source'] === 9) ? events : null
  })
  const [segment] = server.items<SdkEvent>('replay_event')
  expect(segment?.sdk?.name).toMatch(/^afterimage/)
  const snapshot = JSON.stringify(events.find(({ type }) => type === 2))
  expect(snapshot).toContain('*****')
  expect(snapshot).toContain('Opening hours')
  for (const hidden of ['Words', 'hush', 'Ann']) expect(snapshot).not.toContain(hidden)
  const pictured = events.filter(({ data }) => data['source'] === 9).map(({ data }) => data['id'])
  expect(new Set(pictured).size).toBe(1)
  await page.close()
})
