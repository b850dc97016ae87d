import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { drawnAtEnd, measured } from './support/measured-page.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'

/** Elements that browsers draw in their own ways: each page is recorded, drawn, and both are measured. */

const root = fileURLToPath(new URL('../', import.meta.url))

interface Case {
  readonly html: string
  /** Files of the repository that the page may ask for, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Runs in the page before it is recorded. */
  readonly before?: string
  /** Runs in the page once it is recorded. */
  readonly act?: string
}

const adopted = `const host = document.getElementById('host'), sheet = new CSSStyleSheet()
  sheet.replaceSync('b{display:block;height:33px;background:rgb(1,2,3)}')
  const shadow = host.attachShadow({ mode: 'open' }); shadow.adoptedStyleSheets = [sheet]; shadow.innerHTML = '<b id="inside">b</b>'`

const cases: Record<string, Case> = {
  'a canvas keeps its place': {
    html: '<canvas id="a" width="200" height="80"></canvas><canvas id="b"></canvas><p id="below">below</p>',
    act: "document.getElementById('a').height = 120",
  },
  'a canvas keeps its shape where styles change its size': {
    html: '<style>canvas{width:100%;height:auto;display:block}</style><div style="width:400px"><canvas id="a" width="200" height="80"></canvas></div><p id="below">below</p>',
  },
  'a shadow host that moves keeps its adopted sheets': {
    html: '<div id="one"><div id="host"></div></div><div id="two"></div><p id="below">below</p>',
    act: `${adopted}; setTimeout(() => document.getElementById('two').append(host), 50)`,
  },
  'a dialog beside the page is not in front of it': {
    html: '<dialog id="dialog"><p id="in">words</p></dialog><p id="below">below</p>',
    act: "document.getElementById('dialog').show()",
  },
  'a modal dialog is in front, and one that was closed is not': {
    html: '<dialog id="first">one</dialog><dialog id="second">two</dialog><p id="below">below</p>',
    act: "first.showModal(); first.close(); document.getElementById('second').showModal()",
  },
  'an open popover is in the top layer': {
    html: '<div id="pop" popover>words</div><p id="below">below</p>',
    act: "const pop = document.getElementById('pop'); pop.setAttribute('rr_popover', 'open'); pop.showPopover()",
  },
  'a formula is set as one': {
    html: '<math id="math"><mfrac id="frac"><mi>a</mi><msqrt id="root"><mi>b</mi><mn>2</mn></msqrt></mfrac></math><p id="below">below</p>',
    act: `const more = document.createElementNS('http://www.w3.org/1998/Math/MathML', 'mfrac')
      more.innerHTML = '<mi>x</mi><mi>y</mi>'; document.getElementById('math').append(more)`,
  },
  'choices, checks and texts are as they were left': {
    html: '<select id="many" multiple size="3"><option>a<option>b<option>c</select><textarea id="long" rows="2"></textarea><input id="check" type="checkbox">',
    act: `const text = document.getElementById('long'); text.value = 'line\\n'.repeat(40)
      text.dispatchEvent(new Event('input', { bubbles: true }))
      document.getElementById('check').click()
      setTimeout(() => { text.scrollTop = 200 }, 50)`,
  },
  'several choices made before the recording began': {
    html: '<select id="many" multiple size="3"><option selected>a<option>b<option selected>c</select>',
  },
  'what has the focus looks so, without taking it': {
    html: '<style>input:focus{background:rgb(9,8,7)} form:focus-within{padding:20px}</style><form id="form"><input id="field"></form>',
    act: "document.getElementById('field').focus()",
  },
  'a page of the old kind is laid out as one': {
    html: '',
    before: `document.open(); document.write('<p id="below" style="width:50;height:20">unitless</p>'); document.close()`,
  },
  'an animation that has ended is at its end': {
    html: '<style>@keyframes in{from{opacity:0;margin-left:90px}}p{animation:in 50ms both}</style><p id="p">words</p>',
    act: "setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p id=later>later</p>'), 60)",
  },
  'sheets that wait for print stay out, and come in when they are switched': {
    html: '<style id="s" media="print">p{margin:50px}</style><style media="print">p{margin:70px}</style><p id="p">words</p>',
    act: "document.getElementById('s').media = 'all'",
  },
  'the settings of the person who was recorded decide': {
    html: `<meta name="color-scheme" content="light dark"><style>:root{color-scheme:light dark;background:light-dark(rgb(250,250,250),rgb(5,5,5))}
      @media (prefers-color-scheme:dark){p{padding:40px;color:rgb(255,0,0)}} @media (prefers-reduced-motion:reduce){p{margin:50px}}</style><p id="p">words</p><input id="field">`,
  },
  'lines break where they broke, without the font of the page': {
    html: `<style>@font-face{font-family:Geist;font-weight:100 900;src:url(/geist.woff2)} p{font:16px/24px Geist,serif;width:420px}</style>
      <p id="p">The seconds before every error, on your own domain: what was clicked, what was asked of the server, and what it answered. Nothing is loaded from elsewhere, and nobody else is told of it.</p>`,
    files: {
      '/geist.woff2': 'node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
    },
    before: "return document.fonts.load('16px Geist')",
  },
  'fonts and images that are not in the recording are not asked for': {
    html: `<style>@font-face{font-family:Gone;src:url(/gone.woff2)} p{font:16px Gone,Arial;background:url(/gone.png)} p::before{content:url(/gone.svg)}</style>
      <p id="p">words</p><img id="sized" width="40" height="30" src="/gone.png" alt="">`,
  },
}

const pages: Record<string, SdkPage> = Object.fromEntries(
  Object.values(cases).map(({ html }, index) => [
    `page-${index}`,
    {
      html,
      script: `import { record } from '@rrweb/record'
const events = []
const begin = () => record({ emit: (event) => events.push(event) })
Object.assign(window, { events, begin })`,
    },
  ]),
)

let browser: Browser
let server: SdkServer
let player: Page
/** The messages and requests of the viewer's browser. */
const said: string[] = []
const asked: string[] = []

beforeAll(async () => {
  browser = await launchBrowser()
  server = await startSdkServer({
    ...pages,
    player: {
      script: `import '${fileURLToPath(new URL('./support/picture-page.ts', import.meta.url))}'`,
    },
  })
  // The viewer's own settings are others than those of the recorded person.
  const viewer = await browser.newContext({ colorScheme: 'dark', reducedMotion: 'reduce' })
  player = await viewer.newPage()
  await player.goto(`${server.url}/player`)
  player.on('console', (message) => said.push(message.text()))
  player.on('pageerror', (error) => said.push(error.message))
  player.on('request', (request) => {
    if (request.url().startsWith('http')) asked.push(request.url())
  })
})

afterAll(async () => {
  await browser?.close()
  await server?.close()
})

test.each(Object.keys(cases))('%s', async (name) => {
  const page = await browser.newPage({ viewport: { width: 700, height: 500 } })
  for (const [path, file] of Object.entries(cases[name]?.files ?? {})) {
    await page.route(`**${path}`, (route) => route.fulfill({ path: join(root, file) }))
  }
  await page.goto(`${server.url}/page-${Object.keys(cases).indexOf(name)}`)
  const { before = '', act = '' } = cases[name] ?? {}
  await page.evaluate(
    async (scripts) => {
      await new Function(scripts.before)()
      ;(window as unknown as { begin(): void }).begin()
      new Function(scripts.act)()
    },
    { before, act },
  )
  // Recorders look after what happens within frames and timers of the page itself.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  const original = await measured(page)
  const events = await page.evaluate(() => (window as unknown as { events: unknown[] }).events)
  await page.close()
  said.length = 0
  asked.length = 0
  const drawn = await drawnAtEnd(player, events)
  expect(drawn).toEqual(original)
  expect(original.length).toBeGreaterThan(1)
  expect(said).toEqual([])
  expect(asked).toEqual([])
})
