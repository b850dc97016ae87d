import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import type * as picturePage from './support/picture-page.ts'
import { decodeSegments, joinSegments, type ReplayedEvent } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Canvases: our recorder and Sentry's take pictures of them, and our player shows their pixels. */

const folder = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

const record = ({ framesPerSecond = 4, sessionSampleRate = 1 } = {}): string => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
import { replayCanvas } from '@afterimage/replay/canvas'
const canvases = replayCanvas({ framesPerSecond: ${framesPerSecond} })
const replay = replayIntegration({ sessionSampleRate: ${sessionSampleRate}, minMs: 0, unblock: '.open' })
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', integrations: [replay, canvases] })
Object.assign(window, { afterimage, replay, canvases })`

/** Fills canvases of a page with one colour. */
const fill = `function fill(colour, ...ids) {
  for (const id of ids) {
    const canvas = document.getElementById(id) ?? host.shadowRoot.getElementById(id)
    const context = canvas.getContext('2d')
    context.fillStyle = colour
    context.fillRect(0, 0, canvas.width, canvas.height)
  }
}`

const style =
  '<style>body{margin:0}canvas,#host{display:block}canvas{width:100px;height:50px}</style>'

const pages: Record<string, SdkPage> = {
  drawn: {
    html: `${style}<canvas id="a" class="open" width="200" height="100"></canvas><canvas id="b"></canvas>
      <div data-afterimage-mask><canvas id="c" class="open"></canvas></div><div id="host"></div>`,
    before: `${fill}
      host.attachShadow({ mode: 'open' }).innerHTML = '<style>canvas{width:100px;height:50px}</style><canvas id="d" class="open"></canvas>'
      fill('rgb(255,0,0)', 'a', 'b', 'c', 'd')`,
    script: record(),
  },
  large: {
    html: `${style}<canvas id="a" class="open" width="3000" height="1500"></canvas>`,
    before: `${fill}; fill('rgb(0,0,255)', 'a')`,
    script: record(),
  },
  policy: {
    html: `${style}<canvas id="a" class="open"></canvas>`,
    script: `${fill}; fill('rgb(255,0,0)', 'a'); ${record()}`,
    headers: { 'content-security-policy': "default-src 'self' 'unsafe-inline'; worker-src 'none'" },
  },
  tainted: {
    html: `${style}<canvas id="a" class="open"></canvas><canvas id="b" class="open"></canvas>`,
    before: `${fill}; fill('rgb(255,0,0)', 'b')`,
    script: `const image = new Image()
      image.onload = () => document.getElementById('a').getContext('2d').drawImage(image, 0, 0)
      image.src = location.origin.replace('127.0.0.1', 'localhost') + '/foreign.svg'
      ${record()}`,
  },
  scene: {
    html: `${style}<canvas id="a" class="open"></canvas>`,
    before: `const gl = document.getElementById('a').getContext('webgl2')
      // Draws once; the browser discards the drawing with the frame.
      function draw(...colour) {
        requestAnimationFrame(() => { gl.clearColor(...colour, 1); gl.clear(gl.COLOR_BUFFER_BIT) })
      }`,
    script: record(),
  },
  manual: {
    html: `${style}<canvas id="a" class="open"></canvas>`,
    before: fill,
    script: record({ framesPerSecond: 0 }),
  },
  buffered: {
    html: `${style}<canvas id="a" class="open"></canvas>`,
    before: `${fill}; fill('rgb(255,0,0)', 'a')
      const own = createImageBitmap
      var taken = 0
      window.createImageBitmap = (canvas) => (taken += 1, own(canvas))`,
    script: record({ sessionSampleRate: 0 }),
  },
  theirs: {
    html: `${style}<canvas id="a" width="3000" height="1500"></canvas>`,
    before: `${fill}; fill('rgb(255,0,0)', 'a')`,
    script: `import * as Sentry from '${folder('sdks/node_modules/sentry-browser-11')}'
      const replay = Sentry.replayIntegration({ minReplayDuration: 0 })
      Sentry.init({ dsn: 'https://${'a'.repeat(32)}@o1.ingest.sentry.io/42', tunnel: '/monitoring', replaysSessionSampleRate: 1,
        integrations: [replay, Sentry.replayCanvasIntegration({ quality: 'high' })] })
      Object.assign(window, { afterimage: { flush: () => replay.flush() } })`,
  },
  player: { script: `import '${folder('support/picture-page.ts')}'` },
}

let browser: Browser
let server: SdkServer
let player: Page

beforeAll(async () => {
  browser = await launchBrowser({ hasWebGl: true })
  server = await startSdkServer(pages, {
    '/foreign.svg': {
      type: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0h9v9z"/></svg>',
    },
  })
  player = await browser.newPage()
  await player.goto(`${server.url}/player`)
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

beforeEach(() => server.clear())

type Win = Window &
  typeof globalThis & {
    readonly afterimage: {
      flush(): Promise<unknown>
      captureException(it: unknown): string
    }
    readonly replay: { state(): { name: string }; start(): Promise<void>; stop(): void }
    readonly canvases: { snapshot(canvas: HTMLCanvasElement): void }
    readonly fill: (colour: string, ...ids: string[]) => void
    readonly draw: (...colour: number[]) => void
    /** Pictures that were begun. */
    readonly taken: number
  }

type PicturePage = Window & typeof globalThis & typeof picturePage

async function open(name: string): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 400, height: 300 } })
  await page.goto(`${server.url}/${name}`)
  return page
}

const framesIn = (events: readonly ReplayedEvent[]): ReplayedEvent[] =>
  events.filter(({ type, data }) => type === 3 && data['source'] === 9)

/** Waits for that many pictures of canvases; returns all that was recorded. */
function recorded(page: Page, frames: number): Promise<ReplayedEvent[]> {
  return until(`${frames} pictures came`, async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    const events = joinSegments(decodeSegments(server.envelopes))
    return framesIn(events).length >= frames && events.some(({ type }) => type === 2)
      ? events
      : null
  })
}

const paint = (page: Page, colour: string, ...ids: string[]): Promise<void> =>
  page.evaluate(([colour, ids]) => (window as unknown as Win).fill(colour, ...ids), [
    colour,
    ids,
  ] as const)

const placeOf = (name: string) => ({ a: 25, b: 75, c: 125, d: 175 })[name] ?? 0

/** The colours that the player shows in the middle of canvases, at a moment of a recording. */
async function coloursAt(
  events: readonly ReplayedEvent[],
  time: number,
  names: readonly string[],
): Promise<string[]> {
  await player.evaluate(
    async ([given, time]) => {
      const { timelineOf, openIn } = window as unknown as PicturePage
      const timeline = timelineOf([{ segmentId: 0, events: given }])
      document.body.replaceChildren()
      const { root, stage } = await openIn(timeline)
      root.style.cssText = 'position:fixed;left:0;top:0;width:400px;height:300px'
      stage.draw(time - timeline.recording.startedAt, 0)
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    },
    [events as ReplayedEvent[], time] as const,
  )
  const png = await player.screenshot({ clip: { x: 0, y: 0, width: 100, height: 200 } })
  return player.evaluate(
    async ([png, places]) => {
      const image = await createImageBitmap(await (await fetch(png)).blob())
      const context = new OffscreenCanvas(100, 200).getContext('2d')!
      context.drawImage(image, 0, 0)
      return places.map((y) => context.getImageData(50, y, 1, 1).data.slice(0, 3).join(' '))
    },
    [`data:image/png;base64,${png.toString('base64')}`, names.map(placeOf)] as const,
  )
}

const [red, blue, blank] = [
  expect.stringMatching(/^25\d \d \d$/),
  expect.stringMatching(/^\d \d 25\d$/),
  '255 255 255',
] as const

test('an unblocked canvas is shown as it was at each moment; the others and one inside of a mask stay blank', async () => {
  const page = await open('drawn')
  const first = framesIn(await recorded(page, 2))
  await paint(page, 'rgb(0,0,255)', 'a', 'b', 'c')
  const events = await recorded(page, 3)
  const frames = framesIn(events)
  expect(frames).toHaveLength(3)
  const before = first.at(-1)!.timestamp
  expect(await coloursAt(events, before, ['a', 'b', 'c', 'd'])).toEqual([red, blank, blank, red])
  const after = frames.at(-1)!.timestamp
  expect(await coloursAt(events, after, ['a', 'b', 'c', 'd'])).toEqual([blue, blank, blank, red])
  await page.close()
})

test.each([
  ['a canvas larger than a picture may be keeps its size', 'large', blue],
  ['a page that may have no worker makes its pictures itself', 'policy', red],
])('%s', async (_, name, colour) => {
  const page = await open(name)
  const events = await recorded(page, 1)
  expect(await coloursAt(events, events.at(-1)!.timestamp, ['a', 'b'])).toEqual([colour, blank])
  await page.close()
})

test('a canvas with images of other hosts is left out, silently', async () => {
  const page = await open('tainted')
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', ({ message }) => said.push(message))
  const events = await recorded(page, 1)
  expect(await coloursAt(events, events.at(-1)!.timestamp, ['a', 'b'])).toEqual([blank, red])
  expect(said).toEqual([])
  await page.close()
})

test('a WebGL canvas that is drawn now and then is shown as it was drawn', async () => {
  const page = await open('scene')
  await page.waitForFunction(() => (window as unknown as Win).replay.state().name === 'running')
  const frames: ReplayedEvent[] = []
  for (const colour of [
    [1, 0, 0],
    [0, 0, 1],
  ]) {
    await page.evaluate((colour) => (window as unknown as Win).draw(...colour), colour)
    frames.push(framesIn(await recorded(page, frames.length + 1)).at(-1)!)
  }
  const events = await recorded(page, 2)
  expect(await coloursAt(events, frames[0]!.timestamp, ['a'])).toEqual([red])
  expect(await coloursAt(events, frames[1]!.timestamp, ['a'])).toEqual([blue])
  await page.close()
})

test('a page that takes its pictures itself takes no others, and a new snapshot repeats the last one', async () => {
  const page = await open('manual')
  await page.waitForFunction(() => (window as unknown as Win).replay.state().name === 'running')
  await paint(page, 'rgb(255,0,0)', 'a')
  await page.evaluate(() => {
    const { canvases } = window as unknown as Win
    canvases.snapshot(document.getElementById('a') as HTMLCanvasElement)
  })
  await recorded(page, 1)
  server.clear()
  await page.evaluate(() => {
    const { replay } = window as unknown as Win
    replay.stop()
    return replay.start()
  })
  const events = await recorded(page, 1)
  expect(events.filter(({ type }) => type === 2)).toHaveLength(1)
  expect(await coloursAt(events, events.at(-1)!.timestamp, ['a'])).toEqual([red])
  await page.close()
})

test('the replay of an error has the pictures from before it', async () => {
  const page = await open('buffered')
  // The second is taken when the first is recorded.
  await page.waitForFunction(() => (window as unknown as Win).taken > 1)
  const failedAt = await page.evaluate(() => {
    ;(window as unknown as Win).afterimage.captureException(new Error('after the picture'))
    return Date.now()
  })
  const events = await recorded(page, 1)
  expect(framesIn(events)[0]?.timestamp).toBeLessThanOrEqual(failedAt)
  expect(await coloursAt(events, failedAt, ['a'])).toEqual([red])
  await page.close()
})

test("a recording of Sentry's client shows its canvases too", async () => {
  const page = await open('theirs')
  const events = await recorded(page, 1)
  expect(await coloursAt(events, events.at(-1)!.timestamp, ['a', 'b'])).toEqual([red, blank])
  await page.close()
})
