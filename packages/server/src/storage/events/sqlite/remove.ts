import { setImmediate } from 'node:timers/promises'
import type { SQLInputValue } from 'node:sqlite'
import type { RemoveSelector } from '../port.ts'
import type { TableName } from '../tables.ts'
import { forget, writing, type Writer } from './append.ts'
import { idsOfDay, layouts, quoted, tableNames } from './layout.ts'
import { limits } from './limits.ts'
import { dropPayloadsBelow } from './payload-blocks.ts'
import { removeRowsById, userColumns } from './remove-rows.ts'

/**
 * Deletes the rows that the selector names, step by step; after a crash, the next call continues.
 */
export async function removeRows(writer: Writer, selector: RemoveSelector): Promise<number> {
  const removal: Removal = { writer, rows: 0 }
  switch (selector.type) {
    case 'replay':
      await removeReplay(removal, selector.projectId, selector.replayId)
      break
    case 'event':
      await removeEvents(removal, selector.projectId, [selector.eventId])
      break
    case 'hashes':
      await removeHashes(removal, selector.projectId, selector.hashes)
      break
    case 'user':
      await removeUser(removal, selector.projectId, selector.userKey)
      break
    case 'project':
      await removeProject(removal, selector.projectId)
      break
    case 'before':
      await removeBefore(removal, selector.tables, selector.day)
      break
  }
  return removal.rows
}

interface Removal {
  readonly writer: Writer
  rows: number
}

/** Removes the rows of a table that a condition finds, one step at a time. */
async function removeWhere(
  removal: Removal,
  table: TableName,
  where: { readonly sql: string; readonly parameters: readonly SQLInputValue[] },
  keepPayloads = false,
): Promise<void> {
  const { writer } = removal
  const sql = `select id from ${layouts[table].sqlName} where ${where.sql} order by id limit ?`
  for (;;) {
    const found = writing(writer, () => {
      const rows = writer.connection.all(sql, ...where.parameters, limits.removeStepRows)
      const ids = rows.map((row) => Number(row['id']))
      if (ids.length > 0) removal.rows += removeRowsById(writer, table, ids, keepPayloads)
      return ids.length
    })
    if (found < limits.removeStepRows) return
    await setImmediate()
  }
}

/** Marks the replay as removed first, so that no segment slips in between two steps. */
async function removeReplay(removal: Removal, projectId: number, replayId: string): Promise<void> {
  const { writer } = removal
  writing(writer, () =>
    writer.connection.run(
      'insert into removed_replays (replay_id, project_id) values (?, ?) on conflict do nothing',
      replayId,
      projectId,
    ),
  )
  const parameters = [replayId, projectId]
  await removeWhere(removal, 'replaySegments', {
    sql: 'replay_id = ? and +project_id = ?',
    parameters,
  })
}

/** Removes events with their attachments, and transactions with their spans and vitals. */
async function removeEvents(
  removal: Removal,
  projectId: number,
  eventIds: readonly string[],
): Promise<void> {
  const { connection } = removal.writer
  const parameters = [JSON.stringify(eventIds), projectId]
  const sql = 'event_id in (select value from json_each(?)) and +project_id = ?'
  const transactions = connection.all(
    `select trace_id, span_id, event_id from transactions where ${sql}`,
    ...parameters,
  )
  for (const { trace_id: trace, span_id: segment, event_id: event } of transactions) {
    if (typeof trace !== 'string') continue
    await removeWhere(removal, 'spans', {
      sql: 'trace_id = ? and +project_id = ? and event_id = ?',
      parameters: [trace, projectId, event ?? null],
    })
    await removeWhere(removal, 'vitals', {
      sql: 'trace_id = ? and +project_id = ? and segment_id = ?',
      parameters: [trace, projectId, segment ?? null],
    })
  }
  for (const table of ['attachments', 'errors', 'transactions', 'feedback'] as const) {
    await removeWhere(removal, table, { sql, parameters })
  }
}

async function removeHashes(
  removal: Removal,
  projectId: number,
  hashes: readonly string[],
): Promise<void> {
  const { connection } = removal.writer
  for (;;) {
    const rows = connection.all(
      `select event_id from errors
       where project_id = ? and grouping_hash in (select value from json_each(?)) limit ?`,
      projectId,
      JSON.stringify(hashes),
      limits.removeStepRows,
    )
    if (rows.length === 0) return
    await removeEvents(
      removal,
      projectId,
      rows.map((row) => String(row['event_id'])),
    )
  }
}

/**
 * Removes everything that names a person. A replay is removed whole when one of its segments is
 * theirs.
 */
async function removeUser(removal: Removal, projectId: number, userKey: string): Promise<void> {
  for (const table of tableNames) {
    const column = userColumns[table]
    if (column === null) continue
    // Sessions name people by the bare id that their SDK sent.
    const value = column === 'did' ? userKey.slice(userKey.indexOf(':') + 1) : userKey
    await scan(removal, table, { projectId, column, value }, async (rows) => {
      if (table === 'errors' || table === 'transactions') {
        await removeEvents(
          removal,
          projectId,
          rows.map((row) => String(row['event_id'])),
        )
      } else {
        const ids = rows.map((row) => Number(row['id']))
        removal.rows += writing(removal.writer, () => removeRowsById(removal.writer, table, ids))
      }
    })
  }
  await scan(
    removal,
    'replaySegments',
    { projectId, column: 'userKey', value: userKey },
    async (rows) => {
      const replayIds = new Set(rows.map((row) => String(row['replay_id'])))
      for (const replayId of replayIds) await removeReplay(removal, projectId, replayId)
    },
  )
}

/** Searches a whole table, a window of ids at a time, for rows that no index leads to. */
async function scan(
  removal: Removal,
  table: TableName,
  wanted: { readonly projectId: number; readonly column: string; readonly value: string },
  found: (rows: readonly Record<string, SQLInputValue>[]) => Promise<void>,
): Promise<void> {
  const { connection } = removal.writer
  const { sqlName } = layouts[table]
  let after = -1
  for (;;) {
    const upTo = connection.get(
      `select max(id) as id from (select id from ${sqlName} where id > ? order by id limit ?)`,
      after,
      limits.removeScanIds,
    )?.['id']
    if (typeof upTo !== 'number') return
    const rows = connection.all(
      `select * from ${sqlName}
       where id > ? and id <= ? and +project_id = ? and +${quoted(wanted.column)} = ?`,
      after,
      upTo,
      wanted.projectId,
      wanted.value,
    )
    for (let start = 0; start < rows.length; start += limits.removeStepRows) {
      await found(rows.slice(start, start + limits.removeStepRows))
    }
    after = upTo
    await setImmediate()
  }
}

async function removeProject(removal: Removal, projectId: number): Promise<void> {
  for (const table of tableNames) {
    await removeWhere(removal, table, { sql: 'project_id = ?', parameters: [projectId] })
  }
  const { writer } = removal
  writing(writer, () => {
    for (const table of [
      'error_hashes',
      'error_hours',
      'tag_pairs',
      'histogram_hours',
      'histogram_series',
      'outcomes',
      'item_identities',
      'outbox',
      'removed_replays',
      'event_projects',
    ]) {
      writer.connection.run(`delete from ${table} where project_id = ?`, projectId)
    }
  })
  forget(writer)
}

/** Removes whole days of receipt, for retention. Their payload blocks are dropped unread. */
async function removeBefore(
  removal: Removal,
  selected: readonly TableName[],
  day: number,
): Promise<void> {
  const { writer } = removal
  const [firstKept] = idsOfDay(Math.floor(day / 86_400_000))
  for (const table of selected) {
    await removeWhere(removal, table, { sql: 'id < ?', parameters: [firstKept] }, true)
    writing(writer, () => dropPayloadsBelow(writer.connection, layouts[table].number, firstKept))
  }
  writing(writer, () => {
    writer.connection.run(
      `delete from histogram_series where id not in (select series_id from histogram_hours)`,
    )
  })
  forget(writer)
}
