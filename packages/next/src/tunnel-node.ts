import type { IncomingMessage, ServerResponse } from 'node:http'
import { tunnelDrainBytesMax } from '@afterimage/sdk-core/server/limits'
import { refuseWith } from '@afterimage/sdk-core/server/tunnel'
import type { Tunnel } from '@afterimage/sdk-core/server/tunnel'

/** A listener for Node's `http`, Express, Connect, Fastify's middleware and the like. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * A tunnel as a listener of Node: `createServer(tunnelListener(tunnel))`,
 * `app.post('/monitoring', tunnelListener(tunnel))`. A body that a parser before it has taken is
 * used if it is still bytes or text.
 */
export function tunnelListener(tunnel: Tunnel): NodeListener {
  return (request, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    tunnel(webRequest(request, gone.signal), request.socket.remoteAddress)
      .catch(() => refuseWith(503, 'the tunnel failed'))
      .then((answer) => writeAnswer(request, response, answer))
      .catch(() => response.destroy())
  }
}

function webRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const { method = 'GET', url = '/' } = request
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one)
  }
  // Parsers decompress, and leave the headers as they were.
  if (isParsed(request))
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const init: RequestInit & { duplex: 'half' } = { method, headers, signal, duplex: 'half' }
  // The host that the request names plays no part; only path and query do.
  return new Request(`http://tunnel${url.startsWith('/') ? url : '/'}`, {
    ...init,
    ...(hasBody && { body: bodyOf(request) }),
  })
}

interface MaybeParsed extends IncomingMessage {
  readonly body?: unknown
}

function isParsed({ body }: MaybeParsed): boolean {
  return typeof body === 'string' || body instanceof Uint8Array
}

function bodyOf(request: MaybeParsed): BodyInit {
  if (isParsed(request)) return request.body as string
  // A body that a parser has converted is gone.
  if (request.readableEnded) return ''
  let drained: number | null = null
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      request.on('data', (chunk: Uint8Array<ArrayBuffer>) => {
        if (drained === null) {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) request.pause()
          return
        }
        drained += chunk.length
        if (drained > tunnelDrainBytesMax) request.destroy()
      })
      request.on('end', () => {
        if (drained === null) controller.close()
      })
      request.on('close', () => {
        if (!request.complete && drained === null) controller.error(new Error('it breaks off'))
      })
      request.on('error', () => {})
    },
    pull: () => void request.resume(),
    // Closing on a sender that still sends would take the answer away from it unread.
    cancel: () => {
      drained = 0
      request.resume()
    },
  })
}

async function writeAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Response,
): Promise<void> {
  const bytes = new Uint8Array(await answer.arrayBuffer())
  // The rest of a refused body is not waited for.
  if (!request.complete) response.setHeader('connection', 'close')
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(bytes)
}
