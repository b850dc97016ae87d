import { build } from 'esbuild'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { createServer as createSocketServer } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from './support/browser.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const stranger = 'stranger.example'

/** A page with nothing but the player's stage, from the console's own source files. */
async function serveStage(): Promise<{ server: Server; url: string; requests: string[] }> {
  const requests: string[] = []
  const { outputFiles } = await build({
    entryPoints: [join(root, 'apps/console/features/replay/player/stage.ts')],
    bundle: true,
    write: false,
    format: 'esm',
  })
  const script = outputFiles[0]?.text ?? ''
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    requests.push(path)
    if (path === '/') {
      response.setHeader('content-type', 'text/html').end(pageSource)
      return
    }
    if (path !== '/stage.js') response.statusCode = 404
    response.setHeader('content-type', 'text/javascript').end(script)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests }
}

const pageSource = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
<div id="stage" style="width:800px;height:500px"></div>
<script type="module">
  import { openStage } from '/stage.js'
  window.draw = async (events, written) => {
    const drawn = { events, startedAt: events[0].timestamp, media: [] }
    window.stage = await openStage(document.getElementById('stage'), drawn, { onSize() {} })
    // While time passes, back, and after a jump.
    for (let at = 0; at <= 2000; at += 50) window.stage.draw(at, 4)
    window.stage.draw(50, 0)
    window.stage.draw(1900, 0)
    if (written !== null) window.stage.document().body.innerHTML += written
  }
  window.isReady = true
</script>`

/** Every way a page can ask for something, in one snapshot and in later changes. */
function hostileEvents(origin: string, host: string): unknown[] {
  let id = 10
  const element = (tagName: string, attributes: object, childNodes: unknown[] = []) => ({
    type: 2,
    id: (id += 1),
    tagName,
    attributes,
    childNodes,
  })
  const text = (textContent: string, isStyle = false) => ({
    type: 3,
    id: (id += 1),
    textContent,
    isStyle,
  })
  const ways = (tag: string) => [
    element('img', { src: `${origin}/${tag}-img.png` }),
    element('img', { srcset: `${origin}/${tag}-srcset.png 2x` }),
    element('img', { src: '/same-origin.png', onerror: `fetch("${origin}/${tag}-handler")` }),
    element('div', { style: `background:url(${origin}/${tag}-inline.png);width:9px;height:9px` }, [
      text('words'),
    ]),
    element('iframe', { src: `${origin}/${tag}-iframe` }),
    element('iframe', { srcdoc: `<img src="${origin}/${tag}-srcdoc.png">` }),
    element('object', { data: `${origin}/${tag}-object` }),
    element('embed', { src: `${origin}/${tag}-embed` }),
    element('video', { src: `${origin}/${tag}-video.mp4`, poster: `${origin}/${tag}-poster.png` }),
    element('audio', { src: `${origin}/${tag}-audio.mp3`, autoplay: '' }),
    element('input', { type: 'image', src: `${origin}/${tag}-input.png` }),
    element('p', {}, [text('paragraph')]),
    element('a b<', { 'x y': '1', '': '2', '<': '3', '@click': '4' }, [text('odd names')]),
    element('table', { background: `${origin}/${tag}-background.png` }),
    element('a', { href: `http://${host}/`, ping: `${origin}/${tag}-ping` }, [text('go')]),
    element('form', { action: `${origin}/${tag}-form` }, [element('button', {}, [text('send')])]),
    {
      ...element('svg', { xmlns: 'http://www.w3.org/2000/svg' }),
      isSVG: true,
      childNodes: [
        { ...element('use', { href: `${origin}/${tag}-use.svg#a` }), isSVG: true },
        { ...element('use', { 'xlink:href': `${origin}/${tag}-xlink.svg#a` }), isSVG: true },
        { ...element('image', { href: `${origin}/${tag}-svgimage.png` }), isSVG: true },
      ],
    },
    element('canvas', { rr_dataURL: `${origin}/${tag}-canvas.png` }),
    element('style', {}, [text(styleText(origin, tag), true)]),
    element('link', { rel: 'stylesheet', href: `${origin}/${tag}-sheet.css` }),
    element('link', { rel: 'stylesheet', _cssText: styleText(origin, `${tag}-inlined`) }),
    ...['preconnect', 'dns-prefetch', 'prefetch', 'prerender', 'icon', 'manifest'].map((rel) =>
      element('link', { rel, href: `http://${host}/${tag}-${rel}` }),
    ),
    element('link', { rel: 'preload', as: 'image', href: `${origin}/${tag}-preload.png` }),
    element('link', { rel: 'modulepreload', href: `${origin}/${tag}-module.js` }),
    element('meta', { 'http-equiv': 'refresh', content: `0;url=${origin}/${tag}-refresh` }),
    element('base', { href: `${origin}/` }),
    element('script', { src: `${origin}/${tag}-script.js` }),
  ]
  const body = element('body', {}, ways('first'))
  const oddType = { type: 1, id: 2, name: '<html>', publicId: 7, systemId: null }
  const html = element('html', {}, [element('head', {}, []), body])
  const at = 1_795_161_831_000
  const added = ways('later').map((node) => ({ parentId: body.id, nextId: null, node }))
  const firstImage = (body.childNodes[0] as { id: number }).id
  return [
    { type: 4, timestamp: at, data: { href: 'https://shop.example/', width: 800, height: 500 } },
    {
      type: 2,
      timestamp: at + 10,
      data: {
        node: { type: 0, id: 1, childNodes: [oddType, html] },
        initialOffset: { top: 0, left: 0 },
      },
    },
    {
      type: 3,
      timestamp: at + 100,
      data: {
        source: 0,
        adds: added,
        removes: [],
        texts: [],
        attributes: [
          {
            id: firstImage,
            attributes: { src: `${origin}/changed.png`, srcset: `${origin}/changed2.png` },
          },
        ],
      },
    },
    {
      type: 3,
      timestamp: at + 200,
      data: {
        source: 10,
        family: 'Evil',
        fontSource: `url(${origin}/font-event.woff2)`,
        buffer: false,
      },
    },
    {
      type: 3,
      timestamp: at + 300,
      data: {
        source: 8,
        id: 0,
        styleId: 1,
        adds: [{ rule: `p{background:url(${origin}/rule.png)}` }],
      },
    },
    {
      type: 3,
      timestamp: at + 400,
      data: {
        source: 15,
        id: 1,
        styleIds: [9],
        styles: [
          {
            styleId: 9,
            rules: [{ rule: `body{background:url(${origin}/adopted.png)}`, index: 0 }],
          },
        ],
      },
    },
    {
      type: 3,
      timestamp: at + 2_000,
      data: { source: 1, positions: [{ x: 5, y: 5, id: body.id, timeOffset: 0 }] },
    },
  ]
}

function styleText(origin: string, tag: string): string {
  return `@import url(${origin}/${tag}-import.css);
    @font-face{font-family:Evil;src:url(${origin}/${tag}-font.woff2)}
    *{font-family:Evil;cursor:url(${origin}/${tag}-cursor.cur),auto}
    div{background-image:image-set(url(${origin}/${tag}-set.png) 1x);list-style:url(${origin}/${tag}-list.png)}
    div::after{content:url(${origin}/${tag}-content.png)}
    svg{mask:url(${origin}/${tag}-mask.svg#m);filter:url(${origin}/${tag}-filter.svg#f)}
    p{mask:url(/same-mask.svg#m);filter:url(/same-filter.svg#f);background:url(/same-origin.png)}`
}

let browser: Browser
let folder: string
let stage: Awaited<ReturnType<typeof serveStage>>
let strangerServer: ReturnType<typeof createSocketServer>
let connections = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterimage-net-'))
  stage = await serveStage()
  strangerServer = createSocketServer((socket) => {
    connections += 1
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(strangerServer, 'listening')
  const { port } = strangerServer.address() as AddressInfo
  browser = await launchBrowser({
    args: [
      `--host-resolver-rules=MAP *.example 127.0.0.1:${port}`,
      `--log-net-log=${join(folder, 'net.json')}`,
    ],
  })
})

afterAll(async () => {
  await browser?.close()
  stage?.server.close()
  strangerServer?.close()
  await rm(folder, { recursive: true, force: true })
})

async function drawHostile(
  host: string,
  written: string | null = null,
  said: string[] = [],
): Promise<{ asked: string[]; text: string; page: Page }> {
  const { port } = strangerServer.address() as AddressInfo
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('console', (message) => said.push(message.text()))
  page.on('pageerror', (error) => said.push(error.message))
  page.on('request', (request) => asked.push(request.url()))
  // A request that the policy stops is announced too, and fails before it leaves the browser.
  const stopped: string[] = []
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText ?? ''
    if (why === 'csp' || why === 'origin') stopped.push(request.url())
  })
  await page.goto(stage.url)
  await page.waitForFunction('window.isReady === true')
  asked.length = 0
  stage.requests.length = 0
  await page.evaluate(
    ([events, html]) =>
      (window as unknown as { draw(events: unknown, html: unknown): Promise<void> }).draw(
        events,
        html,
      ),
    [hostileEvents(`http://127.0.0.1:${port}`, host), written] as const,
  )
  await page.screenshot()
  const text = await page.evaluate(
    () =>
      (window as unknown as { stage: { document(): Document } }).stage.document().body
        .textContent ?? '',
  )
  const outside = asked.filter(
    (url) => !/^(?:data|blob|about):/.test(url) && !stopped.includes(url),
  )
  return { asked: outside, text, page }
}

test('a hostile recording is drawn, and nothing is asked of anyone', async () => {
  const { asked, text, page } = await drawHostile(`cleaned.${stranger}`)
  expect(text).toContain('words')
  expect(asked).toEqual([])
  expect(stage.requests).toEqual([])
  expect(connections).toBe(0)
  await page.close()
})

test('the frame alone keeps requests in, also for what was never cleaned', async () => {
  const { port } = strangerServer.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  const written = `<p>raw</p><img src="${origin}/raw.png" srcset="${origin}/raw2.png 2x">
    <iframe src="${origin}/raw-frame"></iframe><object data="${origin}/raw-object"></object>
    <video src="${origin}/raw.mp4" poster="${origin}/raw-poster.png"></video><script src="${origin}/raw.js"></script>
    <link rel="stylesheet" href="${origin}/raw.css"><style>@import url(${origin}/raw-import.css);
    @font-face{font-family:Raw;src:url(${origin}/raw.woff2)} p{font-family:Raw;background:url(${origin}/raw-bg.png)}</style>
    <img src="/same-origin.png" onerror="fetch('${origin}/raw-handler')">`
  const { asked, text, page } = await drawHostile(`raw.${stranger}`, written)
  expect(text).toContain('raw')
  expect(asked).toEqual([])
  expect(stage.requests).toEqual([])
  await page.close()
})

test('nothing that a hostile recording holds is even tried: the console of the browser stays silent', async () => {
  const said: string[] = []
  const { page } = await drawHostile(`silent.${stranger}`, null, said)
  expect(said).toEqual([])
  await page.close()
})

test('the frames have no scripts, and the policy is that of the specification', async () => {
  const { page } = await drawHostile(`frames.${stranger}`)
  const frames = await page.evaluate(() => {
    const host = document.querySelector('iframe')
    const inner = host?.contentDocument?.querySelector('iframe')
    return {
      sandboxes: [host?.getAttribute('sandbox'), inner?.getAttribute('sandbox')],
      policy: host?.contentDocument
        ?.querySelector('meta[http-equiv="Content-Security-Policy"]')
        ?.getAttribute('content'),
    }
  })
  expect(frames.sandboxes).toEqual(['allow-same-origin', 'allow-same-origin'])
  expect(frames.policy).toBe("default-src 'none'; style-src 'unsafe-inline'; img-src data: blob:")
  await page.close()
})

test('no name of a stranger was looked up', async () => {
  await browser.close()
  const log = await readFile(join(folder, 'net.json'), 'utf8')
  expect(log).toContain('127.0.0.1')
  expect(log).not.toContain(`cleaned.${stranger}`)
  expect(log).not.toContain(`frames.${stranger}`)
})
