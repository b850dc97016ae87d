import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { sampleEnvelope, sampleId, sampleItem, sampleRow } from '../contract/samples.ts'
import { mixedDeliveries } from '../contract/shuffles.ts'
import { tables, type Row, type TableName } from '../tables.ts'
import { openSqliteEvents } from './index.ts'

/** SQLite knows no sizes here, so what it plans for few rows is what it does with millions. */
test('what an append asks of the tables does not grow with them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'events-'))
  const file = join(folder, 'events.db')
  const store = await openSqliteEvents({ file, mode: 'writer' })
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const asked = await statementsOf(async () => {
      await store.append(mixedDeliveries)
      for (let round = 0; round < 2; round += 1) {
        await store.append([sampleEnvelope([sampleItem('event', sampleRows())])])
      }
    })
    const plans = [...asked].flatMap((sql) =>
      planOf(database, sql).map((step) => `${step} <- ${sql.replaceAll(/\s+/g, ' ').trim()}`),
    )
    expect(plans.length).toBeGreaterThan(20)
    expect(plans.filter(growsWithTheTable)).toEqual([])
  } finally {
    database.close()
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** A row of each table; of its columns those of its key, and traces, which some tables cannot be without. */
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

async function statementsOf(body: () => Promise<void>): Promise<ReadonlySet<string>> {
  const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare')
  try {
    await body()
    return new Set(prepare.mock.calls.map(([sql]) => sql))
  } finally {
    prepare.mockRestore()
  }
}

function planOf(database: DatabaseSync, sql: string): readonly string[] {
  return database
    .prepare(`explain query plan ${sql}`)
    .all()
    .map((row) => String(row['detail']))
}

/** All of a table, or all that one project has in it. */
function growsWithTheTable(step: string): boolean {
  return /^SCAN (?!json_each|\d+ CONSTANT)/.test(step) || /\(project_id=\?\) <-/.test(step)
}
