import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readConfig, type Config } from '../config.ts'
import { readEnv } from '../env.ts'
import { openEvents, openMetadata, openQueueWriter } from '../storage/open.ts'
import { canMountSmallDisk, openSmallDisk } from '../testing/small-disk.ts'
import { damageNote } from '../storage/sqlite-damage.ts'
import { checkDataDir, checkNotedDamage } from './data-dir.ts'

let folder: string
let config: Config
const umask = process.umask()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-'))
  config = readConfig(readEnv({ AFTERIMAGE_DATA_DIR: join(folder, 'data') }), folder)
})
afterEach(() => {
  vi.restoreAllMocks()
  process.umask(umask)
  rmSync(folder, { recursive: true, force: true })
})

async function fill(): Promise<void> {
  checkDataDir(config)
  for (const open of [
    () => openMetadata(config),
    () => openEvents(config, 'writer'),
    () => openQueueWriter(config),
  ]) {
    await (await open()).close()
  }
}

test('a missing directory is made, and one in use is taken as it is', async () => {
  await fill()
  checkDataDir(config)
  expect(statSync(config.dataDir).mode & 0o777).toBe(0o700)
})

test('files in a directory that others may read are for their owner alone', async () => {
  mkdirSync(config.dataDir, { mode: 0o755 })
  await fill()
  for (const file of [config.paths.metadata, config.paths.events]) {
    expect(statSync(file).mode & 0o077, file).toBe(0)
  }
})

test('a place that takes no files is told in a sentence', () => {
  writeFileSync(config.dataDir, 'a file where a directory should be')
  expect(() => checkDataDir(config)).toThrow(/data cannot be written: /)
})

test("a place of somebody else's names both users, and one's own neither", () => {
  // Not even root writes below a file.
  writeFileSync(config.dataDir, '')
  const { uid } = statSync(config.dataDir)
  const us = vi.spyOn(process, 'getuid').mockReturnValue(uid + 1)
  expect(() => checkDataDir(config)).toThrow(
    `data cannot be written (it belongs to user ${uid}, the server runs as ${uid + 1}): `,
  )
  us.mockReturnValue(uid)
  expect(() => checkDataDir(config)).toThrow(/data cannot be written: /)
})

test.skipIf(!canMountSmallDisk())('a read-only file system is told in a sentence', async () => {
  const disk = await openSmallDisk(1024 * 1024)
  try {
    const dataDir = join(disk.folder, 'data')
    checkDataDir({ ...config, dataDir })
    disk.makeReadOnly()
    expect(() => checkDataDir({ ...config, dataDir })).toThrow(/data cannot be written: EROFS/)
  } finally {
    await disk.close()
  }
})

test('events without their metadata are refused rather than joined by an empty one', async () => {
  await fill()
  rmSync(config.paths.metadata)
  expect(() => checkDataDir(config)).toThrow(/metadata\.db is missing.*Restore it/)
})

test.each(['metadata', 'events'] as const)('a damaged %s.db is refused by name', async (name) => {
  await fill()
  const path = config.paths[name]
  writeFileSync(path, Buffer.alloc(statSync(path).size, 7))
  expect(() => checkDataDir(config)).toThrow(/cannot be read: it is not an SQLite database/)
})

test('a database whose schema is damaged is refused by name', async () => {
  await fill()
  rmSync(`${config.paths.events}-wal`, { force: true })
  const bytes = Buffer.alloc(8192, 0xff)
  bytes.write('SQLite format 3\0', 'latin1')
  writeFileSync(config.paths.events, bytes)
  expect(() => checkDataDir(config)).toThrow(/events\.db cannot be read/)
})

/** Every file of the directory with its bytes. */
function snapshot(): Record<string, string> {
  const names = readdirSync(config.dataDir, { recursive: true, encoding: 'utf8' }).toSorted()
  const files = names.filter((name) => statSync(join(config.dataDir, name)).isFile())
  return Object.fromEntries(
    files.map((name) => [name, readFileSync(join(config.dataDir, name), 'base64')]),
  )
}

test.each([['PG_VERSION', 'base'], ['server.properties'], ['queue']])(
  'a directory of another program (%s) is refused as it is',
  (...names) => {
    mkdirSync(config.dataDir)
    for (const name of names) writeFileSync(join(config.dataDir, name), '')
    const before = snapshot()
    expect(() => checkDataDir(config)).toThrow(
      `${config.dataDir} holds files of another program (${names[0]}`,
    )
    expect(snapshot()).toEqual(before)
  },
)

test.each(['lost+found', '.gitkeep', 'secret-key', 'lock-ingest'])(
  'a directory that holds %s is taken',
  (name) => {
    mkdirSync(config.dataDir)
    writeFileSync(join(config.dataDir, name), '')
    checkDataDir(config)
  },
)

test('a database that another program made is refused as it is', () => {
  mkdirSync(config.dataDir)
  const foreign = new DatabaseSync(config.paths.metadata)
  foreign.exec(
    'create table schema_migrations (version text); insert into schema_migrations values (1)',
  )
  foreign.close()
  const before = snapshot()
  expect(() => checkDataDir(config)).toThrow('metadata.db: another program made this database.')
  expect(snapshot()).toEqual(before)
})

test.each(['metadata', 'events'] as const)(
  'data of a newer version is refused as it is: %s',
  async (name) => {
    await fill()
    const newer = new DatabaseSync(config.paths[name])
    newer.exec("insert into schema_migrations values (999, '0999-from-the-future.sql', 0)")
    newer.close()
    const before = snapshot()
    expect(() => checkDataDir(config)).toThrow(/db: the database is at version 999, this program/)
    expect(snapshot()).toEqual(before)
  },
)

test('a file that was found damaged is read whole at the next start, and its note goes when it is well', async () => {
  await fill()
  const { events } = config.paths
  const note = damageNote(events)
  writeFileSync(note, '')
  checkDataDir(config)
  expect(existsSync(note), 'before the directory is locked').toBe(true)
  checkNotedDamage(config)
  expect(existsSync(note)).toBe(false)
  writeFileSync(note, '')
  // Behind the first page, which holds the schema.
  const bytes = readFileSync(events)
  writeFileSync(events, Buffer.concat([bytes.subarray(0, 8192), bytes.subarray(8192).fill(0xff)]))
  expect(() => checkNotedDamage(config)).toThrow(/events\.db cannot be read: /)
  expect(existsSync(note)).toBe(true)
  rmSync(events)
  checkNotedDamage(config)
  expect(existsSync(note), 'of a file that was moved away').toBe(false)
})
