import type { Metadata } from '../storage/metadata/port.ts'
import type { ArtifactKind } from './artifacts.ts'
import { growGeneration } from './artifacts.ts'

/** A file of an upload, as lists show it. */
export interface BundleFile {
  readonly id: number
  readonly bundleId: number
  readonly kind: ArtifactKind
  readonly url: string
  readonly debugId: string | null
  readonly sourceMapReference: string | null
  readonly sha1: string
  readonly bytes: number
  readonly dist: string | null
  readonly uploadedAt: number
}

const COLUMNS = `a.id, a.bundle_id as "bundleId", a.kind, a.url, a.debug_id as "debugId",
  a.source_map_reference as "sourceMapReference", a.sha1, f.bytes, b.dist,
  b.uploaded_at as "uploadedAt"`

const TABLES = `artifacts a join artifact_files f on f.sha1 = a.sha1
  join artifact_bundles b on b.id = a.bundle_id`

/** Lists the files of an upload, by url. */
export async function listFiles(
  metadata: Metadata,
  question: { readonly bundleId: number; readonly offset: number; readonly limit: number },
): Promise<readonly BundleFile[]> {
  return metadata.all<BundleFile>(
    `select ${COLUMNS} from ${TABLES} where a.bundle_id = ? order by a.url, a.id limit ? offset ?`,
    question.bundleId,
    question.limit,
    question.offset,
  )
}

/** Lists the files of a release in a project, of all its uploads, by url. */
export async function listReleaseFiles(
  metadata: Metadata,
  question: {
    readonly projectId: number
    readonly release: string
    readonly offset: number
    readonly limit: number
  },
): Promise<readonly BundleFile[]> {
  return metadata.all<BundleFile>(
    `select ${COLUMNS} from ${TABLES} where b.project_id = ? and b.release = ?
     order by a.url, a.id limit ? offset ?`,
    question.projectId,
    question.release,
    question.limit,
    question.offset,
  )
}

/** A file of a release by its id; null when there is none. */
export async function findReleaseFile(
  metadata: Metadata,
  question: { readonly projectId: number; readonly release: string; readonly id: number },
): Promise<BundleFile | null> {
  const [row] = await metadata.all<BundleFile>(
    `select ${COLUMNS} from ${TABLES} where b.project_id = ? and b.release = ? and a.id = ?`,
    question.projectId,
    question.release,
    question.id,
  )
  return row ?? null
}

/** Takes a file out of its upload, and deletes the upload with its last. */
export async function deleteFile(
  metadata: Metadata,
  projectId: number,
  file: BundleFile,
): Promise<void> {
  await metadata.transaction(async (tx) => {
    const gone = await tx.all('delete from artifacts where id = ? returning id', file.id)
    if (gone.length === 0) return
    await tx.all(
      'update artifact_bundles set file_count = file_count - 1, bytes = bytes - ? where id = ?',
      file.bytes,
      file.bundleId,
    )
    await tx.all('delete from artifact_bundles where id = ? and file_count = 0', file.bundleId)
    await growGeneration(tx, projectId)
  })
}
