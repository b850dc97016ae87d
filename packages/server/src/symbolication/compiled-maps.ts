import { mkdirSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { DamagedMap, formatVersion, makePages, type Pages } from './block-file.ts'
import { CompiledMap } from './compiled-map.ts'
import type { CompileTask } from './compile.worker.ts'
import { Compiler } from './compiler.ts'
import {
  cachedBytesMax,
  compileWaitMs,
  compiledBytesMax,
  openMapsMax,
  refusedMapsMax,
} from './limits.ts'
import type { UnusableMap } from './source-map.ts'

/** Limits of the compiled maps; tests set smaller ones. */
export interface CompiledMapLimits {
  readonly compiledBytesMax: number
  readonly cachedBytesMax: number
  readonly openMapsMax: number
  readonly compileWaitMs: number
}

export const compiledMapLimits: CompiledMapLimits = {
  compiledBytesMax,
  cachedBytesMax,
  openMapsMax,
  compileWaitMs,
}

/** Reads the uploaded bytes of a map and its script, when it has to be compiled. */
export type ReadUploads = () => Promise<Omit<CompileTask, 'path'> | UnusableMap>

/**
 * The compiled maps in a folder, by a key that names their content. A map that is not there, or is
 * damaged, is compiled; those not used for longest go when the folder is full.
 */
export class CompiledMaps {
  readonly #folder: string
  readonly #limits: CompiledMapLimits
  readonly #pages: Pages
  readonly #compiler = new Compiler()
  /** Bytes on disk by key, the longest unused first. */
  readonly #files: Map<string, number>
  /** Open maps, the longest unused first. */
  readonly #open = new Map<string, CompiledMap>()
  readonly #compiling = new Map<string, Promise<UnusableMap | null>>()
  readonly #refused = new Map<string, UnusableMap>()
  #fileBytes = 0
  #indexBytes = 0

  constructor(folder: string, limits: CompiledMapLimits = compiledMapLimits) {
    this.#folder = folder
    this.#limits = limits
    // Half for the blocks that were read, half for the indexes of open maps.
    this.#pages = makePages(limits.cachedBytesMax / 2)
    mkdirSync(folder, { recursive: true })
    this.#files = filesIn(folder)
    for (const bytes of this.#files.values()) this.#fileBytes += bytes
    this.#makeRoom('')
  }

  /** Bytes of the folder. */
  get fileBytes(): number {
    return this.#fileBytes
  }

  /** Bytes of memory for indexes and blocks. */
  get cachedBytes(): number {
    return this.#indexBytes + this.#pages.bytes
  }

  /**
   * Asks a compiled map, which is compiled before if need be. The question is synchronous: the map
   * may be closed as soon as it is answered.
   * @throws what the file system and reading the uploads throw
   */
  async ask<T>(
    key: string,
    read: ReadUploads,
    question: (map: CompiledMap) => T,
  ): Promise<T | UnusableMap> {
    const known = this.#answer(key, question)
    if (known !== null) return known.answer
    const failure = await this.#compile(key, read)
    if (failure !== null) return failure
    return this.#answer(key, question)?.answer ?? notKept
  }

  async close(): Promise<void> {
    for (const key of this.#open.keys()) this.#close(key)
    await this.#compiler.close()
  }

  /** Returns null when the map has to be compiled, because it is not there or is damaged. */
  #answer<T>(key: string, question: (map: CompiledMap) => T): { readonly answer: T } | null {
    try {
      const map = this.#opened(key)
      return map === null ? null : { answer: question(map) }
    } catch (error) {
      if (!(error instanceof DamagedMap)) throw error
      this.#discard(key)
      return null
    }
  }

  #opened(key: string): CompiledMap | null {
    const open = this.#open.get(key)
    if (open !== undefined) {
      this.#open.delete(key)
      this.#open.set(key, open)
      return open
    }
    const bytes = this.#files.get(key)
    if (bytes === undefined) return null
    const map = openMap(this.#pathOf(key), this.#pages)
    if (map === null) {
      this.#discard(key)
      return null
    }
    this.#files.delete(key)
    this.#files.set(key, bytes)
    this.#open.set(key, map)
    this.#indexBytes += map.indexBytes
    this.#closeSurplus(key)
    return map
  }

  #closeSurplus(newest: string): void {
    for (const key of this.#open.keys()) {
      const isRoom =
        this.#open.size <= this.#limits.openMapsMax &&
        this.#indexBytes <= this.#limits.cachedBytesMax / 2
      if (isRoom || key === newest) return
      this.#close(key)
    }
  }

  /** Returns null when the map is compiled, else why it is not. It goes on when nobody waits any more. */
  async #compile(key: string, read: ReadUploads): Promise<UnusableMap | null> {
    const refused = this.#refused.get(key)
    if (refused !== undefined) return refused
    let running = this.#compiling.get(key)
    if (running === undefined) {
      running = this.#compileOnce(key, read).finally(() => this.#compiling.delete(key))
      this.#compiling.set(key, running)
    }
    const waiting = new AbortController()
    const { compileWaitMs } = this.#limits
    const late = wait(compileWaitMs, notYet, { signal: waiting.signal, ref: false })
    try {
      return await Promise.race([running, late.catch(() => null)])
    } finally {
      waiting.abort()
    }
  }

  async #compileOnce(key: string, read: ReadUploads): Promise<UnusableMap | null> {
    if (this.#compiler.isFull) return notYet
    const uploads = await read()
    const answer =
      'unusable' in uploads
        ? uploads
        : await this.#compiler.compile({ ...uploads, path: this.#pathOf(key) })
    if ('unusable' in answer) {
      if (this.#refused.size >= refusedMapsMax) this.#refused.clear()
      this.#refused.set(key, answer)
      return answer
    }
    this.#files.set(key, answer.bytes)
    this.#fileBytes += answer.bytes
    this.#makeRoom(key)
    return null
  }

  #makeRoom(newest: string): void {
    for (const key of this.#files.keys()) {
      if (this.#fileBytes <= this.#limits.compiledBytesMax || key === newest) return
      this.#discard(key)
    }
  }

  #discard(key: string): void {
    this.#close(key)
    this.#fileBytes -= this.#files.get(key) ?? 0
    this.#files.delete(key)
    rmSync(this.#pathOf(key), { force: true })
  }

  #close(key: string): void {
    const map = this.#open.get(key)
    if (map === undefined) return
    this.#open.delete(key)
    this.#indexBytes -= map.indexBytes
    map.close()
  }

  #pathOf(key: string): string {
    return join(this.#folder, `${key}${suffix}`)
  }
}

const notYet: UnusableMap = { unusable: 'The map is not compiled yet.', isPassing: true }
const notKept: UnusableMap = { unusable: 'The compiled map cannot be kept.', isPassing: true }

/** Files of other versions have another suffix, and are removed at the start. */
const suffix = `.v${formatVersion}`

/** Lists the compiled maps of a folder, the longest unused first, and removes what is not one. */
function filesIn(folder: string): Map<string, number> {
  const found: { readonly key: string; readonly bytes: number; readonly usedAt: number }[] = []
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const { size, mtimeMs } = statSync(path)
    if (name.endsWith(suffix)) {
      found.push({ key: name.slice(0, -suffix.length), bytes: size, usedAt: mtimeMs })
    } else {
      rmSync(path, { recursive: true, force: true })
    }
  }
  found.sort((one, other) => one.usedAt - other.usedAt)
  return new Map(found.map(({ key, bytes }) => [key, bytes]))
}

/** Opens a compiled map, and marks it as used now; null when somebody removed the file. */
function openMap(path: string, pages: Pages): CompiledMap | null {
  try {
    const map = new CompiledMap(path, pages)
    utimesSync(path, new Date(), new Date())
    return map
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
