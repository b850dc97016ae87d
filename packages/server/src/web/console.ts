import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import nextModule from 'next'
import { consoleFolder } from './build-console.ts'
import { createPageHeaders } from './page-headers.ts'
import type { SelfMonitoringOfServer } from './self-monitoring.ts'

/** Next is CommonJS: what a module sees as its default export is the function itself. */
const next = nextModule as unknown as typeof nextModule.default

export interface ConsoleServer {
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  close(): Promise<void>
}

interface ConsoleOptions {
  /** The API's own handler: server components ask it without a detour over the network. */
  readonly api: (request: Request) => Response | Promise<Response>
  /** What it reports with, about itself; null when it does not. Handed over in the same way. */
  readonly self: SelfMonitoringOfServer | null
  readonly baseUrl: string
  /** Pages are made as they are asked for, by code that the policy of `page-headers.ts` forbids. */
  readonly isDevelopment: boolean
}

/**
 * Starts Next on the console. What is not a page request is answered by the generic error page
 * (spec S2): 400 for a path that cannot be decoded, 405 for any method but GET and HEAD, server
 * actions excepted; the page that draws it is internal and has no address of its own.
 */
export async function startConsole(options: ConsoleOptions): Promise<ConsoleServer> {
  Object.assign(globalThis, {
    [Symbol.for('afterimage.api')]: options.api,
    [Symbol.for('afterimage.self')]: options.self,
  })
  const app = next({ dev: options.isDevelopment, dir: consoleFolder, customServer: true })
  await app.prepare()
  const handle = app.getRequestHandler()
  const handleUpgrade = app.getUpgradeHandler()
  const headersOf = options.isDevelopment ? null : createPageHeaders(options.baseUrl)
  return {
    answer: async (request, response) => {
      const headers = headersOf?.(request.url ?? '/') ?? {}
      for (const name in headers) response.setHeader(name, headers[name] ?? '')
      const status = refusedStatus(request)
      if (status === null) return handle(request, response)
      response.statusCode = status
      if (status === 405) response.setHeader('allow', 'GET, HEAD')
      request.method = request.method === 'HEAD' ? 'HEAD' : 'GET'
      request.url = `/status/${status}`
      return handle(request, response)
    },
    upgrade: (request, socket, head) => void handleUpgrade(request, socket, head),
    close: () => app.close(),
  }
}

/** The status of a request that no page answers, or null for one that goes to the router. */
export function refusedStatus(
  request: Pick<IncomingMessage, 'url' | 'method' | 'headers'>,
): 400 | 404 | 405 | null {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/'
  const decoded = decodePath(path)
  if (decoded === null) return 400
  if (/^\/(?:_next\/data\/[^/]+\/)?status(\/|$)/.test(decoded)) return 404
  const method = request.method ?? 'GET'
  if (method === 'GET' || method === 'HEAD') return null
  return method === 'POST' && request.headers['next-action'] !== undefined ? null : 405
}

function decodePath(path: string): string | null {
  try {
    return decodeURIComponent(path)
  } catch {
    return null
  }
}
