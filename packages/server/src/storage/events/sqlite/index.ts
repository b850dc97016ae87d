import type { EventStore } from '../port.ts'
import { aggregate } from './aggregate.ts'
import { appendEnvelopes, openWriter, writing } from './append.ts'
import { openConnection, storageError } from './connection.ts'
import { maintainStore } from './maintain.ts'
import { readOutbox } from './outbox.ts'
import { readPage, readPoint } from './page.ts'
import { removeRows } from './remove.ts'
import { forgetUnnamed, readUnnamed } from './unnamed-blobs.ts'

/**
 * Opens the event store in one SQLite file: rows, and rollups beside them. There is one writer
 * (`process`) and any number of readers, also in other processes. Each answers from the last
 * commit.
 * @throws STORAGE_FAILED MIGRATION_FAILED
 */
export async function openSqliteEvents(options: {
  readonly file: string
  readonly mode: 'writer' | 'reader'
}): Promise<EventStore> {
  const connection = openConnection(options.file, options.mode)
  const writer = openWriter(connection)
  const guarded = guardedFor(options.file)
  return {
    append: (envelopes) => guarded(() => appendEnvelopes(writer, envelopes)),
    point: (table, projectId, key) =>
      guarded(() => connection.read(() => readPoint(connection, table, projectId, key))),
    page: (query) => guarded(() => connection.read(() => readPage(connection, query))),
    aggregate: (query) => guarded(() => aggregate(connection, query)),
    outbox: (afterSequence, max) => guarded(() => readOutbox(connection, afterSequence, max)),
    remove: (selector) => guarded(() => removeRows(writer, selector)),
    unnamedBlobs: (max) => guarded(() => readUnnamed(connection, max)),
    forgetBlobs: (keys) => guarded(() => writing(writer, () => forgetUnnamed(connection, keys))),
    maintain: (now, appliedSequence) => guarded(() => maintainStore(writer, now, appliedSequence)),
    close: () => guarded(() => connection.close()),
  }
}

type Guarded = <T>(body: () => T | Promise<T>) => Promise<T>

function guardedFor(file: string): Guarded {
  return async (body) => {
    try {
      return await body()
    } catch (cause) {
      throw storageError(file, cause)
    }
  }
}
