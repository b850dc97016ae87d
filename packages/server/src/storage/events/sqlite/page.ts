import assert from 'node:assert/strict'
import type { Page, PageQuery } from '../port.ts'
import type { ReadableTableName, StoredRow } from '../tables.ts'
import { fieldOf, isSelective, joined, whereOf, type Scope, type Sql } from './conditions.ts'
import type { Connection, SqlRow } from './connection.ts'
import { layouts, quoted } from './layout.ts'
import { limits } from './limits.ts'
import { storedRows } from './rows-reader.ts'

/** Reads one row by its key; when `projectId` is null, that of the lowest project. */
export function readPoint<N extends ReadableTableName>(
  connection: Connection,
  table: N,
  projectId: number | null,
  key: readonly (string | number)[],
): StoredRow<N> | null {
  const layout = layouts[table]
  assert(key.length === layout.key.length, `${table} is keyed by ${layout.key.join(', ')}`)
  const rows = connection.all(
    `select * from ${layout.sqlName} where ${layout.key.map((name) => `${quoted(name)} = ?`).join(' and ')}
     ${projectId === null ? '' : 'and project_id = ?'} order by project_id limit 1`,
    ...key,
    ...(projectId === null ? [] : [projectId]),
  )
  return storedRows<N>(connection, layout, rows, true)[0] ?? null
}

/** The order of rows: a field, then their key, so that the order does not depend on arrival. */
interface Order {
  readonly fieldSql: string
  readonly isNullable: boolean
  readonly descending: boolean
  /** SQL names of the key and the project, all in the direction of the field. */
  readonly ties: readonly string[]
}

/** The place after which a page begins: the field's value, then the key and the project. */
type Cursor = readonly (string | number | null)[]

export function readPage<N extends ReadableTableName>(
  connection: Connection,
  query: PageQuery<N>,
): Page<N> {
  const layout = layouts[query.table]
  const scope: Scope = { connection, layout }
  const order = orderOf(scope, query)
  const most = query.table === 'spans' ? limits.pageSpansMax : limits.pageRowsMax
  const limit = Math.max(1, Math.min(query.limit, most))
  const after = cursorOf(query.cursor, order)
  const slices = slicesOf(scope, query)
  assert(slices.length === 1 || query.offset === undefined, 'a merged page cannot skip rows')
  const lists = slices.map((slice) => readRows(scope, slice, order, after, limit + 1))
  const rows = merged(lists, order, limit + 1)
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  return {
    rows: storedRows<N>(connection, layout, shown, query.withPayload === true),
    ...(rows.length > limit && last !== undefined
      ? { next: cursorText(placeOf(last, order)) }
      : {}),
  }
}

function orderOf<N extends ReadableTableName>(scope: Scope, query: PageQuery<N>): Order {
  const defaultField = query.table === 'replays' ? 'startedAt' : 'timestamp'
  const { field, descending } = query.order ?? { field: defaultField, descending: true }
  const { text } = fieldOf(scope, field)
  const frame = ['projectId', 'receivedAt', 'timestamp']
  return {
    fieldSql: text,
    isNullable: !frame.includes(field) && !scope.layout.key.includes(field),
    descending,
    ties: [...scope.layout.key.map((name) => quoted(name)), 'project_id'],
  }
}

/** Hashes of an issue whose pages are merged; an issue rarely has more than a few. */
const mergedHashesMax = 30

/**
 * Splits a query by project and hash, since the indexes begin with these: a page over several is
 * merged from a page of each. A query for an id finds few rows and stays whole.
 */
function slicesOf<N extends ReadableTableName>(
  scope: Scope,
  query: PageQuery<N>,
): readonly PageQuery<N>[] {
  if (query.where.some((condition) => isSelective(scope, condition))) return [query]
  const projects =
    query.projectIds.length > 0
      ? [...new Set(query.projectIds)]
      : scope.connection
          .all('select project_id from event_projects')
          .map((row) => Number(row['project_id']))
  const wheres = hashSlices(query)
  return projects.flatMap((projectId) =>
    wheres.map((where) => ({ ...query, projectIds: [projectId], where })),
  )
}

function hashSlices<N extends ReadableTableName>(
  query: PageQuery<N>,
): readonly PageQuery<N>['where'][] {
  const { where } = query
  const place = where.findIndex((one) => one.op === 'in' && one.field === 'groupingHash')
  const condition = where[place]
  if (query.table !== 'errors' || condition?.op !== 'in') return [where]
  const hashes = [...new Set(condition.values)]
  if (hashes.length > mergedHashesMax) return [where]
  return hashes.map((value) => where.with(place, { field: 'groupingHash', op: 'is', value }))
}

function readRows<N extends ReadableTableName>(
  scope: Scope,
  query: PageQuery<N>,
  order: Order,
  after: Cursor | null,
  limit: number,
): readonly SqlRow[] {
  const parts = [whereOf(scope, query)]
  if (after !== null) parts.push(afterOf(order, after))
  const where = joined(parts, ' and ')
  const direction = order.descending ? 'desc' : 'asc'
  const orders = [order.fieldSql, ...order.ties.map((tie) => `e.${tie}`)]
  return scope.connection.all(
    `select e.*, ${order.fieldSql} as order_value from ${sourceOf(scope, query)} where ${where.text}
     order by ${orders.map((sql) => `${sql} ${direction}`).join(', ')} limit ? offset ?`,
    ...where.parameters,
    limit,
    query.offset ?? 0,
  )
}

/**
 * Segments have a small index of their own, which SQLite considers no better than that of all
 * spans.
 */
function sourceOf<N extends ReadableTableName>(scope: Scope, query: PageQuery<N>): string {
  const { sqlName } = scope.layout
  const asksSegments = query.where.some(
    (one) => one.op === 'is' && one.field === 'isSegment' && one.value === 1,
  )
  const isByTime = !query.where.some((condition) => isSelective(scope, condition))
  const isHinted = query.table === 'spans' && asksSegments && isByTime
  return `${sqlName} e${isHinted ? ' indexed by spans_segment' : ''}`
}

/** Selects the rows after the cursor. SQLite puts nulls first: last when descending. */
function afterOf(order: Order, after: Cursor): Sql {
  const [value, ...ties] = after
  const { fieldSql } = order
  const sign = order.descending ? '<' : '>'
  const tie = `(${order.ties.map((name) => `e.${name}`).join(', ')}) ${sign} (${order.ties.map(() => '?').join(', ')})`
  if (value === null || value === undefined) {
    const rest = order.descending ? '' : ` or ${fieldSql} is not null`
    return { text: `((${fieldSql} is null and ${tie})${rest})`, parameters: ties }
  }
  const nulls = order.isNullable && order.descending ? ` or ${fieldSql} is null` : ''
  const bound = nulls === '' ? `${fieldSql} ${sign}= ? and ` : ''
  return {
    text: `(${bound}(${fieldSql} ${sign} ? or (${fieldSql} = ? and ${tie})${nulls}))`,
    parameters: [...(bound === '' ? [] : [value]), value, value, ...ties],
  }
}

function merged(
  lists: readonly (readonly SqlRow[])[],
  order: Order,
  limit: number,
): readonly SqlRow[] {
  if (lists.length === 1) return lists[0] ?? []
  const sign = order.descending ? -1 : 1
  return lists
    .flat()
    .toSorted((a, b) => sign * comparePlaces(placeOf(a, order), placeOf(b, order)))
    .slice(0, limit)
}

function comparePlaces(a: Cursor, b: Cursor): number {
  for (const [index, left] of a.entries()) {
    const compared = compareValues(left, b[index] ?? null)
    if (compared !== 0) return compared
  }
  return 0
}

/** Compares as SQLite orders: nulls, then numbers, then texts by their bytes. */
function compareValues(a: string | number | null, b: string | number | null): number {
  if (a === b) return 0
  if (a === null) return -1
  if (b === null) return 1
  if (typeof a === 'string' && typeof b === 'string')
    return Buffer.compare(Buffer.from(a), Buffer.from(b))
  if (typeof a !== typeof b) return typeof a === 'number' ? -1 : 1
  return a < b ? -1 : 1
}

function placeOf(row: SqlRow, order: Order): Cursor {
  const names = ['order_value', ...order.ties.map((tie) => tie.replaceAll('"', ''))]
  return names.map((name) => {
    const value = row[name]
    return typeof value === 'string' || typeof value === 'number' ? value : null
  })
}

function cursorText(cursor: Cursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/**
 * Reads the place that a cursor names. Cursors come back through URLs: an invalid one starts at the
 * first page.
 */
function cursorOf(text: string | undefined, order: Order): Cursor | null {
  if (text === undefined) return null
  try {
    const cursor: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    const isCursor =
      Array.isArray(cursor) &&
      cursor.length === order.ties.length + 1 &&
      cursor.every(
        (value) => value === null || typeof value === 'string' || typeof value === 'number',
      )
    return isCursor ? (cursor as Cursor) : null
  } catch {
    return null
  }
}
