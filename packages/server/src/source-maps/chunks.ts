import { promisify } from 'node:util'
import { gunzip, zstdDecompress } from 'node:zlib'
import { AppError } from '../errors.ts'
import { placeholders } from '../storage/metadata/placeholders.ts'
import type { MetadataReader } from '../storage/metadata/port.ts'
import type { ArchiveBytes } from './archive.ts'
import { CHUNK_BYTES_MAX, WAITING_BYTES_MAX } from './limits.ts'
import { nameBlob, putUnnamed, sha1Of, type UploadStores } from './stored-files.ts'
import { UnusableUpload } from './unusable-upload.ts'

const decoders = {
  gzip: { magic: [0x1f, 0x8b], decode: promisify(gunzip) },
  zstd: { magic: [0x28, 0xb5, 0x2f, 0xfd], decode: promisify(zstdDecompress) },
}

/**
 * Returns the content of a part that was sent as it is, gzipped or as zstd: the one that has this
 * sha1, which stands for what headers say. @throws UnusableUpload
 */
export async function decodeChunk(sha1: string, sent: Uint8Array): Promise<Uint8Array> {
  const encoding = Object.values(decoders).find(({ magic }) =>
    magic.every((byte, index) => sent[index] === byte),
  )
  if (sent.byteLength <= CHUNK_BYTES_MAX && sha1Of(sent) === sha1) return sent
  const content =
    encoding === undefined
      ? null
      : await encoding.decode(sent, { maxOutputLength: CHUNK_BYTES_MAX }).catch(() => null)
  if (content !== null && sha1Of(content) === sha1) return content
  throw new UnusableUpload(
    `The part ${sha1} has another checksum, or more than ${CHUNK_BYTES_MAX} bytes.`,
  )
}

/** Stores a part, once. @throws INPUT_INVALID when too many wait */
export async function keepChunk(
  stores: UploadStores,
  chunk: { readonly sha1: string; readonly content: Uint8Array },
  now: number,
): Promise<void> {
  const { metadata } = stores
  if ((await presentChunks(metadata, [chunk.sha1], now)).size > 0) return
  const [waiting] = await metadata.all<{ bytes: number }>(
    'select coalesce(sum(bytes), 0) as bytes from artifact_chunks',
  )
  if ((waiting?.bytes ?? 0) + chunk.content.byteLength > WAITING_BYTES_MAX) {
    throw new AppError('INPUT_INVALID', 'Too many parts of uploads wait; try again in an hour.')
  }
  const blobKey = await putUnnamed(stores, 'upload-chunks', chunk.content, now)
  await metadata.transaction(async (tx) => {
    const made = await tx.all(
      `insert into artifact_chunks (sha1, blob_key, bytes, used_at) values (?, ?, ?, ?)
       on conflict (sha1) do nothing returning sha1`,
      chunk.sha1,
      blobKey,
      chunk.content.byteLength,
      now,
    )
    if (made.length > 0) await nameBlob(tx, blobKey)
  })
}

/** Says which of these parts are here, and keeps them for the hour to come. */
export async function presentChunks(
  tx: MetadataReader,
  sha1s: readonly string[],
  now: number,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>()
  for (let from = 0; from < sha1s.length; from += CHUNKS_AT_ONCE) {
    const some = sha1s.slice(from, from + CHUNKS_AT_ONCE)
    const rows = await tx.all<{ sha1: string }>(
      `update artifact_chunks set used_at = ? where sha1 in (${placeholders(some)}) returning sha1`,
      now,
      ...some,
    )
    for (const { sha1 } of rows) present.add(sha1)
  }
  return present
}

/** Values of one statement. */
const CHUNKS_AT_ONCE = 500

interface StoredChunk {
  readonly blobKey: string
  readonly start: number
  readonly end: number
}

/** The parts of an archive as one. @throws UnusableUpload when one is not here */
export async function joinChunks(
  { metadata, blobs }: UploadStores,
  sha1s: readonly string[],
): Promise<ArchiveBytes> {
  const chunks: StoredChunk[] = []
  let bytes = 0
  for (const sha1 of sha1s) {
    const [row] = await metadata.all<{ blob_key: string; bytes: number }>(
      'select blob_key, bytes from artifact_chunks where sha1 = ?',
      sha1,
    )
    if (row === undefined) throw new UnusableUpload(`The part ${sha1} is not here.`)
    chunks.push({ blobKey: row.blob_key, start: bytes, end: bytes + row.bytes })
    bytes += row.bytes
  }
  // Files follow each other, so that the last part read is mostly the next one needed.
  let last: { readonly chunk: StoredChunk; readonly content: Buffer } | null = null
  const contentOf = async (chunk: StoredChunk): Promise<Buffer> => {
    if (last?.chunk === chunk) return last.content
    const stored = await blobs.get(chunk.blobKey)
    if (stored === null) throw new UnusableUpload('A part of the upload was lost; send it again.')
    const content = Buffer.from(await new Response(stored.body).arrayBuffer())
    last = { chunk, content }
    return content
  }
  return {
    bytes,
    async *read(start, end) {
      for (const chunk of chunks) {
        if (chunk.end <= start || chunk.start >= end) continue
        const content = await contentOf(chunk)
        yield content.subarray(Math.max(0, start - chunk.start), end - chunk.start)
      }
    },
  }
}
