import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments, joinSegments, type ReplayedEvent } from './support/replay-decode.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/**
 * Better than the reference: the same page and the same expectation for our client and for the
 * official one, with the same options as far as both have them. Ours holds it, the official one
 * does not: where that changes, a test here fails and the claim goes.
 */

const clients = ['ours', 'official'] as const
type ClientName = (typeof clients)[number]

const dsn = `https://${'a'.repeat(32)}@errors.test/42`

/** Both record everything from the start. */
const scripts = {
  ours: `import * as client from '@afterimage/browser'
    import { replayIntegration } from '@afterimage/replay'
    const replay = replayIntegration({ minMs: 0, unmask: '.open', sessionSampleRate: 1 })
    client.init({ dsn: '${dsn}', integrations: [replay] })
    window.isRecording = () => replay.state().name === 'running'
    window.flush = () => client.flush()`,
  official: `import * as Sentry from 'sentry-browser-11'
    const replay = Sentry.replayIntegration({ minReplayDuration: 0, unmask: ['.open'] })
    Sentry.init({ dsn: '${dsn}', tunnel: '/tunnel', integrations: [replay], replaysSessionSampleRate: 1 })
    window.isRecording = () => replay.getReplayId() !== undefined
    window.flush = () => replay.flush()`,
}

const html = `<h1>Shop</h1>
  <img src="/a.png" alt="Bob Smith" class="face"><a href="/orders?email=bob@x.test">Orders</a>
  <p data-user="Bob Smith">Words</p><button id="pay" aria-label="Bob Smith pays">Pay</button>
  <div class="open"><input type="password" value="hunter2"></div>`

interface Win {
  isRecording(): boolean
  flush(): Promise<unknown>
}

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  const bundled = await Promise.all(
    clients.map(async (name) => {
      const { outputFiles } = await build({
        stdin: {
          contents: scripts[name],
          resolveDir: fileURLToPath(new URL(name === 'ours' ? '.' : 'sdks', import.meta.url)),
        },
        bundle: true,
        write: false,
        format: 'iife',
        target: 'es2022',
        define: { __AFTERIMAGE_DEBUG__: 'false' },
      })
      return [name, outputFiles[0]?.text ?? ''] as const
    }),
  )
  server = await startSdkServer(
    Object.fromEntries(bundled.map(([name, text]) => [name, { html, before: text }])),
  )
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

async function open(name: string): Promise<Page> {
  server.clear()
  const page = await browser.newPage()
  await page.goto(`${server.url}/${name}`)
  await page.waitForFunction(() => (window as unknown as Win).isRecording())
  return page
}

/** Reads the recording so far, as soon as it has a picture of the page. */
async function recorded(page: Page): Promise<readonly ReplayedEvent[]> {
  return until('the recording came', async () => {
    await page.evaluate(async () => void (await (window as unknown as Win).flush()))
    const events = joinSegments(decodeSegments(server.envelopes))
    return events.some((it) => it.type === 2) ? events : null
  })
}

/** Runs one expectation with both clients; which of them hold it. */
async function holding(
  check: (name: ClientName) => Promise<boolean>,
): Promise<Record<ClientName, boolean>> {
  return { ours: await check('ours'), official: await check('official') }
}

const onlyOurs = { ours: true, official: false }

test('alternative texts, data attributes and query strings are not in the recording', async () => {
  expect(
    await holding(async (name) => {
      const page = await open(name)
      const text = JSON.stringify(await recorded(page))
      await page.close()
      return !/Bob Smith|bob@x\.test/.test(text)
    }),
  ).toEqual(onlyOurs)
})

test('a password stays masked where everything around it is unmasked', async () => {
  expect(
    await holding(async (name) => {
      const page = await open(name)
      const text = JSON.stringify(await recorded(page))
      await page.close()
      return !text.includes('hunter2')
    }),
  ).toEqual(onlyOurs)
})

test('the steps of an error name no label of what was clicked', async () => {
  expect(
    await holding(async (name) => {
      const page = await open(name)
      await page.click('#pay')
      await page.evaluate(() => void setTimeout(() => Promise.reject(new TypeError('paid twice'))))
      const [event] = await until('the error', () => {
        const events = server.items('event')
        return events.length > 0 ? events : null
      })
      await page.close()
      expect(JSON.stringify(event)).toContain('button#pay')
      return !JSON.stringify(event).includes('Bob Smith')
    }),
  ).toEqual(onlyOurs)
})

test('changes right before the page is left are in the recording', async () => {
  expect(
    await holding(async (name) => {
      const page = await open(name)
      await recorded(page)
      await page.evaluate(() => {
        setTimeout(() => {
          document.body.append(Object.assign(document.createElement('hr'), { id: 'at-the-end' }))
          setTimeout(() => (location.href = '/status/200'))
        })
      })
      await page.waitForURL('**/status/200')
      // Requests that the page left to the browser arrive before this one.
      await page.evaluate(() => fetch('/status/204'))
      await until('the page is gone', () =>
        server.requests.some(({ path }) => path === '/status/204'),
      )
      const text = JSON.stringify(joinSegments(decodeSegments(server.envelopes)))
      await page.close()
      return text.includes('at-the-end')
    }),
  ).toEqual(onlyOurs)
})
