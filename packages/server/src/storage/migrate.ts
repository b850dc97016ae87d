import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { AppError } from '../errors.ts'

/**
 * Brings a SQLite database to the newest of the numbered files in `folder` (`0001-what.sql`, from 1
 * without gaps). Forward only: each file runs once, in one transaction with its record in
 * `schema_migrations`. Safe when several processes open the database at once, as long as the
 * connection has a busy timeout. Returns the version reached.
 * @throws MIGRATION_FAILED when a file fails or is misnamed, or when the database is newer than the files
 */
export function migrate(database: DatabaseSync, folder: string): number {
  const files = migrationFiles(folder)
  try {
    refuseForeign(database, files)
    database.exec(
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, applied_at integer not null
       ) strict`,
    )
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('MIGRATION_FAILED', `cannot prepare the database: ${messageOf(cause)}`, {
      cause,
    })
  }
  if (currentVersion(database, files) === files.length) return files.length
  for (;;) {
    const applied = applyNext(database, files)
    if (applied === null) return files.length
  }
}

/**
 * Checks that `migrate` can go on from where a database is. Only reads, so that a refused one stays as it is.
 * @throws DATA_DIR_UNUSABLE when another program made it, MIGRATION_FAILED when a newer version did
 */
export function checkMigrations(database: DatabaseSync, folder: string): void {
  const files = migrationFiles(folder)
  refuseForeign(database, files)
  if (hasRecord(database)) currentVersion(database, files)
}

/** Names the folder of a store's migrations. */
export function migrationsOf(store: 'events' | 'metadata'): string {
  return fileURLToPath(new URL(`migrations/${store}`, import.meta.url))
}

interface MigrationFile {
  readonly version: number
  readonly name: string
  readonly path: string
}

function migrationFiles(folder: string): readonly MigrationFile[] {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
  return names.map((name, index) => {
    const version = Number(/^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1])
    if (version !== index + 1) {
      throw new AppError(
        'MIGRATION_FAILED',
        `migration ${name} in ${folder} should be numbered ${index + 1}`,
      )
    }
    return { version, name, path: join(folder, name) }
  })
}

/** A database without tables is new. A start that ended before its first migration leaves an empty record. */
function refuseForeign(database: DatabaseSync, files: readonly MigrationFile[]): void {
  const isNew = database.prepare('select 1 from sqlite_schema').get() === undefined
  if (isNew) return
  // All columns: other programs have a record of this name, without names of files.
  const first = hasRecord(database)
    ? database.prepare('select * from schema_migrations order by version limit 1').get()
    : {}
  if (first !== undefined && first['name'] !== files[0]?.name) {
    throw new AppError('DATA_DIR_UNUSABLE', 'another program made this database.')
  }
}

function hasRecord(database: DatabaseSync): boolean {
  const found = database
    .prepare("select 1 from sqlite_schema where type = 'table' and name = 'schema_migrations'")
    .get()
  return found !== undefined
}

function currentVersion(database: DatabaseSync, files: readonly MigrationFile[]): number {
  const row = database
    .prepare('select coalesce(max(version), 0) as version from schema_migrations')
    .get()
  const version = Number(row?.['version'] ?? 0)
  if (version > files.length) {
    throw new AppError(
      'MIGRATION_FAILED',
      `the database is at version ${version}, this program knows ${files.length}.`,
    )
  }
  return version
}

/** Applies one file; null when none was left. The version is read under the write lock. */
function applyNext(database: DatabaseSync, files: readonly MigrationFile[]): string | null {
  let name = 'begin'
  try {
    database.exec('begin immediate')
    const version = currentVersion(database, files)
    const next = files[version]
    if (next !== undefined) {
      name = next.name
      database.exec(readFileSync(next.path, 'utf8'))
      database
        .prepare('insert into schema_migrations (version, name, applied_at) values (?, ?, ?)')
        .run(next.version, next.name, Date.now())
    }
    database.exec('commit')
    return next?.name ?? null
  } catch (cause) {
    if (database.isTransaction) database.exec('rollback')
    if (cause instanceof AppError) throw cause
    throw new AppError('MIGRATION_FAILED', `migration ${name}: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
