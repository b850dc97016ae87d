import { createHash, type Hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The repository, which builds are made from. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

const NOT_SOURCES = new Set([
  'node_modules',
  '.next',
  '.build',
  'next-env.d.ts',
  'tsconfig.tsbuildinfo',
])

/** A hash of files and folders, given relative to the root: names and contents. */
export function fingerprintOf(sources: readonly string[]): string {
  const hash = createHash('sha256')
  for (const source of sources) add(hash, join(root, source))
  return hash.digest('hex')
}

function add(hash: Hash, path: string): void {
  const name = path.slice(root.length)
  let entries
  try {
    entries = readdirSync(path, { withFileTypes: true })
  } catch {
    hash.update(`${name}\0`).update(readFileSync(path))
    return
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (NOT_SOURCES.has(entry.name) || entry.name.includes('.test.')) continue
    add(hash, join(path, entry.name))
  }
}
