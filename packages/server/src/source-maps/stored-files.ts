import { hash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import type { Blobs } from '../storage/blobs/port.ts'
import type { Metadata, MetadataReader } from '../storage/metadata/port.ts'

export interface UploadStores {
  readonly metadata: Metadata
  readonly blobs: Blobs
}

const compress = promisify(zstdCompress)

/** Computes the sha1 by which clients and this server know a content. */
export function sha1Of(content: Uint8Array): string {
  return hash('sha1', content)
}

/**
 * Stores a content, once: one that is here already is only noted as used. Returns its sha1. A row
 * that names it must follow within the hour that unused files are kept.
 */
export async function keepFile(
  { metadata, blobs }: UploadStores,
  content: Uint8Array,
  now: number,
): Promise<string> {
  const sha1 = sha1Of(content)
  const known = await metadata.all(
    'update artifact_files set used_at = ? where sha1 = ? returning sha1',
    now,
    sha1,
  )
  if (known.length > 0) return sha1
  const blobKey = await putUnnamed({ metadata, blobs }, 'source-maps', await compress(content), now)
  await metadata.transaction(async (tx) => {
    const made = await tx.all(
      `insert into artifact_files (sha1, blob_key, bytes, used_at) values (?, ?, ?, ?)
       on conflict (sha1) do nothing returning sha1`,
      sha1,
      blobKey,
      content.byteLength,
      now,
    )
    if (made.length > 0) await nameBlob(tx, blobKey)
  })
  return sha1
}

/**
 * Writes a blob under a key that was never used. It is deleted some time later, unless `nameBlob` says
 * in the transaction of its row that it has one.
 */
export async function putUnnamed(
  { metadata, blobs }: UploadStores,
  folder: 'source-maps' | 'upload-chunks',
  body: Uint8Array,
  now: number,
): Promise<string> {
  const name = randomBytes(16).toString('hex')
  const blobKey = `${folder}/${name.slice(0, 2)}/${name}`
  await metadata.all(
    'insert into unnamed_artifact_blobs (blob_key, since) values (?, ?)',
    blobKey,
    now,
  )
  await blobs.put(blobKey, body)
  return blobKey
}

export async function nameBlob(tx: MetadataReader, blobKey: string): Promise<void> {
  await tx.all('delete from unnamed_artifact_blobs where blob_key = ?', blobKey)
}
