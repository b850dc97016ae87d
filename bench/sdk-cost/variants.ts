import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

/**
 * The measured scripts. Each defines `begin()`, which starts the recording, and `isRecording()`;
 * before `begin` is called only its own modules run.
 */
const root = fileURLToPath(new URL('../../', import.meta.url))
const peers = fileURLToPath(new URL('../peers/', import.meta.url))

export const variants = ['none', 'rrweb', 'afterimage', 'sentry', 'posthog', 'openreplay'] as const
export type Variant = (typeof variants)[number]

const sources: Readonly<Record<Variant, readonly [folder: string, source: string]>> = {
  none: [root, `Object.assign(window, { begin() {}, isRecording: () => true })`],
  rrweb: [
    peers,
    `import { record } from '@rrweb/record'
    let events = 0
    Object.assign(window, { begin: () => record({ emit: () => (events += 1) }), isRecording: () => events > 1,
      snapshot: () => record.takeFullSnapshot() })`,
  ],
  afterimage: [
    root,
    `import { init } from '@afterimage/browser'
    import { replayIntegration } from '@afterimage/replay'
    import { record } from '@rrweb/record'
    const replay = replayIntegration({ sessionSampleRate: 1 })
    Object.assign(window, {
      begin() {
        init({ dsn: location.origin.replace('//', '//${'a'.repeat(32)}@') + '/1', integrations: [replay] })
        void replay.start()
      },
      isRecording: () => replay.state().name === 'running',
      snapshot: () => record.takeFullSnapshot(true),
    })`,
  ],
  sentry: [
    peers,
    `import { init, replayIntegration } from '@sentry/browser'
    const replay = replayIntegration()
    Object.assign(window, {
      begin: () => init({ dsn: location.origin.replace('//', '//key@') + '/1', tunnel: '/monitoring',
        replaysSessionSampleRate: 1, integrations: [replay] }),
      isRecording: () => replay.getReplayId() !== undefined,
    })`,
  ],
  posthog: [
    peers,
    `import posthog from 'posthog-js'
    import 'posthog-js/dist/posthog-recorder'
    Object.assign(window, {
      begin: () => posthog.init('key', { api_host: location.origin, disable_external_dependency_loading: true,
        advanced_disable_feature_flags_on_first_load: true, capture_pageview: false,
        loaded: () => posthog.startSessionRecording(true) }),
      isRecording: () => posthog.sessionRecordingStarted(),
    })`,
  ],
  openreplay: [
    peers,
    `import Tracker from '@openreplay/tracker'
    const tracker = new Tracker({ projectKey: 'key', ingestPoint: location.origin, __DISABLE_SECURE_MODE: true })
    Object.assign(window, { begin: () => void tracker.start(), isRecording: () => tracker.isActive() })`,
  ],
}

/** The script of a variant, minified as an application would ship it. */
export async function bundle(variant: Variant): Promise<string> {
  const [resolveDir, contents] = sources[variant]
  const { outputFiles } = await build({
    stdin: { contents, resolveDir },
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { __AFTERIMAGE_DEBUG__: 'false', __SENTRY_DEBUG__: 'false' },
  })
  return outputFiles[0]?.text ?? ''
}
