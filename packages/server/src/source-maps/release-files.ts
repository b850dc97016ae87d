import { AppError } from '../errors.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import { addFiles, type KeptFile } from './add-files.ts'
import { beginBundle, findFilesBundle } from './bundles.ts'
import { ARCHIVE_FILES_MAX } from './limits.ts'

/**
 * Adds a file to those of its release, and returns its id; null when the release has one of this url.
 * @throws INPUT_INVALID when the release has too many
 */
export async function addReleaseFile(
  metadata: Metadata,
  files: { readonly projectId: number; readonly release: string; readonly dist: string | null },
  kept: KeptFile,
  now: number,
): Promise<number | null> {
  return metadata.transaction(async (tx) => {
    const known = await findFilesBundle(tx, files)
    if ((known?.fileCount ?? 0) >= ARCHIVE_FILES_MAX) {
      throw new AppError('INPUT_INVALID', `file: a release has at most ${ARCHIVE_FILES_MAX} files`)
    }
    const { projectId } = files
    const row = { ...files, origin: 'files', checksum: '', state: 'ok', chunks: [] } as const
    const id = known?.id ?? (await beginBundle(tx, row, now))
    const byUrl = 'select id from artifacts where bundle_id = ? and url = ?'
    if ((await tx.all(byUrl, id, kept.url)).length > 0) return null
    await addFiles(tx, { id, projectId }, [kept], known?.problems ?? [])
    const [added] = await tx.all<{ id: number }>(byUrl, id, kept.url)
    return added?.id ?? null
  })
}
