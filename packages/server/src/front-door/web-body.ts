import type { IncomingMessage } from 'node:http'
import { UPLOAD_BODY_BYTES_MAX } from '../source-maps/limits.ts'
import type { BodyHold } from '../ingest/body-budget.ts'
import type { BodyWatch, WatchedBody } from '../ingest/body-watch.ts'

const kibibyte = 1024

/** A form, a sign-in, whatever a stranger may send. */
export const strangerBodyBytesMax = 64 * kibibyte
/** A change by the API; the longest is a comment. */
export const apiBodyBytesMax = 1024 * kibibyte

/** Returns the limit in bytes on a body read for `web`, before it is inspected. */
export function webBodyBytesMax(request: Pick<IncomingMessage, 'url' | 'headers'>): number {
  const { url = '/', headers } = request
  const isApi = url.startsWith('/api/0/')
  if (isApi && headers.authorization !== undefined && uploadPath.test(url)) {
    return UPLOAD_BODY_BYTES_MAX
  }
  const brings = headers.authorization !== undefined || headers.cookie !== undefined
  return isApi && brings ? apiBodyBytesMax : strangerBodyBytesMax
}

/** Parts of archives, and files of releases. */
const uploadPath = /^[^?]*\/(?:chunk-upload|releases\/[^/?]+\/files)\/?(?:\?|$)/

/** The reason a body is missing: the status to answer, or `gone` when the client has left. */
export type WebBodyFailure = 408 | 413 | 503 | 'gone'

export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return 'content-length' in headers || 'transfer-encoding' in headers
}

/**
 * Reads a body as it came. `web` gets it whole or not at all: a slow one takes nobody's turn, and
 * one that breaks off is never heard of.
 */
export function readWebBody(
  request: IncomingMessage,
  { hold, watch }: { readonly hold: BodyHold; readonly watch: BodyWatch },
): Promise<Buffer | WebBodyFailure> {
  const bytesMax = webBodyBytesMax(request)
  if (Number(request.headers['content-length'] ?? 0) > bytesMax) return Promise.resolve(413)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const startedAt = performance.now()
    const watched: WatchedBody = { startedAt, lastBytesAt: startedAt, expire: () => finish(408) }
    const finish = (result: Buffer | WebBodyFailure): void => {
      watch.delete(watched)
      request.off('data', onData).off('end', onEnd).off('close', onClose)
      // Nobody listens to the rest until it is let run out.
      if (!Buffer.isBuffer(result)) request.pause()
      resolve(result)
    }
    const onData = (chunk: Buffer): void => {
      watched.lastBytesAt = performance.now()
      bytes += chunk.length
      if (bytes > bytesMax) finish(413)
      else if (!hold.take(chunk.length)) finish(503)
      else chunks.push(chunk)
    }
    const onEnd = (): void => finish(Buffer.concat(chunks, bytes))
    const onClose = (): void => finish('gone')
    watch.add(watched)
    request.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}
