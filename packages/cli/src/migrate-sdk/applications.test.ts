import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { planMove } from './index.ts'
import type { Move } from './index.ts'

type Files = Readonly<Record<string, string>>

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-sdk-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function write(files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

const tarballOf = (name: string): string =>
  `https://after.example.com/npm/${name.slice(1).replace('/', '-')}-0.1.0.tgz`

/** Applies the move of `files`, and returns all of them as they are then. */
async function moved(files: Files): Promise<{ after: Files; left: string[]; again: Move }> {
  write(files)
  const move = await planMove(folder, tarballOf)
  for (const { path, after } of move!.changes) writeFileSync(join(folder, path), after)
  const again = await planMove(folder, tarballOf)
  const left = move!.remarks.map(({ path, line, what }) => `${path}:${line} ${what}`)
  const after = Object.fromEntries(
    Object.keys(files).map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  )
  return { after, left, again: again! }
}

test('a React application with a namespace import moves, and keeps its own formatting', async () => {
  const { after, left, again } = await moved({
    'package.json': `{
  "name": "tea",
  "files": ["dist"],
  "dependencies": {
    "@sentry/react": "^11.0.0",
    "react": "^19.0.0"
  }
}
`,
    'src/main.tsx': `import * as Sentry from "@sentry/react";
import { createRoot } from "react-dom/client";

Sentry.init({
  dsn: import.meta.env.VITE_DSN,
  // Errors carry the addresses of people.
  sendDefaultPii: true,
  integrations: [
    Sentry.breadcrumbsIntegration(),
    Sentry.browserTracingIntegration({ idleTimeout: 2000 }),
    Sentry.replayIntegration(),
  ],
  tracesSampleRate: 0.2, // a fifth
});

const failed = (event: Sentry.Event) =>   event.level === "fatal";

createRoot(document.body).render(
  <Sentry.ErrorBoundary fallback={<p>Failed</p>}>
    <button onClick={() => Sentry.captureException(new Error("no tea"))}>Tea {String(failed)}</button>
  </Sentry.ErrorBoundary>,
);
`,
    'src/quiet.ts': `export const nothing = 1\n`,
  })
  expect(after['src/main.tsx']).toBe(`import * as Sentry from "@afterimage/react";
import { replayIntegration } from "@afterimage/replay";
import { createRoot } from "react-dom/client";

Sentry.init({
  dsn: import.meta.env.VITE_DSN,
  integrations: [
    Sentry.browserTracing({ idleTimeoutMs: 2000 }),
    replayIntegration(),
  ],
  tracesSampleRate: 0.2, // a fifth
});

const failed = (event: Sentry.SdkEvent) =>   event.level === "fatal";

createRoot(document.body).render(
  <Sentry.ErrorBoundary fallback={<p>Failed</p>}>
    <button onClick={() => Sentry.captureException(new Error("no tea"))}>Tea {String(failed)}</button>
  </Sentry.ErrorBoundary>,
);
`)
  expect(after['package.json']).toBe(`{
  "name": "tea",
  "files": ["dist"],
  "dependencies": {
    "@afterimage/browser": "https://after.example.com/npm/afterimage-browser-0.1.0.tgz",
    "@afterimage/react": "https://after.example.com/npm/afterimage-react-0.1.0.tgz",
    "@afterimage/replay": "https://after.example.com/npm/afterimage-replay-0.1.0.tgz",
    "react": "^19.0.0"
  }
}
`)
  expect(left).toEqual([
    'src/main.tsx:5 init, option dsn',
    'src/main.tsx:7 init, option sendDefaultPii',
    'src/main.tsx:9 breadcrumbsIntegration',
  ])
  expect(again).toEqual({ changes: [], remarks: [] })
})

test('a Vue application moves: named and dynamic imports, and the scripts of components', async () => {
  const { after, left, again } = await moved({
    'package.json': `{ "devDependencies": { "@sentry/browser": "10.0.0", "vue": "3.5.0" } }\n`,
    'src/main.js': `import { browserTracingIntegration, init, lastEventId as newest } from '@sentry/browser'

init({ dsn, environment: 'shop', debug: true, integrations: [browserTracingIntegration()] })
export { newest }
`,
    'src/later.ts': `export async function report(error: unknown) {
  const { captureException, withScope } = await import('@sentry/browser')
  withScope(() => captureException(error))
}
import('@sentry/browser').then((sentry) => sentry.setTag('page', 'tea'))
import('@sentry/browser').then(({ browserTracingIntegration }) => browserTracingIntegration())
const { flush } = require('@sentry/browser')
`,
    'src/Cup.vue': `<template>
  <button @click="captureMessage('cup')">Cup</button>
  <button @click="browserTracingIntegration">Trace</button>
</template>

<script setup lang="ts">
import { browserTracingIntegration, captureMessage } from '@sentry/browser'

const size: number = 1
</script>

<style>
button { color: green }
</style>
`,
  })
  expect(after).toEqual({
    'package.json': `{ "devDependencies": { "@afterimage/browser": "https://after.example.com/npm/afterimage-browser-0.1.0.tgz",
                       "vue": "3.5.0" } }\n`,
    'src/main.js': `import { browserTracing } from '@afterimage/browser/tracing'
import { init, lastEventId as newest } from '@afterimage/browser'

init({ dsn, environment: 'shop', integrations: [browserTracing()] })
export { newest }
`,
    'src/later.ts': `export async function report(error: unknown) {
  const { captureException, withScope } = await import('@afterimage/browser')
  withScope(() => captureException(error))
}
import('@afterimage/browser').then((sentry) => sentry.setTag('page', 'tea'))
import('@afterimage/browser/tracing').then(({ browserTracing: browserTracingIntegration }) => browserTracingIntegration())
const { flush } = require('@afterimage/browser')
`,
    'src/Cup.vue': `<template>
  <button @click="captureMessage('cup')">Cup</button>
  <button @click="browserTracingIntegration">Trace</button>
</template>

<script setup lang="ts">
import { browserTracing as browserTracingIntegration } from '@afterimage/browser/tracing'
import { captureMessage } from '@afterimage/browser'

const size: number = 1
</script>

<style>
button { color: green }
</style>
`,
  })
  expect(left).toEqual(['src/main.js:3 init, option dsn', 'src/main.js:3 init, option debug'])
  expect(again).toEqual({ changes: [], remarks: [] })
})

test('a Next application moves where its files say on which side they run', async () => {
  const { after, left, again } = await moved({
    'package.json': `{
  "dependencies": {
    "@sentry/nextjs": "^11.0.0",
    "next": "^16.0.0"
  }
}
`,
    'instrumentation-client.ts': `import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: 'https://a@o1.ingest.sentry.io/1', tracesSampleRate: 1 })
export const onRouterTransitionStart = Sentry.captureRouterTransitionStart
`,
    'sentry.server.config.ts': `import * as Sentry from '@sentry/nextjs'

Sentry.init({ dsn: 'https://a@o1.ingest.sentry.io/1' })
`,
    'instrumentation.ts': `import * as Sentry from '@sentry/nextjs'

export async function register() {
  await import('./sentry.server.config')
}
export const onRequestError = Sentry.captureRequestError
`,
    'app/global-error.tsx': `'use client'

import { captureException } from '@sentry/nextjs'

export default ({ error }: { error: Error }) => <p>{captureException(error)}</p>
`,
    'app/page.tsx': `import { captureException } from '@sentry/nextjs'

export default () => captureException(1)
`,
    'next.config.js': `const { withSentryConfig } = require('@sentry/nextjs')

module.exports = withSentryConfig({})
`,
  })
  expect(after['instrumentation-client.ts']).toContain(
    "import * as Sentry from '@afterimage/next/client'",
  )
  expect(after['instrumentation-client.ts']).toContain('Sentry.onRouterTransitionStart')
  expect(after['sentry.server.config.ts']).toContain(
    "import * as Sentry from '@afterimage/next/server'\n\nSentry.initServer(",
  )
  expect(after['instrumentation.ts']).toContain('onRequestError = Sentry.onRequestError')
  expect(after['app/global-error.tsx']).toContain(
    "import { captureException } from '@afterimage/next/client'",
  )
  expect(after['app/page.tsx']).toContain("from '@sentry/nextjs'")
  expect(after['next.config.js']).toContain("require('@sentry/nextjs')")
  // Some sources still need the package.
  expect(after['package.json']).toContain('@sentry/nextjs')
  expect(left).toEqual([
    'app/page.tsx:1 captureException',
    'instrumentation-client.ts:3 init, option dsn',
    'next.config.js:1 @sentry/nextjs',
    'sentry.server.config.ts:3 init, option dsn',
    'package.json:3 @sentry/nextjs',
  ])
  expect(again.changes).toEqual([])
})

test('a SvelteKit application moves on both sides', async () => {
  const { after, left, again } = await moved({
    'package.json': `{
\t"devDependencies": {
\t\t"@sentry/sveltekit": "^11.0.0",
\t\t"svelte": "^5.0.0"
\t}
}
`,
    'src/hooks.client.ts': `import * as Sentry from '@sentry/sveltekit';

Sentry.init({ integrations: [Sentry.replayIntegration()] });
export const handleError = Sentry.handleErrorWithSentry();
`,
    'src/hooks.server.ts': `import { handleErrorWithSentry, init, sentryHandle } from '@sentry/sveltekit';

init({ release: 'tea' });
export const handle = sentryHandle();
export const handleError = handleErrorWithSentry();
`,
    'src/routes/+page.svelte': `<script>
\timport { captureException, logger } from '@sentry/sveltekit';
\tlogger.info('tea');
</script>
<button onclick={() => captureException(1)}>Tea</button>
`,
  })
  expect(after).toEqual({
    'package.json': `{
\t"devDependencies": {
\t\t"@afterimage/browser": "https://after.example.com/npm/afterimage-browser-0.1.0.tgz",
\t\t"@afterimage/replay": "https://after.example.com/npm/afterimage-replay-0.1.0.tgz",
\t\t"@afterimage/svelte": "https://after.example.com/npm/afterimage-svelte-0.1.0.tgz",
\t\t"svelte": "^5.0.0"
\t}
}
`,
    'src/hooks.client.ts': `import * as Sentry from '@afterimage/browser';
import { replayIntegration } from '@afterimage/replay';
import { handleErrorWithAfterimage } from '@afterimage/svelte/kit-client';

Sentry.init({ integrations: [replayIntegration()] });
export const handleError = handleErrorWithAfterimage();
`,
    'src/hooks.server.ts': `import {
  handleErrorWithAfterimage,
  initServer,
  afterimageHandle,
} from '@afterimage/svelte/kit-server';

initServer({ release: 'tea' });
export const handle = afterimageHandle();
export const handleError = handleErrorWithAfterimage();
`,
    'src/routes/+page.svelte': `<script>
\timport { captureException } from '@afterimage/browser';
\timport { logger } from '@afterimage/browser/logger';
\tlogger.info('tea');
</script>
<button onclick={() => captureException(1)}>Tea</button>
`,
  })
  expect(left).toEqual(['src/routes/+page.svelte:3 logger'])
  expect(again).toEqual({ changes: [], remarks: [] })
})

test('without a server the manifest is left alone, and named', async () => {
  write({
    'package.json': `{ "dependencies": { "@sentry/browser": "1" } }`,
    'a.js': `import { flush } from '@sentry/browser'\n`,
  })
  const { changes, remarks } = (await planMove(folder, null))!
  expect(changes.map(({ path }) => path)).toEqual(['a.js'])
  expect(remarks).toEqual([
    {
      path: 'package.json',
      line: 1,
      what: '@sentry/browser',
      why: 'give --server to put @afterimage/browser in its place',
    },
  ])
})

test('ours come beside a package of Sentry that sources still name', async () => {
  const files = {
    'package.json': `{\n  "dependencies": {\n    "@sentry/vue": "^7.54.0",\n    "vue": "3"\n  }\n}\n`,
    'a.js': `import { flush, getCurrentHub } from '@sentry/vue'\ngetCurrentHub()\n`,
  }
  const { after, left, again } = await moved(files)
  expect(after['package.json']).toBe(`{
  "dependencies": {
    "@afterimage/browser": "https://after.example.com/npm/afterimage-browser-0.1.0.tgz",
    "@sentry/vue": "^7.54.0",
    "vue": "3"
  }
}
`)
  expect(left).toEqual(['a.js:1 getCurrentHub', 'package.json:3 @sentry/vue'])
  expect(again.changes).toEqual([])
  write(files)
  const { remarks } = (await planMove(folder, null))!
  expect(remarks.map(({ why }) => why)).toContain(
    'give --server to put @afterimage/browser beside it',
  )
})

test('dependencies, builds, hidden folders and links are not looked at', async () => {
  const text = `import { flush } from '@sentry/browser'\n`
  write({
    'node_modules/a/index.js': text,
    'dist/index.js': text,
    '.cache/index.js': text,
    'src/a.min.js': text,
  })
  const outside = mkdtempSync(join(tmpdir(), 'migrate-sdk-outside-'))
  writeFileSync(join(outside, 'index.js'), text)
  symlinkSync(outside, join(folder, 'linked'))
  symlinkSync(join(outside, 'index.js'), join(folder, 'linked.js'))
  expect(await planMove(folder, null)).toEqual({ changes: [], remarks: [] })
  rmSync(outside, { recursive: true })
})

test('a file that is too large is named and left alone', async () => {
  write({ 'a.js': `import '@sentry/browser'\n${'//'.repeat(600_000)}` })
  const { changes, remarks } = (await planMove(folder, null))!
  expect(changes).toEqual([])
  expect(remarks).toEqual([
    { path: 'a.js', line: 1, what: 'file', why: 'it has more than 1048576 bytes' },
  ])
})

test('a manifest that is not valid JSON is named and left alone', async () => {
  write({
    'package.json': '{ "dependencies": ',
    'a.js': `import { flush } from '@sentry/browser'\n`,
  })
  const { changes, remarks } = (await planMove(folder, tarballOf))!
  expect(changes.map(({ path }) => path)).toEqual(['a.js'])
  expect(remarks.map(({ path, why }) => [path, why])).toEqual([
    ['package.json', 'it is not valid JSON'],
  ])
})
