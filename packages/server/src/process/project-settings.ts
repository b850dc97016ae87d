import { parseJson } from '@afterimage/protocol/json'
import { isRefusal } from '@afterimage/protocol/outcome'
import { AppError } from '../errors.ts'
import type { Metadata } from '../storage/metadata/port.ts'
import type { ScrubbingSettings } from './item.ts'
import { isRecord } from './normalize/text.ts'

/** What a project that chose nothing gets: secrets removed, addresses not kept. */
export const defaultScrubbing: ScrubbingSettings = {
  defaults: true,
  sensitiveFields: [],
  safeFields: [],
  storeIpAddresses: false,
}

const fieldsMax = 200
const fieldCharactersMax = 200

/** Reads `scrubbing` out of a project's settings; what is missing or malformed is as by default. */
export function readScrubbing(settings: string | null): ScrubbingSettings {
  const json = parseJson(settings ?? '{}')
  const scrubbing = !isRefusal(json) && isRecord(json.value) ? json.value['scrubbing'] : null
  if (!isRecord(scrubbing)) return defaultScrubbing
  return {
    defaults: scrubbing['defaults'] !== false,
    sensitiveFields: readFields(scrubbing['sensitiveFields']),
    safeFields: readFields(scrubbing['safeFields']),
    storeIpAddresses: scrubbing['storeIpAddresses'] === true,
  }
}

function readFields(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return []
  return value
    .filter((field) => typeof field === 'string')
    .map((field) => field.trim())
    .filter((field) => field !== '' && field.length <= fieldCharactersMax)
    .slice(0, fieldsMax)
}

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
