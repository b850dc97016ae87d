import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig, type Config } from '../config.ts'
import { readEnv } from '../env.ts'
import { openEvents, openMetadata, openQueueWriter } from '../storage/open.ts'
import { canMountSmallDisk, openSmallDisk } from '../testing/small-disk.ts'
import { damageNote } from '../storage/sqlite-damage.ts'
import { checkDataDir } from './data-dir.ts'

let folder: string
let config: Config
const umask = process.umask()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'data-dir-'))
  config = readConfig(readEnv({ AFTERIMAGE_DATA_DIR: join(folder, 'data') }), folder)
})
afterEach(() => {
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

test('a file that was found damaged is read whole at the next start, and its note goes when it is well', async () => {
  await fill()
  const { events } = config.paths
  const note = damageNote(events)
  writeFileSync(note, '')
  checkDataDir(config)
  expect(existsSync(note)).toBe(false)
  writeFileSync(note, '')
  // Behind the first page, which holds the schema.
  const bytes = readFileSync(events)
  writeFileSync(events, Buffer.concat([bytes.subarray(0, 8192), bytes.subarray(8192).fill(0xff)]))
  expect(() => checkDataDir(config)).toThrow(/events\.db cannot be read: /)
  expect(existsSync(note)).toBe(true)
})
