import type { Metadata } from '../storage/metadata/port.ts'
import {
  findArtifacts,
  type FoundArtifacts,
  type WantedArtifacts,
} from '../source-maps/artifacts.ts'
import { foundScriptsBytesMax } from './limits.ts'
import { PageCache } from './page-cache.ts'

/** Remembers which scripts have uploads, and which have none, until the project's uploads change. */
export class ScriptSearch {
  readonly #metadata: Metadata
  readonly #known = new PageCache<
    string,
    { readonly generation: number; readonly found: FoundArtifacts | null }
  >(foundScriptsBytesMax)

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /** @throws STORAGE_FAILED */
  async find(wanted: WantedArtifacts, generation: number): Promise<FoundArtifacts | null> {
    const { projectId, debugId, release, dist, url } = wanted
    const key = JSON.stringify([projectId, debugId, release, dist, url])
    const known = this.#known.get(key)
    if (known?.generation === generation) return known.found
    const found = await findArtifacts(this.#metadata, wanted)
    this.#known.set(key, { generation, found }, 2 * key.length + (found === null ? 100 : 1000))
    return found
  }
}
