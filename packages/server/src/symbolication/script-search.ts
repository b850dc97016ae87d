import type { Metadata } from '../storage/metadata/port.ts'
import {
  findArtifacts,
  type FoundArtifacts,
  type WantedArtifacts,
} from '../source-maps/artifacts.ts'
import { foundScriptMsMax, foundScriptsBytesMax } from './limits.ts'
import { PageCache } from './page-cache.ts'

interface Known {
  readonly generation: number
  readonly found: FoundArtifacts | null
  /** By the clock of this process. */
  readonly askedAt: number
}

/**
 * Remembers which scripts have uploads, and which have none, until the project's uploads change. It asks
 * again after an hour, as an upload that nobody asks for is deleted some day.
 */
export class ScriptSearch {
  readonly #metadata: Metadata
  readonly #known = new PageCache<string, Known>(foundScriptsBytesMax)

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /** @throws STORAGE_FAILED */
  async find(wanted: WantedArtifacts, generation: number): Promise<FoundArtifacts | null> {
    const { projectId, debugId, release, dist, url } = wanted
    const key = JSON.stringify([projectId, debugId, release, dist, url])
    const known = this.#known.get(key)
    const now = performance.now()
    const isKnown = known?.generation === generation && now - known.askedAt < foundScriptMsMax
    if (isKnown) return known.found
    const found = await findArtifacts(this.#metadata, wanted)
    this.#known.set(
      key,
      { generation, found, askedAt: now },
      2 * key.length + (found === null ? 100 : 1000),
    )
    return found
  }
}
