/**
 * The loop that empties the queue: take → decode → map frames → process each item → blobs → events → outbox →
 * done. Nothing is forgotten by the queue before the stores have it. Failing surroundings are
 * waited out; a delivery on which we ourselves fail is set aside and never stops the others.
 */
import type { Log } from '../../log.ts'
import type { Blobs } from '../../storage/blobs/port.ts'
import type { EventStore, ProcessedEnvelope, ProcessedItem } from '../../storage/events/port.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import type { Lease, QueueReader } from '../../storage/queue/port.ts'
import { DamagedStore } from '../../storage/sqlite-damage.ts'
import { internalRefusal, nothingRead, processDelivery, salvageDelivery } from './delivery.ts'
import type { ReadEvents } from './delivery.ts'
import type { ProcessItem, ScrubbingSettings } from '../items/item.ts'
import { ProjectScrubbing } from './project-scrubbing.ts'
import type { Symbolication } from './symbolication.ts'
import { thinReleaseEffects } from './thin-release-effects.ts'
import { stopped, untilItSucceeds } from './retry.ts'
import { defaultWorkerSettings } from './settings.ts'
import type { WorkerSettings } from './settings.ts'
import { Yielding } from './yielding.ts'

export interface WorkerDependencies {
  readonly queue: QueueReader
  readonly events: EventStore
  readonly blobs: Blobs
  readonly metadata: Metadata
  readonly processItem: ProcessItem
  /** Maps the frames of events to their sources; without it they stay as they come. */
  readonly symbolication?: Pick<Symbolication, 'of'>
  /** Lets metadata learn what the events store has written. */
  readonly applyOutbox: (metadata: Metadata, events: EventStore) => Promise<unknown>
  readonly log: Pick<Log, 'warn' | 'error'>
  readonly settings?: Partial<WorkerSettings>
}

/**
 * Runs until the signal aborts; resolves when the batch in hand is finished.
 * @throws DamagedStore; waiting deliveries stay in the queue
 */
export async function startWorker(
  dependencies: WorkerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const worker = new Worker(dependencies, signal)
  await worker.applyOutbox()
  while (!signal.aborted) await worker.step()
}

/** A delivery with what became of it. `asideReason` is null unless it is to be set aside. */
interface Prepared {
  readonly lease: Lease
  readonly items: readonly ProcessedItem[]
  readonly asideReason: string | null
}

class Worker {
  readonly #on: WorkerDependencies
  readonly #signal: AbortSignal
  readonly #settings: WorkerSettings
  readonly #scrubbing: ProjectScrubbing
  readonly #yielding: Yielding
  #outboxWaits = false

  constructor(dependencies: WorkerDependencies, signal: AbortSignal) {
    this.#on = dependencies
    this.#signal = signal
    this.#settings = { ...defaultWorkerSettings, ...dependencies.settings }
    this.#yielding = new Yielding(this.#settings)
    this.#scrubbing = new ProjectScrubbing(dependencies.metadata, {
      maxAgeMs: this.#settings.projectSettingsMs,
      projectsMax: this.#settings.projectsMax,
    })
  }

  async step(): Promise<void> {
    const { batchDeliveriesMax, leaseMs, retryMsMax } = this.#settings
    if (this.#outboxWaits) await this.applyOutbox()
    const waitSignal = this.#outboxWaits
      ? AbortSignal.any([this.#signal, AbortSignal.timeout(retryMsMax)])
      : this.#signal
    const leases = await this.#patiently('take', () =>
      this.#on.queue.take(batchDeliveriesMax, leaseMs, waitSignal),
    )
    if (leases === stopped) return
    for (const batch of batchesOf(leases, this.#settings.batchBytesMax)) {
      const startedAt = performance.now()
      const prepared: Prepared[] = []
      for (const lease of batch) {
        const one = await this.#patiently('prepare', () => this.#prepare(lease))
        if (one === stopped) return
        prepared.push(one)
      }
      if (!(await this.#store(prepared))) return
      const ageMs = Date.now() - oldestReceivedAt(batch)
      const workedMs = performance.now() - startedAt
      if ((await this.#yielding.yield(workedMs, ageMs, this.#signal)) === stopped) return
    }
  }

  /** Metadata may fail without holding up the events: the outbox keeps, and is tried again soon. */
  async applyOutbox(): Promise<void> {
    try {
      await this.#on.applyOutbox(this.#on.metadata, this.#on.events)
      this.#outboxWaits = false
    } catch (error) {
      if (error instanceof DamagedStore) throw error
      this.#outboxWaits = true
      this.#on.log.error({ err: error }, 'the outbox could not be applied; trying again')
    }
  }

  async #prepare(lease: Lease): Promise<Prepared> {
    const { attemptsMax } = this.#settings
    const scrubbing = await this.#scrubbing.of(lease.delivery.projectId)
    if (lease.attempts > attemptsMax) {
      const reason = `The process died ${lease.attempts - 1} times while it had this delivery.`
      return { lease, items: [internalRefusal('envelope', reason)], asideReason: reason }
    }
    const events = await this.#on.symbolication?.of(lease.delivery, scrubbing)
    return this.#process(lease, scrubbing, events ?? nothingRead)
  }

  #process(lease: Lease, scrubbing: ScrubbingSettings, events: ReadEvents): Prepared {
    const { processItem } = this.#on
    try {
      const items = processDelivery(lease.delivery, scrubbing, processItem, events)
      return { lease, items, asideReason: null }
    } catch (error) {
      // Processing is pure: another try would fail as this one did.
      const items = salvage(lease, scrubbing, processItem, events)
      return { lease, items, asideReason: reasonOf(error) }
    }
  }

  /** False when the worker stops before it is written. */
  async #store(prepared: readonly Prepared[]): Promise<boolean> {
    try {
      return (await this.#patiently('store', () => this.#write(prepared))) !== stopped
    } catch (error) {
      if (error instanceof DamagedStore) throw error
      if (prepared.length === 1) return this.#storePoison(prepared[0]!, error)
    }
    for (const one of prepared) if (!(await this.#store([one]))) return false
    return true
  }

  /** A delivery that the stores cannot take, alone, by no fault of theirs. */
  async #storePoison({ lease, items }: Prepared, firstError: unknown): Promise<boolean> {
    let failure = firstError
    for (let attempt = 2; attempt <= this.#settings.attemptsMax; attempt += 1) {
      try {
        const written = await this.#patiently('store', () =>
          this.#write([{ lease, items, asideReason: null }]),
        )
        return written !== stopped
      } catch (error) {
        if (error instanceof DamagedStore) throw error
        failure = error
      }
    }
    const asideReason = reasonOf(failure)
    const refused = items.map(({ type }) => internalRefusal(type, failure))
    try {
      const written = await this.#patiently('store', () =>
        this.#write([{ lease, items: refused, asideReason }]),
      )
      return written !== stopped
    } catch (error) {
      if (error instanceof DamagedStore) throw error
      // Not even its outcomes can be counted; the delivery itself is kept.
      this.#on.log.error({ err: error, deliveryId: lease.id }, 'outcomes could not be counted')
      const moved = await this.#patiently('set aside', () =>
        this.#on.queue.setAside(lease, asideReason),
      )
      return moved !== stopped
    }
  }

  async #write(prepared: readonly Prepared[]): Promise<void> {
    const { queue, events, log } = this.#on
    await this.#putBlobs(prepared)
    await events.append(thinReleaseEffects(prepared.map(envelopeOf)))
    await this.applyOutbox()
    for (const { lease, asideReason } of prepared) {
      if (asideReason === null) continue
      // The reason may quote the delivery, so it is kept with it and not in the log.
      log.error({ deliveryId: lease.id }, 'a delivery was set aside')
      await queue.setAside(lease, asideReason)
    }
    await queue.done(prepared.filter((one) => one.asideReason === null).map(({ lease }) => lease))
  }

  async #putBlobs(prepared: readonly Prepared[]): Promise<void> {
    const waiting = prepared.flatMap(({ items }) => items.flatMap((item) => item.blobs))
    const { blobWritesMax } = this.#settings
    for (let from = 0; from < waiting.length; from += blobWritesMax) {
      const group = waiting.slice(from, from + blobWritesMax)
      await Promise.all(group.map(({ key, bytes }) => this.#on.blobs.put(key, bytes)))
    }
  }

  #patiently<T>(what: string, operation: () => Promise<T>): Promise<T | typeof stopped> {
    const { retryMsMin, retryMsMax } = this.#settings
    const onFailure = (error: Error, nextTryMs: number): void => {
      this.#on.log.warn({ err: error, what, nextTryMs }, 'a store is failing; trying again')
    }
    return untilItSucceeds(operation, { retryMsMin, retryMsMax, onFailure }, this.#signal)
  }
}

function envelopeOf({ lease, items }: Prepared): ProcessedEnvelope {
  const { projectId, receivedAt } = lease.delivery
  return { deliveryId: lease.id, projectId, receivedAt, items }
}

function salvage(
  lease: Lease,
  scrubbing: ScrubbingSettings,
  processItem: ProcessItem,
  events: ReadEvents,
): readonly ProcessedItem[] {
  try {
    return salvageDelivery(lease.delivery, scrubbing, processItem, events)
  } catch (error) {
    return [internalRefusal('envelope', error)]
  }
}

function reasonOf(failure: unknown): string {
  const text = failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure)
  return text.slice(0, 500)
}

/** Projects come in turn, so that the oldest of a backlog need not be the first. */
function oldestReceivedAt(batch: readonly Lease[]): number {
  return batch.reduce((oldest, { delivery }) => Math.min(oldest, delivery.receivedAt), Infinity)
}

/** Consecutive leases of at most so many bytes together; a larger one is a batch of its own. */
function batchesOf(leases: readonly Lease[], bytesMax: number): Lease[][] {
  const batches: Lease[][] = []
  let bytes = Infinity
  for (const lease of leases) {
    const size = lease.delivery.bytes.length
    if (bytes + size > bytesMax) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)!.push(lease)
    bytes += size
  }
  return batches
}
