import type { Columns, TableName } from '../tables.ts'
import type { Writer } from './append.ts'
import type { Connection, SqlRow } from './connection.ts'
import type { ErrorFact } from './error-rollups.ts'
import { histogramKinds, isFailedStatus, type MeasuredFact } from './histogram-rollups.ts'
import { layouts } from './layout.ts'
import { removePayloads } from './payload-blocks.ts'
import { deriveReplay, relinkErrors, type ReplayName } from './replays.ts'
import { pairIdsOf } from './rows-reader.ts'
import type { TagPair } from './tag-dictionary.ts'

/** What one step of a removal took away. */
export interface RemovedRows {
  readonly rows: number
  readonly blobKeys: readonly string[]
}

/**
 * Deletes rows with everything that was counted or derived of them, inside the caller's
 * transaction. `keepPayloads` when their blocks are dropped whole afterwards.
 */
export function removeRowsById(
  writer: Writer,
  table: TableName,
  ids: readonly number[],
  keepPayloads = false,
): RemovedRows {
  const { connection } = writer
  const list = JSON.stringify(ids)
  const { sqlName, number } = layouts[table]
  const from = `from ${sqlName} where id in (select value from json_each(?))`
  const rows = connection.all(`select * ${from}`, list)
  connection.run(`delete ${from}`, list)
  if (!keepPayloads) removePayloads(connection, number, ids)
  if (table === 'errors') forgetErrors(writer, rows)
  if (table === 'spans' || table === 'vitals') {
    writer.histograms.subtract(rows.flatMap((row) => measuredFactsOf(table, row)))
  }
  if (table === 'replaySegments') {
    for (const replay of replaysOf(rows)) deriveReplay(connection, replay)
  }
  return { rows: rows.length, blobKeys: unnamedBlobs(connection, table, rows) }
}

function forgetErrors(writer: Writer, rows: readonly SqlRow[]): void {
  const { connection } = writer
  const pairs = new Map<number, TagPair>()
  const ids = JSON.stringify([...new Set(rows.flatMap((row) => pairIdsOf(row['tags'])))])
  for (const pair of connection.all(
    'select id, key from tag_pairs where id in (select value from json_each(?))',
    ids,
  )) {
    pairs.set(Number(pair['id']), { id: Number(pair['id']), key: String(pair['key']) })
  }
  const facts: ErrorFact[] = rows.map((row) => ({
    id: Number(row['id']),
    projectId: Number(row['project_id']),
    hash: textOf(row['grouping_hash']),
    timestamp: Number(row['timestamp']),
    userKey: textOf(row['user_key']),
    pairs: pairIdsOf(row['tags']).flatMap((id) => pairs.get(id) ?? []),
  }))
  writer.errors.subtract(facts)
  relinkErrors(connection, replaysOf(rows))
}

function measuredFactsOf(table: 'spans' | 'vitals', row: SqlRow): readonly MeasuredFact[] {
  if (table === 'spans' && row['is_segment'] !== 1) return []
  const value = row[table === 'spans' ? 'duration_ms' : 'value']
  return [
    {
      kind: histogramKinds[table],
      projectId: Number(row['project_id']),
      segmentName: textOf(row['segment_name']),
      label: textOf(row[table === 'spans' ? 'op' : 'name']),
      environment: textOf(row['environment']),
      timestamp: Number(row['timestamp']),
      value: typeof value === 'number' ? value : null,
      isFailed: table === 'spans' && isFailedStatus(textOf(row['status'])),
    },
  ]
}

function replaysOf(rows: readonly SqlRow[]): readonly ReplayName[] {
  const replays = new Map<string, ReplayName>()
  for (const row of rows) {
    const replayId = textOf(row['replay_id'])
    const projectId = Number(row['project_id'])
    if (replayId !== null) replays.set(`${projectId} ${replayId}`, { projectId, replayId })
  }
  return [...replays.values()]
}

/** Keys of the rows' blobs that no row left names. A segment's blob is its own. */
function unnamedBlobs(
  connection: Connection,
  table: TableName,
  rows: readonly SqlRow[],
): readonly string[] {
  if (table !== 'attachments' && table !== 'replaySegments') return []
  const keys = [...new Set(rows.flatMap((row) => textOf(row['blob_key']) ?? []))]
  if (table === 'replaySegments') return keys
  const sql = 'select 1 from attachments where blob_key = ? limit 1'
  return keys.filter((key) => connection.get(sql, key) === undefined)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Columns by which rows of a table tell whose they are; the others are not about people. */
export const userColumns: Partial<{ [N in TableName]: keyof Columns<N> }> = {
  errors: 'userKey',
  transactions: 'userKey',
  spans: 'userKey',
  feedback: 'userKey',
  logs: 'userKey',
  sessions: 'did',
}
