import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments, type ReceivedSegment } from './support/replay-decode.ts'
import { startSdkServer, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** One session over the pages of a tab, and never over two tabs: real navigations in real Chromium. */

const setUp = (options: string): string => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
const replay = replayIntegration(${options})
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', release: 'shop@1', integrations: [replay] })
Object.assign(window, { afterimage, replay })
addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
`
const session = setUp('{ sessionSampleRate: 1, minMs: 0 }')
const buffering = setUp('{ sessionSampleRate: 0, onErrorSampleRate: 1, minMs: 0 }')

const html = '<p>Page</p>'

let browser: Browser
let server: SdkServer
let context: BrowserContext

beforeAll(async () => {
  // Playwright turns the cache of pages off; people have it.
  browser = await launchBrowser({ hasPageCache: true })
  server = await startSdkServer({
    one: { script: session, html },
    two: { script: session, html },
    kept: { script: buffering, html },
    'kept-too': { script: buffering, html },
    shop: {
      script: session,
      html: `<button id="dead">Pay</button><a id="link" href="/one">On</a>
        <button id="slow" onclick="setTimeout(() => { location.href = '/one' }, 3000)">Later</button>`,
    },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(async () => {
  server.clear()
  context = await browser.newContext()
  return () => context.close()
})

interface Win {
  readonly replay: { state(): { name: string; mode?: string }; replayId(): string | null }
  readonly afterimage: {
    flush(timeoutMs?: number): Promise<boolean>
    captureException(it: unknown): string
  }
  readonly persisted: boolean
}

async function running(page: Page): Promise<Page> {
  await page.waitForFunction(
    () => (window as unknown as Partial<Win>).replay?.state().name === 'running',
  )
  return page
}

async function open(path: string, page?: Page): Promise<Page> {
  const opened = page ?? (await context.newPage())
  await opened.goto(`${server.url}/${path}`)
  return running(opened)
}

/** Changes the document in a way that its recording can be told by: an id is not masked. */
function mark(page: Page, id: string): Promise<void> {
  return page.evaluate((id) => {
    document.body.append(Object.assign(document.createElement('hr'), { id }))
  }, id)
}

function replayId(page: Page): Promise<string | null> {
  return page.evaluate(() => (window as unknown as Win).replay.replayId())
}

/** Reads a replay, once all of these marks are in it. */
async function cameWith(page: Page, id: string, marks: readonly string[]) {
  return until(`replay with ${marks.join(', ')} came`, async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    const segments = decodeSegments(server.envelopes).filter(
      (it) => it.description.replay_id === id,
    )
    const text = JSON.stringify(segments)
    return marks.every((it) => text.includes(`"${it}"`)) ? segments : null
  })
}

function numbers(segments: readonly ReceivedSegment[]): number[] {
  return segments.map((it) => it.description.segment_id)
}

/** Through the tab's own history, as its button does. */
async function go(page: Page, delta: number, path: string): Promise<void> {
  await page.evaluate((delta) => history.go(delta), delta).catch(() => undefined)
  await page.waitForFunction(
    (path) => location.pathname === path && (window as unknown as Partial<Win>).persisted,
    `/${path}`,
  )
  await running(page)
}

test('back and forward through the cache of pages: one replay, each number once, all that happened', async () => {
  const page = await open('one')
  const id = (await replayId(page))!
  const marks: string[] = []
  const step = async (name: string): Promise<void> => {
    marks.push(name)
    await mark(page, name)
  }
  await step('at-first')
  await open('two', page)
  await step('on-two')
  await go(page, -1, 'one')
  await step('back-on-one')
  await go(page, 1, 'two')
  await step('forward-on-two')
  await go(page, -1, 'one')
  await step('back-again')
  expect(await replayId(page)).toBe(id)
  const segments = await cameWith(page, id, marks)
  expect(numbers(segments)).toEqual(segments.map((_, index) => index))
  // Each time the page is drawn anew.
  expect(segments.flatMap((it) => it.events).filter((it) => it.type === 2)).toHaveLength(5)
  expect(new Set(decodeSegments(server.envelopes).map((it) => it.description.replay_id))).toEqual(
    new Set([id]),
  )
})

test('an error after going back through the cache of pages brings the page before it', async () => {
  const page = await open('kept')
  const id = (await replayId(page))!
  await mark(page, 'at-first')
  await open('kept-too', page)
  await mark(page, 'on-the-other')
  await go(page, -1, 'kept')
  await mark(page, 'back')
  expect(decodeSegments(server.envelopes)).toEqual([])
  await page.evaluate(() => (window as unknown as Win).afterimage.captureException(new Error('x')))
  const segments = await cameWith(page, id, ['on-the-other', 'back'])
  expect(numbers(segments)).toEqual(segments.map((_, index) => index))
})

test.each([
  ['while it records', true],
  ['before it records', false],
])('a tab that a page opens %s has a replay of its own', async (_, isLate) => {
  const page = await open('one')
  const id = (await replayId(page))!
  await page.goto(`${server.url}/two`, { waitUntil: 'commit' })
  if (isLate) await running(page)
  else await page.waitForFunction(() => 'replay' in window)
  const popup = context.waitForEvent('page')
  await page.evaluate(() => void window.open('/one?opened'))
  const second = await running(await popup)
  await running(page)
  expect(await replayId(page)).toBe(id)
  const other = (await replayId(second))!
  expect(other).not.toBe(id)
  await mark(page, 'in-the-first-tab')
  await mark(second, 'in-the-second-tab')
  const own = await cameWith(page, id, ['in-the-first-tab'])
  // It stays one session over the pages of its tab, too.
  await open('two', second)
  expect(await replayId(second)).toBe(other)
  const others = await cameWith(second, other, ['in-the-second-tab'])
  for (const segments of [own, others]) {
    expect(numbers(segments)).toEqual(segments.map((_, index) => index))
  }
  expect(JSON.stringify(own)).not.toContain('in-the-second-tab')
})

test('offline an error waits, and so does its replay: both come with the network', async () => {
  const page = await open('kept')
  const id = (await replayId(page))!
  await mark(page, 'before-the-error')
  await context.setOffline(true)
  await page.evaluate(() => (window as unknown as Win).afterimage.captureException(new Error('x')))
  await page.waitForFunction(() => (window as unknown as Win).replay.state().mode === 'session')
  await mark(page, 'after-the-error')
  expect(decodeSegments(server.envelopes)).toEqual([])
  await context.setOffline(false)
  const segments = await cameWith(page, id, ['before-the-error', 'after-the-error'])
  const error = await until('the error came', () => server.items<{ event_id: string }>('event')[0])
  expect(segments.flatMap((it) => it.description.error_ids)).toEqual([error.event_id])
})

test('S24 offline for longer than all attempts take a session waits, and nothing of it is lost', async () => {
  const page = await context.newPage()
  await page.clock.install()
  await open('one', page)
  const id = (await replayId(page))!
  await mark(page, 'online')
  await cameWith(page, id, ['online'])
  await context.setOffline(true)
  for (let n = 0; n < 13; n += 1) {
    await mark(page, `offline-${n}`)
    await page.clock.runFor(5000)
  }
  expect(await page.evaluate(() => (window as unknown as Win).replay.state())).toMatchObject({
    name: 'running',
    mode: 'session',
  })
  await context.setOffline(false)
  const segments = await cameWith(page, id, ['offline-0', 'offline-12'])
  expect(numbers(segments)).toEqual(segments.map((_, index) => index))
})

test.each<[string, string, (page: Page) => Promise<unknown>, number]>([
  ['by its address', '#dead', (page) => page.goto(`${server.url}/one`), 1],
  ['by a link that is clicked instead', '#dead', (page) => page.click('#link'), 1],
  ['by what the click set off', '#slow', (page) => page.clock.runFor(1000), 0],
])('S23 a click that changes nothing on a page that is left after 2.5 s %s', async (...given) => {
  const [, clicked, leave, count] = given
  const page = await context.newPage()
  await page.clock.install()
  await open('shop', page)
  await page.click(clicked)
  await page.clock.runFor(2500)
  await Promise.all([page.waitForURL('**/one'), leave(page)])
  const id = (await replayId(await running(page)))!
  await mark(page, 'on-the-next-page')
  const segments = await cameWith(page, id, ['on-the-next-page'])
  const slow = segments
    .flatMap((it) => it.events)
    .map((it) => it.data.payload)
    .filter((it) => it?.category === 'ui.slowClickDetected')
  expect(slow).toHaveLength(count)
  for (const { data } of slow as { data: Record<string, unknown> }[]) {
    expect(data).toMatchObject({
      endReason: 'pageLeft',
      clickCount: 1,
      node: { tagName: 'button' },
    })
    expect(data['timeAfterClickMs']).toBeGreaterThanOrEqual(2500)
  }
})
