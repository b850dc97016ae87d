import { existsSync, writeFileSync } from 'node:fs'
import { AppError } from '../errors.ts'

/** Results of SQLite, by primary code: a malformed page (11), and a file that is not a database (26). */
const codes: ReadonlySet<number> = new Set([11, 26])

/** A database file is damaged: no waiting mends it, only a person. */
export class DamagedStore extends AppError {
  override name = 'DamagedStore'

  constructor(file: string, options?: { cause?: unknown }) {
    const message = `${file} is damaged. Stop the server, and restore the file from a backup or move it away.`
    super('STORAGE_FAILED', message, options)
  }
}

/**
 * The failure to tell of where SQLite found this file damaged; null where it failed for another reason.
 * The find is noted beside the file: other programs have it open too, and may not meet the same page.
 */
export function damageFound(file: string, cause: unknown): DamagedStore | null {
  const isOfSqlite = cause instanceof Error && 'code' in cause && cause.code === 'ERR_SQLITE_ERROR'
  if (!isOfSqlite || !('errcode' in cause) || typeof cause.errcode !== 'number') return null
  // An extended code has its primary one in the lowest byte.
  if (!codes.has(cause.errcode & 0xff)) return null
  try {
    writeFileSync(damageNote(file), `${new Date().toISOString()} ${cause.message}\n`)
  } catch {
    // The failure itself is told; a disk that takes no note is not ready either.
  }
  return new DamagedStore(file, { cause })
}

/**
 * Path of the note that a file was found damaged. The next start checks the whole file, and removes
 * the note.
 */
export function damageNote(file: string): string {
  return `${file}.damaged`
}

/** @throws DamagedStore where one of the files was found damaged, by whichever program */
export function refuseDamaged(files: readonly string[]): void {
  for (const file of files) if (existsSync(damageNote(file))) throw new DamagedStore(file)
}
