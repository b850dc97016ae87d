import { createHash } from 'node:crypto'
import { addFiles, type KeptFile, keepUploadedFile } from './add-files.ts'
import { openArchive, type Archive, type ArchiveBytes } from './archive.ts'
import { joinChunks } from './chunks.ts'
import { ARCHIVE_BYTES_MAX, MANIFEST_BYTES_MAX } from './limits.ts'
import { readManifest } from './manifest.ts'
import type { UploadStores } from './stored-files.ts'
import { UnusableUpload } from './unusable-upload.ts'

interface WaitingBundle {
  readonly id: number
  readonly projectId: number
  readonly checksum: string
  readonly chunks: readonly string[]
}

/**
 * Takes in the archives that wait for it, in the order in which they were asked for. One that cannot
 * be read says why; one that was broken off begins anew. For `process` to call often; returns how
 * many it took.
 */
export async function assembleUploads(
  stores: UploadStores,
  { now, signal }: { readonly now: () => number; readonly signal?: AbortSignal },
): Promise<number> {
  for (let taken = 0; ; taken += 1) {
    const bundle = signal?.aborted === true ? null : await nextWaiting(stores)
    if (bundle === null) return taken
    try {
      await assemble(stores, bundle, now, signal)
    } catch (cause) {
      if (!(cause instanceof UnusableUpload)) throw cause
      await stores.metadata.all(
        "update artifact_bundles set state = 'error', problems = ? where id = ?",
        JSON.stringify([cause.message]),
        bundle.id,
      )
    }
  }
}

async function nextWaiting({ metadata }: UploadStores): Promise<WaitingBundle | null> {
  const [row] = await metadata.all<{
    id: number
    project_id: number
    checksum: string
    chunks: string
  }>(
    `select id, project_id, checksum, chunks from artifact_bundles
     where state = 'assembling' order by id limit 1`,
  )
  if (row === undefined) return null
  const chunks = JSON.parse(row.chunks) as string[]
  return { id: row.id, projectId: row.project_id, checksum: row.checksum, chunks }
}

async function assemble(
  stores: UploadStores,
  bundle: WaitingBundle,
  now: () => number,
  signal?: AbortSignal,
): Promise<void> {
  const source = await joinChunks(stores, bundle.chunks)
  if (source.bytes > ARCHIVE_BYTES_MAX) {
    throw new UnusableUpload(`The archive has more than ${ARCHIVE_BYTES_MAX} bytes.`)
  }
  if ((await checksumOf(source)) !== bundle.checksum) {
    throw new UnusableUpload('The parts together do not have the checksum of the archive.')
  }
  const archive = await openArchive(source)
  try {
    const { files, problems } = await keepArchive(stores, archive, now, signal)
    // Broken off: the next start begins anew, and finds most files stored.
    if (signal?.aborted === true) return
    await stores.metadata.transaction(async (tx) => {
      const [row] = await tx.all(
        "select 1 from artifact_bundles where id = ? and state = 'assembling'",
        bundle.id,
      )
      // It may have been deleted meanwhile.
      if (row !== undefined) await addFiles(tx, bundle, files, problems)
    })
  } finally {
    archive.close()
  }
}

async function checksumOf(source: ArchiveBytes): Promise<string> {
  const sum = createHash('sha1')
  for await (const part of source.read(0, source.bytes)) sum.update(part)
  return sum.digest('hex')
}

async function keepArchive(
  stores: UploadStores,
  archive: Archive,
  now: () => number,
  signal?: AbortSignal,
): Promise<{ readonly files: readonly KeptFile[]; readonly problems: readonly string[] }> {
  const text = await archive.read('manifest.json', MANIFEST_BYTES_MAX)
  if (text === null) throw new UnusableUpload('The archive has no manifest.json.')
  const manifest = readManifest(text.toString('utf8'))
  const files: KeptFile[] = []
  const problems = [...manifest.problems]
  for (const { path, ...file } of manifest.files) {
    if (signal?.aborted === true) break
    const content = await archive.read(path)
    if (content === null) problems.push(`${JSON.stringify(path)} is not in the archive.`)
    else files.push(await keepUploadedFile(stores, { ...file, content }, now()))
  }
  return { files, problems }
}
