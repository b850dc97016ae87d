import type { SQLInputValue } from 'node:sqlite'
import type { Row, TableName } from '../tables.ts'
import type { Connection } from './connection.ts'
import { dayOf, idsOfDay, layouts, quoted, type Layout } from './layout.ts'
import { limits } from './limits.ts'
import type { TagDictionary, TagPair } from './tag-dictionary.ts'

/** A row that was new. */
export interface WrittenRow {
  readonly id: number
  readonly projectId: number
  readonly receivedAt: number
  readonly row: Row
  readonly pairs: readonly TagPair[]
}

export interface RowWriter {
  /** Inserts the row; null when its key exists. */
  insert(projectId: number, receivedAt: number, row: Row): WrittenRow | null
  /** Forgets the next ids, after another connection has written. */
  reset(): void
}

const noPairs: readonly TagPair[] = []

export function openRowWriter(connection: Connection, dictionary: TagDictionary): RowWriter {
  const inserts = new Map<TableName, string>()
  /** Next free id by table and day. A refused row leaves a gap, which is harmless. */
  const nextIds = new Map<string, number>()

  function takeId(layout: Layout, day: number): number {
    const name = `${layout.number} ${day}`
    let next = nextIds.get(name)
    if (next === undefined) {
      const [from, to] = idsOfDay(day)
      const greatest = connection.get(
        `select max(id) as id from ${layout.sqlName} where id >= ? and id < ?`,
        from,
        to,
      )?.['id']
      next = typeof greatest === 'number' ? greatest + 1 : from
      if (nextIds.size > limits.statementsMax) nextIds.clear()
    }
    nextIds.set(name, next + 1)
    return next
  }

  return {
    insert(projectId, receivedAt, row) {
      const layout = layouts[row.table]
      let sql = inserts.get(row.table)
      if (sql === undefined) inserts.set(row.table, (sql = insertSql(layout)))
      const day = dayOf(receivedAt)
      const id = takeId(layout, day)
      const pairs = layout.hasTags ? pairsOf(dictionary, projectId, row, day) : noPairs
      const values: SQLInputValue[] = [id, projectId, receivedAt, row.timestamp]
      if (layout.hasTags) values.push(pairs.length === 0 ? null : tagsText(pairs))
      const columns = row.columns as Readonly<Record<string, unknown>>
      for (const column of layout.columns) values.push(sqlValue(columns[column]))
      const isNew = connection.prepare(sql).run(...values).changes !== 0
      return isNew ? { id, projectId, receivedAt, row, pairs } : null
    },
    reset: () => nextIds.clear(),
  }
}

function insertSql(layout: Layout): string {
  const names = ['id', 'project_id', 'received_at', 'timestamp']
  if (layout.hasTags) names.push('tags')
  names.push(...layout.sqlColumns)
  const key = layout.key.map((name) => quoted(name))
  // The conflict names its columns, so that a taken id is an error and not a duplicate.
  return `insert into ${layout.sqlName} (${names.join(', ')})
    values (${names.map(() => '?').join(', ')})
    on conflict (${[...key, 'project_id'].join(', ')}) do nothing`
}

function pairsOf(
  dictionary: TagDictionary,
  projectId: number,
  row: Row,
  day: number,
): readonly TagPair[] {
  if (row.tags === undefined) return noPairs
  const pairs: TagPair[] = []
  for (const key in row.tags) {
    const value = row.tags[key]
    if (typeof value !== 'string') continue
    if (pairs.length === limits.tagsPerRowMax) break
    pairs.push(dictionary.pairOf(projectId, key, value, day))
  }
  return pairs
}

function tagsText(pairs: readonly TagPair[]): string {
  let text = '['
  for (const pair of pairs) text += text.length === 1 ? pair.id : `,${pair.id}`
  return `${text}]`
}

/**
 * Stores values other than text and numbers as absent: a wrong value loses itself, not its batch.
 */
function sqlValue(value: unknown): SQLInputValue {
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : null
}
