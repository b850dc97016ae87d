import { AppError } from '../../errors.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import type { ScrubbingSettings } from '../items/item.ts'
import { readScrubbing } from '../steps/scrub/settings.ts'

/**
 * The scrubbing settings of projects, each read again when it is older than `maxAgeMs`. A project
 * whose settings did not change keeps one and the same object, so that its compiled rules live on.
 */
export class ProjectScrubbing {
  readonly #metadata: Metadata
  readonly #maxAgeMs: number
  readonly #projectsMax: number
  readonly #known = new Map<
    number,
    { text: string | null; readAt: number; value: ScrubbingSettings }
  >()

  constructor(metadata: Metadata, limits: { maxAgeMs: number; projectsMax: number }) {
    this.#metadata = metadata
    this.#maxAgeMs = limits.maxAgeMs
    this.#projectsMax = limits.projectsMax
  }

  async of(projectId: number): Promise<ScrubbingSettings> {
    const known = this.#known.get(projectId)
    const now = performance.now()
    if (known && now - known.readAt < this.#maxAgeMs) return known.value
    const row = await this.#read(projectId)
    const text = row?.settings ?? null
    const value = known && known.text === text ? known.value : readScrubbing(text)
    if (this.#known.size >= this.#projectsMax) this.#known.clear()
    this.#known.set(projectId, { text, readAt: now, value })
    return value
  }

  /** NOTE: never answered by defaults when metadata fails: a project's own rules would be passed over. */
  async #read(projectId: number): Promise<{ settings: string | null } | undefined> {
    try {
      const sql = 'select settings from projects where id = ?'
      const [row] = await this.#metadata.all<{ settings: string | null }>(sql, projectId)
      return row
    } catch (cause) {
      const message = `The settings of project ${projectId} could not be read.`
      throw cause instanceof AppError ? cause : new AppError('STORAGE_FAILED', message, { cause })
    }
  }
}
