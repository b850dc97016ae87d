import type { Columns, TableName } from '../tables.ts'
import type { Writer } from './append.ts'
import type { SqlRow } from './connection.ts'
import type { ErrorFact } from './error-rollups.ts'
import { histogramKinds, isFailedStatus, type MeasuredFact } from './histogram-rollups.ts'
import { layouts } from './layout.ts'
import { removePayloads } from './payload-blocks.ts'
import { deriveReplay, relinkErrors, type ReplayName } from './replays.ts'
import { pairIdsOf } from './rows-reader.ts'
import type { TagPair } from './tag-dictionary.ts'
import { noteBlobsOfRemoved } from './unnamed-blobs.ts'

/**
 * Deletes rows with everything counted or derived from them, inside the caller's transaction.
 * Returns their number. Use `keepPayloads` when their blocks are dropped whole afterwards.
 */
export function removeRowsById(
  writer: Writer,
  table: TableName,
  ids: readonly number[],
  keepPayloads = false,
): number {
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
  noteBlobsOfRemoved(connection, table, rows)
  return rows.length
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

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The column that identifies the person of a row; null where rows are not about people. */
export const userColumns: { readonly [N in TableName]: keyof Columns<N> | null } = {
  errors: 'userKey',
  transactions: 'userKey',
  spans: 'userKey',
  vitals: null,
  // Named by `userKey` too, but a replay is removed whole.
  replaySegments: null,
  sessions: 'did',
  checkIns: null,
  feedback: 'userKey',
  logs: 'userKey',
  metrics: null,
  attachments: null,
}
