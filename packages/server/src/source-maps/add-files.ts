import type { MetadataReader } from '../storage/metadata/port.ts'
import { type ArtifactKind, growGeneration } from './artifacts.ts'
import { debugIdOfMap, debugIdOfScript, mapReferenceOfScript } from './debug-ids.ts'
import { PROBLEMS_MAX } from './limits.ts'
import { keepFile, type UploadStores } from './stored-files.ts'

/** A file as it was uploaded, with what was said of it; what was not is read in its text. */
export interface UploadedFile {
  readonly kind: ArtifactKind
  readonly url: string
  readonly debugId: string | null
  readonly sourceMapReference: string | null
  readonly content: Buffer
}

/** A file whose content is stored, ready to be named by an upload. */
export interface KeptFile extends Omit<UploadedFile, 'content'> {
  readonly sha1: string
  /** Uncompressed. */
  readonly bytes: number
}

/** Stores the content of a file, and reads what was not said of it. */
export async function keepUploadedFile(
  stores: UploadStores,
  { content, ...file }: UploadedFile,
  now: number,
): Promise<KeptFile> {
  const sha1 = await keepFile(stores, content, now)
  const kept = { ...file, sha1, bytes: content.byteLength }
  switch (file.kind) {
    case 'minified_source':
      return {
        ...kept,
        debugId: file.debugId ?? debugIdOfScript(content),
        sourceMapReference: file.sourceMapReference ?? mapReferenceOfScript(content),
      }
    case 'source_map':
      return { ...kept, debugId: file.debugId ?? debugIdOfMap(content) }
    case 'source':
      return kept
  }
}

/**
 * Names files in an upload, which is whole with that. A map whose debug id another map of the project
 * has already is kept too, but not used; that is a problem of the upload.
 */
export async function addFiles(
  tx: MetadataReader,
  bundle: { readonly id: number; readonly projectId: number },
  files: readonly KeptFile[],
  problems: readonly string[],
): Promise<void> {
  const found = [...problems]
  for (const file of files) {
    const conflict = await conflictOf(tx, bundle.projectId, file)
    if (conflict !== null) found.push(conflict)
    await tx.all(
      `insert into artifacts
         (bundle_id, project_id, kind, url, debug_id, sha1, source_map_reference)
       values (?, ?, ?, ?, ?, ?, ?)`,
      bundle.id,
      bundle.projectId,
      file.kind,
      file.url,
      file.debugId,
      file.sha1,
      file.sourceMapReference,
    )
  }
  await tx.all(
    `update artifact_bundles set state = 'ok', chunks = '[]', problems = ?,
       file_count = file_count + ?, bytes = bytes + ? where id = ?`,
    JSON.stringify(found.slice(0, PROBLEMS_MAX)),
    files.length,
    files.reduce((sum, file) => sum + file.bytes, 0),
    bundle.id,
  )
  await growGeneration(tx, bundle.projectId)
}

async function conflictOf(
  tx: MetadataReader,
  projectId: number,
  file: KeptFile,
): Promise<string | null> {
  if (file.kind !== 'source_map' || file.debugId === null) return null
  const [first] = await tx.all<{ sha1: string; url: string }>(
    `select sha1, url from artifacts
     where project_id = ? and debug_id = ? and kind = 'source_map' order by id limit 1`,
    projectId,
    file.debugId,
  )
  if (first === undefined || first.sha1 === file.sha1) return null
  return `${file.url} has the debug id ${file.debugId} of another map, ${first.url}, which is used.`
}
