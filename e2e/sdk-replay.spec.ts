import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { canonicalDom, canonicalElement, canonicalText } from './support/canonical-dom.ts'
import { decodeSegments, joinSegments, type ReplayedEvent } from './support/replay-decode.ts'
import { startSdkServer, type SdkPage, type SdkServer } from './support/sdk-server.ts'
import { until } from './support/until.ts'

/** The recorder in real Chromium: its recordings are played back and compared with the page. */

const setUp = (options: string, client = ''): string => `
import * as afterimage from '@afterimage/browser'
import { replayIntegration } from '@afterimage/replay'
import { record } from '@rrweb/record'
const replay = replayIntegration(${options})
afterimage.init({ dsn: 'https://${'a'.repeat(32)}@errors.test/42', release: 'shop@1', ${client} integrations: [replay] })
Object.assign(window, { afterimage, replay, mirror: record.mirror })
`
const session = setUp('{ sessionSampleRate: 1, minMs: 0 }')

const cells = (count: number): string =>
  Array.from({ length: count }, (_, n) => `<td>cell ${n} of Bob</td>`).join('')

const pages: Record<string, SdkPage> = {
  text: {
    script: session,
    html: `<h1 title="For Bob" class="head">Hello Bob</h1><p id="p" data-user="bob" aria-label="Bob's words">Some words <b>bold</b></p>
      <a href="/orders?email=bob@x.test&page=2#top">Orders</a><img src="/a.png" alt="Bob" class="face"><!-- Bob -->
      <span onclick="pay('bob')" x-user="bob" style="--who: 'Bob'; background: url('/a.png?who=bob')" itemprop="Bob" data-rr-note="bob"></span>
      <meta name="user" content="bob@x.test"><noscript>Bob</noscript><template><p>Bob</p></template><data value="bob">Bob</data>
      <object data="/drawing.svg"></object><video src="/film.mp4" title="Bob"></video><svg><title>Bob</title></svg><style>#p { background: url(/p.png?who=bob#bob) }</style>
      <p class="afterimage-unmask" title="open">Opening hours <i>9 to 5</i>, card 4111 1111 1111 1111</p>
      <table><tr id="row">${cells(300)}</tr></table>`,
  },
  form: {
    script: session,
    html: `<form><label for="a">Name</label><input id="a" name="a" value="Bob" placeholder="Your name">
      <input type="hidden" name="h" value="hidden-bob"><input type="email" name="e"><input type="password" name="p">
      <textarea id="t" name="t">Dear Bob</textarea><select name="s"><option value="bob-1">One Bob</option><option value="bob-2" selected>Two Bob</option></select>
      <input type="checkbox" name="c" value="bob-check" checked><input type="radio" name="r" value="bob-radio"><input type="submit" value="Pay Bob">
      <div class="afterimage-unmask"><input id="shown" name="shown" value="visible"><input id="pw" type="password" name="pw2" value="never"><input id="cc" name="cc" autocomplete="cc-number" value="4111111111111111"></div></form>`,
  },
  blocked: {
    script: setUp(
      "{ sessionSampleRate: 1, minMs: 0, unmask: 'main', block: '.vault', unblock: '.logo' }",
    ),
    html: `<main><p id="open">open at first</p>
      <div class="afterimage-block" id="a"><p>hush</p></div><div data-afterimage-block id="b"><p>hush</p></div>
      <div class="vault" id="c"><p>hush <input value="hush"></p></div>
      <svg id="d" width="20" height="10"><text>hush</text></svg><picture id="e"><source srcset="/hush.webp" media="print"><img src="/a.png" alt="hush"></picture>
      <img class="logo" src="/logo.png"></main>`,
  },
  reveal: {
    script: session,
    html: '<div class="afterimage-unmask"><input type="Password" name="a"><input type="password" name="b"><input name="c"></div>',
  },
  canvas: {
    script: session,
    html: `<canvas id="c" width="60" height="40" title="Bob drew"></canvas><p id="p">Below</p>
      <script>document.getElementById('c').getContext('2d').fillRect(0, 0, 30, 30)</script>`,
  },
  drawing: {
    script: setUp("{ sessionSampleRate: 1, minMs: 0, unblock: '.open' }"),
    html: `<svg width="0" height="0" style="position: absolute"><symbol id="icon"><path d="M0 0h9v9z"></path></symbol></svg>
      <svg class="open" width="20" height="20"><use href="#icon"></use><a href="#bob"><path d="M0 0h3"></path></a></svg>
      <div id="card"></div><main></main><script>
      const root = document.getElementById('card').attachShadow({ mode: 'open' })
      root.innerHTML = '<p>In a card</p>'
      root.adoptedStyleSheets = [new CSSStyleSheet()]
      root.adoptedStyleSheets[0].replaceSync('p { color: red }')</script>`,
  },
  shadow: {
    script: session,
    html: `<div id="host"></div><p>Outside</p><script>
      const root = document.getElementById('host').attachShadow({ mode: 'open' })
      root.innerHTML = 'direct Bob <p id="in" title="Bob">inside Bob</p><slot></slot>'</script>`,
  },
  iframe: {
    script: session,
    html: `<iframe id="f" name="f" src="/frame"></iframe><iframe id="g" srcdoc="<p>from srcdoc Bob</p>"></iframe><p>Beside</p>`,
  },
  frame: { html: '<p title="Bob">inner Bob</p><input name="i" value="inner-bob">' },
  policy: {
    script: setUp('{ sessionSampleRate: 1, minMs: 0 }'),
    html: '<p>Strict</p>',
    headers: {
      'content-security-policy': "default-src 'self'; worker-src 'none'; connect-src 'self'",
    },
  },
  plain: {
    before: 'delete window.CompressionStream',
    script: setUp('{ sessionSampleRate: 1, minMs: 0 }'),
    html: '<p>Old</p>',
    headers: { 'content-security-policy': "default-src 'self' 'unsafe-inline'; worker-src 'none'" },
  },
  sampled: {
    script: setUp('{ sessionSampleRate: 0, onErrorSampleRate: 1, minMs: 0 }', 'sampleRate: 0,'),
    html: '<p>Before</p>',
  },
  buffer: {
    script: setUp('{ sessionSampleRate: 0, onErrorSampleRate: 1, minMs: 0 }'),
    html: '<p>First page</p><button id="boom" onclick="setTimeout(() => { throw new TypeError(\'paid twice\') })">Pay Bob</button>',
  },
  clicks: {
    script: setUp('{ sessionSampleRate: 1, minMs: 0, slowClickMs: 1000, mutationsNotable: 50 }'),
    html: `<button id="dead" aria-label="Pay Bob">Pay Bob now</button><button id="live">Live</button><ul id="list"></ul>
      <script>document.getElementById('live').onclick = () => document.body.append('ok')</script>`,
  },
  storm: { script: setUp('{ sessionSampleRate: 1, minMs: 0 }'), html: '<div id="s"></div>' },
  patched: {
    before: `const Own = MutationObserver
      window.MutationObserver = class extends Own { constructor(listener) { super((...all) => listener(...all)) } }`,
    script: setUp('{ sessionSampleRate: 1, minMs: 0 }'),
    html: '<div id="s"></div>',
  },
  // rrweb takes another path where Angular's zones are.
  zone: {
    // And browsers without `getSelection` of shadow roots had a frame in each page.
    before: `window.Zone = { current: null }; delete ShadowRoot.prototype.getSelection
      window.zoned = 0; window.__zone_symbol__MutationObserver = MutationObserver
      window.MutationObserver = class extends MutationObserver {
        constructor(listener) { super(listener); window.zoned += !/InjectedScript/.test(new Error().stack) }
      }
      window.seen = { Zone, Element, ShadowRoot, MutationObserver }
      new MutationObserver((all) => all.forEach((it) => it.addedNodes.forEach((node) => {
        if (node.localName === 'iframe') window.framesSeen = true
      }))).observe(document, { childList: true, subtree: true })`,
    script: setUp('{ sessionSampleRate: 1, minMs: 0 }'),
    html: '<div id="s"></div>',
  },
  closed: {
    script: setUp("{ sessionSampleRate: 1, minMs: 0, unmask: '..', block: '#(' , ignore: ':::' }"),
    html: '<main id="m"><p>Secret Bob</p></main>',
  },
  early: {
    script: `${setUp('{ sessionSampleRate: 0, onErrorSampleRate: 1, minMs: 0 }')}
Object.assign(window, { before: replay.state().name })
afterimage.captureException(new TypeError('at once'))`,
    html: '<p>Early</p>',
  },
  hosted: {
    script: setUp("{ sessionSampleRate: 1, minMs: 0, workerUrl: '/compress.worker.js' }"),
    html: '<p>Hosted</p>',
    headers: { 'content-security-policy': "default-src 'self'; worker-src 'self'" },
  },
  off: {
    script: `${setUp('{ sessionSampleRate: 0, onErrorSampleRate: 0, minMs: 0 }')}
const seen = []
Object.assign(window, { seen })
replay.onState((state) => seen.push(state))`,
    html: '<p>Off</p>',
  },
  player: {
    script: `import { Replayer } from '@rrweb/replay'\nObject.assign(window, { Replayer })`,
  },
}

let browser: Browser
let server: SdkServer

beforeAll(async () => {
  browser = await launchBrowser()
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(import.meta.resolve('@afterimage/replay/compress.worker'))],
    bundle: true,
    write: false,
    format: 'iife',
  })
  server = await startSdkServer(pages, {
    '/compress.worker.js': { type: 'text/javascript', body: outputFiles[0]!.text },
  })
})

afterAll(async () => {
  await browser.close()
  await server.close()
})

beforeEach(() => server.clear())

interface Recording {
  readonly replay: { state(): { name: string; mode?: string }; replayId(): string | null }
  readonly afterimage: {
    flush(timeoutMs?: number): Promise<boolean>
    captureException(it: unknown): string
  }
}
type Win = Window & typeof globalThis & Recording

async function open(path: string, page?: Page): Promise<Page> {
  const opened = page ?? (await browser.newPage())
  await opened.goto(server.url + path)
  await opened.waitForFunction(() => (window as unknown as Win).replay.state().name === 'running')
  return opened
}

/** Sends what is recorded by now, and gives the events of all that came. */
async function recorded(page: Page, has: (events: ReplayedEvent[]) => boolean = () => true) {
  await page.evaluate(() => (window as unknown as Win).afterimage.flush())
  const events = await until('the recording came', async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    const all = joinSegments(decodeSegments(server.envelopes))
    return all.some((it) => it.type === 2) && has(all) ? all : null
  })
  expect(server.refused).toEqual([])
  return events
}

function crumbs(events: readonly ReplayedEvent[]): (string | undefined)[] {
  return events.map((it) => it.data.payload?.category)
}

/** Returns the style sheets that documents and shadow roots have adopted. */
function adopted(events: readonly ReplayedEvent[]): ReplayedEvent[] {
  return events.filter((it) => it.data['source'] === 15)
}

function ops(events: readonly ReplayedEvent[]): unknown[] {
  return events.map((it) => it.data.payload?.['op'])
}

/** The source of the comparison of documents, for pages to run. */
const canonicalSource = `${canonicalText};${canonicalElement};return ${canonicalDom}`

/** The document at the end of a recording, as the player builds it. */
async function playBack(events: readonly ReplayedEvent[]): Promise<string> {
  const page = await browser.newPage()
  await page.goto(`${server.url}/player`)
  const text = await page.evaluate(
    async ([given, source]) => {
      const { Replayer } = window as unknown as {
        Replayer: new (
          events: unknown,
          options: unknown,
        ) => {
          pause(ms: number): void
          getMetaData(): { totalTime: number }
          iframe: HTMLIFrameElement
        }
      }
      const replayer = new Replayer(given, { mouseTail: false })
      replayer.pause(replayer.getMetaData().totalTime + 1)
      // Frames inside of it are built when they have loaded.
      await new Promise((resolve) => setTimeout(resolve, 300))
      const canonical = new Function(source)() as typeof canonicalDom
      return canonical(replayer.iframe.contentDocument!, false)
    },
    [events as ReplayedEvent[], canonicalSource] as const,
  )
  await page.close()
  return text
}

function original(page: Page): Promise<string> {
  return page.evaluate((source) => {
    const canonical = new Function(source)() as typeof canonicalDom
    return canonical(document, true)
  }, canonicalSource)
}

test.each<[string, () => void]>([
  [
    'text',
    () => {
      for (const cell of document.querySelectorAll('td'))
        cell.textContent = `new words for Bob ${cell.cellIndex}`
      document.getElementById('p')!.firstChild!.nodeValue = 'Changed by Bob'
      document.getElementById('p')!.setAttribute('aria-label', 'Bob again')
      document
        .querySelector('h1')!
        .insertAdjacentHTML(
          'afterend',
          '<p title="new Bob">added <a href="/x?who=bob">link</a></p>',
        )
      document.querySelector('b')!.remove()
    },
  ],
  [
    'form',
    () => {
      // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs inside of the page
      const fill = (name: string, value: string): void => {
        const input = document.querySelector<HTMLInputElement>(`[name=${name}]`)!
        input.value = value
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
      fill('a', 'Robert')
      fill('e', 'bob@bob.test')
      fill('p', 'bob-password')
      fill('t', 'Yours, Bob')
      document.querySelector<HTMLInputElement>('[name=r]')!.click()
    },
  ],
  ['canvas', () => void (document.getElementById('p')!.textContent = 'Drawn by Bob')],
  [
    'shadow',
    () => {
      const root = document.getElementById('host')!.shadowRoot!
      root.prepend('added directly by Bob ')
      root.append(
        Object.assign(document.createElement('em'), { textContent: 'em Bob', title: 'Bob' }),
      )
      const late = document.createElement('section')
      late.attachShadow({ mode: 'open' }).innerHTML = '<p>late Bob</p>'
      document.body.append(late)
    },
  ],
  [
    'iframe',
    () => {
      const inner = document.querySelector<HTMLIFrameElement>('#f')!.contentDocument!
      inner.querySelector('p')!.textContent = 'changed inside by Bob'
      inner.body.append(inner.createElement('hr'))
    },
  ],
])('S17 a %s page plays back as it was, masked', async (name, change) => {
  const page = await open(`/${name}?token=bob#bob`)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  await page.evaluate(change)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)))
  const expected = await original(page)
  const events = await recorded(page, (all) => all.some((it) => it.type === 3))
  expect(await playBack(events)).toBe(expected)
  // Nothing of the person is in any byte.
  const text = JSON.stringify(events)
  expect(text.match(/.{60}bob.{20}/i)?.[0] ?? null).toBeNull()
  expect(text).not.toMatch(/4111 ?1111|never|Robert/)
  await page.close()
})

test('a drawing keeps what it takes from elsewhere, and one that only lends has no place', async () => {
  const page = await open('/drawing')
  const text = JSON.stringify(await recorded(page))
  expect(text).toContain('"href":"#icon"')
  expect(text).not.toContain('#bob')
  expect(text).toContain('"rr_width":"0px","rr_height":"0px","style":"display:none"')
  expect(text.match(/display:none/g)).toHaveLength(1)
  await page.close()
})

test('a shadow host that moves takes its adopted style sheets along', async () => {
  const page = await open('/drawing')
  const before = await recorded(page, (events) => adopted(events).length > 0)
  await page.evaluate(() =>
    document.querySelector('main')!.append(document.getElementById('card')!),
  )
  const events = await recorded(page, (all) => adopted(all).length > adopted(before).length)
  const [first, again] = adopted(events)
  expect(again!.data).toMatchObject({ id: first!.data['id'], styleIds: first!.data['styleIds'] })
  const move = events.find((it) => JSON.stringify(it.data['adds'] ?? '').includes('"card"'))
  expect(again!.timestamp).toBeGreaterThanOrEqual(move!.timestamp)
  await page.close()
})

test('S17 unmasked elements are shown, apart from passwords, cards and codes', async () => {
  const page = await open('/form')
  const events = await recorded(page)
  const text = JSON.stringify(events)
  expect(text).toContain('"visible"')
  expect(text).not.toMatch(/never|4111 ?1111/)
  await page.close()
})

test('S17 a blocked element is recorded as a place and a size, including its later content', async () => {
  const page = await open('/blocked')
  await recorded(page)
  await page.evaluate(() => {
    for (const id of ['a', 'b', 'c', 'd']) {
      const blocked = document.getElementById(id)!
      const inside = blocked.firstElementChild!
      inside.append('hush again')
      inside.setAttribute('title', 'hush')
      inside.lastChild!.textContent = 'hush for ever'
      blocked.append(Object.assign(document.createElement('b'), { textContent: 'hush' }))
      inside.dispatchEvent(new MouseEvent('click', { bubbles: true }))
    }
    const late = document.createElement('section')
    late.className = 'vault'
    late.textContent = 'hush'
    document.querySelector('main')!.append(late)
    const input = document.querySelector('input')!
    input.value = 'hush'
    input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  await page.evaluate(() => (document.querySelector('#open')!.textContent = 'open at last'))
  const events = await recorded(page, (all) => JSON.stringify(all).includes('open at last'))
  const text = JSON.stringify(events)
  expect(text).not.toContain('hush')
  expect(text).toContain('open at first')
  expect(text).toContain('/logo.png')
  // Five from the start, and the one that came.
  expect(text.match(/"rr_width"/g)).toHaveLength(6)
  await page.close()
})

test('S17 a password stays hidden when its page shows it, also in a part that is unmasked', async () => {
  const page = await open('/reveal')
  await recorded(page)
  await page.evaluate(() => {
    const [one, two] = document.querySelectorAll('input')
    one!.type = 'text'
    one!.value = 'revealed-at-once'
    one!.dispatchEvent(new Event('input', { bubbles: true }))
    two!.type = 'text'
  })
  await page.evaluate(() => {
    const [, two, open] = document.querySelectorAll('input')
    two!.removeAttribute('data-rr-is-password')
    two!.setAttribute('value', 'revealed-as-attribute')
    two!.value = 'revealed-later'
    open!.value = 'a city'
    for (const input of [two!, open!]) input.dispatchEvent(new Event('input', { bubbles: true }))
  })
  const events = await recorded(page, (all) => JSON.stringify(all).includes('a city'))
  expect(JSON.stringify(events)).not.toContain('revealed')
  await page.close()
})

test('S17 an invalid selector fails closed, and the developer is warned', async () => {
  const page = await browser.newPage()
  const warnings: string[] = []
  page.on('console', (message) => warnings.push(message.text()))
  await open('/closed', page)
  const events = await recorded(page)
  expect(JSON.stringify(events)).not.toMatch(/Secret|"main"/)
  await page.close()
})

test('workers forbidden by the policy: the page compresses, and nothing is thrown at it', async () => {
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  await open('/policy', page)
  await recorded(page)
  // A flush that comes before a burst is compressed sends it plain: bursts until one is caught quiet.
  await until('a segment came compressed', async () => {
    await page.evaluate(() => document.body.append('x'.repeat(60_000)))
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    await recorded(page)
    return decodeSegments(server.envelopes).some((it) => it.isCompressed)
  })
  expect(errors).toEqual([])
  await page.close()
})

test('a browser that cannot compress sends plain JSON', async () => {
  const page = await open('/plain')
  await page.evaluate(() => document.body.append('x'.repeat(60_000)))
  await recorded(page)
  expect(decodeSegments(server.envelopes).every((it) => !it.isCompressed)).toBe(true)
  await page.close()
})

test('better than the reference: an error brings the page before it, and says which replay it is in', async () => {
  const page = await open('/buffer?step=1')
  await page.evaluate(() => document.body.append('seen on the first page'))
  const id = await page.evaluate(() => (window as unknown as Win).replay.replayId())
  await open('/buffer?step=2', page)
  expect(await page.evaluate(() => (window as unknown as Win).replay.replayId())).toBe(id)
  expect(server.items('replay_event')).toEqual([])
  await page.click('#boom')
  const events = await recorded(page)
  const metas = events.filter((it) => it.type === 4).map((it) => it.data['href'])
  expect(metas).toEqual([`${server.url}/buffer?step=*`, `${server.url}/buffer?step=*`])
  expect(server.items('event')).toMatchObject([
    { tags: { replayId: id }, contexts: { replay: { replay_id: id } } },
  ])
  const [first] = decodeSegments(server.envelopes)
  const [error] = server.items<{ event_id: string }>('event')
  expect(first!.description).toMatchObject({
    replay_id: id,
    segment_id: 0,
    replay_type: 'buffer',
    error_ids: [error!.event_id],
    urls: [`${server.url}/buffer?step=*`],
  })
  expect(first!.description.replay_id).toBe(first!.description.event_id)
  await page.close()
})

test('better than the reference: an error whose page goes before the answer brings its replay', async () => {
  const page = await open('/buffer?step=1')
  await page.evaluate(() => {
    const { afterimage } = window as unknown as Win
    document.body.append('seen before the error')
    setTimeout(() => {
      afterimage.captureException(new Error('and away'))
      location.href = '/buffer?step=2'
    })
  })
  await page.waitForURL(/step=2/)
  const events = await recorded(page)
  expect(JSON.stringify(events)).toContain('"**** ****** *** *****"')
  const [error] = server.items<{ event_id: string }>('event')
  const replays = server.items<{ replay_id: string; error_ids: string[] }>('replay_event')
  expect(error).toMatchObject({ tags: { replayId: replays[0]?.replay_id } })
  expect(replays.flatMap((it) => it.error_ids)).toEqual([error!.event_id])
  await page.close()
})

test('an error that the sample rate keeps back brings no replay when its page goes', async () => {
  const page = await open('/sampled?step=1')
  await page.evaluate(() => {
    ;(window as unknown as Win).afterimage.captureException(new Error('kept back'))
  })
  await open('/sampled?step=2', page)
  expect(await page.evaluate(() => (window as unknown as Win).replay.state())).toMatchObject({
    mode: 'buffer',
  })
  expect(server.items('event')).toEqual([])
  await page.close()
})

test('better than the reference: what is pending at a navigation always comes', async () => {
  const page = await open('/text')
  await recorded(page)
  for (const [at, size] of [100, 30_000, 200_000].entries()) {
    await page.evaluate(
      ([at, size]) => {
        document.body.append('a '.repeat(size / 2))
        document.body.append(Object.assign(document.createElement('hr'), { id: `mark-${at}` }))
      },
      [at, size] as const,
    )
    // In the same task queue as the navigation: no timer of ours runs in between.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    await open(`/text?page=${at}`, page)
  }
  const events = await recorded(page, (all) => /mark-2/.test(JSON.stringify(all)))
  for (const mark of ['mark-0', 'mark-1', 'mark-2']) expect(JSON.stringify(events)).toContain(mark)
  const ids = decodeSegments(server.envelopes).map((it) => it.description.segment_id)
  // One whose answer the navigation cut off comes again under its number; servers take it once.
  const numbers = [...new Set(ids)]
  expect(numbers).toEqual(numbers.map((_, index) => index))
  await page.close()
})

/** Run in a page: changes it, is hidden and leaves, before anything could be compressed. */
async function leaveAtOnce(): Promise<void> {
  document.body.append('a'.repeat(59_600))
  // The observers of the document have run; the compression has not begun to answer.
  await Promise.resolve()
  Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
  document.dispatchEvent(new Event('visibilitychange'))
  location.href = '/frame'
}

test('better than the reference: 60 KB that are pending when the page is hidden and left come from that page, uncompressed', async () => {
  const page = await open('/text')
  await recorded(page)
  server.clear()
  await page.evaluate(`setTimeout(${leaveAtOnce.toString()})`)
  await page.waitForURL('**/frame')
  const last = await until('the segment of the page that is gone', () =>
    server.envelopes.find(({ bytes }) => bytes.length > 60_000),
  )
  expect(last.bytes.length).toBeLessThanOrEqual(61_440)
  expect(decodeSegments([last])[0]).toMatchObject({ isCompressed: false })
  await page.close()
})

test('S23 a click on a dead button, in its own words masked', async () => {
  const page = await open('/clicks')
  await page.click('#live')
  for (let n = 0; n < 5; n += 1) await page.click('#dead')
  const events = await recorded(page, (all) => crumbs(all).includes('ui.slowClickDetected'))
  const slow = events.filter((it) => it.data.payload?.category === 'ui.slowClickDetected')
  expect(slow).toHaveLength(1)
  expect(slow[0]!.data.payload).toMatchObject({
    message: 'body > button#dead',
    data: {
      endReason: 'timeout',
      clickCount: 5,
      node: {
        tagName: 'button',
        textContent: '*** *** ***',
        attributes: { id: 'dead', 'aria-label': '*** ***' },
      },
    },
  })
  expect(crumbs(events)).toContain('ui.click')
  await page.close()
})

test('S22 10,001 mutations at once end the recording before they are worked off, 10,000 do not', async () => {
  for (const [count, name, path] of [
    [10_000, 'running', '/storm'],
    [10_001, 'stopped', '/storm'],
    [10_001, 'stopped', '/zone'],
    [10_001, 'stopped', '/patched'],
  ] as const) {
    const page = await open(path)
    await page.evaluate((count) => {
      const target = document.getElementById('s')!
      for (let n = 0; n < count; n += 1) target.setAttribute('class', `c${n}`)
    }, count)
    expect(await page.evaluate(() => (window as unknown as Win).replay.state())).toMatchObject({
      name,
    })
    await page.close()
  }
})

test('a page keeps its own observers and elements, and gets no frame', async () => {
  const page = await open('/zone')
  await recorded(page)
  const found = await page.evaluate(async () => {
    const { seen, zoned } = window as unknown as { seen: Record<string, unknown>; zoned: number }
    let told = 0
    const observer = new MutationObserver((records) => (told += records.length))
    observer.observe(document, { childList: true, subtree: true })
    document.getElementById('s')!.textContent = 'changed'
    await Promise.resolve()
    return {
      told,
      zoned,
      isOwn: Object.entries(seen).every(([name, it]) => window[name as never] === it),
      hasSeenFrames: 'framesSeen' in window,
    }
  })
  // In the zone is the page's that looks for frames (and Playwright's), but none of the recorder's.
  expect(found).toEqual({ told: 1, zoned: 1, isOwn: true, hasSeenFrames: false })
  await page.close()
})

test('an element marked later is shown from then on', async () => {
  const page = await open('/storm')
  await page.evaluate(async () => {
    const target = document.getElementById('s')!
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs inside of the page
    const next = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve))
    target.innerHTML = '<p>masked at first</p>'
    await next()
    target.className = 'open afterimage-unmask'
    target.innerHTML = '<p title="by title">open for all</p>'
    await next()
    target.querySelector('p')!.firstChild!.nodeValue = 'open still'
    await next()
    target.className = ''
    target.innerHTML = '<p>closed again</p>'
    document.body.insertAdjacentHTML('beforeend', '<p title="a" data-afterimage-unmask>in one</p>')
  })
  const all = JSON.stringify(
    await recorded(page, (events) => JSON.stringify(events).includes('in one')),
  )
  for (const shown of ['open for all', 'by title', 'open still', '"title":"a"']) {
    expect(all).toContain(shown)
  }
  expect(all).not.toMatch(/masked at|closed ag/)
  await page.close()
})

test('navigation, requests, loading, memory and console are in the recording, without their secrets', async () => {
  const page = await open('/text')
  await page.evaluate(async () => {
    console.log('a note')
    history.pushState(null, '', '/text/next?email=bob#bob')
    await fetch('/status/404?token=bob')
  })
  const events = await recorded(page, (all) =>
    ['resource.fetch', 'navigation.push', 'navigation.navigate', 'memory', 'web-vital'].every(
      (op) => ops(all).includes(op),
    ),
  )
  const span = (op: string) => events.find((it) => it.data.payload?.['op'] === op)?.data.payload
  expect(span('resource.fetch')).toMatchObject({
    description: '/status/404?token=*',
    data: { method: 'GET', statusCode: 404 },
  })
  expect(span('navigation.push')).toMatchObject({ description: `${server.url}/text/next?email=*` })
  expect(events.find((it) => it.data.payload?.category === 'console')?.data.payload).toMatchObject({
    message: 'a note',
  })
  expect(JSON.stringify(events)).not.toMatch(/bob/i)
  await page.close()
})

test('removed nodes are released, also those in shadow roots', async () => {
  const page = await open('/storm')
  const before = await page.evaluate(
    () => (window as unknown as { mirror: { getIds(): number[] } }).mirror.getIds().length,
  )
  await page.evaluate(async () => {
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs inside of the page
    const frame = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve))
    for (let round = 0; round < 5; round += 1) {
      const host = document.createElement('section')
      host.attachShadow({ mode: 'open' }).innerHTML = '<p>x</p>'.repeat(200)
      const list = document.createElement('div')
      list.innerHTML = '<p>x</p>'.repeat(1000)
      document.body.append(host, list)
      await frame()
      host.remove()
      list.remove()
      await frame()
    }
  })
  await until('the nodes are forgotten', () =>
    page.evaluate(
      (before) =>
        (window as unknown as { mirror: { getIds(): number[] } }).mirror.getIds().length <=
        before + 5,
      before,
    ),
  )
  await page.close()
})

test('a policy that allows workers of the own host: the hosted file compresses', async () => {
  const page = await open('/hosted')
  await until('the worker runs', () =>
    page.workers().some((it) => it.url() === `${server.url}/compress.worker.js`),
  )
  await page.evaluate(() => document.body.append('x'.repeat(60_000)))
  // Events flushed before their compression are sent uncompressed.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
  await recorded(page)
  await until('a segment came compressed', async () => {
    await page.evaluate(() => (window as unknown as Win).afterimage.flush())
    return decodeSegments(server.envelopes).some((it) => it.isCompressed)
  })
  await page.close()
})

test('an error before the recorder was there has a replay of what came after', async () => {
  const page = await open('/early')
  expect(await page.evaluate(() => (window as unknown as { before: string }).before)).toBe(
    'notStarted',
  )
  await recorded(page)
  const [error] = server.items<{ event_id: string }>('event')
  expect(decodeSegments(server.envelopes)[0]!.description.error_ids).toEqual([error!.event_id])
  await page.close()
})

test('S15 the state is public: a page starts and stops the recorder, and hears of it', async () => {
  const page = await browser.newPage()
  await page.goto(`${server.url}/off`)
  const states = await page.evaluate(async () => {
    const { replay, seen } = window as unknown as {
      seen: unknown[]
      replay: {
        start(): Promise<void>
        startBuffering(): Promise<void>
        stop(): void
        state(): unknown
        replayId(): string | null
      }
    }
    const before = [replay.state(), replay.replayId()]
    await replay.startBuffering()
    await replay.start()
    const id = replay.replayId()
    replay.stop()
    return { before, id, after: replay.state(), seen }
  })
  expect(states).toEqual({
    before: [{ name: 'notStarted' }, null],
    id: expect.stringMatching(/^[\da-f]{32}$/),
    after: { name: 'stopped', reason: 'manual' },
    seen: [
      { name: 'running', mode: 'buffer', isPaused: false },
      { name: 'running', mode: 'session', isPaused: false },
      { name: 'stopped', reason: 'manual' },
    ],
  })
  await page.close()
})
