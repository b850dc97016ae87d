import type { AggregateQuery, EventStore } from '../port.ts'
import { derivedTables, tables, type ReadableTableName } from '../tables.ts'

/**
 * Reads everything that a store returns, in a fixed order: all rows with payloads, and the answers
 * from rollups. Sums of floats are rounded, since their order of addition differs.
 */
export async function stateOf(store: EventStore): Promise<unknown> {
  const names = Object.keys({ ...tables, ...derivedTables }) as ReadableTableName[]
  const state: Record<string, unknown> = {}
  for (const table of names) {
    const page = await store.page({
      table,
      projectIds: [],
      where: [],
      limit: 1_000,
      withPayload: true,
    })
    state[table] = page.rows.map((row) => JSON.stringify(row)).toSorted()
  }
  for (const [index, query] of questions.entries()) {
    const rows = await store.aggregate({ projectIds: [], where: [], limit: 10_000, ...query })
    state[`question ${index}`] = rows
      .map((row) => JSON.stringify({ ...row, values: row.values.map(rounded) }))
      .toSorted()
  }
  return state
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1_000) / 1_000
}

type Question = Pick<AggregateQuery, 'table' | 'groupBy' | 'measures'> & Partial<AggregateQuery>

const segments = [{ field: 'isSegment', op: 'is', value: 1 }] as const

const questions: readonly Question[] = [
  {
    table: 'errors',
    groupBy: ['projectId', 'groupingHash'],
    measures: [
      { type: 'count' },
      { type: 'distinct', field: 'userKey' },
      { type: 'min', field: 'timestamp' },
      { type: 'max', field: 'timestamp' },
    ],
  },
  {
    table: 'errors',
    groupBy: ['projectId', 'groupingHash'],
    measures: [{ type: 'count' }],
    bucketMs: 3_600_000,
  },
  { table: 'tags', groupBy: ['groupingHash', 'key'], measures: [{ type: 'count' }] },
  { table: 'tags', groupBy: ['key', 'value'], measures: [{ type: 'count' }], bucketMs: 86_400_000 },
  {
    table: 'spans',
    where: segments,
    groupBy: ['segmentName', 'op'],
    measures: [
      { type: 'count' },
      { type: 'sum', field: 'durationMs' },
      { type: 'quantile', field: 'durationMs', q: 0.5 },
    ],
    bucketMs: 3_600_000,
  },
  {
    table: 'vitals',
    groupBy: ['segmentName', 'name'],
    measures: [{ type: 'count' }, { type: 'quantile', field: 'value', q: 0.75 }],
  },
]
