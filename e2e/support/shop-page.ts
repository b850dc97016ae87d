import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const sdks = fileURLToPath(new URL('../sdks', import.meta.url))

export interface ShopServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * The application under watch, on a host of its own: its pages with an official SDK bundled in, two
 * API routes, and `/monitoring`, which hands an envelope on to the product as a reverse proxy would.
 * `bundles` maps a name to the page's source and the package that plays the SDK.
 */
export async function startShop(
  productUrl: string,
  bundles: Readonly<Record<string, { readonly page: string; readonly sdk: string }>>,
): Promise<ShopServer> {
  const folder = await mkdtemp(join(tmpdir(), 'afterimage-shop-'))
  for (const [name, { page, sdk }] of Object.entries(bundles)) {
    await promisify(execFile)(
      join(sdks, 'node_modules/.bin/esbuild'),
      [
        join(sdks, 'pages', page),
        '--bundle',
        '--format=iife',
        '--target=es2022',
        `--alias:sdk=${sdk}`,
        '--define:process.env.NODE_ENV="production"',
        `--outfile=${join(folder, `${name}.js`)}`,
      ],
      { cwd: sdks },
    )
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop')
    if (pathname === '/monitoring') forward(productUrl, request, response)
    else if (pathname.startsWith('/bundles/')) {
      response.setHeader('content-type', 'text/javascript')
      response.end(readFileSync(join(folder, pathname.slice('/bundles/'.length))))
    } else if (pathname.startsWith('/api/')) {
      response.setHeader('content-type', 'application/json')
      response.end('{"stock":3}')
    } else {
      const bundle = new URL(request.url ?? '/', 'http://shop').searchParams.get('bundle') ?? ''
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(document(bundle))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function document(bundle: string): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title></head>
<body><h1>The shop</h1><p id="status">Starting</p><div id="root"></div>
<button id="order">Order</button><button id="boom">Pay</button><button id="message">Greet</button>
<button id="chained">Total</button><button id="go">Look at product 42</button>
<script src="/bundles/${encodeURIComponent(bundle)}.js"></script></body></html>`
}

function forward(productUrl: string, request: IncomingMessage, response: ServerResponse): void {
  const product = new URL(productUrl)
  const outgoing = httpRequest(
    {
      host: product.hostname,
      port: product.port,
      method: request.method,
      path: request.url,
      headers: { ...request.headers, host: product.host },
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    },
  )
  outgoing.on('error', () => response.writeHead(502).end())
  request.pipe(outgoing)
}
