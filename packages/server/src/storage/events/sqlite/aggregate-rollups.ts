import {
  failedSpan,
  type AggregateQuery,
  type Condition,
  type Measure,
  type TimeRange,
} from '../port.ts'
import { measureOfRows, type Source } from './aggregate-rows.ts'
import { among, conditionOf, joined, type Scope, type Sql } from './conditions.ts'
import type { Connection } from './connection.ts'
import { histogramKinds } from './histogram-rollups.ts'
import { layouts } from './layout.ts'

/** A rollup that answers a query exactly as the rows would (quantiles: within 1 %). */
export interface Rollup {
  /** Unit to which ranges must be aligned; 0 when it answers only without a range. */
  readonly unitMs: number
  source(range: TimeRange | undefined): Source
}

const hourMs = 3_600_000
const dayMs = 86_400_000

/** Finds the rollup for a query; null when only the rows can answer. */
export function rollupFor(connection: Connection, query: AggregateQuery): Rollup | null {
  switch (query.table) {
    case 'errors':
      return errorTotals(connection, query) ?? errorHours(connection, query)
    case 'tags':
      return tagCounts(connection, query)
    case 'spans':
    case 'vitals':
      return histograms(connection, query, query.table)
    case 'outcomes':
      return outcomes(connection, query)
    default:
      return null
  }
}

function count(text: string): readonly Sql[] {
  return [{ text, parameters: [] }]
}

function projectsIn(alias: string, query: AggregateQuery): readonly Sql[] {
  return query.projectIds.length === 0 ? [] : [among(`${alias}.project_id`, query.projectIds)]
}

function fieldsWithin(query: AggregateQuery, names: readonly string[]): boolean {
  const isKnown = (field: unknown): boolean => typeof field === 'string' && names.includes(field)
  return (
    query.groupBy.every(isKnown) &&
    query.where.every((one) => one.op !== 'any' && isKnown(one.field))
  )
}

/**
 * A missing hash is stored as '' here and as null in rows, so only equality means the same in both.
 */
function hashesByEquality(query: AggregateQuery): boolean {
  return query.where.every(
    (one) =>
      one.op === 'is' || one.op === 'in' || (one.op !== 'any' && one.field !== 'groupingHash'),
  )
}

function hasWholeBuckets(query: AggregateQuery, unitMs: number): boolean {
  return query.bucketMs === undefined || query.bucketMs % unitMs === 0
}

/** Returns count, first and last time, and users of each hash, of all time. */
function errorTotals(connection: Connection, query: AggregateQuery): Rollup | null {
  if (query.range !== undefined || query.bucketMs !== undefined) return null
  if (!fieldsWithin(query, ['groupingHash', 'projectId']) || !hashesByEquality(query)) return null
  const perHash =
    query.groupBy.includes('groupingHash') &&
    (query.projectIds.length === 1 || query.groupBy.includes('projectId'))
  const sqlOf = (measure: Measure): string | null => {
    if (measure.type === 'count') return 'coalesce(sum(e.count), 0)'
    if (measure.type === 'min' && measure.field === 'timestamp') return 'min(e.first_seen)'
    if (measure.type === 'max' && measure.field === 'timestamp') return 'max(e.last_seen)'
    if (measure.type === 'distinct' && measure.field === 'userKey' && perHash) return 'sum(e.users)'
    return null
  }
  if (!query.measures.every((measure) => sqlOf(measure) !== null)) return null
  const scope = errorScope(connection, 'e.hash')
  return {
    unitMs: 0,
    source: () => ({
      scope,
      from: 'error_hashes e',
      where: joined([...projectsIn('e', query), ...conditions(scope, query.where)], ' and '),
      bucketOf: 'null',
      measureSql: (measure) => count(sqlOf(measure) ?? 'null'),
    }),
  }
}

function errorScope(connection: Connection, hashSql: string): Scope {
  const extra = { groupingHash: { sql: hashSql, type: 'id' } }
  return { connection, layout: layouts.errors, extra }
}

function conditions(scope: Scope, where: readonly Condition[]): readonly Sql[] {
  return where.map((condition) => conditionOf(scope, condition))
}

/** Returns counts of each hash by the hour of the events' timestamps. */
function errorHours(connection: Connection, query: AggregateQuery): Rollup | null {
  if (!hasWholeBuckets(query, hourMs) || !hashesByEquality(query)) return null
  if (!fieldsWithin(query, ['groupingHash', 'projectId'])) return null
  if (!query.measures.every((measure) => measure.type === 'count')) return null
  const asksHashes = query.where.some(asksHash)
  const scope = errorScope(connection, 'k.hash')
  return {
    unitMs: hourMs,
    source: (range) => ({
      scope,
      // The order of the join is fixed by hand: from few hashes to their hours, or the other way.
      from: asksHashes
        ? 'error_hashes k cross join error_hours e on e.hash_id = k.id'
        : 'error_hours e cross join error_hashes k on k.id = e.hash_id',
      where: joined(
        [
          ...projectsIn(asksHashes ? 'k' : 'e', query),
          ...within('e.hour', hourMs, range),
          ...conditions(scope, query.where),
        ],
        ' and ',
      ),
      bucketOf: `(e.hour * ${hourMs})`,
      measureSql: () => count('coalesce(sum(e.count), 0)'),
    }),
  }
}

function within(text: string, unitMs: number, range: TimeRange | undefined): readonly Sql[] {
  if (range === undefined) return []
  const parameters = [range.from / unitMs, range.to / unitMs]
  return [{ text: `${text} >= ? and ${text} < ?`, parameters }]
}

/** Returns counts of tag values by hash and UTC day of the events' timestamps. */
function tagCounts(connection: Connection, query: AggregateQuery): Rollup | null {
  if (!hasWholeBuckets(query, dayMs) || !hashesByEquality(query)) return null
  if (!fieldsWithin(query, ['groupingHash', 'projectId', 'key', 'value'])) return null
  const isAnswered = (measure: Measure): boolean =>
    measure.type === 'count' ||
    (measure.type === 'distinct' && measure.field === 'value' && query.range === undefined)
  if (!query.measures.every(isAnswered)) return null
  const scope: Scope = {
    connection,
    layout: layouts.errors,
    extra: {
      groupingHash: { sql: 'k.hash', type: 'id' },
      projectId: { sql: 'k.project_id', type: 'integer' },
      key: { sql: 'p.key', type: 'id' },
      value: { sql: 'p.value', type: 'label' },
    },
  }
  return {
    unitMs: dayMs,
    source: (range) => ({
      scope,
      from: `error_hashes k cross join tag_counts e on e.hash_id = k.id
        cross join tag_pairs p on p.id = e.pair_id`,
      where: joined(
        [
          ...projectsIn('k', query),
          ...within('e.day', dayMs, range),
          ...conditions(scope, query.where),
        ],
        ' and ',
      ),
      bucketOf: `(e.day * ${dayMs})`,
      measureSql: (measure) =>
        count(measure.type === 'count' ? 'coalesce(sum(e.count), 0)' : 'count(distinct p.value)'),
    }),
  }
}

const measuredFields = { spans: 'durationMs', vitals: 'value' } as const
const labelFields = { spans: 'op', vitals: 'name' } as const

/** Returns counts, sums and quantiles of segment spans or vitals by page, label and environment. */
function histograms(
  connection: Connection,
  query: AggregateQuery,
  table: 'spans' | 'vitals',
): Rollup | null {
  const where = query.where.filter((condition) => !isSegmentCondition(condition))
  if (table === 'spans' && where.length === query.where.length) return null
  const fields = ['projectId', 'segmentName', 'environment', labelFields[table]]
  if (!hasWholeBuckets(query, hourMs) || !fieldsWithin({ ...query, where }, fields)) return null
  const measureSql = (measure: Measure): readonly Sql[] => histogramMeasure(table, measure)
  if (!query.measures.every((measure) => measureSql(measure).length > 0)) return null
  const scope: Scope = {
    connection,
    layout: layouts[table],
    extra: {
      segmentName: { sql: 's.segment_name', type: 'label' },
      environment: { sql: 's.environment', type: 'label' },
      [labelFields[table]]: { sql: 's.label', type: 'label' },
    },
  }
  return {
    unitMs: hourMs,
    source: (range) => ({
      scope,
      from: 'histogram_hours e cross join histogram_series s on s.id = e.series_id',
      where: joined(
        [
          ...projectsIn('e', query),
          { text: 'e.kind = ?', parameters: [histogramKinds[table]] },
          ...within('e.hour', hourMs, range),
          ...conditions(scope, where),
        ],
        ' and ',
      ),
      bucketOf: `(e.hour * ${hourMs})`,
      measureSql,
    }),
  }
}

function asksHash(condition: Condition): boolean {
  return condition.op !== 'any' && condition.field === 'groupingHash'
}

function isSegmentCondition(condition: Condition): boolean {
  return condition.op === 'is' && condition.field === 'isSegment' && condition.value === 1
}

/** Null when the histograms do not know the measure. */
function histogramMeasure(table: 'spans' | 'vitals', measure: Measure): readonly Sql[] {
  if (measure.type === 'count') return count('coalesce(sum(e.row_count), 0)')
  if (measure.type === 'countIf') {
    const asksFailed = table === 'spans' && JSON.stringify(measure.where) === failedText
    return asksFailed ? count('coalesce(sum(e.failed), 0)') : []
  }
  if (measure.field !== measuredFields[table]) return []
  const total = count('sum(case when length(e.buckets) > 0 then e.total end)')
  const merged = count('merge_histograms(e.buckets)')
  if (measure.type === 'quantile') return merged
  if (measure.type === 'sum') return total
  return measure.type === 'average' ? [...total, ...merged] : []
}

const failedText = JSON.stringify(failedSpan)

/** Returns outcomes by hour of receipt; they have no rows. */
function outcomes(connection: Connection, query: AggregateQuery): Rollup {
  const scope: Scope = {
    connection,
    layout: layouts.metrics,
    extra: {
      type: { sql: 'e.type', type: 'label' },
      outcome: { sql: 'e.outcome', type: 'label' },
      reason: { sql: "nullif(e.reason, '')", type: 'label' },
      items: { sql: 'e.items', type: 'integer' },
      quantity: { sql: 'e.quantity', type: 'integer' },
    },
  }
  return {
    unitMs: hourMs,
    source: (range) => ({
      scope,
      from: 'outcomes e',
      where: joined(
        [
          ...projectsIn('e', query),
          ...within('e.hour', hourMs, range),
          ...conditions(scope, query.where),
        ],
        ' and ',
      ),
      bucketOf: `(e.hour * ${hourMs})`,
      measureSql: (measure) =>
        measure.type === 'count'
          ? count('coalesce(sum(e.items), 0)')
          : measureOfRows(scope, measure),
    }),
  }
}
