import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../errors.ts'

export interface Lock {
  release(): void
}

/** A connection that nobody refers to is collected, and its file lock goes with it. */
const held = new Set<DatabaseSync>()

/**
 * Holds a file so that no other process can, until it is released or the process ends, however it
 * ends. The lock is SQLite's exclusive file lock, which the kernel drops with the process: nothing
 * stale is ever left behind, and no process id is trusted.
 * Waits `waitMs` for a holder that is just going away.
 * @throws DATA_DIR_LOCKED
 */
export async function acquireLock(file: string, waitMs: number): Promise<Lock> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const giveUpAt = performance.now() + waitMs
  for (;;) {
    const database = tryLock(file)
    if (database !== null) return hold(database)
    if (performance.now() >= giveUpAt) {
      throw new AppError('DATA_DIR_LOCKED', `${file} is held by another server.`)
    }
    await delay(20)
  }
}

function hold(database: DatabaseSync): Lock {
  held.add(database)
  return {
    release: () => {
      if (held.delete(database)) database.close()
    },
  }
}

function tryLock(file: string): DatabaseSync | null {
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive')
    return database
  } catch (error) {
    database.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return null
    throw new AppError('STORAGE_FAILED', `Cannot lock ${file}.`, { cause: error })
  }
}

const SQLITE_BUSY = 5
