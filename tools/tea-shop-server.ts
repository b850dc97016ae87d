import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../', import.meta.url))
const shop = join(root, 'tools/tea-shop')
const sdks = join(root, 'e2e/sdks')

export interface TeaShop {
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * The tea shop on a host of its own, watched by the newest official SDK. Its `/monitoring` hands an
 * envelope on to the product as a reverse proxy would; `?ago=` (ms) makes the product take it as
 * received that long ago, which its test clock allows.
 */
export async function startTeaShop(productUrl: string): Promise<TeaShop> {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-tea-shop-'))
  const entry = join(folder, 'entry.js')
  const sdk = join(folder, 'sdk.js')
  await writeFile(entry, "export * from 'sentry-browser-11'\n")
  await promisify(execFile)(join(root, 'node_modules/.bin/esbuild'), [
    entry,
    '--bundle',
    '--format=iife',
    '--global-name=Sentry',
    '--target=es2022',
    `--alias:sentry-browser-11=${sdks}/node_modules/sentry-browser-11`,
    `--outfile=${sdk}`,
  ])
  const server = createServer((request, response) => {
    void answer({ productUrl, sdk }, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    // A browser looks a name below localhost up nowhere.
    url: `http://fern-kettle.localhost:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answer(
  { productUrl, sdk }: { readonly productUrl: string; readonly sdk: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://shop')
  const reply = (type: string, body: string | Buffer) =>
    response.setHeader('content-type', type).end(body)
  if (url.pathname === '/monitoring') return forward(productUrl, url, request, response)
  if (url.pathname === '/sdk.js') reply('text/javascript', readFileSync(sdk))
  else if (url.pathname === '/api/voucher') reply('application/json', '{"code":"FALL20"}')
  else if (url.pathname.startsWith('/api/')) reply('application/json', '["post","courier"]')
  else if (/^\/checkout\/[\w-]+\.js$/.test(url.pathname)) {
    reply('text/javascript', readFileSync(join(shop, url.pathname)))
  } else reply('text/html; charset=utf-8', readFileSync(join(shop, 'index.html')))
}

async function forward(
  productUrl: string,
  url: URL,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const ago = Number(url.searchParams.get('ago') ?? '0')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const taken = await fetch(new URL(`${url.pathname}${url.search}`, productUrl), {
    method: 'POST',
    headers: {
      'content-type': 'text/plain;charset=UTF-8',
      'user-agent': request.headers['user-agent'] ?? '',
      'x-afterimage-test-received-at': String(Date.now() - ago),
    },
    body: Buffer.concat(chunks),
  })
  response.writeHead(taken.status).end(await taken.text())
}
