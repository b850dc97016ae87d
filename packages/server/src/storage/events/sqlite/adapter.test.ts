import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { disposable } from '../contract/appends.ts'
import {
  dayMs,
  noon,
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
} from '../contract/samples.ts'
import { stateOf } from '../contract/state.ts'
import { openSqliteEvents } from './index.ts'
import { layouts } from './layout.ts'
import { limits } from './limits.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'events-'))
  file = join(folder, 'events.db')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the migrations lay out every column of every table', async () => {
  await (await openSqliteEvents({ file, mode: 'writer' })).close()
  const database = new DatabaseSync(file)
  for (const layout of Object.values(layouts)) {
    const names = database
      .prepare('select name from pragma_table_info(?)')
      .all(layout.sqlName)
      .map((row) => `"${String(row['name'])}"`)
    const frame = ['"id"', '"project_id"', '"received_at"', '"timestamp"']
    expect(names, layout.name).toEqual([
      ...frame,
      ...(layout.hasTags ? ['"tags"'] : []),
      ...layout.sqlColumns,
    ])
  }
  database.close()
})

test('a reader sees later commits of a writer, and cannot write', async () => {
  await using reader = disposable(await openSqliteEvents({ file, mode: 'reader' }))
  await using writer = disposable(await openSqliteEvents({ file, mode: 'writer' }))
  expect(await reader.point('errors', 1, [sampleId(1)])).toBeNull()
  await writer.append([sampleEnvelope([sampleError({ eventId: sampleId(1) })])])
  expect(await reader.point('errors', 1, [sampleId(1)])).not.toBeNull()
  await expect(reader.append([sampleEnvelope([])])).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
  })
})

test('closing twice is closing once', async () => {
  const store = await openSqliteEvents({ file, mode: 'writer' })
  await store.close()
  await store.close()
})

test('two writers do not disturb each other', async () => {
  await using one = disposable(await openSqliteEvents({ file, mode: 'writer' }))
  await using two = disposable(await openSqliteEvents({ file, mode: 'writer' }))
  for (let index = 0; index < 10; index += 2) {
    await one.append([sampleEnvelope([sampleError({ eventId: sampleId(index) })])])
    await two.append([sampleEnvelope([sampleError({ eventId: sampleId(index + 1) })])])
    if (index === 4) await two.remove({ type: 'hashes', projectId: 1, hashes: ['h1'] })
  }
  const rows = await one.aggregate({
    table: 'errors',
    projectIds: [1],
    where: [],
    groupBy: ['groupingHash'],
    measures: [{ type: 'count' }],
    limit: 9,
  })
  expect(rows).toEqual([{ bucket: null, group: ['h1'], values: [4] }])
})

test('a file that is not a database, and a missing folder, fail with a code', async () => {
  writeFileSync(file, 'words '.repeat(500))
  await expect(openSqliteEvents({ file, mode: 'writer' })).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
  })
  const missing = join(folder, 'none', 'events.db')
  await expect(openSqliteEvents({ file: missing, mode: 'writer' })).rejects.toMatchObject({
    code: 'STORAGE_FAILED',
  })
})

function blocks(): readonly { rows: number; small: number }[] {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = database
    .prepare('select row_count as rows, is_small as small from payload_blocks order by first_id')
    .all()
  database.close()
  return rows.map((row) => ({ rows: Number(row['rows']), small: Number(row['small']) }))
}

describe('maintain', () => {
  test('joins the small blocks of a day, and the rest at its end', async () => {
    await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
    for (let index = 0; index < 40; index++) {
      const payload = JSON.stringify({ index, text: 'y'.repeat(30_000) })
      await store.append([sampleEnvelope([sampleError({ eventId: sampleId(index) }, { payload })])])
    }
    const before = await stateOf(store)
    expect(blocks()).toHaveLength(40)
    await store.maintain(noon, 0)
    expect(blocks().map((block) => block.rows)).toEqual([26, ...Array<number>(14).fill(1)])
    await store.maintain(noon + dayMs, 0)
    await store.maintain(noon + dayMs, 0)
    expect(blocks()).toEqual([
      { rows: 26, small: 0 },
      { rows: 14, small: expect.any(Number) },
    ])
    await store.maintain(noon + dayMs, 0)
    expect(blocks().every((block) => block.small === 0)).toBe(true)
    expect(await stateOf(store)).toEqual(before)
  })

  test('empties the log', async () => {
    await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
    await store.append([sampleEnvelope([sampleError({ eventId: sampleId(1) })])])
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    await store.maintain(noon, 0)
    expect(statSync(`${file}-wal`).size).toBe(0)
  })

  test('the file shrinks after its rows have gone, and tag pairs are forgotten', async () => {
    await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
    const items = Array.from({ length: 3_000 }, (_, n) =>
      sampleError(
        { eventId: sampleId(n) },
        { tags: { n: String(n) }, payload: JSON.stringify({ n: Math.sin(n) }) },
      ),
    )
    await store.append([sampleEnvelope(items)])
    await store.maintain(noon, 0)
    const full = statSync(file).size
    await store.remove({ type: 'before', tables: ['errors'], day: noon + 2 * dayMs })
    await store.maintain(noon + dayMs, 0)
    expect(statSync(file).size).toBeLessThan(full / 2)
    const database = new DatabaseSync(file, { readOnly: true })
    const pairs = database
      .prepare('select count(*) as count from tag_pairs where value is not null')
      .get()
    expect(pairs).toEqual({ count: 0 })
    database.close()
  })

  test('an identity is forgotten 24 hours after it was applied, however long it had waited', async () => {
    await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
    const item = sampleItem('client_report', [], { identity: 'a' })
    const applied = noon + 3 * dayMs
    await store.append([sampleEnvelope([item])])
    await store.maintain(applied, 0)
    await store.maintain(applied + dayMs, 0)
    await store.append([sampleEnvelope([item])])
    await store.maintain(applied + dayMs + 1, 0)
    await store.append([sampleEnvelope([item])])
    const rows = await store.aggregate({
      table: 'outcomes',
      projectIds: [1],
      where: [],
      groupBy: ['outcome'],
      measures: [{ type: 'count' }],
      limit: 9,
    })
    expect(rows).toEqual([
      { bucket: null, group: ['accepted'], values: [2] },
      { bucket: null, group: ['duplicate'], values: [1] },
    ])
  })
})

test('tag values past the limit are counted as the rest, and sums stay right when rows go', async () => {
  await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
  const count = limits.tagValuesPerHashMax + 20
  const items = Array.from({ length: count }, (_, n) =>
    sampleError({ eventId: sampleId(n) }, { tags: { request: `r${n}` } }),
  )
  await store.append([sampleEnvelope(items)])
  const ask = () =>
    store.aggregate({
      table: 'tags',
      projectIds: [1],
      where: [],
      groupBy: ['value'],
      measures: [{ type: 'count' }],
      limit: 1_000,
    })
  const rows = await ask()
  expect(rows).toHaveLength(limits.tagValuesPerHashMax + 1)
  expect(rows[0]).toEqual({ bucket: null, group: [null], values: [20] })
  for (const n of [0, count - 1]) {
    await store.remove({ type: 'event', projectId: 1, eventId: sampleId(n) })
  }
  const left = (await ask()).reduce((sum, row) => sum + Number(row.values[0]), 0)
  expect(left).toBe(count - 2)
})

test('outcomes with very many types are counted as other', async () => {
  await using store = disposable(await openSqliteEvents({ file, mode: 'writer' }))
  const items = Array.from({ length: limits.outcomesPerHourMax + 30 }, (_, n) =>
    sampleItem(`type-${n}`, []),
  )
  await store.append([sampleEnvelope(items)])
  const rows = await store.aggregate({
    table: 'outcomes',
    projectIds: [1],
    where: [],
    groupBy: ['type'],
    measures: [{ type: 'count' }],
    limit: 10_000,
  })
  expect(rows).toHaveLength(limits.outcomesPerHourMax + 1)
  expect(rows[0]).toEqual({ bucket: null, group: ['other'], values: [30] })
})

test('every batch that was reported durable survives SIGKILL, whole and with its counts', async () => {
  const child = fileURLToPath(new URL('kill-child.ts', import.meta.url))
  let acknowledged = -1
  for (let round = 0; round < 4; round++) {
    acknowledged = await killAfter(child, acknowledged, 5 + round * 7)
  }
  await using store = disposable(await openSqliteEvents({ file, mode: 'reader' }))
  const [row] = await store.aggregate({
    table: 'errors',
    projectIds: [1],
    where: [],
    groupBy: ['groupingHash'],
    measures: [{ type: 'count' }, { type: 'distinct', field: 'userKey' }],
    limit: 9,
  })
  const [exact] = await store.aggregate({
    table: 'errors',
    projectIds: [1],
    where: [{ field: 'type', op: 'exists' }],
    groupBy: ['groupingHash'],
    measures: [{ type: 'count' }, { type: 'distinct', field: 'userKey' }],
    limit: 9,
  })
  expect(row).toEqual(exact)
  expect(Number(row?.values[0]) % 20).toBe(0)
  expect(row?.values[0]).toBeGreaterThanOrEqual((acknowledged + 1) * 20)
  const last = await store.point('errors', 1, [sampleId(acknowledged * 20 + 19)])
  expect(last?.payload).toContain(`"batch":${acknowledged}`)
  const database = new DatabaseSync(file, { readOnly: true })
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
}, 60_000)

/**
 * Starts the child where the last one was killed, kills it after some batches, and returns the last
 * batch that it reported.
 */
function killAfter(child: string, acknowledged: number, batches: number): Promise<number> {
  return new Promise((resolve, reject) => {
    // It begins with the batch that may have been written without a report.
    const running = spawn(process.execPath, [child, file, String(acknowledged + 1)])
    let text = ''
    let errors = ''
    running.stderr.on('data', (data) => (errors += String(data)))
    running.stdout.on('data', (data) => {
      text += String(data)
      if (text.split('\n').length > batches) running.kill('SIGKILL')
    })
    running.on('error', reject)
    running.on('exit', (_, signal) => {
      if (signal !== 'SIGKILL') reject(new Error(`the child ended by itself: ${errors}`))
      else resolve(Number(text.slice(0, text.lastIndexOf('\n')).split('\n').at(-1)))
    })
  })
}
