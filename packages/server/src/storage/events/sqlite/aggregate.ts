import assert from 'node:assert/strict'
import type { AggregateQuery, AggregateRow, Measure, TimeRange } from '../port.ts'
import { emptyPartial, finish, type PartialRow, type PartialValue } from './aggregate-parts.ts'
import { rollupFor, type Rollup } from './aggregate-rollups.ts'
import { aggregateRows, selectPartials } from './aggregate-rows.ts'
import type { Connection } from './connection.ts'

/**
 * Answers a query from rollups as far as they can, and the rest from rows. Whole hours of a range
 * (for tags: days) come from the rollup, the edges from rows.
 */
export function aggregate(connection: Connection, query: AggregateQuery): readonly AggregateRow[] {
  assert(query.groupBy.length <= 2, 'at most two groups')
  return connection.read(() => finish(query, sourcesOf(connection, query)))
}

/** Takes each measure from a rollup, if one knows it with all groups and conditions. */
function sourcesOf(
  connection: Connection,
  asked: AggregateQuery,
): readonly (readonly PartialRow[])[] {
  const query = withoutIdleRange(connection, asked)
  const isKnown = (measure: Measure): boolean =>
    rollupFor(connection, { ...query, measures: [measure] }) !== null
  const known = query.measures.filter(isKnown)
  const rest = query.measures.filter((measure) => !isKnown(measure))
  if (rest.length === 0 || known.length === 0) return sourcesOfAll(connection, query)
  return [known, rest].flatMap((measures) => {
    const places = measures.map((measure) => query.measures.indexOf(measure))
    return sourcesOfAll(connection, { ...query, measures }).map((rows) =>
      rows.map((row) => ({ ...row, partials: spread(query.measures, places, row.partials) })),
    )
  })
}

/** Puts the values of some measures in their places among all; the others are empty. */
function spread(
  measures: readonly Measure[],
  places: readonly number[],
  partials: readonly PartialValue[],
): readonly PartialValue[] {
  return measures.map((measure, place) => {
    const partial = partials[places.indexOf(place)]
    return partial ?? emptyPartial(measure)
  })
}

/**
 * Drops a range that covers every row of the hashes in question: then the totals hold the answer,
 * people included.
 */
function withoutIdleRange(connection: Connection, query: AggregateQuery): AggregateQuery {
  const { range, ...rest } = query
  if (range === undefined || query.table !== 'errors' || query.bucketMs !== undefined) return query
  const asksHashes = query.where.length > 0
  if (!asksHashes || query.where.some((one) => one.op === 'any' || one.field !== 'groupingHash'))
    return query
  const times = { ...rest, groupBy: [], measures: [first, last], limit: 1 }
  const rollup = rollupFor(connection, times)
  if (rollup === null) return query
  const [row] = finish(times, [readRollup(connection, times, rollup, undefined)])
  const [from, to] = row?.values ?? []
  const isIdle = (from ?? range.from) >= range.from && (to ?? range.from) < range.to
  return isIdle ? rest : query
}

const first: Measure = { type: 'min', field: 'timestamp' }
const last: Measure = { type: 'max', field: 'timestamp' }

function sourcesOfAll(
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
  // Rollups store a missing hash as ''.
  return rows.map((row) => ({
    ...row,
    group: row.group.map((value, index) => (index === place && value === '' ? null : value)),
  }))
}
