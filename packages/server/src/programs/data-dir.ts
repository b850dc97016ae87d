import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from 'node:fs'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { damageNote } from '../storage/sqlite-damage.ts'

const SQLITE_WORD = 'SQLite format 3\0'

/**
 * Looks at the data directory before anything is opened in it: it can be made and written, what belongs
 * together is there, and the databases can be read. Files are made for their owner alone from here on.
 * @throws DATA_DIR_UNUSABLE with a sentence on what is wrong and what to do
 */
export function checkDataDir(config: Pick<Config, 'dataDir' | 'paths'>): void {
  process.umask(0o077)
  makeWritable(config.dataDir)
  const { metadata, events, queue } = config.paths
  if (!existsSync(metadata) && (existsSync(events) || hasSegments(queue))) {
    throw unusable(
      `${metadata} is missing, though its neighbours hold data. Without it every key and project is unknown. ` +
        'Restore it from a backup, or start on an empty directory.',
    )
  }
  for (const file of [metadata, events]) checkDatabase(file)
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

function checkDatabase(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return
  try {
    if (firstBytes(file) !== SQLITE_WORD) throw new Error('it is not an SQLite database')
    const database = new DatabaseSync(file)
    try {
      // Reads the schema, and of the log beside it what is not in the file yet.
      database.prepare('select count(*) from sqlite_schema').get()
      checkNotedDamage(file, database)
    } finally {
      database.close()
    }
  } catch (cause) {
    throw unusable(
      `${file} cannot be read: ${reasonOf(cause)}. Restore ${dirname(file)} from a backup, or move the file away: ` +
        'what it held is then gone.',
      cause,
    )
  }
}

/** Reads all pages of a database that a program found damaged; where it is whole again the note goes. */
function checkNotedDamage(file: string, database: DatabaseSync): void {
  const note = damageNote(file)
  if (!existsSync(note)) return
  const [row] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
  if (row?.quick_check !== 'ok') throw new Error(row?.quick_check ?? 'it could not be checked')
  rmSync(note)
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
