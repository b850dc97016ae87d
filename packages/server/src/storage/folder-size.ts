import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Walking many small files is slow, and the figure is for people: an old one will do. */
const MAX_AGE_MS = 600_000

/** Counts the bytes of all files below a folder, at most every ten minutes. Files that vanish meanwhile count 0. */
export class FolderSize {
  readonly #folder: string
  #known: { readonly bytes: number; readonly at: number } | null = null
  #counting: Promise<number> | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  /** `now` in ms. */
  async bytes(now: number): Promise<number> {
    if (this.#known !== null && now - this.#known.at < MAX_AGE_MS) return this.#known.bytes
    this.#counting ??= bytesBelow(this.#folder).finally(() => (this.#counting = null))
    const bytes = await this.#counting
    this.#known = { bytes, at: now }
    return bytes
  }
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) bytes += await bytesBelow(path)
    else bytes += (await stat(path).catch(() => null))?.size ?? 0
  }
  return bytes
}
