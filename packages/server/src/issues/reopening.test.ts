import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AggregateQuery } from '../storage/events/port.ts'
import { openSqliteMetadata, type SqliteMetadata } from '../storage/metadata/sqlite.ts'
import { issueEffect, OutboxStore } from '../testing/outbox-store.ts'
import { applyOutbox } from '../outbox/apply-outbox.ts'
import { escalationLimit } from './escalation.ts'

const RESOLVED_AT = 1_000_000
const HOUR_MS = 3_600_000

let metadata: SqliteMetadata
let events: OutboxStore
beforeEach(async () => {
  metadata = await openSqliteMetadata({ file: ':memory:' })
  events = new OutboxStore()
  await metadata.all(
    "insert into projects (id, slug, name, created_at) values (1, 'web', 'Web', 1)",
  )
  await receive(10, { release: '1.0.0' })
})
afterEach(() => metadata.close())

async function receive(
  receivedAt: number,
  fields: { release?: string | null } = {},
): Promise<void> {
  events.push(1, receivedAt, issueEffect({ timestamp: receivedAt, ...fields }))
  await applyOutbox(metadata, events)
}

async function setStatus(
  status: string,
  more: { details?: object; substatus?: string; until?: number } = {},
): Promise<void> {
  await metadata.all(
    `update issues set status = ?, substatus = ?, status_details = ?, status_changed_at = ?, archived_until = ?`,
    status,
    more.substatus ?? null,
    JSON.stringify(more.details ?? {}),
    RESOLVED_AT,
    more.until ?? null,
  )
}

async function state(): Promise<string> {
  const [row] = await metadata.all<{ status: string; substatus: string | null }>(
    'select status, substatus from issues',
  )
  return `${row?.status} ${row?.substatus}`
}

describe('resolved', () => {
  test('comes back with the next event, and the history says so', async () => {
    await setStatus('resolved')
    await receive(RESOLVED_AT + 1)
    expect(await state()).toBe('unresolved regressed')
    expect(await metadata.all('select type, user_id from issue_activity')).toEqual([
      { type: 'set_regression', user_id: null },
    ])
  })

  test('an event that was received before does not bring it back', async () => {
    await setStatus('resolved')
    await receive(RESOLVED_AT - 1)
    expect(await state()).toBe('resolved null')
  })

  test.each([
    ['2.0.0', true],
    ['2.1.0', true],
    ['1.9.9', false],
    ['2.0.0-rc.1', false],
    [null, false],
  ])('in release 2.0.0: an event of %s reopens it: %s', async (release, reopens) => {
    await setStatus('resolved', { details: { inRelease: '2.0.0' } })
    await receive(RESOLVED_AT + 1, { release })
    expect(await state()).toBe(reopens ? 'unresolved regressed' : 'resolved null')
  })

  test('in a release that is a hash: the date of the releases decides', async () => {
    await receive(20, { release: 'aaa' })
    await receive(30, { release: 'fix' })
    await setStatus('resolved', { details: { inRelease: 'fix' } })
    await receive(RESOLVED_AT + 1, { release: 'aaa' })
    expect(await state()).toBe('resolved null')
    await receive(RESOLVED_AT + 2, { release: 'bbb' })
    expect(await state()).toBe('unresolved regressed')
  })

  test.each([
    ['1.0.0', false],
    ['0.9.0', false],
    ['1.0.1', true],
    [null, false],
  ])('in the next release after 1.0.0: an event of %s reopens it: %s', async (release, reopens) => {
    await setStatus('resolved', { details: { inNextRelease: true, afterRelease: '1.0.0' } })
    await receive(RESOLVED_AT + 1, { release })
    expect(await state()).toBe(reopens ? 'unresolved regressed' : 'resolved null')
  })
})

describe('archived', () => {
  test('forever stays', async () => {
    await setStatus('ignored', { substatus: 'archived_forever' })
    await receive(RESOLVED_AT + 1)
    expect(await state()).toBe('ignored archived_forever')
  })

  test('for a time comes back with the first event after it', async () => {
    await setStatus('ignored', {
      substatus: 'archived_until_condition_met',
      until: RESOLVED_AT + 50,
    })
    await receive(RESOLVED_AT + 49)
    expect(await state()).toBe('ignored archived_until_condition_met')
    await receive(RESOLVED_AT + 50)
    expect(await state()).toBe('unresolved ongoing')
  })

  test.each([
    [{ ignoreCount: 10 }, 'count', 9, false],
    [{ ignoreCount: 10 }, 'count', 10, true],
    [{ ignoreUserCount: 3, ignoreUserWindow: 60 }, 'distinct', 3, true],
    [{ ignoreUserCount: 3 }, 'distinct', 2, false],
  ])('until %o: a %s of %d ends it: %s', async (details, measure, found, ends) => {
    const asked: AggregateQuery[] = []
    events.answer = (query) => {
      asked.push(query)
      return [{ bucket: null, group: [], values: [found] }]
    }
    await setStatus('ignored', { substatus: 'archived_until_condition_met', details })
    await receive(RESOLVED_AT + 1)
    expect(asked[0]?.measures[0]?.type).toBe(measure)
    expect(asked[0]?.projectIds).toEqual([1])
    expect(asked[0]?.where).toContainEqual({
      field: 'receivedAt',
      op: 'atLeast',
      value: RESOLVED_AT,
    })
    expect(await state()).toBe(ends ? 'unresolved ongoing' : 'ignored archived_until_condition_met')
  })

  test.each([
    [51, 'unresolved escalating'],
    [50, 'ignored archived_until_escalating'],
  ])('until escalating, %d events in an hour: %s', async (now, expected) => {
    const at = RESOLVED_AT + 10 * HOUR_MS
    const hour = Math.floor(at / HOUR_MS) * HOUR_MS
    const asked: AggregateQuery[] = []
    events.answer = (query) => {
      asked.push(query)
      return [
        { bucket: hour - HOUR_MS, group: [], values: [5] },
        { bucket: hour, group: [], values: [now] },
      ]
    }
    await setStatus('ignored', { substatus: 'archived_until_escalating' })
    await receive(at)
    expect(asked.map(({ projectIds }) => projectIds)).toEqual([[1]])
    expect(await state()).toBe(expected)
  })
})

test('an issue archived until escalating does not escalate in the hour of its archiving', async () => {
  const hour = Math.floor(RESOLVED_AT / HOUR_MS) * HOUR_MS
  events.answer = () => [{ bucket: hour, group: [], values: [900] }]
  await setStatus('ignored', { substatus: 'archived_until_escalating' })
  await receive(RESOLVED_AT + 1)
  expect(await state()).toBe('ignored archived_until_escalating')
})

const hours = (count: number) => Array.from({ length: 168 }, () => count)

test('the escalation limit: far above a steady week, ten times a young issue’s busiest hour, ten at least', () => {
  expect(escalationLimit(hours(10), true)).toBeCloseTo(60)
  expect(escalationLimit(hours(0), true)).toBe(10)
  expect(escalationLimit([], false)).toBe(10)
  expect(escalationLimit([1, 4, 2], false)).toBe(40)
})
