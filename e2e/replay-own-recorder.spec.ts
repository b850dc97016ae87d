import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { drawnAtEnd, measured } from './support/measured-page.ts'
import type * as picturePage from './support/picture-page.ts'
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

const page = `<style>p{padding:1px} input:focus{background:rgb(9,8,7)} form:focus-within{opacity:0.9}</style>
  <form id="form"><input id="field"><button id="opener" type="button" popovertarget="pop">More</button><button id="dead" type="button">Pay</button>
  <select id="many" multiple size="3"><option>Anna<option>Berta<option>Carla</select>
  <select id="single"><option>Anna<option>Berta</select></form>
  <div id="pop" popover>words</div><p id="below">below</p>`

const pages: Record<string, SdkPage> = {
  settings: {
    script: record("unmask: 'body'"),
    html: `<style>@media (prefers-color-scheme:dark){p{padding:40px;color:rgb(255,0,0)}}
      @media (prefers-reduced-motion:reduce){p{margin:50px}}</style><p id="p">words</p>`,
  },
  stateful: {
    html: page,
    script: `document.getElementById('pop').showPopover(); document.getElementById('field').focus()
      for (const at of [0, 2]) document.getElementById('many').options[at].selected = true
      document.getElementById('single').value = 'Berta'
      ${record("unmask: 'body'")}`,
  },
  stateless: { html: page, script: record("unmask: 'body', slowClickMs: 1000") },
  off: {
    html: '<style id="off">p{margin:70px}</style><style>p{padding:3px}</style><p id="p">words</p>',
    script: `document.getElementById('off').sheet.disabled = true; ${record('')}`,
  },
  switched: {
    html: `<style id="a">p{margin:70px}</style><style id="b">p{padding:3px}</style>
      <p id="p">words</p><div id="host"></div>`,
    script: `host.attachShadow({ mode: 'open' }).innerHTML = '<style>b{height:33px}</style><b id="inside" style="display:block">b</b>'
      ${record('')}`,
  },
  ruled: {
    html: `<style id="own">p{color:rgb(1,2,3);padding:1px} @media all{b{display:block;color:rgb(4,5,6)}}</style>
      <p id="p">words</p><b id="b">words</b><i id="i">words</i>`,
    script: `const sheet = new CSSStyleSheet(); sheet.replaceSync('i{display:block;height:20px}')
      document.adoptedStyleSheets = [sheet]; ${record('')}`,
  },
  lent: {
    html: `<svg width="0" height="0" style="display:none"><symbol id="icon" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></symbol></svg>
      <svg id="drawing" width="40" height="40"><use id="use" href="#icon"></use></svg><p id="below">below</p>`,
    script: record("unmask: 'body', unblock: 'svg'"),
  },
  masked: { html: page, script: record('') },
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

const inputsOf = (events: readonly ReplayedEvent[]): Record<string, unknown>[] =>
  events.flatMap(({ type, data }) => (type === 3 && data['source'] === 5 ? [data] : []))

/** The states of popovers in the order of their recording. */
const popoversOf = (events: readonly ReplayedEvent[]): string[] =>
  events.flatMap(({ data }) => JSON.stringify(data).match(/(?<="rr_popover":")\w+/g) ?? [])

/** The clicked elements that nothing reacted to. */
const deadIn = (events: readonly ReplayedEvent[]): unknown[] =>
  events.flatMap(({ data: { payload } }) =>
    payload?.category === 'ui.slowClickDetected' ? [payload['message']] : [],
  )

test('a drawing shows the symbol that it takes from a hidden one, which has no place', async () => {
  const page = await open('lent')
  const events = await recorded(page, () => true)
  const original = await measured(page)
  const boxOf = (id: string) =>
    (original as { id: string; box: number[] }[]).find((it) => it.id === id)?.box.slice(2)
  expect([boxOf('icon'), boxOf('use')]).toEqual([
    [0, 0],
    [40, 40],
  ])
  expect(await drawnAtEnd(player, events)).toEqual(original)
  await page.close()
})

test('choices, an open popover and the focus from before the recording are drawn', async () => {
  const page = await open('stateful')
  const events = await recorded(page, () => true)
  const original = await measured(page)
  expect(JSON.stringify(original)).toContain('[":popover-open"]')
  expect(await drawnAtEnd(player, events)).toEqual(original)
  await page.close()
})

test('a style sheet that was off before the recording is drawn so', async () => {
  const page = await open('off')
  const events = await recorded(page, () => true)
  expect(await drawnAtEnd(player, events)).toEqual(await measured(page))
  await page.close()
})

/** The states of style sheets in the order of their recording. */
const offIn = (events: readonly ReplayedEvent[]): unknown[] =>
  events.flatMap(({ data }) => JSON.stringify(data).match(/(?<="rr_sheet_off":)\w+/g) ?? [])

/** Moves a player about in a recording; null when each picture was right. */
function moved(events: readonly ReplayedEvent[]): Promise<unknown> {
  return player.evaluate((given) => {
    const { moveByChance, timelineOf } = window as unknown as typeof picturePage
    return moveByChance([timelineOf([{ segmentId: 0, events: given }])], { from: 1, count: 5 })
  }, events)
}

test('style sheets are drawn as scripts switch them', async () => {
  const page = await open('switched')
  await recorded(page, () => true)
  await page.evaluate(() => {
    const [a, b] = document.querySelectorAll('style')
    a!.sheet!.disabled = true
    b!.disabled = true
    const inside = document.getElementById('host')!.shadowRoot!.querySelector('style')
    inside!.sheet!.disabled = true
  })
  const off = await recorded(page, (events) => offIn(events).length === 3)
  expect(await drawnAtEnd(player, off)).toEqual(await measured(page))
  await page.evaluate(() => (document.querySelector('style')!.disabled = false))
  const on = await recorded(page, (events) => offIn(events).length === 4)
  expect(offIn(on)).toEqual(['true', 'true', 'true', 'false'])
  expect(await drawnAtEnd(player, on)).toEqual(await measured(page))
  expect(await moved(on)).toBeNull()
  await page.close()
})

/** The declarations of rules that scripts have set, in the order of their recording. */
const setIn = (events: readonly ReplayedEvent[]): unknown[] =>
  events.flatMap(({ data }) => (data['set'] as { value?: string } | undefined)?.value ?? [])

test('styles that scripts set on rules are drawn, with their words masked', async () => {
  const page = await open('ruled')
  await recorded(page, () => true)
  const secret = 'Bertha-7'
  await page.evaluate((word) => {
    const rules = document.querySelector('style')!.sheet!.cssRules as unknown as CSSStyleRule[]
    rules[0]!.style.backgroundColor = 'rgb(7,8,9)'
    rules[0]!.style.color = ''
    rules[0]!.style.setProperty('--name', word)
    const nested = (rules[1] as unknown as CSSMediaRule).cssRules[0] as CSSStyleRule
    nested.style.cssText = `display:block;height:40px!important;color:rgb(9,9,9);quotes:"${word}" ""`
    const adopted = document.adoptedStyleSheets[0]!.cssRules[0] as CSSStyleRule
    adopted.style.height = '60px'
    Object.assign(window, { kept: adopted.style })
  }, secret)
  const first = await recorded(page, (events) => /60px/.test(setIn(events).join()))
  expect(await drawnAtEnd(player, first)).toEqual(await measured(page))
  expect(JSON.stringify(first)).not.toContain(secret)
  await page.evaluate(() => {
    const { kept } = window as unknown as { kept: CSSStyleDeclaration }
    kept.height = '80px'
  })
  const events = await recorded(page, (it) => /80px/.test(setIn(it).join()))
  expect(await drawnAtEnd(player, events)).toEqual(await measured(page))
  expect(await moved(events)).toBeNull()
  await page.close()
})

test('a popover that opens and closes is drawn so', async () => {
  const page = await open('stateless')
  await page.click('#opener')
  const opened = await recorded(page, (events) => popoversOf(events).length === 1)
  expect(await drawnAtEnd(player, opened)).toEqual(await measured(page))
  await page.keyboard.press('Escape')
  const closed = await recorded(page, (events) => popoversOf(events).length === 2)
  expect(popoversOf(closed)).toEqual(['open', 'closed'])
  expect(await drawnAtEnd(player, closed)).toEqual(await measured(page))
  await page.close()
})

test('a click that opens a popover is not dead', async () => {
  const page = await open('stateless')
  await page.click('#opener')
  await page.keyboard.press('Escape')
  await recorded(page, (events) => popoversOf(events).length === 2)
  await page.click('#dead')
  const events = await recorded(page, (it) => deadIn(it).length > 0)
  expect(deadIn(events)).toEqual([expect.stringContaining('button#dead')])
  await page.close()
})

test('each choice of a list is recorded, also when the first stays', async () => {
  const page = await open('stateless')
  for (const chosen of [['Anna'], ['Anna', 'Carla'], ['Anna', 'Berta', 'Carla'], []]) {
    await page.selectOption('#many', chosen)
  }
  await page.selectOption('#many', ['Berta', 'Carla'])
  const events = await recorded(page, (it) => inputsOf(it).length === 5)
  expect(inputsOf(events).map((it) => it['values'])).toEqual([
    undefined,
    ['Anna', 'Carla'],
    ['Anna', 'Berta', 'Carla'],
    undefined,
    ['Berta', 'Carla'],
  ])
  expect(await drawnAtEnd(player, events)).toEqual(await measured(page))
  await page.close()
})

test('choices of a masked list are not recorded', async () => {
  const page = await open('masked')
  await page.selectOption('#many', ['Anna', 'Carla'])
  const events = await recorded(page, (it) => inputsOf(it).length === 1)
  expect(inputsOf(events)[0]).toMatchObject({ text: '********' })
  expect(inputsOf(events)[0]).not.toHaveProperty('values')
  expect(JSON.stringify(events)).not.toMatch(/Anna|Carla/)
  await page.close()
})
