import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { budgets, weigh, weighSource, type Weight } from '../../tools/sdk-size/entries.ts'
import { chunkBytesMax, weighChunks } from '../../tools/sdk-size/recorder.ts'

/** One line of the table; sizes in bytes. */
export interface Row {
  readonly name: string
  readonly minified: number
  readonly gzipped: number
  /** Greatest size after gzip; null where we promise none. */
  readonly budget: number | null
}

const traced = '@afterimage/browser/errors + @afterimage/browser/tracing'
const peersFolder = fileURLToPath(new URL('../peers/', import.meta.url))

/** Our entries with everything they export in use, and the recorder's chunk as a bundler splits it. */
export async function ours(): Promise<Row[]> {
  const { recorder } = await weighChunks()
  return [
    row('errors', await weigh('@afterimage/browser/errors'), budgets['@afterimage/browser/errors']),
    row(
      'default: and sessions, client reports, offline queue, feedback',
      await weigh('@afterimage/browser'),
      budgets['@afterimage/browser'],
    ),
    row('errors, tracing, web vitals', await weigh(traced), budgets[traced]),
    row(
      'recorder (a chunk of its own, loaded when the page is idle)',
      {
        minified: recorder.inputs.reduce((sum, [, bytes]) => sum + bytes, 0),
        gzipped: recorder.gzippedBytes,
        inputs: recorder.inputs,
      },
      chunkBytesMax,
    ),
    row(
      'all of it',
      await weigh('@afterimage/browser + @afterimage/browser/tracing + @afterimage/replay'),
      null,
    ),
  ]
}

function row(name: string, { minified, gzipped }: Weight, budget: number | null): Row {
  return { name: `**Afterimage** ${name}`, minified, gzipped, budget }
}

/** Bundles of a page that follows the peers' documentation; unused exports are shaken out. */
const peerSources: readonly (readonly [packageName: string, what: string, source: string])[] = [
  ['@sentry/browser', 'errors', sentry()],
  ['@sentry/browser', 'errors, tracing, web vitals', sentry('browserTracingIntegration')],
  ['@sentry/browser', 'errors, replay', sentry('replayIntegration')],
  ['@sentry/browser', 'all three', sentry('browserTracingIntegration', 'replayIntegration')],
  [
    'posthog-js',
    'its recorder is fetched later',
    `import posthog from 'posthog-js'; posthog.init('key', {})`,
  ],
  [
    'posthog-js',
    'with its recorder',
    `import posthog from 'posthog-js'; import 'posthog-js/dist/posthog-recorder'; posthog.init('key', {})`,
  ],
  [
    '@openreplay/tracker',
    'replay',
    `import Tracker from '@openreplay/tracker'; new Tracker({ projectKey: 'key' }).start()`,
  ],
  [
    '@rrweb/record',
    'recording alone',
    `import { record } from '@rrweb/record'; record({ emit: (event) => globalThis.events.push(event) })`,
  ],
]

/** The same of clients that speak another protocol. */
const otherSources: typeof peerSources = [
  ['trackjs', 'errors', `import { TrackJS } from 'trackjs'; TrackJS.install({ token: 'key' })`],
  [
    '@bugsnag/browser',
    'errors, sessions',
    `import Bugsnag from '@bugsnag/browser'; Bugsnag.start({ apiKey: 'key' })`,
  ],
  [
    'rollbar',
    'errors, telemetry',
    `import Rollbar from 'rollbar'; globalThis.rollbar = new Rollbar({ accessToken: 'key', captureUncaught: true, captureUnhandledRejections: true })`,
  ],
  [
    '@grafana/faro-web-sdk',
    'errors, web vitals, console',
    `import { getWebInstrumentations, initializeFaro } from '@grafana/faro-web-sdk'
initializeFaro({ url: 'https://host.test/collect', app: { name: 'shop' }, instrumentations: getWebInstrumentations() })`,
  ],
  ['@datadog/browser-rum-slim', 'errors, views, web vitals', datadog('@datadog/browser-rum-slim')],
  [
    '@datadog/browser-rum',
    'the same, and the recorder and profiler that it loads later',
    datadog('@datadog/browser-rum'),
  ],
  [
    'clarity-js',
    'recorder, errors, web vitals',
    `import { clarity } from 'clarity-js'; clarity.start({ projectId: 'key', upload: 'https://host.test/collect' })`,
  ],
  [
    '@tracewayapp/frontend',
    'errors, replay',
    `import { captureException, init } from '@tracewayapp/frontend'; globalThis.capture = captureException; init('key@https://host.test/api/report')`,
  ],
]

function datadog(packageName: string): string {
  return `import { datadogRum } from '${packageName}'
datadogRum.init({ applicationId: 'id', clientToken: 'key', site: 'host.test' })`
}

function sentry(...integrations: readonly string[]): string {
  const names = ['init', 'captureException', ...integrations].join(', ')
  return `import { ${names} } from '@sentry/browser'
globalThis.capture = captureException
init({ dsn: 'https://key@host.test/1', integrations: [${integrations.map((it) => `${it}()`).join(', ')}] })`
}

/** @throws where `bench/peers` is not installed */
export async function peers(): Promise<Row[]> {
  const rows: Row[] = []
  for (const [packageName, what, source] of [...peerSources, ...otherSources]) {
    const { minified, gzipped } = await weighSource(source, peersFolder)
    const name = `${packageName} ${versionOf(packageName)} ${what}`
    rows.push({ name, minified, gzipped, budget: null })
  }
  return rows
}

function versionOf(packageName: string): string {
  const manifest = readFileSync(`${peersFolder}node_modules/${packageName}/package.json`, 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
