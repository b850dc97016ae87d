import assert from 'node:assert/strict'
import type { AggregateQuery, Measure, TimeRange } from '../port.ts'
import type { PartialRow, PartialValue } from './aggregate-parts.ts'
import { conditionOf, fieldOf, joined, whereOf, type Scope, type Sql } from './conditions.ts'
import type { Connection, SqlRow } from './connection.ts'
import { addEncoded, countOf, type Histogram } from './histogram.ts'
import { layouts } from './layout.ts'
import { limits } from './limits.ts'

/** Answers a query from the rows themselves: always right, but slow where there are many. */
export function aggregateRows(
  connection: Connection,
  query: AggregateQuery,
  range: TimeRange | undefined,
): readonly PartialRow[] {
  const { table } = query
  assert(table !== 'outcomes', 'outcomes have no rows')
  const isTags = table === 'tags'
  const scope: Scope = isTags
    ? { connection, layout: layouts.errors, extra: tagFields }
    : { connection, layout: layouts[table] }
  const { range: _, ...rest } = query
  const where = whereOf(scope, range === undefined ? rest : { ...rest, range })
  const from = isTags
    ? 'errors e, json_each(e.tags) j join tag_pairs p on p.id = j.value'
    : `${scope.layout.sqlName} e`
  return selectPartials(connection, query, {
    scope,
    from,
    where,
    bucketOf: 'e.timestamp',
    measureSql: (measure) => measureOfRows(scope, measure),
  })
}

const tagFields = {
  key: { sql: 'p.key', type: 'id' },
  value: { sql: 'p.value', type: 'label' },
} as const

/** A source of rows to be counted. */
export interface Source {
  readonly scope: Scope
  /** The rows, under the alias `e`, with their joins. */
  readonly from: string
  readonly where: Sql
  /** SQL of the time that buckets are made of. */
  readonly bucketOf: string
  /** SQL of a measure: one column, two for an average (sum, then count or histogram). */
  readonly measureSql: (measure: Measure) => readonly Sql[]
}

/** Groups and measures a source in SQL. */
export function selectPartials(
  connection: Connection,
  query: AggregateQuery,
  source: Source,
): readonly PartialRow[] {
  const { scope, from, where } = source
  const groups: Sql[] = query.groupBy.map((field) => fieldOf(scope, field))
  const { bucketMs } = query
  if (bucketMs !== undefined) {
    assert(bucketMs > 0, 'a bucket has a length')
    groups.push({
      text: `cast(floor(${source.bucketOf} / ?) * ? as integer)`,
      parameters: [bucketMs, bucketMs],
    })
  }
  const measures = query.measures.map(source.measureSql)
  const columns = [
    ...groups.map((group, index) => ({ ...group, text: `${group.text} as g${index}` })),
    ...measures.flatMap((parts, index) =>
      parts.map((part, place) => ({ ...part, text: `${part.text} as m${index}_${place}` })),
    ),
  ]
  const selected = joined(columns, ', ')
  const groupBy = groups.length === 0 ? '' : `group by ${groups.map((_, i) => i + 1).join(', ')}`
  const rows = connection.all(
    `select ${selected.text} from ${from} where ${where.text} ${groupBy} limit ?`,
    ...selected.parameters,
    ...where.parameters,
    limits.groupsMergedMax,
  )
  return rows.map((row) => ({
    bucket: bucketMs === undefined ? null : Number(row[`g${query.groupBy.length}`]),
    group: query.groupBy.map((_, index) => groupValue(row[`g${index}`])),
    partials: query.measures.map((measure, index) => partialOf(row, measure, index)),
  }))
}

function groupValue(value: unknown): string | number | null {
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** A measure over fields of rows. */
export function measureOfRows(scope: Scope, measure: Measure): readonly Sql[] {
  if (measure.type === 'count') return [{ text: 'count(*)', parameters: [] }]
  if (measure.type === 'countIf') {
    const where = joined(
      measure.where.map((condition) => conditionOf(scope, condition)),
      ' and ',
    )
    return [{ text: `count(case when ${where.text} then 1 end)`, parameters: where.parameters }]
  }
  const { text, parameters } = fieldOf(scope, measure.field)
  const call = (name: string): Sql => ({ text: `${name}(${text})`, parameters })
  switch (measure.type) {
    case 'sum':
    case 'min':
    case 'max':
      return [call(measure.type)]
    case 'average':
      return [call('sum'), call('count')]
    case 'distinct':
      return [{ text: `count(distinct ${text})`, parameters }]
    case 'quantile':
      return [call('log_histogram')]
  }
}

function partialOf(row: SqlRow, measure: Measure, index: number): PartialValue {
  const first = row[`m${index}_0`]
  const value = typeof first === 'number' ? first : null
  switch (measure.type) {
    case 'count':
    case 'countIf':
    case 'distinct':
    case 'sum':
      return { type: 'sum', value }
    case 'min':
      return { type: 'least', value }
    case 'max':
      return { type: 'greatest', value }
    case 'average':
      return { type: 'average', total: value ?? 0, count: countIn(row[`m${index}_1`]) }
    case 'quantile':
      return { type: 'histogram', histogram: addedHistogram(first) }
  }
}

function countIn(value: unknown): number {
  return value instanceof Uint8Array ? countOf(addedHistogram(value)) : Number(value ?? 0)
}

function addedHistogram(bytes: unknown): Histogram {
  const histogram: Histogram = new Map()
  if (bytes instanceof Uint8Array) addEncoded(histogram, bytes)
  return histogram
}
