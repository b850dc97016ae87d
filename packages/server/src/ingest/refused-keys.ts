import type { RefusalReason } from '@afterimage/protocol/outcome'
import { refusedRequestsDelivery } from '../stats/refused-requests.ts'
import type { QueueWriter } from '../storage/queue/port.ts'

/** Requests that named a project of this server with a key that is not the project's. */
export interface RefusedKeys {
  /** Counts one refusal; unknown projects and other reasons are ignored. */
  note(project: number | 'any' | 'invalid', reason: string | undefined): void
  /** Publishes what was counted since the last time. */
  flush(): Promise<void>
  close(): void
}

const COUNTED: readonly RefusalReason[] = ['unknown_key', 'unknown_project']

/** Counts are published this often: strangers may not fill the queue, however often they ask. */
const FLUSH_MS = 2_000

/** Projects and reasons counted between two flushes; more than these are passed over. */
const COUNTS_MAX = 100

/**
 * Counts refused keys, and publishes the counts to the queue; calls `onFailure` when that fails.
 */
export function countRefusedKeys(
  queue: Pick<QueueWriter, 'publish'>,
  isProject: (id: number) => boolean,
  onFailure: (cause: unknown) => void,
): RefusedKeys {
  let counts = new Map<string, { projectId: number; reason: RefusalReason; count: number }>()
  const flush = async (): Promise<void> => {
    const now = Date.now()
    const published = [...counts.values()]
    counts = new Map()
    try {
      await Promise.all(
        published.map((refused) => queue.publish(refusedRequestsDelivery(refused, now))),
      )
    } catch (cause) {
      onFailure(cause)
    }
  }
  const timer = setInterval(() => void flush(), FLUSH_MS).unref()
  return {
    note: (project, refused) => {
      const reason = COUNTED.find((one) => one === refused)
      if (reason === undefined || typeof project !== 'number' || !isProject(project)) return
      const name = `${project} ${reason}`
      const counted = counts.get(name)
      if (counted !== undefined) counted.count += 1
      else if (counts.size < COUNTS_MAX) counts.set(name, { projectId: project, reason, count: 1 })
    },
    flush,
    close: () => clearInterval(timer),
  }
}
