import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, gzipSync } from 'node:zlib'

/** A file that is read once, and answered from memory. */
export interface KeptFile {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  /** Absent when the file itself is compressed. */
  readonly encoded?: { readonly br: Buffer; readonly gzip: Buffer }
}

/** Reads a file of a media type. Text is compressed now, once for all who ask. */
export function keepFile(path: string, type: string): KeptFile {
  const plain = readFileSync(path)
  const hash = createHash('sha256').update(plain).digest('base64url')
  const file = { type, etag: `"${hash.slice(0, 22)}"`, plain }
  if (!type.startsWith('text/')) return file
  return {
    ...file,
    encoded: { br: brotliCompressSync(plain), gzip: gzipSync(plain, { level: 9 }) },
  }
}

/** Answers a request for a file: 200, 304, 404 with the given words, or 405. */
export function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: KeptFile | undefined,
  of: {
    /** True when the address names this version: its bytes never change then. */
    readonly isExact: boolean
    readonly missing: string
  },
): void {
  response.setHeader('x-content-type-options', 'nosniff')
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  if (file === undefined) {
    response.writeHead(404, { 'cache-control': 'no-store', 'content-type': 'text/plain' })
    response.end(`${of.missing}\n`)
    return
  }
  response.setHeader('etag', file.etag)
  response.setHeader(
    'cache-control',
    of.isExact ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  )
  if (file.encoded !== undefined) response.setHeader('vary', 'accept-encoding')
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end()
    return
  }
  const encoding = file.encoded && acceptedEncoding(request)
  const body = (encoding && file.encoded?.[encoding]) ?? file.plain
  response.writeHead(200, {
    'content-type': file.type,
    'content-length': body.length,
    ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}

function acceptedEncoding(request: IncomingMessage): 'br' | 'gzip' | undefined {
  const accepted = String(request.headers['accept-encoding'] ?? '')
  return /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : undefined
}
