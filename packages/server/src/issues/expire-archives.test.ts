import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { issueEffect, OutboxStore } from '../testing/outbox-store.ts'
import { applyOutbox } from '../outbox/apply-outbox.ts'
import { expireArchives } from './expire-archives.ts'
import { updateIssues } from './update.ts'

const HOUR_MS = 3_600_000

let metadata: SqliteMetadata
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
  await metadata.all(
    "insert into projects (id, slug, name, created_at) values (1, 'web', 'Web', 1)",
  )
  const events = new OutboxStore()
  events.push(1, 1, issueEffect({ hashes: ['a'] }))
  events.push(1, 1, issueEffect({ hashes: ['b'] }))
  await applyOutbox(metadata, events)
})
afterEach(() => metadata.close())

test('an issue archived for an hour comes back after it, without an event, with a line of history', async () => {
  const details = {}
  const substatus = 'archived_until_condition_met'
  const status = { type: 'archived', substatus, details, durationMinutes: 60 } as const
  const by = { userId: null, at: 1000 }
  expect(await updateIssues({ metadata }, [1], { status, by })).toBe(1)
  expect(await expireArchives(metadata, 1000 + HOUR_MS - 1)).toBe(0)
  expect(await expireArchives(metadata, 1000 + HOUR_MS)).toBe(1)
  expect(await expireArchives(metadata, 1000 + HOUR_MS)).toBe(0)
  expect(await metadata.all('select status, substatus, archived_until from issues')).toEqual([
    { status: 'unresolved', substatus: 'ongoing', archived_until: null },
    { status: 'unresolved', substatus: null, archived_until: null },
  ])
  expect(await metadata.all('select type, created_at from issue_activity order by id')).toEqual([
    { type: 'set_ignored', created_at: 1000 },
    { type: 'set_unresolved', created_at: 1000 + HOUR_MS },
  ])
})
