import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { openDirectoryBlobs } from './blobs/directory-blobs.ts'
import type { Blobs } from './blobs/port.ts'
import type { EventStore } from './events/port.ts'
import { openSqliteEvents } from './events/sqlite/index.ts'
import { openSqliteEventsInThreads } from './events/sqlite/threads.ts'
import { openSqliteMetadata, type SqliteMetadata } from './metadata/sqlite.ts'
import { measureLogQueue } from './queue/log/measure.ts'
import { openLogQueueReader } from './queue/log/reader.ts'
import { openLogQueueWriter } from './queue/log/writer.ts'
import type { QueueDamage, QueueReader, QueueStats, QueueWriter } from './queue/port.ts'
import { makeDurableFolder } from './sync.ts'

/**
 * Chooses the adapters, and is the only file that does. Each function opens, makes or migrates one
 * configured store. @throws STORAGE_FAILED, MIGRATION_FAILED
 */
export async function openMetadata(config: Pick<Config, 'paths'>): Promise<SqliteMetadata> {
  await makeDurableFolder(dirname(config.paths.metadata))
  return openSqliteMetadata({ file: config.paths.metadata })
}

/** Opens the events store. A writer answers reads in its own thread; a reader uses a pool of threads. */
export async function openEvents(
  config: Pick<Config, 'paths'>,
  mode: 'writer' | 'reader',
): Promise<EventStore> {
  const file = config.paths.events
  await makeDurableFolder(dirname(file))
  return mode === 'writer' ? openSqliteEvents({ file, mode }) : openSqliteEventsInThreads({ file })
}

export async function openBlobs(config: Pick<Config, 'paths'>): Promise<Blobs> {
  return openDirectoryBlobs(config.paths.blobs)
}

/** Opens the side of the queue that ingest holds. */
export async function openQueueWriter(config: Pick<Config, 'paths'>): Promise<QueueWriter> {
  return openLogQueueWriter(config.paths.queue)
}

/** Opens the side of the queue that process holds. */
export async function openQueueReader(
  config: Pick<Config, 'paths'>,
  onDamage: (damage: QueueDamage) => void,
): Promise<QueueReader> {
  return openLogQueueReader(config.paths.queue, {}, onDamage)
}

/** Queues the readable deliveries of a segment that was set aside again. */
export { requeueSegment } from './queue/log/requeue.ts'

/** Measures the backlog of the queue, for roles that hold neither side. */
export function queueStatsOf(config: Pick<Config, 'paths'>): () => Promise<QueueStats> {
  return measureLogQueue(config.paths.queue)
}
