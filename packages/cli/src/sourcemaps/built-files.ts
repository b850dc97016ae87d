import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, sep } from 'node:path'
import { filesMax } from './limits.ts'

/** A script of a build, with its map when there is one. */
export interface BuiltScript {
  readonly path: string
  /** Place below the folder, with `/`. */
  readonly name: string
  readonly code: string
  /** Null for a script without a map of its own file. */
  readonly map: BuiltMap | null
}

export interface BuiltMap {
  readonly path: string
  readonly name: string
  readonly text: string
}

/** The comment by which a script names its map; that of its debug id may come after it. */
export const mapComment = /\n?\/\/[#@] sourceMappingURL=(\S+)(?=\s*(?:\/\/# debugId=\S+\s*)?$)/
const COMMENT_CHARACTERS_MAX = 2048

/**
 * Reads the scripts below a folder with their maps; what is installed (`node_modules`) is left out.
 * Null when there are too many.
 */
export async function readBuild(folder: string): Promise<readonly BuiltScript[] | null> {
  const paths = (await filesBelow(folder)).filter((path) => /\.[cm]?js$/.test(path)).sort()
  if (paths.length > filesMax) return null
  const scripts: BuiltScript[] = []
  for (const path of paths) {
    const code = await readFile(path, 'utf8')
    scripts.push({ path, name: nameOf(folder, path), code, map: await mapOf(folder, path, code) })
  }
  return scripts
}

async function mapOf(folder: string, path: string, code: string): Promise<BuiltMap | null> {
  const reference = mapComment.exec(code.slice(-COMMENT_CHARACTERS_MAX))?.[1] ?? ''
  const besides = [join(dirname(path), basename(decoded(reference))), `${path}.map`]
  for (const place of besides.filter((one) => one.endsWith('.map'))) {
    const text = await readFile(place, 'utf8').catch(() => null)
    if (text !== null) return { path: place, name: nameOf(folder, place), text }
  }
  return null
}

function decoded(reference: string): string {
  try {
    return decodeURIComponent(reference.replace(/[?#].*$/, ''))
  } catch {
    return ''
  }
}

function nameOf(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/')
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const found: string[] = []
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'node_modules')
      found.push(...(await filesBelow(path)))
    else if (entry.isFile()) found.push(path)
  }
  return found
}
