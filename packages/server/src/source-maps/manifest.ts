import type { ArtifactKind } from './artifacts.ts'
import { debugIdOf } from './debug-ids.ts'
import { ARCHIVE_FILES_MAX, URL_CHARACTERS_MAX } from './limits.ts'
import { UnusableUpload } from './unusable-upload.ts'

/** A file of an archive, as the archive's manifest describes it. */
export interface ManifestFile {
  /** Its place in the archive. */
  readonly path: string
  readonly kind: ArtifactKind
  readonly url: string
  readonly debugId: string | null
  readonly sourceMapReference: string | null
}

const kinds: readonly string[] = [
  'minified_source',
  'source_map',
  'source',
] satisfies ArtifactKind[]

/**
 * Reads `manifest.json` of an archive. Files that mean nothing here are left out, and told as
 * problems. @throws UnusableUpload
 */
export function readManifest(text: string): {
  readonly files: readonly ManifestFile[]
  readonly problems: readonly string[]
} {
  const members = recordOf(recordOf(parsed(text))?.['files'])
  if (members === null) throw new UnusableUpload('manifest.json has no object "files".')
  const entries = Object.entries(members)
  if (entries.length > ARCHIVE_FILES_MAX) {
    throw new UnusableUpload(`The archive has more than ${ARCHIVE_FILES_MAX} files.`)
  }
  const read = entries.map(([path, value]) => readFile(path, value))
  return {
    files: read.filter((one) => typeof one !== 'string'),
    problems: read.filter((one) => typeof one === 'string'),
  }
}

/** A file, or the reason it is left out. */
function readFile(path: string, value: unknown): ManifestFile | string {
  const { type, url, headers } = recordOf(value) ?? {}
  const name = JSON.stringify(path.slice(0, 200))
  if (typeof type !== 'string' || !kinds.includes(type)) {
    return `${name} is not a script, a map or a source.`
  }
  if (typeof url !== 'string' || url === '' || url.length > URL_CHARACTERS_MAX) {
    return `${name} has no url, or too long a one.`
  }
  const given = headersOf(headers)
  return {
    path,
    kind: type as ArtifactKind,
    url,
    debugId: debugIdOf(given('debug-id') ?? ''),
    sourceMapReference: given('sourcemap') ?? given('x-sourcemap'),
  }
}

/** Names of headers are written in any case. */
function headersOf(value: unknown): (name: string) => string | null {
  const headers = Object.entries(recordOf(value) ?? {})
  return (name) => {
    const found = headers.find(([key]) => key.toLowerCase() === name)?.[1]
    return typeof found === 'string' && found !== '' && found.length <= URL_CHARACTERS_MAX
      ? found
      : null
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnusableUpload('manifest.json is not JSON.')
  }
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  return value as Readonly<Record<string, unknown>>
}
