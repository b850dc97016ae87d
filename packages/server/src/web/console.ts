import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import nextModule from 'next'
import { statusHeader } from '../front-door/forwarded-headers.ts'
import { builtScriptsOf, createPageHeaders, type PageHeaders } from './page-headers.ts'
import { refusedStatus } from './refused-request.ts'
import type { SelfMonitoringOfServer } from '../self-monitoring/self-monitoring.ts'

/** Next is CommonJS: its default export, as a module sees it, is the function itself. */
const next = nextModule as unknown as typeof nextModule.default

/** By these the app mode asks for the data of a page, and of which. */
const routerHeaders = [
  'rsc',
  'next-router-state-tree',
  'next-router-prefetch',
  'next-router-segment-prefetch',
  'next-url',
]

/** From these the pages take the nonce of their scripts. */
const nonceHeaders = ['content-security-policy', 'content-security-policy-report-only', 'x-nonce']

export interface ConsoleServer {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

interface ConsoleOptions {
  /** The API's own handler: server components ask it without a detour over the network. */
  readonly api: (request: Request) => Response | Promise<Response>
  /** The settings with which it reports about itself; null when it does not. Passed in the same way. */
  readonly self: SelfMonitoringOfServer | null
  readonly baseUrl: string
  /** The console's sources, where Next finds its build. */
  readonly folder: string
  /**
   * The folder of its build, relative to that. Null in development: pages are made as they are asked
   * for, by code that the policy of `page-headers.ts` forbids.
   */
  readonly build: string | null
}

/**
 * Starts Next on the console. Other requests than those for pages get the generic error page
 * (docs/specification.md#s2): 400 for a path or a router state that cannot be read, 404 for an
 * unknown error code, 405 for any method but GET and HEAD, and the status that the front door asks
 * for. The page that draws it is internal and has no address.
 */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  Object.assign(globalThis, {
    [Symbol.for('afterimage.api')]: options.api,
    [Symbol.for('afterimage.self')]: options.self,
  })
  const { build, folder, baseUrl } = options
  const app = next({ dev: build === null, dir: folder, customServer: true })
  await app.prepare()
  const handle = app.getRequestHandler()
  const handleUpgrade = app.getUpgradeHandler()
  const headersOf =
    build === null
      ? null
      : createPageHeaders({ baseUrl, builtScripts: builtScriptsOf(join(folder, build)) })
  return {
    answer: async (request, response) => {
      markScripts(request, response, headersOf?.(request.url ?? '/') ?? null)
      const status = askedStatus(request) ?? refusedStatus(request)
      if (status === null) return handle(request, response)
      response.statusCode = status
      if (status === 405) response.setHeader('allow', 'GET, HEAD')
      request.method = request.method === 'HEAD' ? 'HEAD' : 'GET'
      // The answer is a document, even to a router's request.
      for (const name of routerHeaders) delete request.headers[name]
      request.url = `/status/${status}`
      return handle(request, response)
    },
    upgrade: (request, socket, head) => void handleUpgrade(request, socket, head),
    close: () => app.close(),
  }
}

/** The status whose page the front door wants drawn; null for requests of visitors. */
function askedStatus(request: IncomingMessage): number | null {
  const asked = Number(request.headers[statusHeader])
  delete request.headers[statusHeader]
  return Number.isInteger(asked) && asked >= 400 && asked <= 599 ? asked : null
}

/** Next takes the nonce from the policy of the request, and so do the pages: never the visitor's own. */
function markScripts(
  request: IncomingMessage,
  response: ServerResponse,
  page: PageHeaders | null,
): void {
  for (const name of nonceHeaders) delete request.headers[name]
  if (page === null) return
  request.headers['content-security-policy'] = page.headers['content-security-policy']
  request.headers['x-nonce'] = page.nonce
  for (const [name, value] of Object.entries(page.headers)) response.setHeader(name, value)
}
