import { assert, asyncProperty, shuffledSubarray } from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../errors.ts'
import type { Effect } from '../storage/events/port.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { issueEffect, OutboxStore } from '../testing/outbox-store.ts'
import { appliedSequence, applyOutbox } from './apply-outbox.ts'
import { OUTBOX_BATCH_MAX } from '../issues/limits.ts'
import type { IssueRow } from '../issues/row.ts'

let metadata: SqliteMetadata
let events: OutboxStore
beforeEach(async () => {
  metadata = await openWithProject()
  events = new OutboxStore()
})
afterEach(() => metadata.close())

async function openWithProject(): Promise<SqliteMetadata> {
  const opened = await openSqliteMetadata({ file: ':memory:' })
  await opened.all(
    "insert into projects (id, slug, name, created_at) values (1, 'store', 'Store', 1)",
  )
  return opened
}

const issues = () => metadata.all<IssueRow>('select * from issues order by id')

async function apply(receivedAt: number, effect: Effect): Promise<void> {
  events.push(1, receivedAt, effect)
  await applyOutbox(metadata, events)
}

test('an event of a new hash makes an issue with a short id; the next one joins it', async () => {
  await apply(5, issueEffect({ timestamp: 2_000, release: '1.0.0', title: 'old' }))
  await apply(6, issueEffect({ timestamp: 3_000, release: '1.1.0', title: 'new', handled: false }))
  await apply(7, issueEffect({ timestamp: 1_000, title: 'late', eventId: 'a'.repeat(32) }))
  expect(await issues()).toMatchObject([
    {
      short_id: 'STORE-1',
      title: 'new',
      first_seen: 1_000,
      last_seen: 3_000,
      first_release: '1.0.0',
      last_release: '1.1.0',
      is_unhandled: 1,
      status: 'unresolved',
    },
  ])
  expect(await metadata.all('select first_event_at from projects')).toEqual([{ first_event_at: 5 }])
  expect(await appliedSequence(metadata)).toBe(3)
})

test('an issue of an earlier way of grouping keeps its events; new issues are apart', async () => {
  await apply(1, issueEffect({ hashes: ['old'] }))
  await apply(2, issueEffect({ hashes: ['first'], formerHashes: ['old'] }))
  await apply(3, issueEffect({ hashes: ['second'], formerHashes: ['old'] }))
  expect(await issues()).toHaveLength(1)
  await apply(4, issueEffect({ hashes: ['third'], formerHashes: ['never seen'] }))
  await apply(5, issueEffect({ hashes: ['fourth'], formerHashes: ['never seen'] }))
  expect(await issues()).toHaveLength(3)
})

test('applies each entry once, and passes over projects that are gone', async () => {
  events.push(1, 5, issueEffect())
  events.push(99, 5, issueEffect())
  expect(await applyOutbox(metadata, events)).toBe(2)
  expect(await applyOutbox(metadata, events)).toBe(0)
  expect(await issues()).toHaveLength(1)
})

test('an entry that metadata does not take is passed over, told, and stops no other', async () => {
  events.push(1, 5, issueEffect({ hashes: ['a'], title: 'before' }))
  events.push(1, 5, issueEffect({ hashes: ['b'], title: null as unknown as string }))
  events.push(1, 5, issueEffect({ hashes: ['c'], title: 'after' }))
  await expect(applyOutbox(metadata, events)).rejects.toThrow('Entry 2 of the outbox')
  expect((await issues()).map((issue) => issue.title)).toEqual(['before', 'after'])
  expect(await applyOutbox(metadata, events)).toBe(0)
  expect(await appliedSequence(metadata)).toBe(3)
})

test('a batch that failed as a whole, and in none of its entries, is applied without a failure', async () => {
  for (const at of [1, 2]) events.push(1, at, issueEffect({ timestamp: at }))
  const failing = vi.spyOn(metadata, 'transaction').mockRejectedValueOnce(new Error('our mistake'))
  await applyOutbox(metadata, events)
  failing.mockRestore()
  expect(await appliedSequence(metadata)).toBe(2)
  expect(await issues()).toHaveLength(1)
})

test('all that waits is applied, in more than one batch', async () => {
  for (let at = 0; at <= OUTBOX_BATCH_MAX; at += 1) {
    events.push(1, at, issueEffect({ timestamp: at }))
  }
  expect(await applyOutbox(metadata, events)).toBe(OUTBOX_BATCH_MAX + 1)
  expect(await appliedSequence(metadata)).toBe(OUTBOX_BATCH_MAX + 1)
})

test('failing surroundings pass over nothing', async () => {
  events.push(1, 5, issueEffect())
  const failure = new AppError('STORAGE_FAILED', 'the disk is full')
  const failing = new OutboxStore()
  failing.outbox = () => Promise.reject(failure)
  await expect(applyOutbox(metadata, failing)).rejects.toBe(failure)
  expect(await appliedSequence(metadata)).toBe(0)
  expect(await applyOutbox(metadata, events)).toBe(1)
})

test('the first known hash wins, and the issue takes the unknown ones', async () => {
  await apply(1, issueEffect({ hashes: ['a'] }))
  await apply(2, issueEffect({ hashes: ['b'] }))
  await apply(3, issueEffect({ hashes: ['c', 'b', 'a'] }))
  await apply(4, issueEffect({ hashes: ['c'] }))
  expect(await metadata.all('select hash, issue_id from issue_hashes order by hash')).toEqual([
    { hash: 'a', issue_id: 1 },
    { hash: 'b', issue_id: 2 },
    { hash: 'c', issue_id: 2 },
  ])
})

test('a short id that is taken is passed over', async () => {
  await apply(1, issueEffect({ hashes: ['a'] }))
  await metadata.all('update projects set last_issue_number = 0')
  await apply(2, issueEffect({ hashes: ['b'] }))
  expect((await issues()).map((issue) => issue.short_id)).toEqual(['STORE-1', 'STORE-2'])
})

test('monitors, releases and environments are made, and keep the newest of what they were told', async () => {
  const checkIn = { type: 'monitor', slug: 'nightly', environment: 'production' } as const
  await apply(1, { ...checkIn, status: 'ok', timestamp: 900, config: null })
  await apply(2, { ...checkIn, status: 'in_progress', timestamp: 500, config: { timezone: 'UTC' } })
  await apply(3, { type: 'release', release: '2.0.0', environment: 'staging', timestamp: 700 })
  expect(await metadata.all('select slug, config, created_at from monitors')).toEqual([
    { slug: 'nightly', config: '{"timezone":"UTC"}', created_at: 500 },
  ])
  expect(
    await metadata.all('select name, status, last_check_in_at from monitor_environments'),
  ).toEqual([{ name: 'production', status: 'ok', last_check_in_at: 900 }])
  expect(await metadata.all('select version, first_seen, last_seen from releases')).toEqual([
    { version: '2.0.0', first_seen: 700, last_seen: 700 },
  ])
  expect(await metadata.all('select name from environments')).toEqual([{ name: 'staging' }])
})

const effects: readonly Effect[] = [
  issueEffect({ hashes: ['a', 's'], timestamp: 10, eventId: '01', title: 'A1', release: '1.0.0' }),
  issueEffect({ hashes: ['a', 's'], timestamp: 10, eventId: '02', title: 'A2', release: '1.2.0' }),
  issueEffect({ hashes: ['a', 's'], timestamp: 8, eventId: '03', title: 'A3', level: 'fatal' }),
  issueEffect({ hashes: ['s'], timestamp: 12, eventId: '04', title: 'A4', handled: false }),
  issueEffect({ hashes: ['b'], timestamp: 9, eventId: '05', title: 'B1', environment: 'staging' }),
  issueEffect({ hashes: ['b'], timestamp: 9, eventId: '06', title: 'B2', logger: 'pay' }),
  { type: 'monitor', slug: 'm', environment: 'p', status: 'ok', timestamp: 5, config: { a: 1 } },
  {
    type: 'monitor',
    slug: 'm',
    environment: 'p',
    status: 'in_progress',
    timestamp: 5,
    config: null,
  },
  { type: 'monitor', slug: 'm', environment: 'p', status: 'error', timestamp: 9, config: { a: 2 } },
  { type: 'release', release: '1.2.0', environment: 'staging', timestamp: 3 },
]

async function finalState(order: readonly number[]): Promise<unknown> {
  const store = await openWithProject()
  const shuffled = new OutboxStore()
  for (const index of order) {
    const effect = effects[index]
    if (effect !== undefined) shuffled.push(1, 100 + index, effect)
    if (index % 3 === 0) await applyOutbox(store, shuffled)
  }
  await applyOutbox(store, shuffled)
  const state = {
    issues: await store.all(
      `select h.hash, i.title, i.culprit, i.level, i.logger, i.is_unhandled, i.first_seen,
         i.last_seen, i.newest_event_id, i.first_release, i.last_release, i.status, i.substatus
       from issue_hashes h join issues i on i.id = h.issue_id order by h.hash`,
    ),
    monitors: await store.all('select slug, config, created_at from monitors'),
    statuses: await store.all('select name, status, last_check_in_at from monitor_environments'),
    releases: await store.all(
      'select version, first_seen, last_seen from releases order by version',
    ),
    environments: await store.all('select name, created_at from environments order by name'),
    project: await store.all('select first_event_at from projects'),
  }
  await store.close()
  return state
}

test('the final state does not depend on the order of arrival', async () => {
  const inOrder = effects.map((_, index) => index)
  const expected = await finalState(inOrder)
  const anyOrder = shuffledSubarray(inOrder, { minLength: inOrder.length })
  const isTheSame = asyncProperty(anyOrder, async (order) => {
    expect(await finalState(order)).toEqual(expected)
  })
  await assert(isTheSame, { numRuns: 40 })
})
