import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments, joinSegments } from './support/replay-decode.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** The traces that the recorder leaves in a page and in its memory. */

let browser: Browser
let server: SdkServer

const script = `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
const replay = replayIntegration({ sessionSampleRate: 1, minMs: 0 })
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', integrations: [replay] })
Object.assign(window, { afterimage, replay })`

beforeAll(async () => {
  browser = await launchBrowser()
  const before = `Object.assign(window, { native: Element, changes: 0 })
    new MutationObserver((list) => (changes += list.length)).observe(document.body ?? document, { childList: true, subtree: true })`
  server = await startSdkServer({
    page: { script, html: '<p>Page</p>' },
    watched: {
      script,
      html: `<div id="host"></div><script>${before}
        document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<p>inside</p>'</script>`,
    },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

interface Globals {
  readonly replay: { state(): { readonly name: string } }
  readonly afterimage: { flush(): Promise<boolean> }
  readonly native: unknown
  readonly changes: number
}
type Win = Window & typeof globalThis & Globals

async function open(path: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(server.url + path)
  await page.waitForFunction(() => (window as unknown as Win).replay.state().name === 'running')
  return page
}

test('better than the reference: a start puts no frame into the page, and shadow roots are recorded', async () => {
  const page = await open('/watched')
  await page.evaluate(() => {
    const host = document.body.appendChild(document.createElement('div'))
    host.attachShadow({ mode: 'open' }).innerHTML = '<b>later</b>'
  })
  const events = await until('both roots came', async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    const all = joinSegments(decodeSegments(server.envelopes))
    return JSON.stringify(all).split('"isShadow":true').length > 2 ? all : null
  })
  expect(JSON.stringify(events)).not.toContain('"tagName":"iframe"')
  const seen = await page.evaluate(() => {
    const { native, changes } = window as unknown as Win
    return {
      changes,
      isOwn: native === Element,
      frames: document.querySelectorAll('iframe').length,
    }
  })
  // The script of the page itself, and the host above.
  expect(seen).toEqual({ changes: expect.any(Number), isOwn: true, frames: 0 })
  expect(seen.changes).toBeLessThanOrEqual(3)
  await page.close()
})

// A node that were kept would show in three of these.
const rounds = process.env.AFTERIMAGE_TEST_LONG === '1' ? 50 : 15

test(`memory returns to its base after 10,000 nodes come and go ${rounds} times`, async () => {
  const page = await open('/page')
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const heap = async (): Promise<number> => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find((it) => it.name === 'JSHeapUsedSize')?.value ?? Infinity
  }
  const round = async (): Promise<void> => {
    await page.evaluate(async () => {
      const list = document.createElement('ul')
      for (let item = 0; item < 5000; item += 1) {
        const element = document.createElement('li')
        element.textContent = `item ${item}`
        list.append(element)
      }
      document.body.append(list)
      await new Promise((resolve) => setTimeout(resolve))
      list.remove()
      await new Promise((resolve) => setTimeout(resolve))
    })
  }
  // Until rrweb's tables have the size that they keep.
  for (let count = 0; count < 10; count += 1) await round()
  const base = await heap()
  for (let count = 0; count < rounds; count += 1) {
    await round()
    // A round records about a megabyte, and more than 20 of them end a recording.
    if (count % 5 === 4) await heap()
  }
  // It is still recording: nothing was given up to get there.
  expect(await page.evaluate(() => (window as unknown as Win).replay.state().name)).toBe('running')
  const slack = 256 * 1024
  await until('the heap is what it was', async () => ((await heap()) < base + slack ? true : null))
  await page.close()
}, 120_000)
