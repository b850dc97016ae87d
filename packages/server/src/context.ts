import type { Config } from './config.ts'
import type { Blobs } from './storage/blobs/port.ts'
import type { EventStore } from './storage/events/port.ts'
import type { SqliteMetadata } from './storage/metadata/sqlite.ts'
import type { Queue, QueueStats } from './storage/queue/port.ts'
import {
  openBlobs,
  openEvents,
  openMetadata,
  openQueueReader,
  openQueueWriter,
  queueStatsOf,
} from './storage/open.ts'

/** What each role works with, built here and nowhere else. `close` gives it all back. */
export interface IngestStores {
  readonly queue: Queue
  readonly metadata: SqliteMetadata
  close(): Promise<void>
}

export interface ProcessStores {
  readonly queue: Queue
  readonly events: EventStore
  readonly metadata: SqliteMetadata
  readonly blobs: Blobs
  close(): Promise<void>
}

export interface WebStores extends Omit<ProcessStores, 'queue'> {
  readonly queueStats: () => Promise<QueueStats>
}

export async function openIngestStores(config: Config): Promise<IngestStores> {
  const metadata = await openMetadata(config)
  const queue = await openQueueWriter(config)
  return {
    metadata,
    queue,
    close: async () => {
      await queue.close()
      await metadata.close()
    },
  }
}

export async function openProcessStores(config: Config): Promise<ProcessStores> {
  const metadata = await openMetadata(config)
  const events = await openEvents(config, 'writer')
  const blobs = await openBlobs(config)
  const queue = await openQueueReader(config)
  return {
    metadata,
    events,
    blobs,
    queue,
    close: async () => {
      await queue.close()
      await events.close()
      await blobs.close()
      await metadata.close()
    },
  }
}

export async function openWebStores(config: Config): Promise<WebStores> {
  const metadata = await openMetadata(config)
  const events = await openEvents(config, 'reader')
  const blobs = await openBlobs(config)
  return {
    metadata,
    events,
    blobs,
    queueStats: queueStatsOf(config),
    close: async () => {
      await events.close()
      await blobs.close()
      await metadata.close()
    },
  }
}
