import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { checkMigrations, migrationsOf } from '../storage/migrate.ts'
import { damageNote } from '../storage/sqlite-damage.ts'

const SQLITE_WORD = 'SQLite format 3\0'

/**
 * Looks at the data directory before anything is opened in it: it is ours or empty, it can be made and
 * written, what belongs together is there, and the databases can be read and migrated. Nothing in a
 * directory that is refused has changed. Files are made for their owner alone from here on.
 * @throws DATA_DIR_UNUSABLE, MIGRATION_FAILED with a sentence on what is wrong and what to do
 */
export function checkDataDir(config: Pick<Config, 'dataDir' | 'paths'>): void {
  process.umask(0o077)
  refuseForeign(config)
  makeWritable(config.dataDir)
  const { metadata, events, queue } = config.paths
  if (!existsSync(metadata) && (existsSync(events) || hasSegments(queue))) {
    throw unusable(
      `${metadata} is missing, though its neighbours hold data. Without it every key and project is unknown. ` +
        'Restore it from a backup, or start on an empty directory.',
    )
  }
  for (const store of ['metadata', 'events'] as const) {
    readDatabase(config.paths[store], (database) => checkMigrations(database, migrationsOf(store)))
  }
}

/**
 * Reads all pages of a database that a program found damaged; where it is whole again the note goes.
 * To be called with the directory locked: the note tells a running server that it is not ready.
 * @throws DATA_DIR_UNUSABLE when the file is still damaged
 */
export function checkNotedDamage({ paths }: Pick<Config, 'paths'>): void {
  for (const file of [paths.metadata, paths.events]) {
    const note = damageNote(file)
    if (!existsSync(note)) continue
    readDatabase(file, (database) => {
      const [row] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
      if (row?.quick_check !== 'ok') throw new Error(row?.quick_check ?? 'it could not be checked')
    })
    rmSync(note)
  }
}

/** A directory is ours by a file that every start makes. A new file system has a folder of its own. */
function refuseForeign({ dataDir, paths }: Pick<Config, 'dataDir' | 'paths'>): void {
  const names = namesIn(dataDir).filter((name) => !name.startsWith('.') && name !== 'lost+found')
  const ours = [paths.metadata, paths.events, paths.secret, paths.lock].map((it) => basename(it))
  const isOurs = (name: string): boolean =>
    ours.some((it) => name === it || name.startsWith(`${it}-`))
  if (names.length === 0 || names.some(isOurs)) return
  throw unusable(
    `${dataDir} holds files of another program (${names.slice(0, 3).join(', ')}). Nothing was changed there.`,
  )
}

/** Returns nothing for a directory that cannot be listed: writing into it tells why. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function makeWritable(folder: string): void {
  const probe = join(folder, `.probe-${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (cause) {
    throw unusable(`${folder} cannot be written${whose(folder)}: ${reasonOf(cause)}`, cause)
  }
}

/** Names the owner where it is somebody else: the usual reason, after a start as another user. */
function whose(folder: string): string {
  const us = process.getuid?.()
  const found = existsSync(folder) ? statSync(folder) : null
  if (found === null || us === undefined || found.uid === us) return ''
  return ` (it belongs to user ${found.uid}, the server runs as ${us})`
}

function hasSegments(queue: string): boolean {
  const log = join(queue, 'log')
  return existsSync(log) && readdirSync(log).some((name) => name.endsWith('.log'))
}

function readDatabase(file: string, read: (database: DatabaseSync) => void): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  try {
    if (firstBytes(file) !== SQLITE_WORD) throw new Error('it is not an SQLite database')
    // Reads the log beside the file too, which has the newest data.
    const database = new DatabaseSync(file)
    try {
      read(database)
    } finally {
      database.close()
    }
  } catch (cause) {
    if (cause instanceof AppError) throw new AppError(cause.code, `${file}: ${cause.message}`)
    throw unusable(
      `${file} cannot be read: ${reasonOf(cause)}. Restore ${dirname(file)} from a backup, or move the file away: ` +
        'what it held is then gone.',
      cause,
    )
  }
}

function firstBytes(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(SQLITE_WORD.length)
    readSync(descriptor, bytes, 0, bytes.length, 0)
    return bytes.toString('latin1')
  } finally {
    closeSync(descriptor)
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function unusable(message: string, cause?: unknown): AppError {
  return new AppError('DATA_DIR_UNUSABLE', message, { cause })
}
