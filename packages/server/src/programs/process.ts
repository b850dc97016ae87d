import { setPriority } from 'node:os'
import type { Config } from '../config.ts'
import { openProcessStores, type ProcessStores } from '../context.ts'
import { applyOutbox, appliedSequence } from '../outbox/apply-outbox.ts'
import { expireArchives } from '../issues/expire-archives.ts'
import { createLog, type Log } from '../log.ts'
import { applyRemovals } from '../retention/removals.ts'
import { dropOldDays } from '../retention/drop-old-days.ts'
import type { Role } from './role.ts'
import { processItem } from '../process/process-item.ts'
import { Symbolication } from '../process/worker/symbolication.ts'
import { startWorker } from '../process/worker/worker.ts'
import { assembleUploads } from '../source-maps/assemble.ts'
import { watchFolder } from '../source-maps/watch-folder.ts'
import { collectUnused } from '../source-maps/collect-unused.ts'
import { DamagedStore } from '../storage/sqlite-damage.ts'
import { CompiledMaps } from '../symbolication/compiled-maps.ts'

/** Sealing, forgetting keys, truncating the log: small steps, often. */
const MAINTAIN_EVERY_MS = 30_000
const RETENTION_EVERY_MS = 3_600_000
const REMOVALS_EVERY_MS = 1_000
const ARCHIVES_EVERY_MS = 60_000
/** A client that waits for its upload asks once a second. */
const UPLOADS_EVERY_MS = 500
const UNUSED_EVERY_MS = 600_000
/** Pause of a chore that failed: the cause mostly lasts longer than its interval. */
const FAILED_CHORE_MS = 5_000
/** Ingest and web come first on a busy machine: a backlog is harmless, a slow answer is not. */
const NICENESS = 10

/** Empties the queue into the stores, and owns what happens to them later. */
export async function startProcessRole(config: Config): Promise<Role> {
  const log = createLog('process', config.logLevel)
  setPriority(NICENESS)
  const stores = await openProcessStores(config, ({ path, bytes }) =>
    log.error(
      { path, bytes },
      'a part of the queue is damaged; `afterimage queue requeue` reads what is left of it again',
    ),
  )
  const stopping = new AbortController()
  const maps = new CompiledMaps(config.paths.compiledMaps)
  const symbolication = new Symbolication({ ...stores, maps, log })
  const worker = startWorker(
    { ...stores, processItem, applyOutbox, symbolication, log },
    stopping.signal,
  )
  const chores = startAllChores(config, stores, log)
  // The worker answers for its own failures; if it ends for another reason the role must not
  // look alive: the supervisor starts it again.
  const worked = worker.catch((error) => {
    log.fatal({ err: error }, 'the worker ended')
    if (!(error instanceof DamagedStore)) process.exit(1)
    // Another start would meet the same page. Waiting deliveries stay in the queue; `/readyz` says
    // 503.
    void chores.stop()
  })
  return {
    announcement: {},
    stop: async () => {
      stopping.abort()
      await worked
      await chores.stop()
      await maps.close()
      await stores.close()
    },
  }
}

interface Chore {
  readonly everyMs: number
  readonly run: () => Promise<unknown>
}

/** Deletion and upkeep, one after the other; uploads beside them, as a large one takes its time. */
function startAllChores(config: Config, stores: ProcessStores, log: Log): Chores {
  const { retentionDays } = config
  const stopping = new AbortController()
  const upkeep = startChores(log, [
    {
      everyMs: MAINTAIN_EVERY_MS,
      run: async () => stores.events.maintain(Date.now(), await appliedSequence(stores.metadata)),
    },
    // Deletions that people asked for: web may not write events.
    { everyMs: REMOVALS_EVERY_MS, run: () => applyRemovals(stores) },
    { everyMs: ARCHIVES_EVERY_MS, run: () => expireArchives(stores.metadata, Date.now()) },
    {
      everyMs: RETENTION_EVERY_MS,
      run: () => dropOldDays(stores, { now: Date.now(), retentionDays }),
    },
  ])
  const watched = watchFolder(stores, config.sourceMapDir, log)
  const uploads = startChores(log, [
    { everyMs: UPLOADS_EVERY_MS, run: () => watched.takeIn(Date.now(), stopping.signal) },
    {
      everyMs: UPLOADS_EVERY_MS,
      run: () => assembleUploads(stores, { now: Date.now, signal: stopping.signal }),
    },
    {
      everyMs: UNUSED_EVERY_MS,
      run: () => collectUnused(stores, { now: Date.now(), retentionDays }),
    },
  ])
  return {
    stop: async () => {
      stopping.abort()
      watched.close()
      await Promise.all([upkeep.stop(), uploads.stop()])
    },
  }
}

interface Chores {
  stop(): Promise<void>
}

/** Runs each chore as often as it says, never two at once; one that failed waits a little. */
function startChores(log: Log, chores: readonly Chore[]): Chores {
  let running: Promise<unknown> = Promise.resolve()
  const end = (): void => {
    for (const timer of timers) clearInterval(timer)
  }
  const timers = chores.map(({ everyMs, run }) => {
    let isDue = false
    let notBefore = 0
    return setInterval(() => {
      if (isDue || Date.now() < notBefore) return
      isDue = true
      running = running
        .then(async () => void (await run()))
        .catch((error) => {
          notBefore = Date.now() + FAILED_CHORE_MS
          log.error({ err: error }, 'a chore failed')
          if (error instanceof DamagedStore) end()
        })
        .finally(() => {
          isDue = false
        })
    }, everyMs)
  })
  return {
    stop: async () => {
      end()
      await running
    },
  }
}
