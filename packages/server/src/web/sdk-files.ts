import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { sdk } from '@afterimage/sdk-core/version'

/** The address of the client's scripts: `/sdk/<version>/<file>`. */
const address = /^\/sdk\/([\w.+-]{1,64})\/([\w.-]{1,64})(?:\?|$)/

export interface SdkFiles {
  /** The exact version that these files are: the client's, and which build of it. */
  readonly version: string
  /** False when the request is for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
}

interface SdkFile {
  readonly etag: string
  readonly plain: Buffer
  readonly gzip: Buffer
  readonly brotli: Buffer
}

/**
 * Serves a build of the client to pages of any host. Files of the exact version never change. A page
 * that names another version, as pages do after an upgrade, gets these files as well, and asks again
 * within the hour.
 */
export function openSdkFiles(folder: string): SdkFiles {
  const version = `${sdk.version}-${basename(folder)}`
  const files = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFile(join(folder, name))]),
  )
  return {
    version,
    answer(request, response) {
      const url = request.url ?? ''
      if (!url.startsWith('/sdk/')) return false
      const [, asked = '', name = ''] = address.exec(url) ?? []
      send(request, response, files.get(name), asked === version)
      return true
    },
  }
}

function readFile(path: string): SdkFile {
  const plain = readFileSync(path)
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzip: gzipSync(plain, { level: 9 }),
    brotli: brotliCompressSync(plain),
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  file: SdkFile | undefined,
  isExact: boolean,
): void {
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('x-content-type-options', 'nosniff')
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  if (file === undefined) {
    response.writeHead(404, { 'cache-control': 'no-store', 'content-type': 'text/plain' })
    response.end('The client has no file of this name.\n')
    return
  }
  const accepted = String(request.headers['accept-encoding'] ?? '')
  const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null
  response.setHeader('cross-origin-resource-policy', 'cross-origin')
  response.setHeader('etag', file.etag)
  response.setHeader('vary', 'accept-encoding')
  response.setHeader(
    'cache-control',
    isExact ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
  )
  if (request.headers['if-none-match'] === file.etag) {
    response.writeHead(304).end()
    return
  }
  const body = encoding === 'br' ? file.brotli : encoding === 'gzip' ? file.gzip : file.plain
  response.writeHead(200, {
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': body.length,
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  })
  response.end(method === 'HEAD' ? undefined : body)
}
