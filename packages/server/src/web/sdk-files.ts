import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { basename, join } from 'node:path'
import { sdk } from '@afterimage/sdk-core/version'
import { keepFile, sendFile } from './kept-file.ts'

/** The address of the client's scripts: `/sdk/<version>/<file>`. */
const address = /^\/sdk\/([\w.+-]{1,64})\/([\w.-]{1,64})(?:\?|$)/

export interface SdkFiles {
  /** The exact version that these files are: the client's, and which build of it. */
  readonly version: string
  /** False when the request is for something else. */
  answer(request: IncomingMessage, response: ServerResponse): boolean
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
      .map((name) => [name, keepFile(join(folder, name), 'text/javascript; charset=utf-8')]),
  )
  return {
    version,
    answer(request, response) {
      const url = request.url ?? ''
      if (!url.startsWith('/sdk/')) return false
      const [, asked = '', name = ''] = address.exec(url) ?? []
      response.setHeader('access-control-allow-origin', '*')
      response.setHeader('cross-origin-resource-policy', 'cross-origin')
      sendFile(request, response, files.get(name), {
        isExact: asked === version,
        missing: 'The client has no file of this name.',
      })
      return true
    },
  }
}
