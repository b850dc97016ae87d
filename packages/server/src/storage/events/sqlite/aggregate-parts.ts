import type { AggregateQuery, AggregateRow, Measure } from '../port.ts'
import { quantileOf, type Histogram } from './histogram.ts'
import { limits } from './limits.ts'

/*
 * An aggregate may have several sources: rollups for whole hours, rows for the hours at the edges.
 * Each source gives partial values that merge by addition; they become numbers at the end.
 */

/** The value of one measure of one group, before sources are merged. */
export type PartialValue =
  | { readonly type: 'sum'; value: number | null }
  | { readonly type: 'least'; value: number | null }
  | { readonly type: 'greatest'; value: number | null }
  | { readonly type: 'average'; total: number; count: number }
  | { readonly type: 'histogram'; readonly histogram: Histogram }

export interface PartialRow {
  readonly bucket: number | null
  readonly group: readonly (string | number | null)[]
  readonly partials: readonly PartialValue[]
}

/** Returns the value of a measure that a source does not know; merging it changes nothing. */
export function emptyPartial(measure: Measure): PartialValue {
  switch (measure.type) {
    case 'count':
    case 'countIf':
    case 'distinct':
    case 'sum':
      return { type: 'sum', value: null }
    case 'min':
      return { type: 'least', value: null }
    case 'max':
      return { type: 'greatest', value: null }
    case 'average':
      return { type: 'average', total: 0, count: 0 }
    case 'quantile':
      return { type: 'histogram', histogram: new Map() }
  }
}

/**
 * Joins partial rows of the same bucket and group, then orders and limits them as the query says.
 */
export function finish(
  query: AggregateQuery,
  sources: readonly (readonly PartialRow[])[],
): readonly AggregateRow[] {
  const groups = new Map<string, PartialRow>()
  for (const source of sources) {
    for (const row of source) {
      const name = JSON.stringify([row.bucket, row.group])
      const known = groups.get(name)
      if (known === undefined) groups.set(name, row)
      else
        for (const [index, partial] of row.partials.entries()) merge(known.partials[index], partial)
    }
  }
  const rows = [...groups.values()].map((row) => ({
    bucket: row.bucket,
    group: row.group,
    values: row.partials.map((partial, index) => valueOf(partial, query.measures[index])),
  }))
  return rows
    .sort((a, b) => compareRows(query, a, b))
    .slice(0, Math.max(0, Math.min(query.limit, limits.groupsMax)))
}

function merge(into: PartialValue | undefined, from: PartialValue): void {
  if (into === undefined || into.type !== from.type) return
  if (into.type === 'average' && from.type === 'average') {
    into.total += from.total
    into.count += from.count
  } else if (into.type === 'histogram' && from.type === 'histogram') {
    for (const [bucket, count] of from.histogram) {
      into.histogram.set(bucket, (into.histogram.get(bucket) ?? 0) + count)
    }
  } else if ('value' in into && 'value' in from) {
    into.value = mergedValue(into.type, into.value, from.value)
  }
}

function mergedValue(
  type: 'sum' | 'least' | 'greatest',
  a: number | null,
  b: number | null,
): number | null {
  if (a === null || b === null) return a ?? b
  if (type === 'sum') return a + b
  return type === 'least' ? Math.min(a, b) : Math.max(a, b)
}

function valueOf(partial: PartialValue, measure: Measure | undefined): number | null {
  if (partial.type === 'average') return partial.count === 0 ? null : partial.total / partial.count
  if (partial.type === 'histogram') {
    return quantileOf(partial.histogram, measure?.type === 'quantile' ? measure.q : 0.5)
  }
  return partial.value
}

function compareRows(query: AggregateQuery, a: AggregateRow, b: AggregateRow): number {
  if (query.order === undefined) {
    const byBucket = (a.bucket ?? 0) - (b.bucket ?? 0)
    if (byBucket !== 0) return byBucket
  }
  const { measure, descending } = query.order ?? { measure: 0, descending: true }
  const byMeasure = compareNumbers(a.values[measure] ?? null, b.values[measure] ?? null)
  if (byMeasure !== 0) return descending ? -byMeasure : byMeasure
  const byBucket = (a.bucket ?? 0) - (b.bucket ?? 0)
  return byBucket === 0 ? compareGroups(a.group, b.group) : byBucket
}

function compareNumbers(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null)
  return a - b
}

/** Ties are ordered by group, so that the answer does not depend on the order of the sources. */
function compareGroups(a: AggregateRow['group'], b: AggregateRow['group']): number {
  const left = JSON.stringify(a)
  const right = JSON.stringify(b)
  if (left === right) return 0
  return left < right ? -1 : 1
}
