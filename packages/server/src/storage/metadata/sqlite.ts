import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { AppError } from '../../errors.ts'
import { migrate, migrationsOf } from '../migrate.ts'
import { RefusedValue } from '../refused-value.ts'
import { damageFound } from '../sqlite-damage.ts'
import { isRefusedBySqlite } from '../sqlite-refusals.ts'
import type { Metadata, MetadataReader, SqlValue } from './port.ts'

/** Time that a write waits for another writing process before it fails. */
const BUSY_TIMEOUT_MS = 10_000

/** Prepared statements kept per connection; beyond it the oldest is dropped. */
const STATEMENTS_MAX = 256

/** The embedded metadata store, with what only its neighbours in the same process may use. */
export interface SqliteMetadata extends Metadata {
  /** The connection itself, for sign-in. Use it only inside `exclusively`. */
  readonly database: DatabaseSync
  /**
   * Runs `body` while no one else uses the connection, so that its statements never land in
   * another request's transaction. Must not be nested, nor used inside `transaction`.
   */
  exclusively<T>(body: () => Promise<T>): Promise<T>
}

/**
 * Opens (and makes, and migrates) the metadata database: WAL, every commit fsynced. Several
 * processes may have it open; writes wait for each other.
 * @throws MIGRATION_FAILED, STORAGE_FAILED
 */
export async function openSqliteMetadata(options: {
  readonly file: string
}): Promise<SqliteMetadata> {
  const database = openDatabase(options.file)
  try {
    // For migrations alone: everyone else hashes before asking.
    database.function('sha256', { deterministic: true }, (text) =>
      createHash('sha256').update(String(text)).digest('hex'),
    )
    migrate(database, migrationsOf('metadata'))
  } catch (cause) {
    database.close()
    throw cause
  }
  return new SqliteMetadataConnection(database)
}

function openDatabase(file: string): DatabaseSync {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    if (file !== ':memory:') chmodSync(file, 0o600)
    database.exec(
      'pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on; pragma trusted_schema = off',
    )
    return database
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `cannot open the metadata database ${file}`, { cause })
  }
}

class SqliteMetadataConnection implements SqliteMetadata {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()
  readonly #reader: MetadataReader
  /** Settles when whoever holds the connection lets it go. */
  #turn: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(database: DatabaseSync) {
    this.database = database
    this.#reader = { all: async (sql, ...parameters) => this.#run(sql, parameters) }
  }

  async all<Row = Record<string, SqlValue>>(
    sql: string,
    ...parameters: readonly SqlValue[]
  ): Promise<Row[]> {
    return this.exclusively(async () => this.#run<Row>(sql, parameters))
  }

  async transaction<T>(body: (tx: MetadataReader) => Promise<T>): Promise<T> {
    return this.exclusively(async () => {
      this.#exec('begin immediate')
      try {
        const result = await body(this.#reader)
        this.#exec('commit')
        return result
      } catch (cause) {
        if (this.database.isTransaction) this.#exec('rollback')
        throw cause
      }
    })
  }

  async exclusively<T>(body: () => Promise<T>): Promise<T> {
    const before = this.#turn
    const mine = Promise.withResolvers<void>()
    this.#turn = mine.promise
    await before
    try {
      if (this.#isClosed) throw new AppError('SHUTTING_DOWN', 'the metadata store is closed')
      return await body()
    } finally {
      mine.resolve()
    }
  }

  async close(): Promise<void> {
    await this.#turn
    if (this.#isClosed) return
    this.#isClosed = true
    this.#statements.clear()
    this.database.close()
  }

  #run<Row>(sql: string, parameters: readonly SqlValue[]): Row[] {
    try {
      return this.#prepared(sql).all(...parameters) as Row[]
    } catch (cause) {
      throw this.#failure(sql, cause)
    }
  }

  #exec(sql: string): void {
    try {
      this.database.exec(sql)
    } catch (cause) {
      throw this.#failure(sql, cause)
    }
  }

  #failure(sql: string, cause: unknown): AppError {
    const file = this.database.location()
    return (file === null ? null : damageFound(file, cause)) ?? storageFailure(sql, cause)
  }

  #prepared(sql: string): StatementSync {
    const kept = this.#statements.get(sql)
    if (kept !== undefined) return kept
    const statement = this.database.prepare(sql)
    if (this.#statements.size >= STATEMENTS_MAX) {
      const oldest = this.#statements.keys().next().value
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

function storageFailure(sql: string, cause: unknown): AppError {
  const why = cause instanceof Error ? cause.message : String(cause)
  const message = `metadata: ${why} (${sql.slice(0, 80)})`
  return isRefusedBySqlite(cause)
    ? new RefusedValue(message, { cause })
    : new AppError('STORAGE_FAILED', message, { cause })
}
