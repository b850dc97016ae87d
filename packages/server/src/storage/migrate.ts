import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
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
    database.exec(
      `create table if not exists schema_migrations (
         version integer primary key, name text not null, applied_at integer not null
       ) strict`,
    )
  } catch (cause) {
    throw new AppError('MIGRATION_FAILED', `cannot prepare the database: ${messageOf(cause)}`, {
      cause,
    })
  }
  if (currentVersion(database) === files.length) return files.length
  for (;;) {
    const applied = applyNext(database, files)
    if (applied === null) return files.length
  }
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

function currentVersion(database: DatabaseSync): number {
  const row = database
    .prepare('select coalesce(max(version), 0) as version from schema_migrations')
    .get()
  return Number(row?.['version'] ?? 0)
}

/** Applies one file; null when none was left. The version is read under the write lock. */
function applyNext(database: DatabaseSync, files: readonly MigrationFile[]): string | null {
  let name = 'begin'
  try {
    database.exec('begin immediate')
    const version = currentVersion(database)
    if (version > files.length) {
      throw new AppError(
        'MIGRATION_FAILED',
        `the database is at version ${version}, this program knows ${files.length}`,
      )
    }
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
