import type { Config } from './config.ts'
import type { Blobs } from './storage/blobs/port.ts'
import type { EventStore } from './storage/events/port.ts'
import type { SqliteMetadata } from './storage/metadata/sqlite.ts'
import type { QueueDamage, QueueReader, QueueStats, QueueWriter } from './storage/queue/port.ts'
import {
  openBlobs,
  openEvents,
  openMetadata,
  openQueueReader,
  openQueueWriter,
  queueStatsOf,
} from './storage/open.ts'

/** The stores of each role, built here and nowhere else. `close` closes them all. */
export interface IngestStores {
  readonly queue: QueueWriter
  readonly metadata: SqliteMetadata
  close(): Promise<void>
}

export interface ProcessStores {
  readonly queue: QueueReader
  readonly events: EventStore
  readonly metadata: SqliteMetadata
  readonly blobs: Blobs
  close(): Promise<void>
}

export interface WebStores extends Omit<ProcessStores, 'queue'> {
  readonly queueStats: () => Promise<QueueStats>
}

/** @throws what opening a store throws; those opened before it are closed again */
export async function openIngestStores(config: Config): Promise<IngestStores> {
  await using opening = new AsyncDisposableStack()
  const metadata = held(opening, await openMetadata(config))
  const queue = held(opening, await openQueueWriter(config))
  return { metadata, queue, close: closing(opening) }
}

/** `onDamage` hears of accepted bytes that the queue could not read. */
export async function openProcessStores(
  config: Config,
  onDamage: (damage: QueueDamage) => void,
): Promise<ProcessStores> {
  await using opening = new AsyncDisposableStack()
  const metadata = held(opening, await openMetadata(config))
  const events = held(opening, await openEvents(config, 'writer'))
  const blobs = held(opening, await openBlobs(config))
  const queue = held(opening, await openQueueReader(config, onDamage))
  return { metadata, events, blobs, queue, close: closing(opening) }
}

export async function openWebStores(config: Config): Promise<WebStores> {
  await using opening = new AsyncDisposableStack()
  const metadata = held(opening, await openMetadata(config))
  const events = held(opening, await openEvents(config, 'reader'))
  const blobs = held(opening, await openBlobs(config))
  const queueStats = queueStatsOf(config)
  return { metadata, events, blobs, queueStats, close: closing(opening) }
}

interface Closable {
  close(): Promise<void>
}

/** Registers a store to be closed with the others, in reverse order of opening. */
function held<S extends Closable>(stack: AsyncDisposableStack, store: S): S {
  stack.defer(() => store.close())
  return store
}

/** Hands the open stores to the caller, who closes them from now on. */
function closing(stack: AsyncDisposableStack): () => Promise<void> {
  const opened = stack.move()
  return () => opened.disposeAsync()
}
