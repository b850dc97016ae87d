import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import type { ApiIssue } from '@afterimage/protocol/api'
import type { ApiReplay } from '@afterimage/protocol/api/replay'
import { launchBrowser, signIn } from './support/browser.ts'
import { startProduct, type Product } from './support/product.ts'
import { recordedVisit } from './support/recorded-replay.ts'
import { send, shareSomething, type Shares } from './support/shares.ts'
import { until } from './support/until.ts'
import { wholeDom } from './support/whole-dom.ts'

let product: Product
let browser: Browser
let shares: Shares
let page: Page

beforeAll(async () => {
  product = await startProduct()
  shares = await shareSomething(product)
  browser = await launchBrowser()
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, product.url)
})

afterAll(async () => {
  await browser?.close()
  await product?.[Symbol.asyncDispose]()
})

/** The recorded page, two frames in: ours with its policy, and the one the recording is drawn in. */
const recorded = () => page.frameLocator('iframe').frameLocator('iframe')
const clock = () => page.getByRole('slider', { name: 'Time in the recording' })

test('the list names the person, the pages and what went wrong, and leads to the replay', async () => {
  await page.goto(`${product.url}/replays`)
  const row = page.getByRole('row', { name: /ada@example\.test/ })
  await row.waitFor()
  expect(await row.innerText()).toContain('/cart')
  await page.getByRole('link', { name: 'ada@example.test' }).click()
  await page.waitForURL(`**/replays/${shares.replayId}`)
})

test('the player shows the recorded text of the moment', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}?t=1`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.goto(`${product.url}/replays/${shares.replayId}?t=3.2`)
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
})

test('a click on a row seeks, the address carries the time at rest, and keys move the cursor', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  const steps = page.getByRole('list', { name: 'Steps' })
  await steps.getByRole('button', { name: /price is late/ }).click()
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
  expect(new URL(page.url()).searchParams.get('t')).toBe('3.5')
  const current = steps.locator('[aria-current=true]')
  expect(await current.innerText()).toContain('price is late')

  // Back to the failed request, then to the start: signs, clicks left out.
  await page.keyboard.press('Shift+ArrowLeft')
  expect(await clock().getAttribute('aria-valuetext')).toContain('00:02.0')
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.keyboard.press('ArrowRight')
  expect(await clock().getAttribute('aria-valuetext')).toContain('00:12.0')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('button', { name: 'Speed 2×' }).waitFor()
})

test('playing moves the cursor, skips idle time, and changes the address only when it rests', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}?t=2.5`)
  await recorded().getByRole('heading', { name: 'Your cart' }).waitFor()
  await page.keyboard.press(' ')
  await recorded().getByRole('heading', { name: 'Paid in full' }).waitFor()
  expect(new URL(page.url()).searchParams.get('t')).toBe('2.5')
  await expect
    .poll(async () => Number(await clock().getAttribute('aria-valuenow')), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(29)
  await page.getByRole('button', { name: 'Play' }).waitFor()
  expect(Number(new URL(page.url()).searchParams.get('t'))).toBeGreaterThanOrEqual(29)
})

/** The document of the recorded page as it is drawn now. */
const drawnDom = () =>
  page.evaluate((source) => {
    const read = new Function(`return ${source}`)() as typeof wholeDom
    const inner = document.querySelector('iframe')?.contentDocument?.querySelector('iframe')
    return inner?.contentDocument ? read(inner.contentDocument) : ''
  }, String(wholeDom))

test('keys, clicks and play mixed on a visit of several pages leave the picture of a fresh load', async () => {
  const { dsn } = await product.createProject('visit', { platform: 'javascript' })
  const replayId = 'b'.repeat(32)
  const at = Date.now() - 200_000
  for (const part of recordedVisit({ replayId, at, dsn, pages: 3 })) await send(product, dsn, part)
  await until('three pages are kept', async () => {
    const replay = await product.api<{ data: ApiReplay }>(`organizations/main/replays/${replayId}/`)
    return replay.data.count_segments === 3
  })
  await page.goto(`${product.url}/replays/${replayId}`)
  await recorded().getByRole('heading', { name: 'Page 1' }).waitFor()
  const stops: { readonly url: string; readonly dom: string }[] = []
  const stop = async () => stops.push({ url: page.url(), dom: await drawnDom() })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const seconds = async () => Number(await clock().getAttribute('aria-valuenow'))

  await page.keyboard.press(' ')
  await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThanOrEqual(3)
  await page.keyboard.press(' ')
  await stop()
  await page.keyboard.press('Shift+ArrowRight')
  await page.keyboard.press('Shift+ArrowRight')
  await stop()
  await click('Forward 10 seconds')
  await click('Forward 10 seconds')
  await stop()
  await click('Back 10 seconds')
  await stop()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await click('Play')
  const from = await seconds()
  await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThanOrEqual(from + 6)
  await click('Pause')
  await stop()
  await click('Next marker')
  await click('Back 10 seconds')
  await click('Back 10 seconds')
  await stop()
  await page.keyboard.press('ArrowRight')
  for (let press = 0; press < 7; press += 1) await page.keyboard.press('ArrowLeft')
  expect(await clock().getAttribute('aria-valuetext')).toContain('00:00.0')
  await stop()
  expect(await recorded().getByRole('heading').allInnerTexts()).toEqual(['Page 1'])
  for (const { url, dom } of stops) {
    await page.goto(url)
    await recorded().getByRole('heading').first().waitFor()
    expect({ url, dom: await drawnDom() }).toEqual({ url, dom })
  }
})

test('late in a long visit the picture comes before the rest of the recording is asked for', async () => {
  const { dsn } = await product.createProject('long', { platform: 'javascript' })
  const replayId = 'c'.repeat(32)
  const at = Date.now() - 1_000_000
  for (const part of recordedVisit({ replayId, at, dsn, pages: 44 })) await send(product, dsn, part)
  await until('all pages are kept', async () => {
    const replay = await product.api<{ data: ApiReplay }>(`organizations/main/replays/${replayId}/`)
    return replay.data.count_segments === 44
  })
  const held: (() => void)[] = []
  let isSeen = false
  const asked: string[] = []
  await page.route('**/recording-segments/**download=true**', async (route) => {
    asked.push(new URL(route.request().url()).search)
    // The beginning and the surroundings pass, the rest waits until the picture was seen.
    if (asked.length > 2 && !isSeen) await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await page.goto(`${product.url}/replays/${replayId}?t=700.5`)
  await recorded().getByRole('heading', { name: 'Page 36' }).waitFor()
  expect(asked.slice(0, 2)).toEqual([
    '?download=true&per_page=2',
    '?download=true&per_page=4&cursor=0:35:0',
  ])
  await page.getByRole('progressbar', { name: 'Loading the recording' }).waitFor()
  // A moment that is not there yet is waited for; nothing else is shown in its place.
  await page.keyboard.press('ArrowLeft')
  await page.getByText('This moment is being loaded').waitFor()
  isSeen = true
  held.forEach((release) => release())
  await recorded().getByRole('heading', { name: 'Page 35' }).waitFor()
  await page.getByRole('progressbar').waitFor({ state: 'detached' })
  await page.unrouteAll({ behavior: 'wait' })
})

test('panes search and filter, and say when nothing matches', async () => {
  await page.goto(`${product.url}/replays/${shares.replayId}`)
  await page.getByRole('list', { name: 'Steps' }).waitFor()
  await page.getByPlaceholder('Search steps').fill('no such step')
  await page.getByText('Nothing matches').waitFor()
  await page.getByPlaceholder('Search steps').fill('')
  await page.getByRole('tab', { name: /Console/ }).click()
  await page.getByRole('button', { name: /price is late/ }).waitFor()
  await page.getByRole('button', { name: /Failed/ }).click()
  expect(await page.getByRole('list', { name: 'Requests' }).innerText()).toContain('/api/price')
})

test('an error of a server shows the visit of the browser, and none where the replay never came', async () => {
  const { dsn } = await product.createProject('api', { platform: 'node' })
  for (const [value, replayId] of [
    ['the shop is in a visit', shares.replayId],
    ['the visit was not sent', 'e'.repeat(32)],
  ]) {
    const breadcrumbs = [{ timestamp: Date.now() / 1000, category: 'query', message: 'select 1' }]
    const exception = { values: [{ type: 'Error', value }] }
    const event = { exception, breadcrumbs, tags: { replayId } }
    const lines = [{ dsn }, { type: 'event' }, event].map((line) => JSON.stringify(line))
    await send(product, dsn, lines.join('\n'))
  }
  const issueOf = (text: string) =>
    until(`the issue of ${text}`, async () => {
      const search = `project=api&query=${encodeURIComponent(`"${text}"`)}`
      const [issue] = await product.api<ApiIssue[]>(`organizations/main/issues/?${search}`)
      return issue?.id ?? null
    })
  await page.goto(`${product.url}/issues/${await issueOf('in a visit')}`)
  await recorded().getByRole('heading').first().waitFor()
  await page.getByRole('link', { name: 'Open the replay' }).waitFor()
  await page.goto(`${product.url}/issues/${await issueOf('not sent')}`)
  await page.getByText('select 1').waitFor()
  expect(await page.locator('iframe').count()).toBe(0)
  expect(await page.getByText('could not be loaded').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Open the replay' }).count()).toBe(0)
})

test('the embedded player and the shared page play without a session', async () => {
  const stranger = await browser.newContext()
  const visitor = await stranger.newPage()
  for (const path of [
    `/embed/replay/${shares.replay}?t=3.2`,
    `/share/replay/${shares.replay}?t=3.2`,
  ]) {
    await visitor.goto(product.url + path)
    await visitor
      .frameLocator('iframe')
      .frameLocator('iframe')
      .getByRole('heading', { name: 'Paid in full' })
      .waitFor()
  }
  expect(await visitor.content()).not.toContain('ada@example.test')
  await stranger.close()
})
