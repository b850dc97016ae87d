import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { decodeSegments } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** Settings of the server, consent and Global Privacy Control, in real Chromium. */

const html = `<main><p id="words">open words</p><p id="price" class="price">77 crowns</p>
  <div id="map" class="map">a street</div></main>`

function pageWith(init: string, more = ''): SdkPage {
  return {
    html,
    script: `
      import * as afterimage from '@afterimage/browser'
      import { consent, requireConsent, withdrawConsent } from '@afterimage/browser/consent'
      import { remoteSettings } from '@afterimage/browser/remote-settings'
      import { browserTracing, startSpan } from '@afterimage/browser/tracing'
      import { replayIntegration } from '@afterimage/replay'
      const dsn = 'https://${'a'.repeat(32)}@errors.test/42'
      const replay = replayIntegration({ sessionSampleRate: 1, minMs: 0, unmask: 'main', ${more} })
      Object.assign(window, { afterimage, consent, replay, startSpan, withdrawConsent })
      ${init}`,
  }
}

const pages: Record<string, SdkPage> = {
  settings: pageWith(
    'afterimage.init({ dsn, integrations: [browserTracing(), replay, remoteSettings()] })',
  ),
  consent: pageWith(
    'requireConsent(() => afterimage.init({ dsn, integrations: [replay, remoteSettings()] }))',
  ),
  recorder: pageWith('afterimage.init({ dsn, integrations: [requireConsent(replay)] })'),
  control: pageWith(
    'afterimage.init({ dsn, integrations: [replay] })',
    'globalPrivacyControl: true',
  ),
}

type InPage = Window & {
  readonly afterimage: typeof import('@afterimage/browser')
  readonly replay: import('@afterimage/replay').ReplayIntegration
  readonly consent: () => void
  readonly withdrawConsent: () => void
  readonly startSpan: typeof import('@afterimage/browser/tracing').startSpan
}

let server: SdkServer
let browser: Browser
let visit: BrowserContext
let page: Page

beforeAll(async () => {
  server = await startSdkServer(pages)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
})
beforeEach(async () => {
  server.clear()
  server.settings = '{}'
  visit = await browser.newContext()
  page = await visit.newPage()
})
afterEach(() => visit.close())

const open = (name: keyof typeof pages) => page.goto(`${server.url}/${name}`)

/** Reports an error and a span, and waits until everything that is sent was answered. */
const report = (text: string): Promise<unknown> =>
  page.evaluate((message) => {
    const { afterimage, startSpan } = window as unknown as InPage
    startSpan({ name: message, parentSpan: null }, () => {})
    afterimage.captureException(new Error(message))
    return afterimage.flush()
  }, text)

const stateOf = (): Promise<string> =>
  page.evaluate(() => {
    const state = (window as unknown as InPage).replay.state()
    return state.name === 'running' ? state.mode : state.name
  })

/** The words that all segments hold, as one text. */
const recorded = (): string =>
  JSON.stringify(decodeSegments(server.envelopes).map(({ events }) => events))

const asked = (): number => server.requests.filter(({ path }) => path.includes('k=')).length

/** The names under which the client keeps something in the browser: keys, and databases with rows. */
const kept = (): Promise<readonly string[]> =>
  page.evaluate(async () => {
    const databases = await indexedDB.databases()
    const filled = databases.map(async ({ name = '' }) => {
      const opening = indexedDB.open(name)
      await new Promise((resolve) => (opening.onsuccess = resolve))
      const database = opening.result
      const counting = database.transaction('envelopes').objectStore('envelopes').count()
      await new Promise((resolve) => (counting.onsuccess = resolve))
      database.close()
      return counting.result > 0 ? [name] : []
    })
    const names = (await Promise.all(filled)).flat()
    return [...Object.keys(sessionStorage), ...Object.keys(localStorage), ...names]
  })

const recordings = async (): Promise<readonly string[]> =>
  (await kept()).filter((name) => name.startsWith('afterimageReplay'))

const hasSettings = (text: string): Promise<unknown> =>
  until('the settings are kept', () =>
    page.evaluate((it) => localStorage.getItem('afterimageSettings')?.includes(it), text),
  )

test('settings are asked for once a session, and the switch stops clients until it is turned back', async () => {
  server.settings = '{"enabled":false}'
  await open('settings')
  const isGone = () =>
    page.evaluate(() => (window as unknown as InPage).afterimage.getClient() === null)
  await until('the client is gone', isGone)
  await report('after the switch')
  // A later page does not even begin.
  await page.reload()
  expect(await isGone()).toBe(true)
  expect(server.items('event')).toEqual([])
  server.clear()
  await report('on the next page')
  await page.evaluate(() => (window as unknown as InPage).replay.start())
  expect(await stateOf()).toBe('notStarted')
  expect(await kept()).toEqual(['afterimageSettings', 'afterimageSettings'])
  await page.goto('about:blank')
  expect([server.envelopes, asked()]).toEqual([[], 0])

  server.settings = '{}'
  await open('settings')
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await hasSettings('"settings":{}')
  await page.reload()
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await report('on again')
  expect(server.items('event')).toHaveLength(1)
  expect(asked()).toBe(1)
})

test('rates are lowered, and texts of errors are added to those that are ignored', async () => {
  server.settings = JSON.stringify({ ignoreErrors: ['boring'], replaysSessionSampleRate: 0 })
  await open('settings')
  await until('the recorder ended', async () => /stopped|notStarted/.test(await stateOf()))
  await hasSettings('boring')
  await report('a boring error')
  await report('a new error')
  expect(JSON.stringify(server.items('event'))).not.toContain('boring')
  expect(server.items('event')).toHaveLength(1)
  expect(server.items('transaction')).not.toEqual([])

  server.settings = JSON.stringify({ sampleRate: 0, tracesSampleRate: 0 })
  await page.evaluate(() => sessionStorage.clear())
  await page.reload()
  await hasSettings('tracesSampleRate')
  await page.goto('about:blank')
  server.clear()
  await open('settings')
  await report('not drawn')
  await page.goto('about:blank')
  expect([...server.items('event'), ...server.items('transaction')]).toEqual([])
})

test('a mask is added to a recording that runs, and to those of the next pages', async () => {
  await open('settings')
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await report('flushes')
  expect(recorded()).toContain('77 crowns')

  server.settings = JSON.stringify({ mask: ['.price'], block: ['.map'] })
  await page.evaluate(() => sessionStorage.removeItem('afterimageSettings'))
  await page.reload()
  await hasSettings('.price')
  await page.evaluate(() => {
    document.querySelector('#price')!.textContent = '88 crowns'
    document.querySelector('#map')!.textContent = 'an avenue'
    document.querySelector('#words')!.textContent = 'other words'
  })
  await until('the change is recorded', async () => {
    await report('flushes')
    return recorded().includes('other words')
  })
  expect(recorded()).not.toMatch(/88 crowns|avenue/)

  server.clear()
  await page.reload()
  await until('a page is recorded', async () => {
    await report('flushes')
    return recorded().includes('open words')
  })
  expect(recorded()).toContain('** ******')
  expect(recorded()).not.toMatch(/77 crowns|street/)
})

test('nothing waits for settings that do not come, and answers of others are ignored', async () => {
  server.settings = null
  await open('settings')
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await until('the settings are asked for', () => asked() === 1)
  await report('without settings')
  expect(server.items('event')).toHaveLength(1)
  for (const answer of [
    '<!doctype html><p>shop</p>',
    '[]',
    'null',
    '{"sampleRate":"0","mask":7}',
  ]) {
    server.settings = answer
    await page.evaluate(() => sessionStorage.removeItem('afterimageSettings'))
    const before = asked()
    await page.reload()
    await until('the settings are asked for', () => asked() === before + 1)
    await until('the recorder runs', async () => (await stateOf()) === 'session')
    server.clear()
    await report(answer)
    expect(server.items('event')).toHaveLength(1)
  }
})

test('nothing is recorded, sent or kept before consent, nor after it is withdrawn', async () => {
  await open('consent')
  await report('before consent')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('uncaught before consent')
    })
  })
  expect(await kept()).toEqual([])
  expect(await stateOf()).toBe('notStarted')
  expect([server.envelopes, asked()]).toEqual([[], 0])

  await page.evaluate(() => (window as unknown as InPage).consent())
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await report('with consent')
  expect(server.items('event')).toHaveLength(1)
  expect(recorded()).toContain('open words')
  await hasSettings('settings')
  expect(await kept()).not.toEqual([])

  server.clear()
  await page.evaluate(() => {
    document.querySelector('#words')!.textContent = 'words that nobody may see'
    ;(window as unknown as InPage).withdrawConsent()
  })
  await until('nothing is kept', async () => (await kept()).length === 0)
  await report('after it was withdrawn')
  await page.goto('about:blank')
  expect(server.items('event')).toEqual([])
  expect(recorded()).not.toContain('nobody may see')
})

test('the recorder alone waits for consent, while errors are reported', async () => {
  await open('recorder')
  await page.evaluate(() => (window as unknown as InPage).replay.start())
  await report('before consent')
  expect([server.items('event').length, await stateOf()]).toEqual([1, 'notStarted'])
  expect(await recordings()).toEqual([])

  await page.evaluate(() => (window as unknown as InPage).consent())
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await report('with consent')
  expect(recorded()).toContain('open words')

  await page.evaluate(() => {
    document.querySelector('#words')!.textContent = 'words that nobody may see'
    ;(window as unknown as InPage).withdrawConsent()
  })
  await until('no recording is kept', async () => (await recordings()).length === 0)
  await report('without the recorder')
  await page.evaluate(() => (window as unknown as InPage).consent())
  await until('the recorder runs', async () => (await stateOf()) === 'session')
  await page.goto('about:blank')
  expect(server.items('event')).toHaveLength(3)
  const ids = decodeSegments(server.envelopes).map(({ description }) => description.replay_id)
  const [first] = ids
  const before = decodeSegments(server.envelopes).filter((it) => it.description.replay_id === first)
  expect(JSON.stringify(before.map(({ events }) => events))).not.toContain('nobody may see')
})

test('Global Privacy Control keeps the recorder off, and errors are reported', async () => {
  await visit.addInitScript(() => {
    Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })
  })
  await open('control')
  await page.evaluate(() => (window as unknown as InPage).replay.start())
  await report('an error')
  expect([server.items('event').length, await stateOf()]).toEqual([1, 'notStarted'])
  expect(await recordings()).toEqual([])
})
