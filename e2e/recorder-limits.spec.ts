import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments } from './support/replay-decode.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/**
 * The limits of the recorder, each at its edge, in real Chromium. The page's clock stands still
 * apart from the time that a test lets pass. The recorder waits for no other thread, so its work is
 * done when that time is over.
 */

const setUp = (options: string): string => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
const added = []
const beforeAdd = (event) => {
  added.push({ at: Date.now(), ...event.data.payload })
  return event
}
const replay = replayIntegration({ beforeAdd, ${options} })
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', integrations: [replay] })
Object.assign(window, { afterimage, replay, added })
`

/** Notes when segments are sent, and how many were answered. */
const before = `
delete window.Worker
delete window.CompressionStream
const own = window.fetch
window.posts = []
window.settled = 0
window.fetch = async (address, init) => {
  const isReplay = init?.body instanceof Uint8Array && /"replay_event"/.test(new TextDecoder().decode(init.body))
  if (isReplay) posts.push(Date.now())
  try { return await own(address, init) } finally { settled += isReplay }
}`

const html = '<p id="p">Page</p><button id="dead">Pay</button>'
const everySession = setUp('sessionSampleRate: 1')
const rolled = (roll: number) => ({
  script: setUp(''),
  html,
  before: `${before}; Math.random = () => ${roll}`,
})
const bodies = { exact: 'a'.repeat(150_000), long: 'a'.repeat(150_001) }

let browser: Browser
let server: SdkServer
let context: BrowserContext

beforeAll(async () => {
  browser = await launchBrowser()
  const type = 'text/plain'
  server = await startSdkServer(
    {
      session: { script: everySession, html, before },
      buffer: { script: setUp('sessionSampleRate: 0'), html, before },
      network: {
        script: setUp("sessionSampleRate: 1, network: { allow: ['/fixed/', '/status/'] }"),
        html,
        before,
      },
      'roll-0': rolled(0),
      'roll-0.0999': rolled(0.0999),
      'roll-0.1': rolled(0.1),
      'roll-0.9999': rolled(0.9999),
    },
    {
      '/fixed/exact': { type, body: bodies.exact },
      '/fixed/long': { type, body: bodies.long },
    },
  )
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(async () => {
  server.clear()
  server.answer = { status: 200 }
  context = await browser.newContext()
  return () => context.close()
})

interface Added {
  /** ms, when it was added. */
  readonly at: number
  readonly category?: string
  readonly op?: string
  readonly message?: string
  readonly data?: Readonly<Record<string, unknown>>
}

interface Win {
  readonly replay: { state(): object; replayId(): string | null }
  readonly afterimage: {
    addBreadcrumb(it: object): void
    captureException(it: unknown): string
  }
  readonly added: Added[]
  readonly posts: number[]
  readonly settled: number
}

/** A page that records, when its session began, and its clock. */
interface Recorded {
  readonly page: Page
  readonly startedAt: number
  /** So many ms after the session began. */
  readonly at: (ms: number) => Promise<void>
  readonly state: () => Promise<object>
  readonly id: () => Promise<string | null>
  readonly posts: () => Promise<number[]>
}

async function record(path: string): Promise<Recorded> {
  const page = await context.newPage()
  await page.clock.install({ time: '2027-01-01T00:00:00Z' })
  await page.clock.pauseAt('2027-01-01T00:01:00Z')
  await page.goto(`${server.url}/${path}`)
  const state = (): Promise<object> =>
    page.evaluate(() => (window as unknown as Win).replay.state())
  await until('it records', async () => {
    await page.clock.runFor(50)
    return 'mode' in (await state())
  })
  const startedAt = await page.evaluate(
    () =>
      (JSON.parse(sessionStorage['afterimageReplay'] as string) as { startedAt: number }).startedAt,
  )
  return {
    page,
    startedAt,
    state,
    at: async (ms) => page.clock.runFor(startedAt + ms - (await now(page))),
    id: () => page.evaluate(() => (window as unknown as Win).replay.replayId()),
    posts: () => page.evaluate(() => [...(window as unknown as Win).posts]),
  }
}

function now(page: Page): Promise<number> {
  return page.evaluate(() => Date.now())
}

/** Changes the document, and waits until those who watch it have seen that. */
function change(page: Page): Promise<void> {
  return page.evaluate(async () => {
    document.getElementById('p')!.classList.toggle('changed')
    await Promise.resolve()
  })
}

function click(page: Page): Promise<void> {
  return page.evaluate(() => document.getElementById('dead')!.click())
}

function added(page: Page, has: (it: Added) => boolean): Promise<Added[]> {
  return page
    .evaluate(() => [...(window as unknown as Win).added])
    .then((all) => all.filter((it) => has(it)))
}

/** Past what loading the page measures, with nothing waiting. */
async function settled({ page, at, posts }: Recorded, ms = 12_000): Promise<number> {
  await at(ms)
  await until('all was answered', async () => {
    const count = await page.evaluate(() => (window as unknown as Win).settled)
    return count === (await posts()).length && count > 0
  })
  return (await posts()).length
}

test.each([
  ['0', 'session'],
  ['0.0999', 'session'],
  ['0.1', 'buffer'],
  ['0.9999', 'buffer'],
])('S16 a roll of %s records in mode %s', async (roll, mode) => {
  const recorded = await record(`roll-${roll}`)
  expect(await recorded.state()).toEqual({ name: 'running', mode, isPaused: false })
})

test('S16 any error brings its replay, whatever the roll', async () => {
  const { page, state } = await record('roll-0.9999')
  await page.evaluate(() => (window as unknown as Win).afterimage.captureException(new Error('x')))
  await until('it is sent', async () => 'mode' in (await state()) && (await state()))
  await page.waitForFunction(
    () =>
      (window as unknown as { replay: { state(): { mode: string } } }).replay.state().mode ===
      'session',
    undefined,
    { polling: 50 },
  )
})

test('S18 a segment is sent 5,000 ms after its last event, exactly', async () => {
  const recorded = await record('session')
  const count = await settled(recorded)
  const { page, posts } = recorded
  await change(page)
  await page.clock.runFor(400)
  await change(page)
  const last = await now(page)
  await page.clock.runFor(4999)
  expect(await posts()).toHaveLength(count)
  await page.clock.runFor(1)
  expect((await posts()).slice(count)).toEqual([last + 5000])
})

test('S18 where events never cease a segment is sent 5,500 ms after its first, exactly', async () => {
  const recorded = await record('session')
  const count = await settled(recorded)
  const { page, posts } = recorded
  const first = await page.evaluate(() => {
    const { classList } = document.getElementById('p')!
    setInterval(() => classList.toggle('changed'), 100)
    classList.toggle('changed')
    return Date.now()
  })
  await page.clock.runFor(5499)
  expect(await posts()).toHaveLength(count)
  await page.clock.runFor(1)
  expect((await posts()).slice(count)).toEqual([first + 5500])
})

test.each([
  [4999, []],
  [5000, [5000]],
])('S19 a page that is hidden after %d ms has sent segments at %j', async (ms, sent) => {
  const { page, at, posts, startedAt } = await record('session')
  // A later event puts off what would be sent at the same time anyway.
  await at(3000)
  await change(page)
  await at(ms)
  await page.evaluate(async () => {
    Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
    Object.defineProperty(document, 'hidden', { value: true })
    document.dispatchEvent(new Event('visibilitychange'))
    await Promise.resolve()
  })
  await expect.poll(async () => (await posts()).map((it) => it - startedAt)).toEqual(sent)
})

test('S19 a replay goes on at 3,599,999 ms and another begins at 3,600,000', async () => {
  const { page, at, id, state } = await record('session')
  const first = await id()
  for (let ms = 600_000; ms < 3_600_000; ms += 600_000) {
    await page.clock.fastForward(600_000)
    await click(page)
  }
  await click(page)
  await at(3_599_999)
  // Nobody was there for some minutes.
  await click(page)
  await change(page)
  expect(await id()).toBe(first)
  await at(3_600_000)
  await change(page)
  expect(await id()).not.toBe(first)
  expect(await state()).toMatchObject({ name: 'running', mode: 'session' })
})

test('S20 a session that nobody uses goes on at 299,999 ms and pauses at 300,000', async () => {
  const { page, at, state } = await record('session')
  await at(299_999)
  await change(page)
  expect(await state()).toMatchObject({ isPaused: false })
  await at(300_000)
  await change(page)
  expect(await state()).toMatchObject({ name: 'running', isPaused: true })
})

test.each(['session', 'buffer'])(
  'S20 in mode %s a session that nobody uses is the same at 899,999 ms and another at 900,000',
  async (mode) => {
    for (const [ms, isSame] of [
      [899_999, true],
      [900_000, false],
    ] as const) {
      const { page, at, id, state } = await record(mode)
      const first = await id()
      await at(ms)
      await click(page)
      expect((await id()) === first).toBe(isSame)
      expect(await state()).toEqual({ name: 'running', mode, isPaused: false })
    }
  },
)

/** Sets an attribute, which is masked, to so many characters; gives those of the event. */
async function setTitle(page: Page, characters: number): Promise<void> {
  await page.evaluate(async (characters) => {
    document.getElementById('p')!.title = 'a'.repeat(characters)
    await Promise.resolve()
  }, characters)
}

test.each([
  [20_000_000, { name: 'running', mode: 'session', isPaused: false }],
  [20_000_001, { name: 'stopped', reason: 'bufferOverflow' }],
])('S21 with a buffer of %d characters the recorder is %j', async (characters, expected) => {
  const recorded = await record('session')
  const count = await settled(recorded)
  const { page, state } = recorded
  await setTitle(page, 1)
  await page.clock.runFor(5000)
  const event = await until('the event came', () =>
    decodeSegments(server.envelopes)
      .flatMap((it) => it.events)
      .find((it) => JSON.stringify(it).includes('"title":"*"')),
  )
  await over(page, count + 1)
  await setTitle(page, characters - (JSON.stringify(event).length - 1))
  expect(await state()).toEqual(expected)
})

test.each([
  [750, 'running', []],
  [751, 'running', [{ count: 751, limit: false }]],
  [10_000, 'running', [{ count: 10_000, limit: false }]],
  [10_001, 'stopped', [{ count: 10_001, limit: true }]],
])('S22 after %d mutations at once the recorder is %s and tells %j', async (count, name, told) => {
  const recorded = await record('session')
  await settled(recorded)
  const { page, state } = recorded
  await page.evaluate(async (count) => {
    for (let n = 0; n < count; n += 1) document.getElementById('p')!.className = `c${n}`
    await Promise.resolve()
  }, count)
  expect(await state()).toMatchObject({ name })
  await page.clock.runFor(6000)
  await change(page)
  const all = await until('the last segment came', () => {
    const events = decodeSegments(server.envelopes).flatMap((it) => it.events)
    return JSON.stringify(events).includes(`"c${count - 1}"`) || name === 'stopped' ? events : null
  })
  const crumbs = all.filter((it) => it.data.payload?.category === 'replay.mutations')
  expect(crumbs.map((it) => it.data.payload!['data'])).toEqual(told)
})

test('S23 a click that changes nothing is dead after 7,000 ms, exactly', async () => {
  const recorded = await record('session')
  await settled(recorded)
  const { page } = recorded
  await click(page)
  const clickedAt = await now(page)
  await page.clock.runFor(6999)
  expect(await added(page, ({ category }) => category === 'ui.slowClickDetected')).toEqual([])
  await page.clock.runFor(1)
  expect(await added(page, ({ category }) => category === 'ui.slowClickDetected')).toMatchObject([
    { at: clickedAt + 7000, data: { endReason: 'timeout', timeAfterClickMs: 7000 } },
  ])
})

test('S24 a segment that nobody answers is sent again after 5,000, 10,000 and 30,000 ms, and no more', async () => {
  const recorded = await record('session')
  const count = await settled(recorded)
  const { page, posts, state } = recorded
  server.answer = null
  await change(page)
  await page.clock.runFor(5000)
  for (const [index, waitMs] of [5000, 10_000, 30_000].entries()) {
    await over(page, count + index + 1)
    await page.clock.runFor(waitMs - 1)
    expect(await posts()).toHaveLength(count + index + 1)
    await page.clock.runFor(1)
    expect(await posts()).toHaveLength(count + index + 2)
  }
  await over(page, count + 4)
  expect(await state()).toEqual({ name: 'stopped', reason: 'sendError' })
  await page.clock.runFor(120_000)
  expect(await posts()).toHaveLength(count + 4)
})

/** So many requests have had their end. */
async function over(page: Page, count: number): Promise<void> {
  await until(`${count} requests are over`, () =>
    page.evaluate((count) => (window as unknown as Win).settled === count, count),
  )
}

test('S25 bodies of 150,000 characters are whole, of longer ones the first 150,000 are kept', async () => {
  const { page } = await record('network')
  await page.evaluate(async () => {
    for (const name of ['exact', 'long']) {
      const body = await (await fetch(`/fixed/${name}`)).text()
      await fetch(`/status/200?${name}`, { method: 'PUT', body })
    }
  })
  const spans = await until('the requests are in the recording', async () => {
    const found = await added(page, (it) => it.op === 'resource.fetch')
    return found.length === 4 ? found : null
  })
  const [exact, sentExact, long, sentLong] = spans.map((it) => it.data as Record<string, unknown>)
  const cut = { body: `${bodies.exact}…`, _meta: { warnings: ['TEXT_TRUNCATED'] } }
  expect(exact!['response']).toEqual(expect.objectContaining({ body: bodies.exact, size: 150_000 }))
  expect(exact!['response']).not.toHaveProperty('_meta')
  expect(sentExact!['request']).toMatchObject({ body: bodies.exact })
  expect(sentExact!['request']).not.toHaveProperty('_meta')
  expect(long!['response']).toMatchObject({ ...cut, size: 150_001 })
  expect(sentLong!['request']).toMatchObject({ ...cut, size: 150_001 })
})

test('S26 300 of 301 events at once are kept; the next is kept after 5,000 ms, not after 4,999', async () => {
  const recorded = await record('session')
  await settled(recorded)
  const { page } = recorded
  const add = (message: string, count = 1): Promise<void> =>
    page.evaluate(
      ([message, count]) => {
        for (let n = 0; n < count; n += 1) {
          ;(window as unknown as Win).afterimage.addBreadcrumb({ category: 'own', message })
        }
      },
      [message, count] as const,
    )
  await add('at once', 301)
  await page.clock.runFor(4999)
  await add('early')
  await page.clock.runFor(1)
  await add('due')
  const own = await added(page, ({ category }) => category === 'own')
  expect(own.filter((it) => it.message === 'at once')).toHaveLength(300)
  expect(own.slice(300).map((it) => it.message)).toEqual(['due'])
  await page.clock.runFor(6000)
  const told = await until('the recording says so', () => {
    const events = decodeSegments(server.envelopes).flatMap((it) => it.events)
    const crumbs = events.filter((it) => it.data.payload?.category === 'replay.throttled')
    return crumbs.length > 0 ? crumbs : null
  })
  expect(told).toHaveLength(1)
})
