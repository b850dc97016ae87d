import { expect, test } from 'vitest'
import { rewriteSource } from './index.ts'
import { sentryPackages } from './names.ts'

function after(text: string, path = 'a.tsx'): string {
  const once = rewriteSource(path, text).after
  expect(rewriteSource(path, once).after, 'the second run changes nothing').toBe(once)
  return once
}

function remarks(text: string, path = 'a.tsx'): string[] {
  return rewriteSource(path, text).remarks.map(({ line, what, why }) => `${line} ${what}: ${why}`)
}

test('every name that is written is exported by the entry that it is imported from', async () => {
  const places = Object.values(sentryPackages).flatMap((it) =>
    ([null, 'browser', 'server'] as const).flatMap((side) => Object.values(it.placesOn(side))),
  )
  const isType = /^[A-Z]/
  for (const { from, name } of places) {
    const entry = (await import(from)) as Record<string, unknown>
    expect(isType.test(name) || name in entry, `${name} of ${from}`).toBe(true)
  }
  expect(places.length).toBeGreaterThan(50)
})

test('a name of ours that the file has already is imported under the name it had', () => {
  expect(
    after(`import { browserTracingIntegration } from '@sentry/browser'
const browserTracing = 1
browserTracingIntegration(browserTracing)
`),
  ).toBe(`import { browserTracing as browserTracingIntegration } from '@afterimage/browser/tracing'
const browserTracing = 1
browserTracingIntegration(browserTracing)
`)
  expect(
    after(`import * as S from '@sentry/browser'
function f(startSpan) { S.startSpan({ name: 'a' }, () => startSpan) }
`),
  ).toBe(`import { startSpan as startSpan2 } from '@afterimage/browser/tracing'
function f(startSpan) { startSpan2({ name: 'a' }, () => startSpan) }
`)
})

test('a variable that only has the name of the import is another', () => {
  expect(
    after(`import { browserTracingIntegration as a } from '@sentry/browser'
import * as Sentry from '@sentry/browser'
Sentry.flush()
function f(Sentry) { return Sentry.browserTracingIntegration(a) }
`),
  ).toContain('function f(Sentry) { return Sentry.browserTracingIntegration(a) }')
})

test('names without a counterpart stay with Sentry, beside ours', () => {
  const text = `import * as Sentry from '@sentry/browser';
Sentry.showReportDialog();
Sentry.captureMessage('a');
`
  expect(after(text)).toBe(`import * as Afterimage from '@afterimage/browser';
import * as Sentry from '@sentry/browser';
Sentry.showReportDialog();
Afterimage.captureMessage('a');
`)
  expect(remarks(text)).toEqual([
    '2 showReportDialog: write showReportDialog of @afterimage/browser/feedback-widget; its options differ',
  ])
  expect(after(`import { type Event, flush, makeFetchTransport } from "@sentry/browser"\n`, 'a.ts'))
    .toBe(`import { type SdkEvent, flush } from "@afterimage/browser"
import { makeFetchTransport } from "@sentry/browser"\n`)
})

test.each([
  ['passed on', `import * as Sentry from '@sentry/browser'\nuse(Sentry)\n`],
  ['computed', `import * as Sentry from '@sentry/browser'\nSentry[name]()\n`],
  ['exported', `export * from '@sentry/browser'\n`],
  ['exported under a name', `export * as Sentry from '@sentry/browser'\n`],
  ['imported for its effects', `import '@sentry/browser'\n`],
  ['loaded and passed on', `const sentry = await import('@sentry/browser')\nuse(sentry)\n`],
  ['loaded for two entries', `const { init, startSpan } = require('@sentry/browser')\n`],
  ['mocked', `vi.mock('@sentry/browser')\n`],
  ['another package', `import { init } from '@sentry/node'\n`],
])('a package that is %s is left alone and named', (_, text) => {
  expect(after(text)).toBe(text)
  expect(remarks(text)).toHaveLength(1)
})

test.each([
  ['a.ts', `import { init } from '@sentry/browser'\ninit({{`],
  ['a.vue', `<script>\nimport { init } from '@sentry/browser'\nconst = 1\n</script>`],
  ['a.svelte', `<script>import { init } from '@sentry/browser'</script><script>{{</script>`],
  ['a.js', `\u0000import '@sentry/browser' \ud800`],
])('a file that cannot be parsed is left alone and named: %s', (path, text) => {
  expect(after(text, path)).toBe(text)
  expect(remarks(text, path)).toEqual([expect.stringMatching(/^\d+ file: it cannot be parsed/)])
})

test('scripts of components are rewritten, comments of the markup are not', () => {
  expect(
    after(
      `<!-- <script>import { init } from '@sentry/svelte'</script> -->
<script context="module" data-a="1 > 0">
  import { captureException } from '@sentry/svelte'
</script>
<script lang="ts">
  import * as Sentry from '@sentry/svelte';
  const retry = (): void => Sentry.setTag('a', 'b');
</script>
<button on:click={() => captureException(1)}>a</button>
`,
      'a.svelte',
    ),
  ).toBe(`<!-- <script>import { init } from '@sentry/svelte'</script> -->
<script context="module" data-a="1 > 0">
  import { captureException } from '@afterimage/browser'
</script>
<script lang="ts">
  import * as Sentry from '@afterimage/browser';
  const retry = (): void => Sentry.setTag('a', 'b');
</script>
<button on:click={() => captureException(1)}>a</button>
`)
})

test('a namespace that the markup uses is left alone', () => {
  const text = `<script>\nimport * as Sentry from '@sentry/svelte'\n</script>\n{Sentry.lastEventId()}\n`
  expect(after(text, 'a.svelte')).toBe(text)
})

test.each([
  ['init({ debug: true })', 'init({  })'],
  ['init({ debug: true, })', 'init({  })'],
  ['init({ debug, dsn })', 'init({ dsn })'],
  ['init({ dsn, debug, spotlight })', 'init({ dsn })'],
  ['init({ dsn, debug, spotlight, })', 'init({ dsn, })'],
  ['init({ debug, release, spotlight, dsn, sendDefaultPii })', 'init({ release, dsn })'],
  ['init({ dsn, "debug": 1 })', 'init({ dsn })'],
  ['init({ integrations: [dedupeIntegration()] })', 'init({ integrations: [] })'],
  [
    'init({ integrations: [dedupeIntegration(), a, dedupeIntegration(),] })',
    'init({ integrations: [a,] })',
  ],
  ['init({ dsn, // it\n  // loud\n  debug,\n})', 'init({ dsn, // it\n})'],
  ['init({\n  // loud\n  debug,\n  // it\n  dsn,\n})', 'init({\n  // it\n  dsn,\n})'],
  ['init({ integrations: [b(), dedupeIntegration()] })', 'init({ integrations: [b()] })'],
])('options and integrations without effect are removed: %s', (call, expected) => {
  const names = call.includes('dedupe') ? 'dedupeIntegration, init' : 'init'
  const text = `import { ${names} } from '@sentry/browser'\n${call}\n`
  expect(after(text).split('\n').slice(1, -1).join('\n')).toBe(expected)
})

test.each([
  ['getCurrentScope', 'getCurrentScope().clear()'],
  ['getCurrentScope', `const scope = getCurrentScope()\nscope.addEventProcessor(f)`],
  ['getCurrentScope', `getCurrentScope().setTag('a', 'b').setLevel('fatal')`],
  ['withScope', `withScope((scope) => scope.addBreadcrumb({}))`],
  ['withScope', `withScope(scope, () => f())`],
  ['getClient', 'getClient()?.getOptions()'],
  ['getClient', `getClient()!.on('close', f)`],
  ['Scope', 'const scope = new Scope()'],
])('a %s whose uses have no counterpart stays with Sentry: %s', (name, call) => {
  const named = `import { ${name} } from '@sentry/browser'\n${call}\n`
  expect(after(named)).toBe(named)
  expect(remarks(named)).toHaveLength(1)
  const whole = `import * as Sentry from '@sentry/browser'\n${call.replace(name, `Sentry.${name}`)}\n`
  expect(after(whole)).toBe(whole)
  expect(remarks(whole)).toHaveLength(1)
})

test.each([
  ['getCurrentScope', `getCurrentScope().setTag('a', 'b')`, `getScope().setTag('a', 'b')`],
  ['withScope', `withScope((scope) => { scope.setLevel('fatal') })`],
  ['withScope', 'withScope(f)'],
  ['getClient', `getClient()?.flush(1).then(f)`],
  ['Scope', 'const f = (scope: Scope) => scope'],
])('a %s whose uses have counterparts moves: %s', (name, call, expected = call) => {
  expect(after(`import { ${name} } from '@sentry/browser'\n${call}\n`)).toBe(
    `import { ${expected.includes('getScope') ? 'getScope' : name} } from '@afterimage/browser'\n${expected}\n`,
  )
})

test('the option of init that is an application of Vue is named with what takes its place', () => {
  expect(remarks(`import { init } from '@sentry/vue'\ninit({ app })\n`)).toEqual([
    '2 init, option app: remove it, and write app.use(afterimagePlugin) of @afterimage/vue',
  ])
})

test('options that need a person stay, and are named', () => {
  expect(
    remarks(`import { init, replayIntegration } from '@sentry/browser'
init({
  dsn: 'https://a@o1.ingest.sentry.io/1',
  ...more,
  novelty: 1,
  integrations: [replayIntegration({ maskAllText: false, stickySession })],
})
init(options)
`).map((it) => it.split(':')[0]),
  ).toEqual([
    '3 init, option dsn',
    '4 init',
    '5 init, option novelty',
    '6 replayIntegration, option maskAllText',
    '8 init',
  ])
  expect(
    after(`import { replayIntegration } from '@sentry/browser'
replayIntegration({ stickySession, minReplayDuration: 1 })
`),
  ).toContain('replayIntegration({ isSticky: stickySession, minMs: 1 })')
})

test('canvases are recorded by their own entry, and the options that differ are named', () => {
  const source = `import * as Sentry from '@sentry/browser'
Sentry.replayCanvasIntegration({ quality: 'low', maxCanvasSize: [800, 600] })
`
  expect(after(source)).toContain(`import { replayCanvas } from '@afterimage/replay/canvas'`)
  expect(remarks(source)).toEqual([
    '2 replayCanvasIntegration: it records the canvases that the option unblock of replayIntegration names',
    '2 replayCanvasIntegration, option quality: it is a number from 0 to 1; `framesPerSecond` is the rate',
    '2 replayCanvasIntegration, option maxCanvasSize: it is `sideMax`, one number',
  ])
})

test('re-exports keep the names that others import', () => {
  expect(
    after(
      `export { browserTracingIntegration, captureException as report } from '@sentry/browser'\n`,
    ),
  ).toBe(
    `export { browserTracing as browserTracingIntegration } from '@afterimage/browser/tracing'
export { captureException as report } from '@afterimage/browser'\n`,
  )
})
