import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from './migrate.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'migrate-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(files: Record<string, string>): void {
  for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql)
}

test('applies each file once, in order, and only the new ones later', () => {
  const database = new DatabaseSync(':memory:')
  write({ '0001-a.sql': 'create table a (x integer);' })
  expect(migrate(database, folder)).toBe(1)
  write({ '0002-b.sql': 'alter table a add column y integer;' })
  expect(migrate(database, folder)).toBe(2)
  expect(migrate(database, folder)).toBe(2)
  database.exec('insert into a (x, y) values (1, 2)')
  expect(database.prepare('select name from schema_migrations order by version').all()).toEqual([
    { name: '0001-a.sql' },
    { name: '0002-b.sql' },
  ])
})

test('a failing file leaves the database at the version before it, with nothing half done', () => {
  const database = new DatabaseSync(':memory:')
  write({ '0001-a.sql': 'create table a (x integer);' })
  write({ '0002-b.sql': 'create table b (x integer); create table a (x integer);' })
  expect(() => migrate(database, folder)).toThrow(
    expect.objectContaining({ code: 'MIGRATION_FAILED' }),
  )
  expect(database.isTransaction).toBe(false)
  expect(database.prepare("select name from sqlite_master where name = 'b'").all()).toEqual([])
  expect(database.prepare('select max(version) as version from schema_migrations').get()).toEqual({
    version: 1,
  })
})

test('refuses a database that a newer version made', () => {
  const database = new DatabaseSync(':memory:')
  write({
    '0001-a.sql': 'create table a (x integer);',
    '0002-b.sql': 'create table b (x integer);',
  })
  migrate(database, folder)
  rmSync(join(folder, '0002-b.sql'))
  expect(() => migrate(database, folder)).toThrow(/version 2, this program knows 1/)
})

test.each([
  ['no record of migrations', 'create table theirs (x integer)'],
  [
    'a record of its own',
    'create table schema_migrations (version text, dirty integer); insert into schema_migrations values (7, 0)',
  ],
])('refuses a database of another program, with %s', (_, sql) => {
  const database = new DatabaseSync(':memory:')
  database.exec(sql)
  write({ '0001-a.sql': 'create table a (x integer);' })
  expect(() => migrate(database, folder)).toThrow(/another program/)
  expect(database.prepare("select name from sqlite_schema where name = 'a'").all()).toEqual([])
})

test('refuses gaps and names without a number', () => {
  const database = new DatabaseSync(':memory:')
  write({ '0002-a.sql': 'create table a (x integer);' })
  expect(() => migrate(database, folder)).toThrow(/should be numbered 1/)
})

test('refuses a file that is not a database', () => {
  write({
    '0001-a.sql': 'create table a (x integer);',
    junk: 'no database at all, only words '.repeat(99),
  })
  const database = new DatabaseSync(join(folder, 'junk'))
  expect(() => migrate(database, folder)).toThrow(
    expect.objectContaining({ code: 'MIGRATION_FAILED' }),
  )
})
