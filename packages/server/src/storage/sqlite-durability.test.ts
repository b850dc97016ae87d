import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openConnection } from './events/sqlite/connection.ts'
import { openSqliteMetadata } from './metadata/sqlite.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sqlite-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** `synchronous = full` (2) syncs the log at each commit; anything less loses the last ones in a power cut. */
const durable = { journal_mode: 'wal', synchronous: 2 }

function settingsOf(database: DatabaseSync): unknown {
  return {
    ...database.prepare('pragma journal_mode').get(),
    ...database.prepare('pragma synchronous').get(),
  }
}

test.each(['writer', 'reader'] as const)('the event store syncs each commit: %s', (mode) => {
  const connection = openConnection(join(folder, 'events.db'), mode)
  expect(settingsOf(connection.database)).toEqual(durable)
  connection.close()
})

test('the metadata store syncs each commit', async () => {
  const metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  expect(settingsOf(metadata.database)).toEqual(durable)
  await metadata.close()
})
