import type { SQLInputValue } from 'node:sqlite'
import type { Columns, ReadableTableName, StoredRow } from '../tables.ts'
import type { Connection, SqlRow } from './connection.ts'
import type { Layout } from './layout.ts'
import { readPayloads } from './payload-blocks.ts'

/** Makes rows of the port from rows of SQL (`select e.*`); tags and payloads are read with them. */
export function storedRows<N extends ReadableTableName>(
  connection: Connection,
  layout: Layout,
  rows: readonly SqlRow[],
  withPayload: boolean,
): readonly StoredRow<N>[] {
  const tags = layout.hasTags ? tagsOf(connection, rows) : null
  const payloads = withPayload
    ? readPayloads(
        connection,
        layout.number,
        rows.map((row) => Number(row['id'])),
      )
    : null
  const bareNames = layout.sqlColumns.map((name) => name.replaceAll('"', ''))
  return rows.map((row) => {
    const columns: Record<string, SQLInputValue> = {}
    for (const [index, column] of layout.columns.entries()) {
      columns[column] = row[bareNames[index] ?? ''] ?? null
    }
    return {
      projectId: Number(row['project_id']),
      receivedAt: Number(row['received_at']),
      timestamp: Number(row['timestamp']),
      columns: columns as unknown as Columns<N>,
      tags: tags === null ? {} : tags(row),
      payload: payloads?.get(Number(row['id'])) ?? null,
    }
  })
}

function tagsOf(
  connection: Connection,
  rows: readonly SqlRow[],
): (row: SqlRow) => Readonly<Record<string, string>> {
  const ids = new Set(rows.flatMap((row) => pairIdsOf(row['tags'])))
  const pairs = new Map<number, readonly [key: string, value: string]>()
  if (ids.size > 0) {
    const found = connection.all(
      'select id, key, value from tag_pairs where id in (select value from json_each(?))',
      JSON.stringify([...ids]),
    )
    for (const pair of found) {
      pairs.set(Number(pair['id']), [String(pair['key']), String(pair['value'] ?? '')])
    }
  }
  return (row) => {
    const entries = pairIdsOf(row['tags']).flatMap((id) => {
      const pair = pairs.get(id)
      return pair === undefined ? [] : [pair]
    })
    return Object.fromEntries(entries)
  }
}

/** Reads the pair ids of a row's `tags`. */
export function pairIdsOf(tags: SQLInputValue | undefined): readonly number[] {
  return typeof tags === 'string' ? (JSON.parse(tags) as readonly number[]) : []
}
