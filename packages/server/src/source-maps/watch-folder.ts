import { type FSWatcher, watch } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { addFiles, type KeptFile, keepUploadedFile } from './add-files.ts'
import type { ArtifactKind } from './artifacts.ts'
import { beginBundle } from './bundles.ts'
import { ARTIFACT_BYTES_MAX, SETTLED_MS, WALK_EVERY_MS, WATCHED_FILES_MAX } from './limits.ts'
import { sha1Of, type UploadStores } from './stored-files.ts'

/** A folder whose scripts and maps are taken in as they come. */
export interface WatchedFolder {
  /** Takes in what is new. For `process` to call often: it does nothing while nothing changes. */
  takeIn(now: number, signal?: AbortSignal): Promise<void>
  close(): void
}

interface FolderLog {
  warn(details: object, message: string): void
}

/**
 * Watches a folder that holds one folder for each project, by slug or id. Files are found by their
 * debug ids alone; what was taken in stays when its file goes, as long as it is used.
 */
export function watchFolder(
  stores: UploadStores,
  folder: string | null,
  log: FolderLog,
): WatchedFolder {
  if (folder === null) return { takeIn: async () => {}, close: () => {} }
  return new Watched(stores, folder, log)
}

class Watched implements WatchedFolder {
  readonly #stores: UploadStores
  readonly #folder: string
  readonly #log: FolderLog
  /** Files as they were when they were taken in, by path. */
  #known = new Map<string, string>()
  readonly #told = new Set<string>()
  #watcher: FSWatcher | null = null
  #isChanged = true
  #walkedAt = 0

  constructor(stores: UploadStores, folder: string, log: FolderLog) {
    this.#stores = stores
    this.#folder = folder
    this.#log = log
  }

  async takeIn(now: number, signal?: AbortSignal): Promise<void> {
    this.#watch()
    if (!this.#isChanged && now - this.#walkedAt < WALK_EVERY_MS) return
    this.#isChanged = false
    this.#walkedAt = now
    const projects = await this.#stores.metadata.all<{ id: number; slug: string }>(
      'select id, slug from projects',
    )
    const seen = new Map<string, string>()
    for (const name of await foldersIn(this.#folder)) {
      const project = projects.find(({ id, slug }) => slug === name || String(id) === name)
      if (project === undefined) this.#tell(name, 'the watched folder names no project by this')
      else await this.#takeInProject(project.id, join(this.#folder, name), { now, seen, signal })
    }
    this.#known = seen
  }

  close(): void {
    this.#watcher?.close()
  }

  /** Where the system cannot watch, and before the folder is there, it is walked now and then. */
  #watch(): void {
    if (this.#watcher !== null) return
    try {
      this.#watcher = watch(this.#folder, { recursive: true }, () => {
        this.#isChanged = true
      })
      this.#watcher.on('error', () => {
        this.#watcher?.close()
        this.#watcher = null
      })
    } catch {
      this.#tell(this.#folder, 'the folder of source maps cannot be watched')
    }
  }

  #tell(name: string, message: string): void {
    if (this.#told.has(name) || this.#told.size >= WATCHED_FILES_MAX) return
    this.#told.add(name)
    this.#log.warn({ name }, message)
  }

  async #takeInProject(
    projectId: number,
    folder: string,
    walk: {
      readonly now: number
      readonly seen: Map<string, string>
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<void> {
    const kept: KeptFile[] = []
    for (const [path, kind] of await filesBelow(folder)) {
      if (walk.signal?.aborted === true || walk.seen.size >= WATCHED_FILES_MAX) break
      const facts = await stat(path).catch(() => null)
      if (facts === null) continue
      const version = `${facts.mtimeMs} ${facts.size}`
      if (this.#known.get(path) === version) {
        walk.seen.set(path, version)
      } else if (Math.abs(walk.now - facts.mtimeMs) < SETTLED_MS) {
        this.#isChanged = true
      } else {
        walk.seen.set(path, version)
        const url = `~${path.slice(folder.length).replaceAll('\\', '/')}`
        const file =
          facts.size > ARTIFACT_BYTES_MAX ? null : await this.#keep({ path, kind, url }, walk.now)
        if (file === null)
          this.#tell(path, 'a file of the watched folder is too large or has no debug id')
        else kept.push(file)
      }
    }
    if (kept.length > 0) await this.#add(projectId, kept, walk.now)
  }

  /** Null for one that cannot be read, or found. */
  async #keep(
    {
      path,
      kind,
      url,
    }: { readonly path: string; readonly kind: ArtifactKind; readonly url: string },
    now: number,
  ): Promise<KeptFile | null> {
    const content = await readFile(path).catch(() => null)
    if (content === null) return null
    const file = { kind, url, debugId: null, sourceMapReference: null, content }
    const kept = await keepUploadedFile(this.#stores, file, now)
    return kept.debugId === null ? null : kept
  }

  /** Adds files as one upload, but for those that an earlier one has. */
  async #add(projectId: number, files: readonly KeptFile[], now: number): Promise<void> {
    await this.#stores.metadata.transaction(async (tx) => {
      const fresh: KeptFile[] = []
      for (const file of files) {
        const rows = await tx.all(
          `select 1 from artifacts where project_id = ? and debug_id = ? and sha1 = ? limit 1`,
          projectId,
          file.debugId,
          file.sha1,
        )
        if (rows.length === 0) fresh.push(file)
      }
      if (fresh.length === 0) return
      const checksum = sha1Of(Buffer.from(fresh.map(({ sha1 }) => sha1).join()))
      const bundle = { projectId, origin: 'folder', checksum, release: null, dist: null } as const
      const id = await beginBundle(tx, { ...bundle, state: 'ok', chunks: [] }, now)
      await addFiles(tx, { id, projectId }, fresh, [])
    })
  }
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

/** Scripts and maps below a folder, with their kinds; links are not followed. */
async function filesBelow(folder: string): Promise<ReadonlyMap<string, ArtifactKind>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => [])
  const files = new Map<string, ArtifactKind>()
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile()) continue
    if (/\.[cm]?js$/.test(entry.name)) files.set(path, 'minified_source')
    else if (entry.name.endsWith('.map')) files.set(path, 'source_map')
  }
  return files
}
