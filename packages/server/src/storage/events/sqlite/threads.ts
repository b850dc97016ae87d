import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { AppError } from '../../../errors.ts'
import { currentSignal } from '../../caller-signal.ts'
import type { AggregateRow, EventStore, Page } from '../port.ts'
import type { ReadableTableName } from '../tables.ts'
import { openSqliteEvents } from './index.ts'
import type { Answer, Question, Task } from './reader.worker.ts'

export interface ThreadLimits {
  /** Queries answered at once; each has a thread and a read connection of its own. */
  readonly threadsMax: number
  /** Queries that may wait for a thread. */
  readonly waitingMax: number
  /** Time limit of a query, ms, unless its caller has set one. */
  readonly questionMs: number
  /** Time after which an idle thread ends and frees its memory, ms. */
  readonly idleMs: number
}

export const threadLimits: ThreadLimits = {
  threadsMax: Math.min(4, Math.max(2, availableParallelism())),
  waitingMax: 200,
  questionMs: 10_000,
  idleMs: 60_000,
}

/**
 * Opens the store for reading by threads: a slow query occupies one thread, and nobody else waits
 * for it. A query ends at its time limit, or when its caller has gone (`caller-signal.ts`). Rows by
 * key are read at once, on this thread.
 * @throws STORAGE_FAILED MIGRATION_FAILED
 */
export async function openSqliteEventsInThreads(
  options: { readonly file: string },
  limits: ThreadLimits = threadLimits,
): Promise<EventStore> {
  const here = await openSqliteEvents({ ...options, mode: 'reader' })
  const pool = new Piscina<Task, Answer>({
    filename: fileURLToPath(new URL('./reader.worker.ts', import.meta.url)),
    workerData: { file: options.file },
    minThreads: 0,
    maxThreads: limits.threadsMax,
    maxQueue: limits.waitingMax,
    idleTimeout: limits.idleMs,
  })
  // Queries hear of their own failure. A thread that answers one while the pool closes, or dies idle, tells nobody.
  pool.on('error', () => {})
  return {
    ...here,
    page: async <N extends ReadableTableName>(query: Parameters<EventStore['page']>[0]) =>
      (await ask(pool, { type: 'page', query }, limits)) as Page<N>,
    aggregate: async (query) =>
      (await ask(pool, { type: 'aggregate', query }, limits)) as readonly AggregateRow[],
    close: async () => {
      await pool.destroy()
      await here.close()
    },
  }
}

async function ask(
  pool: Piscina<Task, Answer>,
  question: Question,
  limits: ThreadLimits,
): Promise<unknown> {
  const signal = currentSignal() ?? AbortSignal.timeout(limits.questionMs)
  if (signal.aborted) throw endedBy(signal)
  if (pool.queueSize >= limits.waitingMax) {
    throw new AppError('READS_BUSY', `${limits.waitingMax} queries are waiting for the event store`)
  }
  const flag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const ended = Promise.withResolvers<never>()
  const end = (): void => {
    Atomics.store(flag, 0, 1)
    ended.reject(endedBy(signal))
  }
  signal.addEventListener('abort', end, { once: true })
  try {
    const answer = await Promise.race([pool.run({ question, flag }), ended.promise])
    if ('failure' in answer) {
      const { code, message } = answer.failure
      throw new AppError(code, message)
    }
    return answer.result
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** A time limit names its reason; any other signal means that the caller has gone. */
function endedBy(signal: AbortSignal): AppError {
  const reason: unknown = signal.reason
  const isLate = reason instanceof Error && reason.name === 'TimeoutError'
  return isLate
    ? new AppError(
        'QUERY_TOO_SLOW',
        'This search takes too long. Narrow it: a shorter time range, one project, or fewer wildcards.',
      )
    : new AppError(
        'QUERY_ABANDONED',
        'The client closed its request before the event store answered.',
      )
}
