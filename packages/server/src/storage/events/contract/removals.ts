import { describe, expect, test } from 'vitest'
import type { EventStore, ProcessedEnvelope } from '../port.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import {
  dayMs,
  noon,
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
  sampleSegment,
} from './samples.ts'
import { stateOf } from './state.ts'

/** Traffic of one day: errors of three hashes and users, a page load, a replay, attachments, a session. */
function traffic(day: number, projectId = 1): readonly ProcessedEnvelope[] {
  const at = noon + day * dayMs
  const frame = (n: number) => ({
    timestamp: at + n * 60_000,
    tags: { color: n % 2 === 0 ? 'red' : 'blue', n: String(n) },
    payload: JSON.stringify({ day, n }),
  })
  const base = (day + 10) * 100
  const replayId = sampleId(base + 90)
  const errors = Array.from({ length: 12 }, (_, n) =>
    sampleError(
      {
        eventId: sampleId(base + n),
        groupingHash: `h${n % 3}`,
        userKey: `id:${n % 4}`,
        replayId: n === 3 ? replayId : null,
      },
      frame(n),
    ),
  )
  const trace = { traceId: sampleId(base + 50), segmentName: '/a' }
  const own = { userKey: 'id:1', durationMs: 7 + day }
  const transaction = sampleItem('transaction', [
    sampleRow(
      'transactions',
      { eventId: sampleId(base + 51), traceId: trace.traceId, spanId: 's1', userKey: 'id:1' },
      frame(1),
    ),
    sampleRow(
      'spans',
      { ...trace, ...own, spanId: 's1', isSegment: 1, eventId: sampleId(base + 51) },
      frame(1),
    ),
    sampleRow(
      'spans',
      { ...trace, ...own, spanId: 's2', isSegment: 0, eventId: sampleId(base + 51) },
      frame(2),
    ),
    sampleRow('vitals', { ...trace, segmentId: 's1', name: 'lcp', value: 900 }, frame(1)),
  ])
  const attachment = sampleItem('attachment', [
    sampleRow('attachments', {
      eventId: sampleId(base),
      name: 'a.txt',
      sha256: 'ff',
      blobKey: `attachments/${projectId}/${base}`,
    }),
  ])
  const replay = [0, 1].map((n) =>
    sampleSegment(replayId, n, { userKey: n === 1 ? 'id:2' : null }, { timestamp: at }),
  )
  const session = sampleItem('session', [sampleRow('sessions', { key: `s${base}`, did: '1' })])
  const log = sampleItem('log', [sampleRow('logs', { key: `l${base}`, userKey: 'id:2' }, frame(0))])
  return [...errors, transaction, attachment, ...replay, session, log].map((item) =>
    sampleEnvelope([item], { projectId, receivedAt: at }),
  )
}

/** The rest must be as if it had been all that ever came: rollups, replays and payloads too. */
async function expectSameAs(
  open: OpenStore,
  store: EventStore,
  envelopes: readonly ProcessedEnvelope[],
): Promise<void> {
  await using fresh = disposable(await open())
  await fresh.append(envelopes)
  expect(await stateOf(store)).toEqual(await stateOf(fresh))
}

function keep(
  envelopes: readonly ProcessedEnvelope[],
  isKept: (columns: Readonly<Record<string, unknown>>, table: string) => boolean,
): readonly ProcessedEnvelope[] {
  return envelopes.map((envelope) => ({
    ...envelope,
    items: envelope.items
      .map((item) => ({
        ...item,
        rows: item.rows.filter((row) => isKept(row.columns, row.table)),
      }))
      .filter((item) => item.rows.length > 0),
  }))
}

export function testRemovals(open: OpenStore): void {
  testRemovalOfEvents(open)
  testRemovalOfPeople(open)
  testRemovalOfDays(open)
  testRemovalOfProjects(open)
}

function testRemovalOfEvents(open: OpenStore): void {
  describe('remove', () => {
    test('an event is removed with its attachments, counts and payload', async () => {
      await using store = disposable(await open())
      const all = traffic(0)
      await store.append(all)
      const eventId = sampleId(1_000)
      expect(await store.remove({ type: 'event', projectId: 1, eventId })).toBe(2)
      expect(await store.unnamedBlobs(9)).toEqual(['attachments/1/1000'])
      await expectSameAs(
        open,
        store,
        keep(all, (columns) => columns['eventId'] !== eventId),
      )
    })

    test('a transaction is removed with its spans and vitals', async () => {
      await using store = disposable(await open())
      const all = traffic(0)
      await store.append(all)
      await store.remove({ type: 'event', projectId: 1, eventId: sampleId(1_051) })
      await expectSameAs(
        open,
        store,
        keep(all, (_, table) => !['transactions', 'spans', 'vitals'].includes(table)),
      )
    })

    test('hashes are removed with their events and links to replays', async () => {
      await using store = disposable(await open())
      const all = [...traffic(0), ...traffic(1)]
      await store.append(all)
      await store.remove({ type: 'hashes', projectId: 1, hashes: ['h0', 'h2', 'unknown'] })
      const ofRemoved = [0, 1].map((day) => sampleId((day + 10) * 100))
      await expectSameAs(
        open,
        store,
        keep(
          all,
          (columns, table) =>
            !['h0', 'h2'].includes(String(columns['groupingHash'])) &&
            !(table === 'attachments' && ofRemoved.includes(String(columns['eventId']))),
        ),
      )
    })
  })
}

function testRemovalOfPeople(open: OpenStore): void {
  describe('remove', () => {
    test('a person is removed from every table, replays as a whole', async () => {
      await using store = disposable(await open())
      const all = traffic(0)
      await store.append(all)
      const first = await store.remove({ type: 'user', projectId: 1, userKey: 'id:1' })
      // Three errors, the page load's transaction, two spans and a vital, the session.
      expect(first).toBe(8)
      await store.remove({ type: 'user', projectId: 1, userKey: 'id:2' })
      expect(await store.unnamedBlobs(9)).toHaveLength(2)
      await expectSameAs(
        open,
        store,
        keep(
          all,
          (columns, table) =>
            !['id:1', 'id:2'].includes(String(columns['userKey'])) &&
            !['sessions', 'vitals', 'replaySegments'].includes(table),
        ),
      )
    })
  })
}

function testRemovalOfDays(open: OpenStore): void {
  describe('remove', () => {
    test('days before a day are removed, whatever their timestamps', async () => {
      await using store = disposable(await open())
      const kept = traffic(1)
      const late = sampleEnvelope(
        [sampleError({ eventId: sampleId(7) }, { timestamp: noon - dayMs, payload: '{}' })],
        { receivedAt: noon + dayMs },
      )
      await store.append([...traffic(0), ...kept, late])
      const tables = ['errors', 'transactions', 'spans', 'vitals', 'replaySegments'] as const
      const more = ['sessions', 'attachments', 'logs', 'checkIns', 'feedback', 'metrics'] as const
      const day = Math.floor(noon / dayMs + 1) * dayMs
      const rows = await store.remove({ type: 'before', tables: [...tables, ...more], day })
      expect(rows).toBe(12 + 4 + 1 + 2 + 1 + 1)
      expect(await store.unnamedBlobs(9)).toHaveLength(3)
      await expectSameAs(open, store, [...kept, late])
      expect(await store.remove({ type: 'before', tables: [...tables], day })).toBe(0)
    })

    test('only the tables that are named lose their days', async () => {
      await using store = disposable(await open())
      const all = traffic(0)
      await store.append(all)
      await store.remove({ type: 'before', tables: ['spans'], day: noon + 5 * dayMs })
      await expectSameAs(
        open,
        store,
        keep(all, (_, table) => table !== 'spans'),
      )
    })
  })
}

function testRemovalOfProjects(open: OpenStore): void {
  describe('remove', () => {
    test('a project is removed and the others stay', async () => {
      await using store = disposable(await open())
      const other = traffic(0, 2)
      await store.append([...traffic(0), ...other])
      await store.remove({ type: 'project', projectId: 1 })
      await expectSameAs(open, store, other)
      const outcomes = { table: 'outcomes', where: [], groupBy: [], limit: 9 } as const
      const measures = [{ type: 'count' }] as const
      const [row] = await store.aggregate({ ...outcomes, projectIds: [1], measures })
      expect(row?.values).toEqual([0])
    })

    test('missing rows are removed without an error', async () => {
      await using store = disposable(await open())
      const projectId = 1
      expect(await store.remove({ type: 'event', projectId, eventId: 'x' })).toBe(0)
      expect(await store.remove({ type: 'hashes', projectId, hashes: [] })).toBe(0)
      expect(await store.remove({ type: 'user', projectId, userKey: 'id:1' })).toBe(0)
      expect(await store.remove({ type: 'project', projectId })).toBe(0)
    })

    test('removal continues over more rows than one step takes', async () => {
      await using store = disposable(await open())
      const items = Array.from({ length: 2_300 }, (_, n) =>
        sampleError({ eventId: sampleId(n) }, { payload: '{}', tags: { n: String(n % 150) } }),
      )
      await store.append([sampleEnvelope(items)])
      expect(await store.remove({ type: 'hashes', projectId: 1, hashes: ['h1'] })).toBe(2_300)
      await expectSameAs(open, store, [])
    })
  })
}
