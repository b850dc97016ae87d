import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { NamedScript } from './give-debug-ids.ts'

interface ManifestFile {
  readonly type: 'minified_source' | 'source_map'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

/** Written for every file, so that the same files make the same archive. */
const mtime = new Date('1980-01-02T00:00:00Z')

/** Writes an archive of scripts and maps to `path`. Returns how many files it has. */
export async function makeArchive(
  scripts: readonly NamedScript[],
  options: {
    readonly path: string
    /** Address of the folder on the site: `~/`, or `~/_next/`. */
    readonly urlPrefix: string
    readonly release: string | null
    readonly dist: string | null
  },
): Promise<number> {
  const zip = new ZipFile()
  const files: Record<string, ManifestFile> = {}
  const add = (name: string, text: string, file: Omit<ManifestFile, 'url'>): void => {
    const path = `files/${name}`
    if (Object.hasOwn(files, path)) return
    files[path] = { ...file, url: `${options.urlPrefix}${name}` }
    zip.addBuffer(Buffer.from(text), path, { mtime })
  }
  for (const { name, code, map, debugId } of scripts) {
    const own: Record<string, string> = debugId === null ? {} : { 'debug-id': debugId }
    const reference = map === null ? {} : { sourcemap: relativeUrl(name, map.name) }
    add(name, code, { type: 'minified_source', headers: { ...own, ...reference } })
    if (map !== null) add(map.name, map.text, { type: 'source_map', headers: own })
  }
  const { release, dist } = options
  zip.addBuffer(Buffer.from(JSON.stringify({ files, release, dist })), 'manifest.json', { mtime })
  zip.end()
  await pipeline(zip.outputStream, createWriteStream(options.path))
  return Object.keys(files).length
}

/** Both lie in one folder, where the script names its map. */
function relativeUrl(script: string, map: string): string {
  const folder = script.slice(0, script.lastIndexOf('/') + 1)
  return map.startsWith(folder) ? map.slice(folder.length) : map
}
