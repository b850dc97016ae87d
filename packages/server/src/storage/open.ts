import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { openDirectoryBlobs } from './blobs/directory-blobs.ts'
import type { Blobs } from './blobs/port.ts'
import type { EventStore } from './events/port.ts'
import { openSqliteEvents } from './events/sqlite/index.ts'
import { openSqliteMetadata, type SqliteMetadata } from './metadata/sqlite.ts'
import { measureLogQueue } from './queue/log/measure.ts'
import { openLogQueueReader } from './queue/log/reader.ts'
import { openLogQueueWriter } from './queue/log/writer.ts'
import type { Queue, QueueStats } from './queue/port.ts'

/**
 * The one place that chooses adapters. Each function opens (makes, migrates) one store of the
 * configuration. @throws STORAGE_FAILED, MIGRATION_FAILED
 */
export async function openMetadata(config: Pick<Config, 'paths'>): Promise<SqliteMetadata> {
  return openSqliteMetadata({ file: config.paths.metadata })
}

export async function openEvents(
  config: Pick<Config, 'paths'>,
  mode: 'writer' | 'reader',
): Promise<EventStore> {
  await mkdir(dirname(config.paths.events), { recursive: true, mode: 0o700 })
  return openSqliteEvents({ file: config.paths.events, mode })
}

export async function openBlobs(config: Pick<Config, 'paths'>): Promise<Blobs> {
  return openDirectoryBlobs(config.paths.blobs)
}

/** The side that ingest holds. */
export async function openQueueWriter(config: Pick<Config, 'paths'>): Promise<Queue> {
  return openLogQueueWriter(config.paths.queue)
}

/** The side that process holds. */
export async function openQueueReader(config: Pick<Config, 'paths'>): Promise<Queue> {
  return openLogQueueReader(config.paths.queue)
}

/** What waits in the queue, for those who hold neither side. */
export function queueStatsOf(config: Pick<Config, 'paths'>): () => Promise<QueueStats> {
  return measureLogQueue(config.paths.queue)
}
