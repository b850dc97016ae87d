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
import { startWorker } from '../process/worker/worker.ts'
import { DamagedStore } from '../storage/sqlite-damage.ts'

/** Sealing, forgetting keys, truncating the log: small steps, often. */
const MAINTAIN_EVERY_MS = 30_000
const RETENTION_EVERY_MS = 3_600_000
const REMOVALS_EVERY_MS = 1_000
const ARCHIVES_EVERY_MS = 60_000
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
  const worker = startWorker({ ...stores, processItem, applyOutbox, log }, stopping.signal)
  const chores = startChores(config, stores, log)
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
      await stores.close()
    },
  }
}

function startChores(config: Config, stores: ProcessStores, log: Log): { stop(): Promise<void> } {
  const chores = [
    {
      everyMs: MAINTAIN_EVERY_MS,
      run: async () => stores.events.maintain(Date.now(), await appliedSequence(stores.metadata)),
    },
    // Deletions that people asked for: web may not write events.
    { everyMs: REMOVALS_EVERY_MS, run: () => applyRemovals(stores) },
    { everyMs: ARCHIVES_EVERY_MS, run: () => expireArchives(stores.metadata, Date.now()) },
    {
      everyMs: RETENTION_EVERY_MS,
      run: () => dropOldDays(stores, { now: Date.now(), retentionDays: config.retentionDays }),
    },
  ]
  let running: Promise<unknown> = Promise.resolve()
  const end = (): void => {
    for (const timer of timers) clearInterval(timer)
  }
  const timers = chores.map(({ everyMs, run }) =>
    setInterval(() => {
      running = running
        .then(async () => void (await run()))
        .catch((error) => {
          log.error({ err: error }, 'a chore failed')
          if (error instanceof DamagedStore) end()
        })
    }, everyMs),
  )
  return {
    stop: async () => {
      end()
      await running
    },
  }
}
