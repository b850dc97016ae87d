import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Pages that others may show in a frame of theirs: the address of a shared replay alone. */
const framedByAnyone = /^\/embed\//

/** A script inside a page, without an address of its own; a block of data has another type. */
const inlineScript = /<script(?![^>]*\s(?:src=|type=(?!"module")))[^>]*>([\s\S]*?)<\/script>/g

export interface PagePolicy {
  /** The address in DSNs: the console's test of the tunnel sends there too, also under another name of this server. */
  readonly baseUrl: string
  /** Sources of `script-src` for the scripts inside pages that were made at build time. */
  readonly builtScripts: readonly string[]
}

/** The headers of one page. */
export interface PageHeaders {
  /** Marks the scripts inside this page as the server's own; no other page has the same. */
  readonly nonce: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Creates the headers of every page of the console. They allow browsers to connect to this server
 * only, and to run only scripts that the server has written, whatever a recorded page or an event
 * contains. They send no referrer, since addresses of shared pages are secrets.
 */
export function createPageHeaders({
  baseUrl,
  builtScripts,
}: PagePolicy): (path: string) => PageHeaders {
  const policyOf = (nonce: string): string =>
    [
      "default-src 'self'",
      ["script-src 'self'", `'nonce-${nonce}'`, ...builtScripts].join(' '),
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data: blob:",
      // The recorder, of whoever uses the console, compresses in a worker that it makes itself.
      "worker-src 'self' blob:",
      `connect-src 'self' ${new URL(baseUrl).origin}`,
      "object-src 'none'",
      "base-uri 'self'",
      "form-action 'self'",
    ].join('; ')
  return (path) => {
    const nonce = randomBytes(16).toString('base64')
    const policy = policyOf(nonce)
    return {
      nonce,
      headers: {
        'content-security-policy': framedByAnyone.test(path)
          ? policy
          : `${policy}; frame-ancestors 'self'`,
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
      },
    }
  }
}

/** Reads the pages in a build, and returns the hashes of the scripts inside them. */
export function builtScriptsOf(buildFolder: string): string[] {
  const server = join(buildFolder, 'server')
  const pages = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  )
  const hashes = pages.flatMap((name) => scriptHashes(readFileSync(join(server, name), 'utf8')))
  return [...new Set(hashes)]
}

/** Returns the hashes of a page's inline scripts, as `script-src` names them. */
export function scriptHashes(html: string): string[] {
  return [...html.matchAll(inlineScript)].map(
    ([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`,
  )
}
