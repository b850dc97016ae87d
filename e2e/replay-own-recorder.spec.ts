import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { drawnAtEnd, measured } from './support/measured-page.ts'
import { decodeSegments, joinSegments, type ReplayedEvent } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Page state that no attribute holds: our recorder records it, our player draws it, and both are measured. */

const record = (options: string): string => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
const replay = replayIntegration({ sessionSampleRate: 1, minMs: 0, ${options} })
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', integrations: [replay] })
Object.assign(window, { afterimage, replay })`

const pages: Record<string, SdkPage> = {
  settings: {
    script: record("unmask: 'body'"),
    html: `<style>@media (prefers-color-scheme:dark){p{padding:40px;color:rgb(255,0,0)}}
      @media (prefers-reduced-motion:reduce){p{margin:50px}}</style><p id="p">words</p>`,
  },
  player: {
    script: `import '${fileURLToPath(new URL('./support/picture-page.ts', import.meta.url))}'`,
  },
}

let browser: Browser
let server: SdkServer
let player: Page

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer(pages)
  player = await browser.newPage()
  await player.goto(`${server.url}/player`)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

type Win = Window &
  typeof globalThis & {
    readonly afterimage: { flush(): Promise<boolean> }
    readonly replay: { state(): { name: string } }
  }

async function open(name: string): Promise<Page> {
  server.clear()
  const page = await browser.newPage({ viewport: { width: 700, height: 500 } })
  await page.goto(`${server.url}/${name}`)
  await page.waitForFunction(() => (window as unknown as Win).replay.state().name === 'running')
  return page
}

/** Reads the page's recording, once it has enough events. */
function recorded(page: Page, isEnough: (events: ReplayedEvent[]) => boolean) {
  return until('the recording came', async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    const events = joinSegments(decodeSegments(server.envelopes))
    return events.some((it) => it.type === 2) && isEnough(events) ? events : null
  })
}

const settingsOf = (events: readonly ReplayedEvent[]): unknown[] =>
  events.flatMap(({ data }) => (data.tag === 'media' ? [data.payload] : []))

test("a page is drawn with the colours and motion of the recorded person's settings", async () => {
  const page = await open('settings')
  await recorded(page, (events) => settingsOf(events).length > 0)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  const last = { colorScheme: 'dark', reducedMotion: true }
  const isTold = (events: ReplayedEvent[]) =>
    JSON.stringify(settingsOf(events).at(-1)) === JSON.stringify(last)
  const events = await recorded(page, isTold)
  expect(settingsOf(events)[0]).toEqual({ colorScheme: 'light', reducedMotion: false })
  expect(await drawnAtEnd(player, events)).toEqual(await measured(page))
  await page.close()
})
