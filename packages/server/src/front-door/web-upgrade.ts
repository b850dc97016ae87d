import type { ClientRequest, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Joins a connection that becomes another protocol with one to `web`. */
export function joinUpgraded(
  upstream: ClientRequest,
  socket: Duplex,
  head: Buffer,
  onFailure: (cause: Error) => void,
): void {
  const drop = (): void => {
    upstream.destroy()
    socket.destroy()
  }
  socket.on('error', drop).on('close', drop)
  upstream.on('upgrade', (answer, webSocket, webHead) => {
    // From here on the two connections live and die together.
    webSocket.on('error', drop).on('close', () => socket.destroy())
    socket.on('close', () => webSocket.destroy())
    if (socket.destroyed) webSocket.destroy()
    socket.write(statusLine(answer) + rawHeaderLines(answer.rawHeaders))
    if (webHead.length > 0) socket.write(webHead)
    if (head.length > 0) webSocket.write(head)
    webSocket.pipe(socket).pipe(webSocket)
  })
  upstream.on('response', (answer) => {
    socket.write(`${statusLine(answer)}connection: close\r\n\r\n`)
    answer.pipe(socket)
  })
  upstream.on('error', (cause) => {
    onFailure(cause)
    refuseUpgrade(socket)
  })
  upstream.end()
}

export function refuseUpgrade(socket: Duplex): void {
  socket.on('error', () => {})
  if (socket.writable) socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\r\n')
}

function statusLine(answer: IncomingMessage): string {
  return `HTTP/1.1 ${answer.statusCode ?? 502} ${answer.statusMessage ?? ''}\r\n`
}

function rawHeaderLines(rawHeaders: readonly string[]): string {
  let lines = ''
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  }
  return `${lines}\r\n`
}
