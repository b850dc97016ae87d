import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'

/** The address of a package: `/npm/afterimage-<name>-<version>.tgz`. */
const address = /^\/npm\/([\w.-]{1,64}\.tgz)(?:\?|$)/

export interface PackageFiles {
  /** False when the request is for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
}

/**
 * Serves the packages of the client, so that applications install them from here. An address names
 * one version, whose bytes never change; other versions are not here.
 */
export function openPackageFiles(folder: string): PackageFiles {
  const files = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.tgz'))
      .map((name) => [name, readFileSync(join(folder, name))]),
  )
  return {
    answer(request, response) {
      const url = request.url ?? ''
      if (!url.startsWith('/npm/')) return false
      const [, name = ''] = address.exec(url) ?? []
      send(request, response, files.get(name))
      return true
    },
  }
}

function send(request: IncomingMessage, response: ServerResponse, file: Buffer | undefined): void {
  response.setHeader('x-content-type-options', 'nosniff')
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
    return
  }
  if (file === undefined) {
    response.writeHead(404, { 'cache-control': 'no-store', 'content-type': 'text/plain' })
    response.end('There is no package of this name and version.\n')
    return
  }
  const etag = `"${createHash('sha256').update(file).digest('base64url').slice(0, 22)}"`
  response.setHeader('etag', etag)
  response.setHeader('cache-control', 'public, max-age=31536000, immutable')
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end()
    return
  }
  response.writeHead(200, { 'content-type': 'application/gzip', 'content-length': file.length })
  response.end(method === 'HEAD' ? undefined : file)
}
