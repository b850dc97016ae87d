import { readdirSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { keepFile, sendFile } from './kept-file.ts'

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
      .map((name) => [name, keepFile(join(folder, name), 'application/gzip')]),
  )
  return {
    answer(request, response) {
      const url = request.url ?? ''
      if (!url.startsWith('/npm/')) return false
      const [, name = ''] = address.exec(url) ?? []
      const missing = 'There is no package of this name and version.'
      sendFile(request, response, files.get(name), { isExact: true, missing })
      return true
    },
  }
}
