import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { uploadGeneration } from '../../source-maps/artifacts.ts'
import type { Blobs } from '../../storage/blobs/port.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import type { Delivery } from '../../storage/queue/port.ts'
import type { CompiledMaps } from '../../symbolication/compiled-maps.ts'
import { ScriptSearch } from '../../symbolication/script-search.ts'
import {
  symbolicateFrames,
  type SymbolicationDependencies,
} from '../../symbolication/symbolicate-frames.ts'
import type { ScrubbingSettings } from '../items/item.ts'
import { nothingRead, readEvents, type ReadEvents } from './delivery.ts'

/**
 * Maps the frames of the errors in a delivery, before it is processed: processing is pure, and maps
 * are read from disk. A project without uploads costs one look-up by key.
 */
export class Symbolication {
  readonly #metadata: Metadata
  readonly #dependencies: SymbolicationDependencies & { readonly log: Pick<Log, 'warn' | 'error'> }

  constructor(on: {
    readonly metadata: Metadata
    readonly blobs: Blobs
    readonly maps: CompiledMaps
    readonly log: Pick<Log, 'warn' | 'error'>
  }) {
    this.#metadata = on.metadata
    this.#dependencies = { ...on, search: new ScriptSearch(on.metadata) }
  }

  /** @throws STORAGE_FAILED when metadata cannot be read; nothing else */
  async of(delivery: Delivery, scrubbing: ScrubbingSettings): Promise<ReadEvents> {
    const { projectId: id } = delivery
    const generation = await uploadGeneration(this.#metadata, id)
    if (generation === 0) return nothingRead
    try {
      const events = readEvents(delivery, scrubbing)
      for (const event of events.values()) {
        await symbolicateFrames(event, { id, generation }, this.#dependencies)
      }
      return events
    } catch (error) {
      if (error instanceof AppError) throw error
      // Our own mistake: the events are processed as they came, where it is met again or not.
      this.#dependencies.log.error({ err: error, projectId: id }, 'frames could not be mapped')
      return nothingRead
    }
  }
}
