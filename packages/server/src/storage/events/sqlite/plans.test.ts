import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
} from '../contract/samples.ts'
import { mixedDeliveries } from '../contract/shuffles.ts'
import type { EventStore } from '../port.ts'
import { tables, type Row, type TableName } from '../tables.ts'
import { openSqliteEvents } from './index.ts'

/** SQLite has no statistics here, so its plans for few rows are those for millions. */
let folder: string
let store: EventStore
let database: DatabaseSync
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'events-'))
  const file = join(folder, 'events.db')
  store = await openSqliteEvents({ file, mode: 'writer' })
  database = new DatabaseSync(file, { readOnly: true })
  database.function('wanted', () => 1)
})
afterEach(async () => {
  database.close()
  await store.close()
  rmSync(folder, { recursive: true, force: true })
})

test('the cost of an append does not grow with the tables', async () => {
  const asked = await statementsOf(async () => {
    await store.append(mixedDeliveries)
    for (let round = 0; round < 2; round += 1) {
      await store.append([sampleEnvelope([sampleItem('event', sampleRows())])])
    }
  })
  const plans = [...asked].flatMap((sql) =>
    planOf(sql).map((step) => `${step} <- ${sql.replaceAll(/\s+/g, ' ').trim()}`),
  )
  expect(plans.length).toBeGreaterThan(20)
  expect(plans.filter(growsWithTheTable)).toEqual([])
})

test.each([
  ['startedAt', 'replays_time'],
  ['errorCount', 'replays_errors'],
] as const)(
  'replays with an error by %s are read in that order, as many as are asked for',
  async (field, index) => {
    const asked = await statementsOf(() =>
      store.page({
        table: 'replays',
        projectIds: [1],
        where: [{ field: 'errorCount', op: 'atLeast', value: 1 }],
        order: { field, descending: true },
        limit: 25,
      }),
    )
    const plan = [...asked].filter((sql) => sql.includes('from replays')).flatMap(planOf)
    expect(plan.join()).toContain(index)
    expect(plan.join()).not.toContain('TEMP B-TREE FOR ORDER BY')
  },
)

test('a rare wildcard on a tag reads the rows of its pairs, and no row of another', async () => {
  const errors = Array.from({ length: 100 }, (_, index) =>
    sampleError({ eventId: sampleId(index) }, { tags: { order: `id-${index}` } }),
  )
  await store.append([sampleEnvelope(errors)])
  const asked = await statementsOf(() =>
    store.page({
      table: 'errors',
      projectIds: [1],
      where: [{ field: { tag: 'order' }, op: 'like', pattern: '*9*9*' }],
      limit: 25,
    }),
  )
  const plan = [...asked].filter((sql) => sql.includes('from errors')).flatMap(planOf)
  expect(plan.filter((step) => /^(SCAN|SEARCH) /.test(step))).toEqual([
    'SEARCH e USING INTEGER PRIMARY KEY (rowid=?)',
    'SEARCH t USING PRIMARY KEY (pair_id=?)',
    'SCAN json_each VIRTUAL TABLE INDEX 1:',
  ])
})

/**
 * Makes a row of each table, with the columns of its key, and with traces, which some tables
 * require.
 */
function sampleRows(): readonly Row[] {
  return (Object.keys(tables) as TableName[]).map((table) => {
    const { key, columns } = tables[table] as TableLayout
    const values = Object.keys(columns)
      .filter((name) => key.includes(name) || name === 'traceId')
      .map((name) => [name, columns[name] === 'integer' ? 1 : sampleId(1)])
    return sampleRow(table, Object.fromEntries(values), { tags: { color: 'red' } })
  })
}

interface TableLayout {
  readonly key: readonly string[]
  readonly columns: Readonly<Record<string, string>>
}

async function statementsOf(body: () => Promise<unknown>): Promise<ReadonlySet<string>> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  try {
    await body()
    return new Set(prepare.mock.calls.map(([sql]) => sql))
  } finally {
    prepare.mockRestore()
  }
}

function planOf(sql: string): readonly string[] {
  return database
    .prepare(`explain query plan ${sql}`)
    .all()
    .map((row) => String(row['detail']))
}

/** Tells whether a step scans a whole table, or all rows of one project. */
function growsWithTheTable(step: string): boolean {
  return /^SCAN (?!json_each|\d+ CONSTANT)/.test(step) || /\(project_id=\?\) <-/.test(step)
}
