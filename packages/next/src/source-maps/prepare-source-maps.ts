import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { debugIdIn, debugIdOf, injectDebugId } from './debug-id.ts'

export interface SourceMapOptions {
  /** Folder for them below the build's folder; by default `source-maps`. */
  readonly folder?: string
  /** Leaves the maps of the browser where everyone can read them too. */
  readonly isPublic?: boolean
}

const mapComment = /\/\/[#@] sourceMappingURL=([^\s]+)\s*$/

/** One file of a build, as the list beside the maps names it. */
export interface PreparedFile {
  readonly debugId: string
  /** Address of the file: `~/_next/static/…` of the browser, `app:///_next/server/…` of the server. */
  readonly url: string
  /** The map's place below the folder. */
  readonly map: string
  /** The file's own place below the build's folder. */
  readonly file: string
}

/**
 * Gives every script of a build and its map a debug id, and collects the maps, with a list of them in
 * `manifest.json`. Maps of the browser leave the folder that is served, and the scripts no longer
 * name them; those of the server stay where they are as well.
 */
export function prepareSourceMaps(build: string, options: SourceMapOptions = {}): PreparedFile[] {
  const folder = join(build, options.folder ?? 'source-maps')
  rmSync(folder, { recursive: true, force: true })
  const files = [
    ...scriptsBelow(join(build, 'static')).flatMap(
      (path) => prepare(path, { build, folder, keepsMap: options.isPublic === true }) ?? [],
    ),
    ...scriptsBelow(join(build, 'server')).flatMap(
      (path) => prepare(path, { build, folder, keepsMap: true }) ?? [],
    ),
  ]
  if (options.isPublic !== true) removeMaps(join(build, 'static'))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ files }, null, 1))
  return files
}

function scriptsBelow(folder: string): string[] {
  return filesBelow(folder).filter((path) => /\.[cm]?js$/.test(path))
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function prepare(
  path: string,
  {
    build,
    folder,
    keepsMap,
  }: { readonly build: string; readonly folder: string; readonly keepsMap: boolean },
): PreparedFile | null {
  const code = readFileSync(path, 'utf8')
  const mapPath = mapOf(path, code)
  if (!existsSync(mapPath)) return null
  const map = readFileSync(mapPath, 'utf8')
  // A file that was there in the last build, and was not made anew, has its id already.
  const present = debugIdIn(code)
  const debugId = present ?? debugIdOf(code)
  const injected =
    present === null
      ? injectDebugId({ code, map, debugId, keepsMapComment: keepsMap })
      : { code, map }
  if (injected === null) return null
  const name = `${debugId}.js.map`
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), injected.map)
  if (present === null) {
    writeFileSync(path, injected.code)
    if (keepsMap) writeFileSync(mapPath, injected.map)
  }
  const file = relative(build, path).split(sep).join('/')
  const url = file.startsWith('static/') ? `~/_next/${file}` : `app:///_next/${file}`
  return { debugId, url, map: name, file }
}

/** Turbopack's maps of the browser have hashes of their own in their names; the file's end has the name. */
function mapOf(path: string, code: string): string {
  const name = mapComment.exec(code.slice(-2000))?.[1]
  try {
    return name === undefined
      ? `${path}.map`
      : join(dirname(path), basename(decodeURIComponent(name)))
  } catch {
    return `${path}.map`
  }
}

/** Also those of stylesheets, and of scripts that could not be read. */
function removeMaps(folder: string): void {
  for (const path of filesBelow(folder)) {
    if (path.endsWith('.map')) rmSync(path)
    else if (/\.(css|[cm]?js)$/.test(path)) removeComment(path)
  }
}

function removeComment(path: string): void {
  const text = readFileSync(path, 'utf8')
  const without = text.replace(
    /\n?(?:\/\/[#@] sourceMappingURL=[^\n]*|\/\*# sourceMappingURL=[^*]*\*\/)\s*$/,
    '\n',
  )
  if (without !== text) writeFileSync(path, without)
}
