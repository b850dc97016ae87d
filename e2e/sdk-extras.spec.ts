import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SdkEvent } from '@afterimage/sdk-core/event'
import { launchBrowser } from './support/browser.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { bundleProject, writeProject } from './support/snippets.ts'
import { until } from './support/until.ts'

/** The optional integrations in real Chromium, where units have no browser. */

const init = `
  import { init } from '@afterimage/browser'
  const start = (...integrations) =>
    init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', secretPaths: [/token-\\w+/g], integrations })`

/** Runs in the pages. */
declare const order: () => Promise<void>
declare const tellWorker: (text: string) => void
declare const messages: unknown[]

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  const folder = writeProject('sdk-extras', {
    'worker.js': `import { registerWorker } from '@afterimage/browser/worker'
      globalThis._sentryDebugIds = { [new Error().stack]: '0f'.repeat(16) }
      registerWorker()
      function run() {
        throw new TypeError('in the worker', { cause: new RangeError('its cause') })
      }
      onmessage = ({ data }) => {
        if (data === 'throw') run()
        if (data === 'reject') Promise.reject('only text')
        postMessage('seen')
      }`,
  })
  server = await startSdkServer(
    {
      requests: {
        script: `${init}
          import { httpClient } from '@afterimage/browser/http-client'
          start(httpClient())
          function orderByXhr() {
            const xhr = new XMLHttpRequest()
            xhr.open('PUT', '/status/500?card=secret')
            xhr.send()
            return new Promise((resolve) => xhr.addEventListener('loadend', resolve))
          }
          async function orderByFetch() {
            return fetch('/status/502')
          }
          globalThis.order = async () => {
            await orderByXhr()
            await orderByFetch()
            await fetch('/status/404')
            await fetch('http://127.0.0.1:1/').catch(() => {})
          }`,
      },
      policy: {
        headers: { 'permissions-policy': 'geolocation=()' },
        script: `${init}
          import { reportingObserver } from '@afterimage/browser/reporting-observer'
          start(reportingObserver({ types: ['permissions-policy-violation'] }))`,
      },
      workers: {
        script: `${init}
          import { webWorkers } from '@afterimage/browser/web-workers'
          const worker = new Worker('/token-secret/worker.js')
          start(webWorkers({ workers: [worker] }))
          const messages = []
          worker.addEventListener('message', ({ data }) => messages.push(data))
          Object.assign(globalThis, { messages, tellWorker: (text) => worker.postMessage(text) })`,
      },
    },
    {
      '/token-secret/worker.js': {
        type: 'text/javascript',
        body: await bundleProject(folder, 'worker.js'),
      },
    },
  )
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(() => server.clear())

async function visit(path: string, run: (page: Page) => Promise<unknown>): Promise<void> {
  const page = await browser.newPage()
  try {
    await page.goto(`${server.url}/${path}`)
    await run(page)
  } finally {
    await page.close()
  }
}

function eventsCame(count: number): Promise<SdkEvent[]> {
  return until(`${count} events came`, () => {
    const events = server.items<SdkEvent>('event')
    return events.length >= count ? events : null
  })
}

/** Each report is a request of its own, and may overtake others. */
function inOrder(events: readonly SdkEvent[]): SdkEvent[] {
  return events.toSorted((one, other) => one.timestamp! - other.timestamp!)
}

test('failed requests of both kinds are events with the stack of their caller', async () => {
  await visit('requests', async (page) => {
    await page.evaluate(() => order())
    const events = inOrder(await eventsCame(2))
    expect(events).toMatchObject([
      {
        request: { method: 'PUT', url: `${server.url}/status/500?card=*` },
        contexts: { response: { status_code: 500 } },
      },
      { request: { method: 'GET' }, contexts: { response: { status_code: 502 } } },
    ])
    const callers = events.map((it) => it.exception?.values[0]?.stacktrace?.frames.at(-1)?.function)
    expect(callers).toEqual(['orderByXhr', 'orderByFetch'])
  })
})

test('reports of the browser arrive', async () => {
  await visit('policy', async (page) => {
    await page.evaluate(() => navigator.geolocation.getCurrentPosition(() => {}))
    expect(await eventsCame(1)).toMatchObject([
      {
        message: expect.stringMatching(/^ReportingObserver \[permissions-policy-violation\]: \w/),
        level: 'info',
        extra: { url: `${server.url}/policy`, body: { featureId: 'geolocation' } },
      },
    ])
  })
})

test('an error of a worker is reported once, with its cause, stack and debug id', async () => {
  await visit('workers', async (page) => {
    await page.evaluate(() => tellWorker('throw'))
    await eventsCame(1)
    await page.evaluate(() => tellWorker('reject'))
    await page.waitForFunction(() => messages.length > 0)
    const [error, rejection] = inOrder(await eventsCame(2))
    const file = `${server.url}/*/worker.js`
    expect(error).toMatchObject({
      contexts: { worker: { filename: file } },
      exception: {
        values: [
          { type: 'RangeError', value: 'its cause' },
          {
            type: 'TypeError',
            value: 'in the worker',
            mechanism: { type: 'onerror', handled: false },
          },
        ],
      },
      debug_meta: { images: [{ code_file: file, debug_id: '0f'.repeat(16) }] },
    })
    const [newest] = error?.exception?.values.at(-1)?.stacktrace?.frames.slice(-1) ?? []
    expect(newest).toMatchObject({ function: 'run', filename: file })
    expect(rejection?.exception?.values).toMatchObject([
      {
        value: 'Non-Error promise rejection captured with value: only text',
        mechanism: { type: 'onunhandledrejection' },
      },
    ])
    // An error of the page after them: had the browser's own report been taken, it would stand between.
    await page.evaluate(() =>
      setTimeout(() => {
        throw new Error('of the page')
      }),
    )
    const values = (await eventsCame(3)).map((it) => it.exception?.values.at(-1)?.value)
    expect(values).toContain('of the page')
    expect(await page.evaluate(() => messages)).toEqual(['seen'])
  })
})
