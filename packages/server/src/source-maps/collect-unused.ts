import type { Metadata } from '../storage/metadata/port.ts'
import { growGeneration } from './artifacts.ts'
import { UNUSED_MS } from './limits.ts'
import type { UploadStores } from './stored-files.ts'

const DAY_MS = 86_400_000

/** Rows of one statement, and blobs deleted before they are told as gone. */
const AT_ONCE = 200

/**
 * Deletes uploads that have outlived their use: older than the days to keep, no frame found in them
 * since, and their release not seen since. Then parts and files that nothing names, and their blobs.
 * If the process dies in between, the next call goes on. For `process` to call, every few minutes.
 */
export async function collectUnused(
  { metadata, blobs }: UploadStores,
  { now, retentionDays }: { readonly now: number; readonly retentionDays: number },
): Promise<void> {
  await deleteOldBundles(metadata, now - retentionDays * DAY_MS)
  const before = now - UNUSED_MS
  // A part belongs to an archive that waits, or is waited for by the client that sends the others.
  await dropRows(
    metadata,
    `delete from artifact_chunks where sha1 in
       (select sha1 from artifact_chunks c where used_at < ? and not exists
         (select 1 from artifact_bundles b where b.state = 'assembling' and instr(b.chunks, c.sha1) > 0)
        limit ?)
     returning blob_key`,
    { before, now },
  )
  await dropRows(
    metadata,
    `delete from artifact_files where sha1 in
       (select sha1 from artifact_files f where used_at < ? and not exists
         (select 1 from artifacts a where a.sha1 = f.sha1)
        limit ?)
     returning blob_key`,
    { before, now },
  )
  for (;;) {
    const rows = await metadata.all<{ blob_key: string }>(
      'select blob_key from unnamed_artifact_blobs where since < ? limit ?',
      before,
      AT_ONCE,
    )
    if (rows.length === 0) return
    for (const { blob_key: key } of rows) await blobs.delete(key)
    for (const { blob_key: key } of rows) {
      await metadata.all('delete from unnamed_artifact_blobs where blob_key = ?', key)
    }
  }
}

/** Drops rows that name blobs, some at a time, and notes those in the same transaction. */
async function dropRows(
  metadata: Metadata,
  statement: string,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<void> {
  for (;;) {
    const dropped = await metadata.transaction(async (tx) => {
      const rows = await tx.all<{ blob_key: string }>(statement, before, AT_ONCE)
      for (const { blob_key: key } of rows) {
        // Someone may have found it a moment ago: its bytes stay another hour.
        await tx.all('insert into unnamed_artifact_blobs (blob_key, since) values (?, ?)', key, now)
      }
      return rows.length
    })
    if (dropped === 0) return
  }
}

async function deleteOldBundles(metadata: Metadata, before: number): Promise<void> {
  await metadata.transaction(async (tx) => {
    const rows = await tx.all<{ project_id: number }>(
      `delete from artifact_bundles where uploaded_at < ? and used_at < ? and not exists
         (select 1 from releases r where r.project_id = artifact_bundles.project_id
            and r.version = artifact_bundles.release and coalesce(r.last_seen, r.created_at) >= ?)
       returning project_id`,
      before,
      before,
      before,
    )
    for (const projectId of new Set(rows.map((row) => row.project_id))) {
      await growGeneration(tx, projectId)
    }
  })
}
