/**
 * Blobs as files: the slashes of a key are folders (which is also the fan-out), and its last part
 * is the file with `=` behind it, a character no key has, so that `a` and `a/b` can both exist.
 * A file is written in `=new`, synced and renamed into place, so a reader sees a whole body or none.
 */
import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../../errors.ts'
import { makeDurableFolder, syncFolder } from '../sync.ts'
import type { BlobEntry, Blobs, StoredBlob } from './port.ts'

const keyPattern = /^[a-zA-Z0-9._-]{1,200}(\/[a-zA-Z0-9._-]{1,200})*$/
const keyCharactersMax = 1024
const newFolder = '=new'
/**
 * Age at which files of a crashed writer are removed at opening; a live writer never takes as long.
 */
const abandonedMs = 60 * 60 * 1000
const chunkBytes = 256 * 1024
/** Folders remembered as being on the disk for good. */
const durableFoldersMax = 10_000

/** @throws STORAGE_FAILED */
export async function openDirectoryBlobs(folder: string): Promise<Blobs> {
  return inStorage('opened', folder, async () => {
    await makeDurableFolder(join(folder, newFolder))
    const now = Date.now()
    for (const name of await readdir(join(folder, newFolder))) {
      const path = join(folder, newFolder, name)
      const found = await orNull(stat(path))
      if (found !== null && now - found.mtimeMs > abandonedMs) await rm(path, { force: true })
    }
    return new DirectoryBlobs(folder)
  })
}

class DirectoryBlobs implements Blobs {
  readonly #root: string
  readonly #durableFolders = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  async put(key: string, body: Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    const path = this.#pathOf(key)
    const newPath = join(this.#root, newFolder, randomUUID())
    await inStorage('written', key, async () => {
      try {
        await writeSynced(newPath, body)
        await this.#moveInto(newPath, path)
      } catch (cause) {
        await rm(newPath, { force: true })
        throw cause
      }
    })
  }

  async get(key: string): Promise<StoredBlob | null> {
    const path = this.#pathOf(key)
    return inStorage('read', key, async () => {
      const found = await orNull(stat(path))
      return found === null ? null : { bytes: found.size, body: readLazily(path) }
    })
  }

  async delete(key: string): Promise<void> {
    const path = this.#pathOf(key)
    await inStorage('deleted', key, async () => {
      await orNull(unlink(path))
      await this.#removeEmptyFolders(dirname(path))
    })
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    yield* this.#listFolder('', prefix)
  }

  async close(): Promise<void> {}

  #pathOf(key: string): string {
    const isKey = key.length <= keyCharactersMax && keyPattern.test(key)
    if (!isKey || key.split('/').some((part) => part === '.' || part === '..')) {
      throw new Error(`${JSON.stringify(key.slice(0, 100))} is not a blob key`)
    }
    return `${join(this.#root, ...key.split('/'))}=`
  }

  async #moveInto(newPath: string, path: string): Promise<void> {
    const folder = dirname(path)
    for (let tries = 3; ; tries--) {
      await this.#makeDurableFolder(folder)
      try {
        await rename(newPath, path)
        return await syncFolder(folder)
      } catch (cause) {
        // A delete may have removed the folder as empty after we made it.
        if (tries === 1 || !isAbsence(cause)) throw cause
        this.#durableFolders.clear()
      }
    }
  }

  /** Makes a folder and those above it; each one's name is on the disk before anything is in it. */
  async #makeDurableFolder(folder: string): Promise<void> {
    if (folder === this.#root || this.#durableFolders.has(folder)) return
    await this.#makeDurableFolder(dirname(folder))
    await mkdir(folder, { recursive: true })
    await syncFolder(dirname(folder))
    if (this.#durableFolders.size >= durableFoldersMax) this.#durableFolders.clear()
    this.#durableFolders.add(folder)
  }

  async #removeEmptyFolders(folder: string): Promise<void> {
    for (let at = folder; at !== this.#root; at = dirname(at)) {
      this.#durableFolders.delete(at)
      try {
        await rmdir(at)
      } catch (cause) {
        if (!isAbsence(cause)) return
      }
    }
  }

  /** `parent` is the part of the keys above this folder, with its slash. */
  async *#listFolder(parent: string, prefix: string): AsyncGenerator<BlobEntry> {
    const names = await inStorage('listed', parent, () => this.#namesIn(parent))
    for (const name of names) {
      const key = parent + name
      if (name.endsWith('/')) {
        if (key.startsWith(prefix) || prefix.startsWith(key)) yield* this.#listFolder(key, prefix)
      } else if (key.startsWith(prefix)) {
        const found = await inStorage('listed', key, () => orNull(stat(this.#pathOf(key))))
        if (found !== null) yield { key, bytes: found.size }
      }
    }
  }

  /** Keys' next parts, those of folders with a slash behind, so that sorting gives the keys' order. */
  async #namesIn(parent: string): Promise<string[]> {
    const entries = await orNull(readdir(join(this.#root, parent), { withFileTypes: true }))
    const names: string[] = []
    for (const entry of entries ?? []) {
      if (entry.isDirectory() && entry.name !== newFolder) names.push(`${entry.name}/`)
      else if (entry.isFile() && entry.name.endsWith('=')) names.push(entry.name.slice(0, -1))
    }
    return names.sort()
  }
}

async function writeSynced(
  path: string,
  body: Uint8Array | ReadableStream<Uint8Array>,
): Promise<void> {
  await using file = await open(path, 'wx')
  await file.writeFile(body instanceof Uint8Array ? body : chunksOf(body))
  await file.sync()
}

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield chunk
}

/** Opens the file at the first read, so that a body nobody reads holds nothing. */
function readLazily(path: string): ReadableStream<Uint8Array> {
  let file: Awaited<ReturnType<typeof open>> | null = null
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        file ??= await open(path, 'r')
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(chunkBytes))
        if (bytesRead > 0) return controller.enqueue(buffer.subarray(0, bytesRead))
        await file.close()
        controller.close()
      },
      async cancel() {
        await file?.close()
      },
    },
    { highWaterMark: 0 },
  )
}

async function orNull<T>(result: Promise<T>): Promise<T | null> {
  try {
    return await result
  } catch (cause) {
    if (isAbsence(cause)) return null
    throw cause
  }
}

function isAbsence(cause: unknown): boolean {
  const code = (cause as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR'
}

async function inStorage<T>(what: string, name: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('STORAGE_FAILED', `The blob "${name}" could not be ${what}.`, { cause })
  }
}
