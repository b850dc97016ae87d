import assert from 'node:assert/strict'
import type { AggregateQuery, AggregateRow, TimeRange } from '../port.ts'
import { finish, type PartialRow } from './aggregate-parts.ts'
import { rollupFor, type Rollup } from './aggregate-rollups.ts'
import { aggregateRows, selectPartials } from './aggregate-rows.ts'
import type { Connection } from './connection.ts'

/**
 * Answers from a rollup what one knows, and the rest from rows: whole hours (for tags: days) of a
 * range from the rollup, what is before and after them from the rows.
 */
export function aggregate(connection: Connection, query: AggregateQuery): readonly AggregateRow[] {
  assert(query.groupBy.length <= 2, 'at most two groups')
  return connection.read(() => finish(query, sourcesOf(connection, query)))
}

function sourcesOf(
  connection: Connection,
  query: AggregateQuery,
): readonly (readonly PartialRow[])[] {
  const rollup = rollupFor(connection, query)
  if (rollup === null) return [aggregateRows(connection, query, query.range)]
  const { range } = query
  if (range === undefined) return [readRollup(connection, query, rollup, undefined)]
  const { unitMs } = rollup
  if (query.table === 'outcomes') {
    const widened = {
      from: Math.floor(range.from / unitMs) * unitMs,
      to: Math.ceil(range.to / unitMs) * unitMs,
    }
    return [readRollup(connection, query, rollup, widened)]
  }
  const whole = {
    from: Math.ceil(range.from / unitMs) * unitMs,
    to: Math.floor(range.to / unitMs) * unitMs,
  }
  if (whole.from >= whole.to) return [aggregateRows(connection, query, range)]
  return [
    readRollup(connection, query, rollup, whole),
    ...edges(range, whole).map((edge) => aggregateRows(connection, query, edge)),
  ]
}

function edges(range: TimeRange, whole: TimeRange): readonly TimeRange[] {
  const before = { from: range.from, to: whole.from }
  const after = { from: whole.to, to: range.to }
  return [before, after].filter((edge) => edge.from < edge.to)
}

function readRollup(
  connection: Connection,
  query: AggregateQuery,
  rollup: Rollup,
  range: TimeRange | undefined,
): readonly PartialRow[] {
  const rows = selectPartials(connection, query, rollup.source(range))
  const place = query.groupBy.indexOf('groupingHash')
  if (place < 0) return rows
  // Rollups store "no hash" as ''.
  return rows.map((row) => ({
    ...row,
    group: row.group.map((value, index) => (index === place && value === '' ? null : value)),
  }))
}
