import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { textsOf } from '../packages/cli/src/privacy-audit/find.ts'
import type { ApiEvent, ApiIssue, ApiReplay } from '@afterimage/protocol/api'
import { launchBrowser } from './support/browser.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { until } from './support/until.ts'

/** A page without a bundler: the client as the started product serves it, from another host. */

let product: Product
let project: Project
let browser: Browser
let server: Server
let pageUrl: string
let sdkUrl: string

const start =
  (): string => `Afterimage.init({ dsn: '${project.dsn.replace('localhost', '127.0.0.1')}', tunnel: false, release: 'plain@1',
  integrations: [Afterimage.browserTracing(), Afterimage.replayIntegration({ sessionSampleRate: 1, minMs: 0 })] })`

/** Pages by name; the host that serves them is not the product's. */
const pages: Record<string, () => string> = {
  tag: () => `<script src="${sdkUrl}/afterimage.js"></script><script>${start()}</script>
    <p>Plain page</p><button onclick="throw new TypeError('plain and simple')">Pay</button>`,
  loader: () => `<script src="${sdkUrl}/loader.js"></script>
    <script>
      Afterimage.onLoad(() => { ${start()} })
      Afterimage.setUser({ id: 'u-early' })
      Afterimage.captureException(new RangeError('captured early'))
    </script>
    <script>throw new EvalError('thrown early')</script>
    <script>Promise.reject(new SyntaxError('rejected early'))</script>`,
  secret: () => `<script src="${sdkUrl}/afterimage.js"></script>
    <script>${start().replace('release:', 'secretPaths: [/u-secret/], release:')}</script>
    <a href="/users/u-secret">User</a>`,
  inline: () => `<script data-src="${sdkUrl}/afterimage.js">${loader}</script>
    <script>Afterimage.onLoad(() => { ${start()} }); throw new URIError('thrown beside an inline loader')</script>`,
  blocked: () => `<script data-src="${sdkUrl}/nothing.js">${loader}</script>
    <script>for (let n = 0; n < 500; n += 1) Afterimage.captureMessage('n' + n)</script>`,
}
let loader = ''

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('plain', { platform: 'javascript' })
  sdkUrl = `${product.url.replace('localhost', '127.0.0.1')}/sdk/0.1.0`
  loader = await (await fetch(`${sdkUrl}/loader.js`)).text()
  server = createServer((request, response) => {
    const page = pages[(request.url ?? '').slice(1)]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(`<!doctype html><title>Plain</title>${page?.() ?? ''}`)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  pageUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
  await product?.stop()
  await product?.remove()
})

async function open(name: string): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(`${pageUrl}/${name}`)
  return page
}

async function issue(title: string): Promise<ApiIssue> {
  return until(`an issue ${title}`, async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?statsPeriod=24h')
    return issues.find((it) => it.title === title)
  })
}

test('the loader is below 1 KB, and what the product serves says what it is', async () => {
  expect(gzipSync(loader, { level: 9 }).length).toBeLessThan(1024)
  const answer = await fetch(`${sdkUrl}/afterimage.js`)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
  })
})

test('a script tag reports errors, records the page with its chunk from the same host, and traces it', async () => {
  const page = await browser.newPage()
  const chunk = page.waitForResponse(`${sdkUrl}/replay.js`)
  await page.goto(`${pageUrl}/tag`)
  expect((await chunk).status()).toBe(200)
  await page.click('button')
  const found = await issue('TypeError: plain and simple')
  expect(found).toMatchObject({ isUnhandled: true })
  const event = await product.api<ApiEvent>(`issues/${found.id}/events/latest/`)
  expect(event.release?.version).toBe('plain@1')
  await page.goto('about:blank')
  const replay = await until('a replay', async () => {
    const { data } = await product.api<{ data: ApiReplay[] }>(
      'organizations/main/replays/?statsPeriod=24h',
    )
    return data[0]
  })
  expect(replay.urls[0]).toBe(`${pageUrl}/tag`)
  await page.close()
})

test('the recorder hides the secret paths of its client', async () => {
  const page = await browser.newPage()
  const sent: string[] = []
  page.on('request', (request) => sent.push(...textsOf(request.postDataBuffer() ?? Buffer.of())))
  await page.goto(`${pageUrl}/secret`)
  await expect.poll(() => sent.some((it) => it.includes('/users/'))).toBe(true)
  expect(sent.filter((it) => it.includes('u-secret'))).toEqual([])
  await page.close()
})

test('the loader holds calls and errors until the client is there', async () => {
  const page = await open('loader')
  const thrown = await issue('EvalError: thrown early')
  expect(thrown).toMatchObject({ isUnhandled: true, count: '1' })
  expect(await issue('SyntaxError: rejected early')).toMatchObject({ isUnhandled: true })
  const captured = await issue('RangeError: captured early')
  expect(captured).toMatchObject({ isUnhandled: false })
  const event = await product.api<ApiEvent>(`issues/${captured.id}/events/latest/`)
  expect(event.user?.id).toBe('u-early')
  await page.close()
})

test('the loader works inside of the document', async () => {
  const page = await open('inline')
  expect(await issue('URIError: thrown beside an inline loader')).toMatchObject({ count: '1' })
  await page.close()
})

test('a client that never comes costs the page nothing', async () => {
  const page = await browser.newPage()
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.goto(`${pageUrl}/blocked`)
  const waiting = await page.evaluate(
    () => (globalThis as unknown as { Afterimage: { queue: unknown[] } }).Afterimage.queue.length,
  )
  expect([waiting, errors]).toEqual([100, []])
  await page.close()
})
