import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl'
import { AppError } from '../errors.ts'
import {
  ARCHIVE_FILES_MAX,
  ARTIFACT_BYTES_MAX,
  EXPANDED_BYTES_MAX,
  EXPANSION_FREE_BYTES,
  EXPANSION_MAX,
} from './limits.ts'
import { UnusableUpload } from './unusable-upload.ts'

/** Bytes that can be read from any place. */
export interface ArchiveBytes {
  readonly bytes: number
  /** Yields the bytes from `start` to before `end`. */
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** The files of a ZIP, by their names in it. */
export interface Archive {
  /** Reads a file; null when there is none of this name. @throws UnusableUpload */
  read(path: string, bytesMax?: number): Promise<Buffer | null>
  close(): void
}

/** Stands before the ZIP of Sentry's tools, with a version of four bytes. */
const SYSB_BYTES = 8

/**
 * Opens a ZIP, with or without Sentry's header before it. Nothing of it is written by its name.
 * @throws UnusableUpload
 */
export async function openArchive(source: ArchiveBytes): Promise<Archive> {
  try {
    return await openZip(source)
  } catch (cause) {
    // Sentry's tools count places in the ZIP from the header; others put it before a finished ZIP.
    if (!(cause instanceof UnusableUpload) || !(await hasHeader(source))) throw cause
    return openZip({
      bytes: source.bytes - SYSB_BYTES,
      read: (start, end) => source.read(start + SYSB_BYTES, end + SYSB_BYTES),
    })
  }
}

async function hasHeader(source: ArchiveBytes): Promise<boolean> {
  if (source.bytes < SYSB_BYTES) return false
  const parts: Uint8Array[] = []
  for await (const part of source.read(0, SYSB_BYTES)) parts.push(part)
  return Buffer.concat(parts).toString('latin1').startsWith('SYSB')
}

async function openZip(source: ArchiveBytes): Promise<Archive> {
  const zip = await orUnusable(
    fromRandomAccessReaderPromise(new SourceReader(source), source.bytes, {
      autoClose: false,
      validateEntrySizes: true,
    }),
  )
  try {
    const entries = await entriesOf(zip)
    return {
      read: async (path, bytesMax = ARTIFACT_BYTES_MAX) => {
        const entry = entries.get(path)
        return entry === undefined ? null : readEntry(zip, entry, bytesMax)
      },
      close: () => zip.close(),
    }
  } catch (cause) {
    zip.close()
    throw cause
  }
}

async function entriesOf(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  if (zip.entryCount > ARCHIVE_FILES_MAX + 1) {
    throw new UnusableUpload(`The archive has more than ${ARCHIVE_FILES_MAX} files.`)
  }
  const entries = new Map<string, Entry>()
  let bytes = 0
  const each = zip.eachEntry()
  for (;;) {
    const next = await orUnusable(each.next())
    if (next.done === true) return entries
    bytes += next.value.uncompressedSize
    if (bytes > EXPANDED_BYTES_MAX) {
      throw new UnusableUpload(`The archive has more than ${EXPANDED_BYTES_MAX} bytes of files.`)
    }
    entries.set(next.value.fileName, next.value)
  }
}

async function readEntry(zip: ZipFile, entry: Entry, bytesMax: number): Promise<Buffer> {
  const name = JSON.stringify(entry.fileName.slice(0, 200))
  const { uncompressedSize: bytes, compressedSize } = entry
  if (bytes > bytesMax) throw new UnusableUpload(`${name} has more than ${bytesMax} bytes.`)
  if (bytes > EXPANSION_FREE_BYTES && bytes > compressedSize * EXPANSION_MAX) {
    throw new UnusableUpload(`${name} expands more than ${EXPANSION_MAX} times.`)
  }
  const parts: Buffer[] = []
  const stream = await orUnusable(zip.openReadStreamPromise(entry))
  await orUnusable(
    (async () => {
      for await (const part of stream) parts.push(part as Buffer)
    })(),
  )
  const content = Buffer.concat(parts)
  if (crc32(content) !== entry.crc32) throw new UnusableUpload(`${name} is damaged in the archive.`)
  return content
}

/** Our own failures stay what they are; all others say that the archive cannot be read. */
async function orUnusable<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new UnusableUpload(`The archive cannot be read: ${why.slice(0, 300)}.`)
  }
}

class SourceReader extends RandomAccessReader {
  readonly #source: ArchiveBytes

  constructor(source: ArchiveBytes) {
    super()
    this.#source = source
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#source.read(start, end), { objectMode: false })
  }
}
