import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { AppError } from '../../../errors.ts'
import { migrate, migrationsOf } from '../../migrate.ts'
import { damageFound } from '../../sqlite-damage.ts'
import { isRefusedBySqlite } from '../../sqlite-refusals.ts'
import { limits } from './limits.ts'
import { registerHistogramFunctions } from './histogram.ts'

export type SqlRow = Record<string, SQLInputValue>

/**
 * One database connection with its prepared statements. Statements run to completion, so none holds
 * a read transaction open.
 */
export interface Connection {
  readonly database: DatabaseSync
  prepare(sql: string): StatementSync
  all(sql: string, ...parameters: readonly SQLInputValue[]): SqlRow[]
  get(sql: string, ...parameters: readonly SQLInputValue[]): SqlRow | undefined
  run(sql: string, ...parameters: readonly SQLInputValue[]): number
  /** Runs the body in one write transaction; rolls back when it throws. */
  write<T>(body: () => T): T
  /** Runs the body's reads on one snapshot. */
  read<T>(body: () => T): T
  /**
   * Tells whether someone still waits for the answer; replaced where one reads on behalf of others.
   */
  isWanted: () => boolean
  close(): void
}

/** A statement ended early because nobody waits for its rows any more. */
export class UnwantedAnswer extends Error {
  override name = 'UnwantedAnswer'
}

/**
 * Opens the file, which the first process to open it creates and migrates.
 * @throws STORAGE_FAILED MIGRATION_FAILED
 */
export function openConnection(file: string, mode: 'writer' | 'reader'): Connection {
  let database: DatabaseSync
  try {
    database = new DatabaseSync(file, { timeout: limits.writeWaitMs })
    // Both precede the first table: a file's way of freeing pages cannot be changed later.
    database.exec('pragma auto_vacuum = incremental')
    database.exec('pragma journal_mode = wal')
    database.exec('pragma synchronous = full')
    database.exec('pragma temp_store = memory')
  } catch (cause) {
    throw new AppError('STORAGE_FAILED', `cannot open the event store ${file}`, { cause })
  }
  try {
    migrate(database, migrationsOf('events'))
    // The log grows to 64 MB before it is copied back, so that hot pages are copied once.
    database.exec('pragma wal_autocheckpoint = 16000')
    database.exec(`pragma cache_size = ${mode === 'writer' ? -64_000 : -32_000}`)
    if (mode === 'reader') database.exec('pragma query_only = on')
    registerHistogramFunctions(database)
    return connectionOf(database)
  } catch (cause) {
    database.close()
    throw cause
  }
}

function connectionOf(database: DatabaseSync): Connection {
  const statements = new Map<string, StatementSync>()
  function prepare(sql: string): StatementSync {
    const known = statements.get(sql)
    if (known !== undefined) return known
    if (statements.size >= limits.statementsMax) statements.clear()
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  function within<T>(begin: string, body: () => T): T {
    database.exec(begin)
    try {
      const result = body()
      database.exec('commit')
      return result
    } catch (cause) {
      if (database.isTransaction) database.exec('rollback')
      throw cause
    }
  }
  const connection: Connection = {
    database,
    prepare,
    all: (sql, ...parameters) => prepare(sql).all(...parameters),
    get: (sql, ...parameters) => prepare(sql).get(...parameters),
    run: (sql, ...parameters) => Number(prepare(sql).run(...parameters).changes),
    write: (body) => within('begin immediate', body),
    read: (body) => (database.isTransaction ? body() : within('begin', body)),
    close: () => {
      if (database.isOpen) database.close()
    },
    isWanted: () => true,
  }
  // SQLite offers no other way to end a running statement from here.
  database.function('wanted', () => {
    if (connection.isWanted()) return 1
    throw new UnwantedAnswer('nobody waits for the answer')
  })
  return connection
}

/**
 * Converts a failure of SQLite's surroundings (disk, lock, damaged file) into an AppError. Our own
 * mistakes, such as rows that the tables refuse, pass unchanged: a retry would not help.
 */
export function storageError(file: string, cause: unknown): unknown {
  const isOfSqlite = cause instanceof Error && 'code' in cause && cause.code === 'ERR_SQLITE_ERROR'
  if (!isOfSqlite || isRefusedBySqlite(cause)) return cause
  const message = `the event store failed: ${cause.message}`
  return damageFound(file, cause) ?? new AppError('STORAGE_FAILED', message, { cause })
}
