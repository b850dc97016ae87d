/**
 * The list of blobs that no row names. No transaction spans rows and blobs, so a key is listed in
 * the transaction that leaves it without a row, and removed once its blob is deleted.
 */
import type { ProcessedItem } from '../port.ts'
import type { TableName } from '../tables.ts'
import type { Connection, SqlRow } from './connection.ts'

/**
 * Lists the blobs of an item, once its rows are written or refused; those of a duplicate are
 * unnamed.
 */
export function noteBlobs(connection: Connection, projectId: number, item: ProcessedItem): void {
  for (const { key } of item.blobs) {
    if (isNamed(connection, projectId, item, key)) {
      connection.run('delete from unnamed_blobs where blob_key = ?', key)
    } else {
      noteUnnamed(connection, key)
    }
  }
}

function isNamed(
  connection: Connection,
  projectId: number,
  { rows }: ProcessedItem,
  key: string,
): boolean {
  return rows.some(({ table, columns }) => {
    if (table === 'attachments') return isAttached(connection, key)
    if (table !== 'replaySegments') return false
    const stored = connection.get(
      `select blob_key from replay_segments
       where replay_id = ? and segment_id = ? and project_id = ?`,
      columns.replayId,
      columns.segmentId,
      projectId,
    )
    return stored?.['blob_key'] === key
  })
}

function isAttached(connection: Connection, key: string): boolean {
  return connection.get('select 1 from attachments where blob_key = ? limit 1', key) !== undefined
}

function noteUnnamed(connection: Connection, key: string): void {
  connection.run('insert into unnamed_blobs (blob_key) values (?) on conflict do nothing', key)
}

/** Lists the blobs of deleted rows. A segment's blob belongs to it alone. */
export function noteBlobsOfRemoved(
  connection: Connection,
  table: TableName,
  rows: readonly SqlRow[],
): void {
  if (table !== 'attachments' && table !== 'replaySegments') return
  for (const { blob_key: key } of rows) {
    if (typeof key !== 'string') continue
    if (table === 'replaySegments' || !isAttached(connection, key)) noteUnnamed(connection, key)
  }
}

export function readUnnamed(connection: Connection, max: number): readonly string[] {
  const rows = connection.all('select blob_key from unnamed_blobs limit ?', max)
  return rows.map((row) => String(row['blob_key']))
}

export function forgetUnnamed(connection: Connection, keys: readonly string[]): void {
  connection.run(
    'delete from unnamed_blobs where blob_key in (select value from json_each(?))',
    JSON.stringify(keys),
  )
}
