import { AppError } from '../errors.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'
import { growGeneration } from './artifacts.ts'
import { presentChunks } from './chunks.ts'
import { BUNDLES_PER_PROJECT_MAX } from './limits.ts'

/** The way of an upload: as an archive, as files sent one by one, or by the watched folder. */
export type BundleOrigin = 'archive' | 'files' | 'folder'
export type BundleState = 'assembling' | 'ok' | 'error'

/** One upload of a project. Times are ms. */
export interface Bundle {
  readonly id: number
  readonly projectId: number
  readonly origin: BundleOrigin
  /** Sha1 of the archive; empty for other origins. */
  readonly checksum: string
  readonly release: string | null
  readonly dist: string | null
  readonly state: BundleState
  /** Why it failed; of one that is ok, what is wrong with single files. */
  readonly problems: readonly string[]
  readonly fileCount: number
  /** All files, uncompressed. */
  readonly bytes: number
  readonly uploadedAt: number
}

export interface UploadedArchive {
  readonly checksum: string
  /** Sha1s of its parts, in order. */
  readonly chunks: readonly string[]
  readonly projectIds: readonly number[]
  readonly release: string | null
  readonly dist: string | null
}

export type ArchiveState =
  | { readonly state: 'not_found'; readonly missingChunks: readonly string[] }
  | { readonly state: 'created' | 'assembling' | 'ok' }
  | { readonly state: 'error'; readonly detail: string }

/**
 * Asks for an archive to be taken in by `process`, once all its parts are here, and says how far that
 * is. Asking again is harmless; one that failed is tried again with other parts only.
 * @throws INPUT_INVALID when a project has too many
 */
export async function requestAssembly(
  metadata: Metadata,
  archive: UploadedArchive,
  now: number,
): Promise<ArchiveState> {
  return metadata.transaction(async (tx) => {
    const known: KnownBundle[] = []
    for (const projectId of archive.projectIds)
      known.push(await knownBundle(tx, archive, projectId))
    if (known.every(({ state }) => state === 'ok')) return { state: 'ok' }
    const failed = known.find(({ state }) => state === 'error')
    if (failed !== undefined) return { state: 'error', detail: failed.problems[0] ?? '' }
    const present = await presentChunks(tx, archive.chunks, now)
    const missingChunks = archive.chunks.filter((sha1) => !present.has(sha1))
    if (missingChunks.length > 0) {
      return { state: 'not_found', missingChunks: [...new Set(missingChunks)] }
    }
    const fresh = known.filter(({ state }) => state === null)
    for (const { projectId } of fresh) {
      await beginBundle(
        tx,
        { ...archive, origin: 'archive', projectId, chunks: archive.chunks, state: 'assembling' },
        now,
      )
    }
    return { state: fresh.length > 0 ? 'created' : 'assembling' }
  })
}

interface KnownBundle {
  readonly projectId: number
  /** Null when there is none, or one that failed with other parts. */
  readonly state: BundleState | null
  readonly problems: readonly string[]
}

async function knownBundle(
  tx: MetadataReader,
  archive: UploadedArchive,
  projectId: number,
): Promise<KnownBundle> {
  const [row] = await tx.all<{ state: BundleState; problems: string; chunks: string }>(
    `select state, problems, chunks from artifact_bundles
     where project_id = ? and origin = 'archive' and checksum = ?
       and coalesce(release, '') = ? and coalesce(dist, '') = ?`,
    projectId,
    archive.checksum,
    archive.release ?? '',
    archive.dist ?? '',
  )
  const isOther = row?.state === 'error' && row.chunks !== JSON.stringify(archive.chunks)
  if (row === undefined || isOther) return { projectId, state: null, problems: [] }
  return { projectId, state: row.state, problems: JSON.parse(row.problems) as string[] }
}

/** Makes the row of an upload, or returns the one that is there. @throws INPUT_INVALID */
export async function beginBundle(
  tx: MetadataReader,
  bundle: {
    readonly projectId: number
    readonly origin: BundleOrigin
    readonly checksum: string
    readonly release: string | null
    readonly dist: string | null
    readonly state: BundleState
    readonly chunks: readonly string[]
  },
  now: number,
): Promise<number> {
  const [count] = await tx.all<{ n: number }>(
    'select count(*) as n from artifact_bundles where project_id = ?',
    bundle.projectId,
  )
  if ((count?.n ?? 0) >= BUNDLES_PER_PROJECT_MAX) {
    throw new AppError('INPUT_INVALID', 'This project has too many uploads; delete some of them.')
  }
  const [row] = await tx.all<{ id: number }>(
    `insert into artifact_bundles
       (project_id, origin, checksum, release, dist, state, chunks, uploaded_at, used_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (project_id, origin, checksum, coalesce(release, ''), coalesce(dist, ''))
     do update set state = excluded.state, chunks = excluded.chunks, problems = '[]',
       uploaded_at = excluded.uploaded_at
     returning id`,
    bundle.projectId,
    bundle.origin,
    bundle.checksum,
    bundle.release,
    bundle.dist,
    bundle.state,
    JSON.stringify(bundle.chunks),
    now,
    now,
  )
  return row?.id ?? 0
}

interface BundleRow {
  readonly id: number
  readonly project_id: number
  readonly origin: BundleOrigin
  readonly checksum: string
  readonly release: string | null
  readonly dist: string | null
  readonly state: BundleState
  readonly problems: string
  readonly file_count: number
  readonly bytes: number
  readonly uploaded_at: number
}

const COLUMNS = `id, project_id, origin, checksum, release, dist, state, problems, file_count, bytes,
  uploaded_at`

function bundleOf(row: BundleRow): Bundle {
  return {
    id: row.id,
    projectId: row.project_id,
    origin: row.origin,
    checksum: row.checksum,
    release: row.release,
    dist: row.dist,
    state: row.state,
    problems: JSON.parse(row.problems) as string[],
    fileCount: row.file_count,
    bytes: row.bytes,
    uploadedAt: row.uploaded_at,
  }
}

/** Lists the uploads of a project, newest first; `like` is a part of the release or a debug id. */
export async function listBundles(
  metadata: Metadata,
  question: {
    readonly projectId: number
    readonly like: string
    readonly offset: number
    readonly limit: number
  },
): Promise<readonly Bundle[]> {
  const like = question.like.toLowerCase()
  const rows = await metadata.all<BundleRow>(
    `select ${COLUMNS} from artifact_bundles
     where project_id = ? and (? = '' or instr(lower(coalesce(release, '')), ?) > 0 or id in
       (select bundle_id from artifacts where project_id = ? and debug_id = ?))
     order by uploaded_at desc, id desc limit ? offset ?`,
    question.projectId,
    like,
    like,
    question.projectId,
    like,
    question.limit,
    question.offset,
  )
  return rows.map(bundleOf)
}

/** An upload of a project; null when it has none of this id. */
export async function findBundle(
  metadata: Metadata,
  projectId: number,
  id: number,
): Promise<Bundle | null> {
  const [row] = await metadata.all<BundleRow>(
    `select ${COLUMNS} from artifact_bundles where project_id = ? and id = ?`,
    projectId,
    id,
  )
  return row === undefined ? null : bundleOf(row)
}

/** The upload of files that were sent one by one for a release; null before the first. */
export async function findFilesBundle(
  tx: MetadataReader,
  files: { readonly projectId: number; readonly release: string; readonly dist: string | null },
): Promise<Bundle | null> {
  const [row] = await tx.all<BundleRow>(
    `select ${COLUMNS} from artifact_bundles
     where project_id = ? and origin = 'files' and release = ? and coalesce(dist, '') = ?`,
    files.projectId,
    files.release,
    files.dist ?? '',
  )
  return row === undefined ? null : bundleOf(row)
}

/** Deletes an upload; its files go when no other upload has them. Returns whether there was one. */
export async function deleteBundle(
  metadata: Metadata,
  projectId: number,
  id: number,
): Promise<boolean> {
  return (await deleteWhere(metadata, projectId, 'id', id)) > 0
}

/** Deletes all uploads of a release in a project. Returns how many. */
export function deleteReleaseBundles(
  metadata: Metadata,
  projectId: number,
  release: string,
): Promise<number> {
  return deleteWhere(metadata, projectId, 'release', release)
}

function deleteWhere(
  metadata: Metadata,
  projectId: number,
  column: 'id' | 'release',
  value: number | string,
): Promise<number> {
  return metadata.transaction(async (tx) => {
    const rows = await tx.all(
      `delete from artifact_bundles where project_id = ? and ${column} = ? returning id`,
      projectId,
      value,
    )
    if (rows.length > 0) await growGeneration(tx, projectId)
    return rows.length
  })
}
