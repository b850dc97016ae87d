import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ApiEvent, ApiIssue } from '@afterimage/protocol/api'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from './support/browser.ts'
import { run, writeApplication } from './support/fresh-application.ts'
import { startProduct, type Product, type Project } from './support/product.ts'
import { until } from './support/until.ts'

/** A real build throws in a real browser: before its maps are uploaded, and after. */

let product: Product
let project: Project
let browser: Browser
let server: Server
let folder: string
let application: string

const cart = `
export class Cart {
  pay(amount: number): never {
    throw new RangeError('the amount ' + amount + ' is too large')
  }
}
`
const main = `
import { Cart } from './cart.ts'

function checkout(amount: number): void {
  new Cart().pay(amount)
}

addEventListener('hashchange', () => checkout(Number(location.hash.slice(1))))
`

const vite = fileURLToPath(new URL('sdks/node_modules/vite/bin/vite.js', import.meta.url))

beforeAll(async () => {
  product = await startProduct()
  project = await product.createProject('maps', { platform: 'javascript' })
  folder = mkdtempSync(join(tmpdir(), 'afterimage-maps-'))
  const dsn = project.dsn.replace('localhost', '127.0.0.1')
  const sdk = `${product.url.replace('localhost', '127.0.0.1')}/sdk/0.1.0/afterimage.js`
  application = writeApplication(folder, 'shop', {
    'index.html': `<!doctype html><title>Shop</title><script src="${sdk}"></script>
      <script>Afterimage.init({ dsn: '${dsn}', tunnel: false, release: 'shop@1' })</script>
      <script type="module" src="/src/main.ts"></script>`,
    'src/main.ts': main,
    'src/cart.ts': cart,
    'vite.config.js': 'export default { build: { sourcemap: true }, logLevel: "error" }',
  })
  await run(application, process.execPath, vite, 'build')
  server = createServer((request, response) => {
    const path = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1)
    const file = join(application, 'dist', path)
    const type = path.endsWith('.js') ? 'text/javascript' : 'text/html'
    response.writeHead(existsSync(file) ? 200 : 404, { 'content-type': type })
    response.end(existsSync(file) ? readFileSync(file) : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  server?.close()
  await product?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** Lets the page throw, and returns the event once it is stored. */
async function thrown(amount: number): Promise<ApiEvent> {
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  await page.evaluate((hash) => (location.hash = hash), String(amount))
  const title = `RangeError: the amount ${amount} is too large`
  const issue = await until(`the issue "${title}"`, async () => {
    const issues = await product.api<ApiIssue[]>('organizations/main/issues/?statsPeriod=24h')
    return issues.find((it) => it.title === title)
  })
  await page.close()
  return product.api<ApiEvent>(`issues/${issue.id}/events/latest/`)
}

/** Sends the scripts and maps of the build, one by one, as files of the release. */
async function upload(): Promise<void> {
  for (const name of readdirSync(join(application, 'dist/assets'))) {
    const form = new FormData()
    form.set('name', `~/assets/${name}`)
    form.set('file', new File([readFileSync(join(application, 'dist/assets', name))], name))
    const response = await fetch(
      `${product.url}/api/0/projects/main/${project.slug}/releases/shop@1/files/`,
      { method: 'POST', body: form, headers: { authorization: `Bearer ${product.token}` } },
    )
    expect(response.status, await response.text()).toBe(201)
  }
}

function framesOf(event: ApiEvent, which: 'stacktrace' | 'rawStacktrace' = 'stacktrace') {
  const entry = event.entries.find(({ type }) => type === 'exception')
  if (entry?.type !== 'exception') throw new Error('the event has no exception')
  return entry.data.values[0]?.[which]?.frames ?? []
}

test('an error of a Vite build shows its sources once they are uploaded, and its original beside', async () => {
  const before = await thrown(5)
  expect(framesOf(before).at(-1)?.filename).toMatch(/\/assets\/.*\.js$/)
  expect(framesOf(before, 'rawStacktrace')).toEqual([])
  await upload()
  const after = await thrown(700)
  expect(framesOf(after).at(-1)).toMatchObject({
    filename: 'src/cart.ts',
    module: 'src/cart',
    function: 'Cart.pay',
    lineNo: 4,
    inApp: true,
    context: expect.arrayContaining([
      [3, '  pay(amount: number): never {'],
      [4, "    throw new RangeError('the amount ' + amount + ' is too large')"],
    ]),
  })
  expect(framesOf(after).map(({ filename }) => filename)).toContain('src/main.ts')
  expect(after.culprit).toBe('Cart.pay(src/cart)')
  expect(framesOf(after, 'rawStacktrace').at(-1)?.filename).toMatch(/\/assets\/.*\.js$/)
})
