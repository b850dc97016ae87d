import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sharedFolder } from '../tools/shared-folder.ts'
import { launchBrowser } from './support/browser.ts'
import { canonicalDom, canonicalElement, canonicalText } from './support/canonical-dom.ts'
import type * as picturePage from './support/picture-page.ts'
import { joinedReplays, replaysIn, type RecordedSegments } from './support/recorded-replays.ts'
import { decodeSegments } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/**
 * The picture depends on the moment alone: the player's own files in real Chromium, over recordings of ours and
 * of the official SDKs.
 */

type PicturePage = Window & typeof globalThis & typeof picturePage

const isLong = process.env.AFTERIMAGE_TEST_LONG === '1'
const sequences = isLong ? 5_000 : 200
const perRound = 100
const limitMs = isLong ? 3_600_000 : 600_000

const recorded = (name: string): SdkPage => ({
  html: `<style>.on:hover{color:red} input:focus{outline:2px solid blue}</style><h1>Page ${name}</h1>
    <ul id="list"></ul><div id="box" style="height:40px;overflow:auto"><p style="height:400px">tall</p></div>
    <form><input id="words"><textarea id="long"></textarea><input type="checkbox" id="check"><select id="one"><option>a<option>b</select></form>
    <div id="host"></div><iframe id="frame" srcdoc="<p>framed</p>"></iframe><dialog id="dialog">modal</dialog><canvas id="chart" width="90" height="40"></canvas>`,
  script: `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
import { replayCanvas } from '@afterimage/replay/canvas'
const replay = replayIntegration({ sessionSampleRate: 1, minMs: 0, maskAllText: false, unblock: 'canvas' })
const canvases = replayCanvas({ framesPerSecond: 4 })
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', release: 'shop@1', integrations: [replay, canvases] })
const list = document.getElementById('list'), box = document.getElementById('box'), host = document.getElementById('host')
const sheet = new CSSStyleSheet(); sheet.replaceSync('b{color:green}')
const shadow = host.attachShadow({ mode: 'open' }); shadow.adoptedStyleSheets = [sheet]; shadow.innerHTML = '<b>in the shadow</b>'
const style = document.querySelector('style'), chart = document.getElementById('chart')
const acts = [
  (n) => { const item = document.createElement('li'); item.textContent = 'item ' + n; list.prepend(item) },
  (n) => { list.append(...[...list.children].reverse()) },
  (n) => { if (list.children.length > 4) list.children[n % 4].remove() },
  (n) => { const it = document.getElementById('words'); it.value = 'typed ' + n; it.dispatchEvent(new Event('input', { bubbles: true })) },
  (n) => { const it = document.getElementById('check'); it.checked = !it.checked; it.dispatchEvent(new Event('input', { bubbles: true })) },
  (n) => { box.scrollTop = (n * 37) % 300 },
  (n) => { style.sheet.insertRule('.r' + n + '{color:blue}', 0) },
  (n) => { sheet.insertRule('i' + n + '{color:blue}') },
  (n) => { document.body.insertBefore(host, n % 2 ? list : box) },
  (n) => { const it = document.getElementById('dialog'); if (it.open) it.close(); else it.showModal() },
  (n) => { box.className = 'on c' + n; box.style.setProperty('width', 100 + n + 'px') },
  (n) => { const it = document.getElementById('frame').contentDocument; if (it) it.body.append('more ' + n) },
  (n) => { chart.getContext('2d').fillStyle = 'rgb(0,' + n * 4 + ',0)'; chart.getContext('2d').fillRect(0, 0, 90, 40); canvases.snapshot(chart) },
  (n) => { document.body.insertBefore(chart, n % 2 ? list : box) },
  (n) => { chart.style.width = 60 + n + 'px'; chart.style.background = n % 4 ? 'red' : '' },
]
let turn = 0
const begin = () => { const timer = setInterval(() => {
  acts[turn % acts.length](turn); turn += 1
  if (turn < 60) return
  clearInterval(timer)
  window.isDone = true
}, 10) }
Object.assign(window, { begin, afterimage, replay })`,
})

const pages: Record<string, SdkPage> = {
  one: recorded('one'),
  two: recorded('two'),
  three: recorded('three'),
  player: {
    script: `import '${fileURLToPath(new URL('./support/picture-page.ts', import.meta.url))}'
import { Replayer } from '@rrweb/replay'
Object.assign(window, { Replayer })`,
  },
}

let browser: Browser
let server: SdkServer
let player: Page
let ours: RecordedSegments
const corpus = sharedFolder('corpus')
const theirs = corpus === null ? [] : replaysIn(corpus)

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer(pages)
  ours = await recordOurs()
  player = await browser.newPage()
  await player.goto(`${server.url}/player`)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

/** A visit of three pages, recorded by our own recorder. */
async function recordOurs(): Promise<RecordedSegments> {
  const page = await browser.newPage()
  for (const path of ['one', 'two', 'three']) {
    await page.goto(`${server.url}/${path}`)
    await page.mouse.move(100, 80)
    await page.locator('#words').click()
    await page.mouse.move(180, 60, { steps: 4 })
    await page.evaluate(() => (window as unknown as { begin(): void }).begin())
    await page.waitForFunction(() => (window as unknown as { isDone?: true }).isDone)
    await page.evaluate(() =>
      (window as unknown as { afterimage: { flush(): Promise<boolean> } }).afterimage.flush(),
    )
  }
  const segments = await until('three pages came', () => {
    const came = decodeSegments(server.envelopes)
    const events = came.flatMap((it) => it.events)
    const pictures = events.filter(({ type, data }) => type === 3 && data['source'] === 9)
    return events.filter(({ type }) => type === 2).length >= 3 && pictures.length >= 3 ? came : null
  })
  await page.close()
  return {
    replayId: 'ours',
    segments: segments.map((it) => ({
      segmentId: it.description.segment_id,
      events: it.events,
    })),
  }
}

/** Half of the sequences of chance over recordings, in one page. Returns what was wrong; null when nothing was. */
async function moveAll(replays: readonly RecordedSegments[]) {
  for (let done = 0; done < sequences / 2; done += perRound) {
    const wrong = await moveRound(replays, 1 + done)
    if (wrong !== null) return wrong
  }
  return null
}

/** Between rounds the page is free, so that the browser may let go of the documents of the last one. */
function moveRound(replays: readonly RecordedSegments[], from: number) {
  return player.evaluate(
    ([given, seeds]) => {
      const { moveByChance, timelineOf } = window as unknown as PicturePage
      return moveByChance(
        given.map((segments) => timelineOf(segments)),
        seeds,
      )
    },
    [replays.map(({ segments }) => segments), { from, count: perRound }] as const,
  )
}

test(
  'after any sequence of play, pause, seek, markers, speed and skip the document is that of a fresh load',
  async () => {
    expect(await moveAll([ours])).toBeNull()
  },
  limitMs,
)

test(
  'the same over recordings of the official SDKs, one by one and as one visit of several pages',
  async (context) => {
    if (theirs.length === 0) return context.skip('not run: ../shared/corpus is not here')
    expect(await moveAll([...theirs, joinedReplays(theirs)])).toBeNull()
  },
  limitMs,
)

test('recordings of the official SDKs are drawn as their own player draws them', async (context) => {
  if (theirs.length === 0) return context.skip('not run: ../shared/corpus is not here')
  for (const { segments } of [...theirs, ours]) {
    for (const share of [0.4, 1]) {
      const [drawn, expected] = await drawBoth(segments, share)
      // We let links lead nowhere.
      expect(withoutLinks(drawn)).toBe(withoutLinks(expected))
      expect(drawn.length).toBeGreaterThan(100)
    }
  }
})

const withoutLinks = (text: string) => text.replaceAll(/ href=[^ >]*/g, '')

/** The same moment drawn by us and by rrweb. */
function drawBoth(
  segments: RecordedSegments['segments'],
  share: number,
): Promise<[string, string]> {
  return player.evaluate(
    async ([given, at, source]) => {
      const page = window as unknown as PicturePage & {
        Replayer: typeof import('@rrweb/replay').Replayer
      }
      const timeline = page.timelineOf(given)
      const time = Math.floor(timeline.durationMs * at)
      const drawn = await page.canonicalAt(timeline, time)
      const events = structuredClone(timeline.recording.drawn) as never[]
      const replayer = new page.Replayer(events, { mouseTail: false, showWarning: false })
      replayer.pause(time + 1)
      await new Promise((resolve) => setTimeout(resolve, 100))
      const canonical = new Function(source)() as typeof canonicalDom
      const expected = canonical(replayer.iframe.contentDocument as Document, false)
      replayer.destroy()
      return [drawn, expected] as [string, string]
    },
    [segments, share, `${canonicalText};${canonicalElement};return ${canonicalDom}`] as const,
  )
}
