/**
 * The list of blobs that no row names. No transaction spans rows and blobs, so a key is listed in
 * the transaction that leaves it without a row, and removed once its blob is deleted.
 */
import type { ProcessedItem } from '../port.ts'
import type { Columns, Row, TableName } from '../tables.ts'
import type { Connection, SqlRow } from './connection.ts'
import { layouts } from './layout.ts'

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

/** Tables whose rows name a blob. */
type NamingTable = {
  [N in TableName]: 'blobKey' extends keyof Columns<N> ? N : never
}[TableName]

/** For each table: each row has a blob of its own, or rows of the same content share one. */
const namings: Readonly<Record<NamingTable, 'own' | 'shared'>> = {
  attachments: 'shared',
  replaySegments: 'own',
}

const namingOf = (table: TableName): 'own' | 'shared' | undefined =>
  (namings as Partial<Record<TableName, 'own' | 'shared'>>)[table]

function isNamed(
  connection: Connection,
  projectId: number,
  { rows }: ProcessedItem,
  key: string,
): boolean {
  return rows.some((row) => {
    const naming = namingOf(row.table)
    if (naming === undefined) return false
    return naming === 'shared'
      ? isShared(connection, row.table, key)
      : ownBlob(connection, projectId, row) === key
  })
}

function isShared(connection: Connection, table: TableName, key: string): boolean {
  const sql = `select 1 from ${layouts[table].sqlName} where blob_key = ? limit 1`
  return connection.get(sql, key) !== undefined
}

/** Returns the key of the blob that the stored row names, which is the first one written. */
function ownBlob(connection: Connection, projectId: number, row: Row): unknown {
  const { sqlName, key, columns, sqlColumns } = layouts[row.table]
  const where = key.map((name) => `${sqlColumns[columns.indexOf(name)]} = ?`).join(' and ')
  const columnsOfRow = row.columns as Readonly<Record<string, string | number | null>>
  const values = key.map((name) => columnsOfRow[name] ?? null)
  const stored = connection.get(
    `select blob_key from ${sqlName} where ${where} and project_id = ?`,
    ...values,
    projectId,
  )
  return stored?.['blob_key']
}

function noteUnnamed(connection: Connection, key: string): void {
  connection.run('insert into unnamed_blobs (blob_key) values (?) on conflict do nothing', key)
}

/** Lists the blobs of deleted rows. */
export function noteBlobsOfRemoved(
  connection: Connection,
  table: TableName,
  rows: readonly SqlRow[],
): void {
  const naming = namingOf(table)
  if (naming === undefined) return
  for (const { blob_key: key } of rows) {
    if (typeof key !== 'string') continue
    if (naming === 'own' || !isShared(connection, table, key)) noteUnnamed(connection, key)
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
