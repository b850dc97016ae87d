import { ZipFile } from 'yazl'
import type { ArtifactKind } from './artifacts.ts'
import { sha1Of } from './stored-files.ts'

export interface ArchiveFile {
  readonly kind?: ArtifactKind
  readonly url: string
  readonly content: string
  readonly headers?: Readonly<Record<string, unknown>>
}

/** Makes an archive as Sentry's tools do: files, a manifest that names them, `SYSB` before it all. */
export async function makeArchive(
  files: readonly ArchiveFile[],
  options: {
    readonly isPlain?: boolean
    readonly isStored?: boolean
    readonly manifest?: unknown
  } = {},
): Promise<Buffer> {
  const compress = options.isStored !== true
  const members = files.map(({ kind = 'minified_source', url, headers = {} }) => [
    `files/${url.replace('~', '_')}`,
    { type: kind, url, headers },
  ])
  const manifest = options.manifest ?? { files: Object.fromEntries(members) as unknown }
  const entries = new Map([['manifest.json', JSON.stringify(manifest)]])
  for (const { url, content } of files) entries.set(`files/${url.replace('~', '_')}`, content)
  const zip = await zipOf(entries, compress)
  // Without the header its offsets begin at the first byte of the ZIP, as of one made by any tool.
  return options.isPlain === true ? zip : Buffer.concat([Buffer.from('SYSB\u0002\0\0\0'), zip])
}

/** Makes a ZIP of texts by their names. */
export async function zipOf(
  entries: ReadonlyMap<string, string | Buffer>,
  compress = true,
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, content] of entries) zip.addBuffer(Buffer.from(content), name, { compress })
  zip.end()
  const parts: Buffer[] = []
  for await (const part of zip.outputStream) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

/** Cuts an archive into parts, each with its checksum. */
export function cut(
  archive: Buffer,
  bytes: number,
): readonly { readonly sha1: string; readonly content: Buffer }[] {
  return Array.from({ length: Math.ceil(archive.length / bytes) }, (_, index) => {
    const content = archive.subarray(index * bytes, (index + 1) * bytes)
    return { sha1: sha1Of(content), content }
  })
}
