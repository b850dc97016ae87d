import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../errors.ts'
import { applyOutbox } from '../../outbox/apply-outbox.ts'
import { recordingOf, segmentsOfReplay } from '../../replays/recording.ts'
import { applyRemovals, requestRemoval } from '../../retention/removals.ts'
import { deleteUnnamedBlobs } from '../../retention/delete-unnamed-blobs.ts'
import { refusedRequestsDelivery } from '../../stats/refused-requests.ts'
import { openDirectoryBlobs } from '../../storage/blobs/directory-blobs.ts'
import type { Blobs } from '../../storage/blobs/port.ts'
import type { EventStore } from '../../storage/events/port.ts'
import { openSqliteEvents } from '../../storage/events/sqlite/index.ts'
import type { Row } from '../../storage/events/tables.ts'
import { openSqliteMetadata } from '../../storage/metadata/sqlite.ts'
import type { Metadata } from '../../storage/metadata/port.ts'
import { openLogQueueReader } from '../../storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../../storage/queue/log/writer.ts'
import type { QueueReader, QueueWriter } from '../../storage/queue/port.ts'
import { processItem } from '../process-item.ts'
import type { ProcessItem } from '../items/item.ts'
import { startWorker } from './worker.ts'
import type { WorkerDependencies } from './worker.ts'

/** The worker on the real stores, in a folder of its own. */

const projectId = 42
const receivedAt = Date.parse('2026-11-20T08:00:00Z')

let folder: string
let writer: QueueWriter
let queue: QueueReader
let events: EventStore
let metadata: Metadata
let blobs: Blobs
let stop: () => Promise<void>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'afterimage-worker-'))
  metadata = await openSqliteMetadata({ file: join(folder, 'metadata.db') })
  events = await openSqliteEvents({ file: join(folder, 'events.db'), mode: 'writer' })
  blobs = await openDirectoryBlobs(join(folder, 'blobs'))
  writer = await openLogQueueWriter(join(folder, 'queue'))
  queue = await openLogQueueReader(join(folder, 'queue'))
  await saveProject({})
  stop = async () => {}
})

afterEach(async () => {
  await stop()
  await queue.close()
  await writer.close()
  await events.close()
  await blobs.close()
  await metadata.close()
  await rm(folder, { recursive: true, force: true })
})

async function saveProject(settings: unknown): Promise<void> {
  await metadata.all(
    `insert into projects (id, slug, name, platform, created_at, settings) values (?, 'web', 'Web', 'javascript', 0, ?)
     on conflict (id) do update set settings = excluded.settings`,
    projectId,
    JSON.stringify(settings),
  )
}

function start(more: Partial<WorkerDependencies> = {}): void {
  const stopping = new AbortController()
  const running = startWorker(
    {
      queue,
      events,
      blobs,
      metadata,
      processItem,
      applyOutbox,
      log: { warn: () => {}, error: () => {} },
      ...more,
      settings: { retryMsMin: 1, retryMsMax: 5, projectSettingsMs: 0, ...more.settings },
    },
    stopping.signal,
  )
  stop = async () => {
    stopping.abort()
    await running
  }
}

/** The store, with some of its methods replaced. */
function altered<T extends object>(store: T, methods: Partial<T>): T {
  return new Proxy(store, {
    get: (target, name) => {
      const own: unknown = Reflect.get(methods, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? (own as () => unknown).bind(target) : own
    },
  })
}

type Item = readonly [type: string, payload: unknown]

function send(...items: readonly Item[]): Promise<void> {
  const bytes = encodeEnvelope(
    { sent_at: '2026-11-20T08:00:00Z' },
    items.map(([type, payload]) => ({
      header: { type },
      payload: payload instanceof Uint8Array ? payload : JSON.stringify(payload),
    })),
  )
  return publish(bytes)
}

function publish(bytes: Uint8Array, at = receivedAt): Promise<void> {
  return writer.publish({
    receivedAt: at,
    projectId,
    keyId: 'a'.repeat(32),
    remoteAddress: null,
    userAgent: null,
    bytes,
  })
}

function error(number: number, more: Record<string, unknown> = {}): Item {
  const id = number.toString(16).padStart(32, '1')
  return ['event', { event_id: id, message: `number ${number}`, release: 'a@1', ...more }]
}

async function titles(): Promise<string[]> {
  const { rows } = await events.page({
    table: 'errors',
    projectIds: [projectId],
    where: [],
    limit: 100,
  })
  return rows.map(({ columns }) => columns.title ?? '').sort()
}

/** `type/outcome/reason` → items. */
async function outcomes(): Promise<Record<string, number>> {
  const rows = await events.aggregate({
    table: 'outcomes',
    projectIds: [projectId],
    where: [],
    groupBy: ['outcome', 'reason'],
    measures: [{ type: 'sum', field: 'items' }],
    limit: 100,
  })
  return Object.fromEntries(
    rows.map(({ group, values }) => [group.filter(Boolean).join('/'), values[0] ?? 0]),
  )
}

async function untilEmpty(): Promise<void> {
  await vi.waitFor(async () => expect((await queue.stats()).waiting).toBe(0), 5000)
}

/** Fails on events that say so. */
const fragile: ProcessItem = (item, context) => {
  if (Buffer.from(item.payload).includes('POISON')) throw new TypeError('cannot read this')
  return processItem(item, context)
}

test('envelopes become rows, issues and counted outcomes, and the queue forgets them', async () => {
  await send(error(1))
  await send(error(2), ['unheard_of', {}])
  start()
  await send(error(3))
  await untilEmpty()
  expect(await titles()).toEqual(['number 1', 'number 2', 'number 3'])
  expect(await outcomes()).toEqual({ accepted: 3, 'unsupported/unsupported_item_type': 1 })
  const issues = await metadata.all<{ count: number }>('select count(*) as count from issues')
  expect(issues[0]?.count).toBe(1)
})

test('a clock set back between envelopes loses none, counts none twice, and the outbox goes on', async () => {
  const session = { init: true, status: 'ok', attrs: { release: 'a@1' } }
  const hours = [0, 30, -30]
  start()
  for (const [index, hour] of hours.entries()) {
    const at = receivedAt + hour * 3_600_000
    const items = [
      error(index + 1, { timestamp: at / 1000, fingerprint: ['one'] }),
      [
        'session',
        {
          ...session,
          sid: error(index + 9)[1]!['event_id' as never],
          started: at / 1000,
          timestamp: at / 1000,
        },
      ] as const,
    ]
    const envelope = items.map(([type, payload]) => ({
      header: { type },
      payload: JSON.stringify(payload),
    }))
    await publish(encodeEnvelope({}, envelope), at)
    await untilEmpty()
  }
  expect(await titles()).toEqual(['number 1', 'number 2', 'number 3'])
  expect(await outcomes()).toEqual({ accepted: 6 })
  const [issue] = await metadata.all('select first_seen, last_seen from issues')
  expect(issue).toEqual({
    first_seen: receivedAt - 30 * 3_600_000,
    last_seen: receivedAt + 30 * 3_600_000,
  })
  const [counted] = await events.aggregate({
    table: 'errors',
    projectIds: [projectId],
    where: [],
    range: { from: receivedAt - 48 * 3_600_000, to: receivedAt + 48 * 3_600_000 },
    groupBy: [],
    measures: [{ type: 'count' }],
    limit: 1,
  })
  expect(counted?.values).toEqual([3])
})

test('the same envelope twice is a duplicate', async () => {
  await send(error(1))
  await send(error(1))
  start()
  await untilEmpty()
  expect(await titles()).toEqual(['number 1'])
  expect(await outcomes()).toEqual({ accepted: 1, duplicate: 1 })
})

test('an item over its size is refused alone', async () => {
  await send(error(1), ['client_report', Buffer.alloc(200_000, 0x20)])
  start()
  await untilEmpty()
  expect(await titles()).toEqual(['number 1'])
  expect(await outcomes()).toEqual({ accepted: 1, 'invalid/too_large': 1 })
})

test('items beyond what an envelope holds of their type are refused alone', async () => {
  const checkIn = { monitor_slug: 'nightly', status: 'ok' }
  await send(error(1), ['check_in', checkIn], ['check_in', checkIn], ['check_in', checkIn])
  start()
  await untilEmpty()
  expect(await titles()).toEqual(['number 1'])
  expect(await outcomes()).toEqual({ accepted: 2, 'invalid/too_many_items': 2 })
})

test('an envelope on which a processor throws is set aside, its other items kept, the others not stopped', async () => {
  await send(error(1))
  await send(error(2, { message: 'POISON' }), ['client_report', { discarded_events: [] }])
  await send(error(3))
  start({ processItem: fragile })
  await untilEmpty()
  expect(await titles()).toEqual(['number 1', 'number 3'])
  expect(await outcomes()).toEqual({ accepted: 3, 'invalid/internal': 1 })
  expect((await queue.stats()).setAside).toBe(1)
})

test('an item on which we fail is tried once, and once more to keep the others', async () => {
  let tries = 0
  await send(error(1, { message: 'POISON' }))
  start({
    processItem: (item, context) => {
      tries += 1
      return fragile(item, context)
    },
  })
  await untilEmpty()
  expect(tries).toBe(2)
})

test('bytes that are not an envelope are counted, not processed', async () => {
  await publish(Buffer.from('not an envelope\n'))
  await send(error(1))
  start()
  await untilEmpty()
  expect(await titles()).toEqual(['number 1'])
  expect(Object.keys(await outcomes()).some((key) => key.startsWith('invalid/'))).toBe(true)
})

test('requests that the front door refused for their key become outcomes of the project', async () => {
  const refused = { projectId, reason: 'unknown_key', count: 7 } as const
  await writer.publish(refusedRequestsDelivery(refused, receivedAt))
  start()
  await untilEmpty()
  const [row] = await events.aggregate({
    table: 'outcomes',
    projectIds: [projectId],
    where: [],
    groupBy: ['outcome', 'reason'],
    measures: [{ type: 'sum', field: 'quantity' }],
    limit: 10,
  })
  expect(row).toMatchObject({ group: ['invalid', 'unknown_key'], values: [7] })
})

test('failing surroundings are waited out and nothing is lost', async () => {
  for (let number = 1; number <= 5; number += 1) await send(error(number))
  let failures = 4
  const failing = altered<EventStore>(events, {
    append: (...args: Parameters<EventStore['append']>) => {
      failures -= 1
      return failures >= 0
        ? Promise.reject(new AppError('STORAGE_FAILED', 'the disk is full'))
        : events.append(...args)
    },
  })
  start({ events: failing })
  await untilEmpty()
  expect(await titles()).toHaveLength(5)
  expect((await queue.stats()).setAside).toBe(0)
})

test('a delivery the store cannot take is found alone and set aside', async () => {
  for (let number = 1; number <= 3; number += 1) await send(error(number))
  const picky = altered<EventStore>(events, {
    append: (...args: Parameters<EventStore['append']>) =>
      args[0].some(({ items }) => items.some(({ rows }) => rows[0]?.payload?.includes('number 2')))
        ? Promise.reject(new RangeError('cannot bind this'))
        : events.append(...args),
  })
  start({ events: picky })
  await untilEmpty()
  expect(await titles()).toEqual(['number 1', 'number 3'])
  expect(await outcomes()).toEqual({ accepted: 2, 'invalid/internal': 1 })
  expect((await queue.stats()).setAside).toBe(1)
})

/** Makes a row without its key of events that say so. */
const mistaken: ProcessItem = (item, context) => {
  const processed = processItem(item, context)
  const isMeant = Buffer.from(item.payload).includes('number 2')
  const rows = processed.rows.map((row) => {
    const columns = isMeant ? { ...row.columns, eventId: null } : row.columns
    return { ...row, columns } as Row
  })
  return { ...processed, rows }
}

test('a row that breaks a constraint of the store sets its delivery aside, and stops no other', async () => {
  for (let number = 1; number <= 3; number += 1) await send(error(number))
  start({ processItem: mistaken })
  await untilEmpty()
  expect(await titles()).toEqual(['number 1', 'number 3'])
  expect(await outcomes()).toEqual({ accepted: 2, 'invalid/internal': 1 })
  expect((await queue.stats()).setAside).toBe(1)
})

const replayId = 'ab'.repeat(16)

/** A segment whose recording says what it is. */
function sendSegment(content: string): Promise<void> {
  const recording = JSON.stringify([{ type: 5, timestamp: receivedAt, data: { content } }])
  return send(
    ['replay_event', { replay_id: replayId, segment_id: 0, timestamp: receivedAt / 1000 }],
    ['replay_recording', Buffer.from(`{"segment_id":0}\n${recording}`)],
  )
}

async function recordings(): Promise<string[]> {
  const segments = await segmentsOfReplay(events, projectId, replayId)
  return Promise.all(
    segments.map(async (one) => Buffer.from(await recordingOf(blobs, one)).toString()),
  )
}

async function blobKeys(): Promise<string[]> {
  return (await Array.fromAsync(blobs.list(''))).map(({ key }) => key)
}

test('the first sending of a replay’s segment is played, whatever the second holds', async () => {
  await sendSegment('first')
  start()
  await untilEmpty()
  const [key] = await blobKeys()
  await sendSegment('second')
  await sendSegment('first')
  await untilEmpty()
  expect(await recordings()).toEqual([expect.stringContaining('"first"')])
  expect(await blobKeys()).toHaveLength(2)
  expect(await deleteUnnamedBlobs({ events, blobs })).toBe(1)
  expect(await blobKeys()).toEqual([key])
  expect(await recordings()).toEqual([expect.stringContaining('"first"')])
})

test('blobs of what was removed go, also when the removal died before it came to them', async () => {
  await sendSegment('first')
  start()
  await untilEmpty()
  await requestRemoval(metadata, { type: 'replay', projectId, replayId }, receivedAt)
  const dying = altered<Blobs>(blobs, { delete: () => Promise.reject(new Error('killed')) })
  await expect(applyRemovals({ metadata, events, blobs: dying })).rejects.toThrow('killed')
  expect(await blobKeys()).toHaveLength(1)
  await applyRemovals({ metadata, events, blobs })
  expect(await blobKeys()).toEqual([])
})

test('a recording is on disk before the row that names it', async () => {
  const asked: string[] = []
  start({
    blobs: altered<Blobs>(blobs, {
      put: async (...args: Parameters<Blobs['put']>) => {
        asked.push('put begins')
        await new Promise((resolve) => setImmediate(resolve))
        await blobs.put(...args)
        asked.push('put ends')
      },
    }),
    events: altered<EventStore>(events, {
      append: (...args: Parameters<EventStore['append']>) => {
        asked.push('append')
        return events.append(...args)
      },
    }),
  })
  await sendSegment('first')
  await untilEmpty()
  expect(asked).toEqual(['put begins', 'put ends', 'append'])
})

test('metadata that fails does not hold up events, and learns of them later', async () => {
  let failures = 3
  start({
    applyOutbox: (...args) => {
      failures -= 1
      return failures >= 0 ? Promise.reject(new Error('database is locked')) : applyOutbox(...args)
    },
  })
  await send(error(1))
  await untilEmpty()
  expect(await titles()).toEqual(['number 1'])
  await vi.waitFor(async () => {
    expect(await metadata.all('select id from issues')).toHaveLength(1)
  }, 5000)
})

test('a delivery with which the process died too often is set aside unread', async () => {
  await send(error(1))
  const [lease] = await queue.take(1, 60_000)
  let taken = false
  const dying = altered<QueueReader>(queue, {
    take: (...args: Parameters<QueueReader['take']>) => {
      if (taken) return queue.take(...args)
      taken = true
      return Promise.resolve([{ ...lease!, attempts: 4 }])
    },
  })
  start({ queue: dying })
  await vi.waitFor(async () => expect((await queue.stats()).setAside).toBe(1), 5000)
  expect(await titles()).toEqual([])
  expect(await outcomes()).toEqual({ 'invalid/internal': 1 })
})

test('each project scrubs by its own settings', async () => {
  await saveProject({ scrubbing: { sensitiveFields: ['iban'], storeIpAddresses: true } })
  const user = { id: '7', ip_address: '203.0.113.9', iban: 'DE02' }
  await send(error(1, { user }))
  start()
  await untilEmpty()
  const row = await events.point('errors', projectId, [error(1)[1]!['event_id' as never]])
  const payload = JSON.parse(row?.payload ?? '') as { user: unknown }
  expect(payload.user).toEqual({ id: '7', ip_address: '203.0.113.9', data: { iban: '[Filtered]' } })
})

test('stops after the batch in hand when it is told to', async () => {
  start()
  await send(error(1))
  await untilEmpty()
  await stop()
  await send(error(2))
  expect((await queue.stats()).waiting).toBe(1)
})
