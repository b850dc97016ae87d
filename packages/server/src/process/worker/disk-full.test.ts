import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyOutbox } from '../../outbox/apply-outbox.ts'
import { recordingOf, segmentsOfReplay } from '../../replays/recording.ts'
import { openDirectoryBlobs } from '../../storage/blobs/directory-blobs.ts'
import type { EventStore } from '../../storage/events/port.ts'
import { openSqliteEvents } from '../../storage/events/sqlite/index.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../../storage/metadata/sqlite.ts'
import { openLogQueueReader } from '../../storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../../storage/queue/log/writer.ts'
import { canMountSmallDisk, openSmallDisk, type SmallDisk } from '../../testing/small-disk.ts'
import { processItem } from '../process-item.ts'
import { startWorker } from './worker.ts'

/**
 * The disk is full at each stage, by what the system itself says: a small file system (queue, blobs)
 * and SQLite's own limit of pages (events, metadata). Room comes back, and nothing is lost or doubled.
 */

const projectId = 7
const PAGES_MAX = 1_000_000
const hasDisk = canMountSmallDisk()
/** Issues of which the pages that are there hold only some. */
const MANY = 98

let folder: string
let events: EventStore
let eventsDatabase: DatabaseSync
let metadata: SqliteMetadata
let disk: SmallDisk | null
const warnings: string[] = []
const closing: (() => Promise<unknown>)[] = []

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'disk-full-'))
  metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  const opened = vi.spyOn(DatabaseSync.prototype, 'exec')
  events = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  eventsDatabase = opened.mock.contexts[0] as DatabaseSync
  opened.mockRestore()
  disk = hasDisk ? await openSmallDisk(8 * 1024 * 1024) : null
  warnings.length = 0
  await metadata.all(
    "insert into projects (id, slug, name, platform, created_at) values (?, 'web', 'Web', 'javascript', 0)",
    projectId,
  )
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await events.close()
  await metadata.close()
  await disk?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function openQueue(place: string) {
  const writer = await openLogQueueWriter(place, { freeBytesMin: 0 })
  const queue = await openLogQueueReader(place, { pollMs: 10 })
  closing.push(
    () => writer.close(),
    () => queue.close(),
  )
  return { writer, queue }
}

type Queue = Awaited<ReturnType<typeof openQueue>>

async function start({ queue }: Queue, blobsFolder = join(folder, 'blobs')): Promise<void> {
  const blobs = await openDirectoryBlobs(blobsFolder)
  const stopping = new AbortController()
  const log = {
    error: (details: { err: unknown }) => void warnings.push(chainOf(details.err)),
    warn: (details: { err: unknown }) => void warnings.push(chainOf(details.err)),
  } as unknown as Parameters<typeof startWorker>[0]['log']
  const settings = { retryMsMin: 1, retryMsMax: 5 }
  const running = startWorker(
    { queue, events, blobs, metadata, processItem, applyOutbox, log, settings },
    stopping.signal,
  )
  closing.push(async () => {
    stopping.abort()
    await running
  })
}

/** Joins the messages of a failure and its causes. */
function chainOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${chainOf(error.cause)}` : ''
}

function publish({ writer }: Queue, ...items: [type: string, payload: unknown][]): Promise<void> {
  const bytes = encodeEnvelope(
    {},
    items.map(([type, payload]) => ({
      header: { type },
      payload: payload instanceof Uint8Array ? payload : JSON.stringify(payload),
    })),
  )
  const delivery = { projectId, keyId: 'a'.repeat(32), remoteAddress: null, userAgent: null }
  return writer.publish({ ...delivery, receivedAt: Date.now(), bytes })
}

function publishEvent(queue: Queue, number: number): Promise<void> {
  const id = number.toString(16).padStart(32, '0')
  const extra = { noise: noise(number) }
  // An issue each.
  const fingerprint = [`number ${number}`]
  return publish(queue, ['event', { event_id: id, message: 'It failed', fingerprint, extra }])
}

/** Text that nothing compresses much. */
function noise(seed: number): string {
  let state = seed
  return Array.from({ length: 4000 }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return String.fromCharCode(97 + ((state >>> 24) % 26))
  }).join('')
}

function limitPages(database: DatabaseSync, room: number): void {
  const { page_count: pages } = database.prepare('pragma page_count').get() as {
    page_count: number
  }
  database.exec(`pragma max_page_count = ${pages + room}`)
}

async function expectStored(queue: Queue, count: number): Promise<void> {
  await vi.waitFor(async () => expect((await queue.queue.stats()).waiting).toBe(0), 5000)
  await vi.waitFor(async () => {
    const [issues] = await metadata.all<{ count: number }>('select count(*) as count from issues')
    expect(issues?.count).toBe(count)
  }, 5000)
  const page = await events.page({ table: 'errors', projectIds: [projectId], where: [], limit: 99 })
  expect(page.rows).toHaveLength(count)
  const [outcomes] = await events.aggregate({
    table: 'outcomes',
    projectIds: [projectId],
    where: [{ field: 'outcome', op: 'is', value: 'accepted' }],
    groupBy: [],
    measures: [{ type: 'sum', field: 'items' }],
    limit: 1,
  })
  expect(outcomes?.values).toEqual([count])
  expect((await queue.queue.stats()).setAside).toBe(0)
}

test.skipIf(!hasDisk)(
  'a queue whose disk is full refuses with QUEUE_FULL, and keeps what it promised',
  async () => {
    const queue = await openQueue(join(disk!.folder, 'queue'))
    await publishEvent(queue, 1)
    disk!.fill()
    await expect(publishEvent(queue, 2)).rejects.toMatchObject({ code: 'QUEUE_FULL', status: 503 })
    await expect(queue.writer.check()).rejects.toMatchObject({ code: 'QUEUE_FULL' })
    disk!.free()
    await publishEvent(queue, 3)
    await queue.writer.check()
    await start(queue)
    await expectStored(queue, 2)
  },
)

test.skipIf(!hasDisk)(
  'a reader whose cursor finds no room goes on when there is some',
  async () => {
    const queue = await openQueue(join(disk!.folder, 'queue'))
    for (const number of [1, 2, 3]) await publishEvent(queue, number)
    disk!.fill()
    await start(queue)
    await vi.waitFor(() => expect(warnings.join()).toContain('ENOSPC'), 5000)
    disk!.free()
    await expectStored(queue, 3)
  },
)

test('events wait in the queue while their database is full, and come once', async () => {
  const queue = await openQueue(join(folder, 'queue'))
  limitPages(eventsDatabase, 0)
  for (let number = 1; number <= 20; number += 1) await publishEvent(queue, number)
  await start(queue)
  await vi.waitFor(() => expect(warnings.join()).toContain('database or disk is full'), 5000)
  expect((await queue.queue.stats()).waiting).toBe(20)
  eventsDatabase.exec(`pragma max_page_count = ${PAGES_MAX}`)
  await expectStored(queue, 20)
})

test('issues come later, and once, when the metadata has been full', async () => {
  const queue = await openQueue(join(folder, 'queue'))
  limitPages(metadata.database, 0)
  for (let number = 1; number <= MANY; number += 1) await publishEvent(queue, number)
  await start(queue)
  await vi.waitFor(() => expect(warnings.join()).toContain('database or disk is full'), 5000)
  // Events do not wait for their issues.
  await vi.waitFor(async () => expect((await queue.queue.stats()).waiting).toBe(0), 5000)
  metadata.database.exec(`pragma max_page_count = ${PAGES_MAX}`)
  await publishEvent(queue, MANY + 1)
  await expectStored(queue, MANY + 1)
})

test.skipIf(!hasDisk)('a recording waits in the queue while blobs have no room', async () => {
  const queue = await openQueue(join(folder, 'queue'))
  const blobsFolder = join(disk!.folder, 'blobs')
  const replayId = 'ab'.repeat(16)
  const recording = JSON.stringify([{ type: 5, timestamp: 1, data: { text: noise(5) } }])
  await start(queue, blobsFolder)
  disk!.fill()
  await publish(
    queue,
    ['replay_event', { replay_id: replayId, segment_id: 0, timestamp: Date.now() / 1000 }],
    ['replay_recording', Buffer.from(`{"segment_id":0}\n${recording}`)],
  )
  await vi.waitFor(() => expect(warnings.join()).toContain('ENOSPC'), 5000)
  expect(await segmentsOfReplay(events, projectId, replayId)).toEqual([])
  disk!.free()
  await vi.waitFor(async () => expect((await queue.queue.stats()).waiting).toBe(0), 5000)
  const segments = await segmentsOfReplay(events, projectId, replayId)
  expect(segments).toHaveLength(1)
  const blobs = await openDirectoryBlobs(blobsFolder)
  const bytes = Buffer.from(await recordingOf(blobs, segments[0]!)).toString()
  expect(bytes).toContain(noise(5).slice(0, 100))
})
