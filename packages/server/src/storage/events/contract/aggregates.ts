import { describe, expect, test } from 'vitest'
import type { AggregateQuery, EventStore } from '../port.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import {
  dayMs,
  hourMs,
  noon,
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
} from './samples.ts'

interface Fact {
  readonly projectId: number
  readonly timestamp: number
  readonly hash: string
  readonly user: string | null
  readonly color: string
}

/** Three days of events, three hashes, two projects; the same at every run. */
const facts: readonly Fact[] = Array.from({ length: 400 }, (_, index) => ({
  projectId: 1 + (index % 5 === 0 ? 1 : 0),
  timestamp: noon - ((index * 7_919_993) % (3 * dayMs)) + 0.5,
  hash: ['h1', 'h2', 'h3'][(index * 5) % 3] ?? '',
  user: index % 4 === 0 ? null : `id:${index % 23}`,
  color: ['red', 'blue', 'Green'][index % 3] ?? '',
}))

async function fillErrors(store: EventStore): Promise<void> {
  await store.append(
    facts.map(({ projectId, timestamp, hash, user, color }, index) => {
      const columns = { eventId: sampleId(index), groupingHash: hash, userKey: user }
      const tags = { color, parity: String(index % 2) }
      return sampleEnvelope([sampleError(columns, { timestamp, tags })], { projectId })
    }),
  )
}

/** Ranges with whole hours, parts of hours, parts of days, and nothing. */
export const ranges = [
  undefined,
  { from: noon - 3 * dayMs, to: noon + 1 },
  { from: noon - 2 * dayMs - 123_456.25, to: noon - 3_333_333 },
  { from: noon - 30 * 60_000, to: noon - 10 * 60_000 },
  { from: noon - 90 * 60_000, to: noon - 30 * 60_000 },
  { from: noon, to: noon },
  { from: noon + dayMs, to: noon - dayMs },
] as const

/** Tells whether a time is in a range; without a range every time is. */
export function within(range: (typeof ranges)[number], timestamp: number): boolean {
  return range === undefined || (timestamp >= range.from && timestamp < range.to)
}

function counted<T>(list: readonly T[], name: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of list) counts[name(one)] = (counts[name(one)] ?? 0) + 1
  return counts
}

async function answer(
  store: EventStore,
  query: Omit<AggregateQuery, 'limit'>,
): Promise<Record<string, number | null>> {
  const rows = await store.aggregate({ ...query, limit: 10_000 })
  return Object.fromEntries(
    rows.map((row) => [[row.bucket ?? '', ...row.group].join(' ').trim(), row.values[0] ?? null]),
  )
}

export function testAggregates(open: OpenStore): void {
  testCounts(open)
  testTotals(open)
  testPeople(open)
  testMeasures(open)
  testOutcomeCounts(open)
}

function testCounts(open: OpenStore): void {
  describe('aggregate', () => {
    test('counts errors by hash and bucket as their rows say, whatever the range', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      for (const range of ranges) {
        for (const bucketMs of [undefined, hourMs, dayMs, 6 * hourMs, 7 * 60_000]) {
          const mine = facts.filter((fact) => fact.projectId === 1 && within(range, fact.timestamp))
          const bucket = (fact: Fact): string =>
            bucketMs === undefined ? '' : `${Math.floor(fact.timestamp / bucketMs) * bucketMs} `
          const base = {
            table: 'errors',
            projectIds: [1],
            where: [],
            groupBy: ['groupingHash'],
            measures: [{ type: 'count' }],
            ...(range === undefined ? {} : { range }),
            ...(bucketMs === undefined ? {} : { bucketMs }),
          } as const
          const name = JSON.stringify([range, bucketMs])
          expect(await answer(store, base), name).toEqual(
            counted(mine, (fact) => `${bucket(fact)}${fact.hash}`),
          )
          // Conditions that only rows can answer.
          const byRows = { ...base, where: [{ field: 'type', op: 'exists' }] } as const
          expect(await answer(store, byRows), name).toEqual(await answer(store, base))
        }
      }
    })
  })
}

function testPeople(open: OpenStore): void {
  describe('aggregate', () => {
    test('people and replays of hashes within a range, some or all of their time', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      for (const range of ranges) {
        const rows = await store.aggregate({
          table: 'errors',
          projectIds: [1],
          where: [{ field: 'groupingHash', op: 'in', values: ['h1', 'h3'] }],
          groupBy: ['projectId', 'groupingHash'],
          measures: [
            { type: 'distinct', field: 'replayId' },
            { type: 'count' },
            { type: 'distinct', field: 'userKey' },
          ],
          limit: 100,
          ...(range === undefined ? {} : { range }),
        })
        const mine = facts.filter((f) => f.projectId === 1 && within(range, f.timestamp))
        for (const hash of ['h1', 'h3']) {
          const own = mine.filter((fact) => fact.hash === hash)
          const users = new Set(own.flatMap((fact) => fact.user ?? []))
          const row = rows.find(({ group }) => group[1] === hash)
          expect(row?.values ?? [0, 0, 0]).toEqual([0, own.length, users.size])
        }
      }
    })
  })
}

function testTotals(open: OpenStore): void {
  describe('aggregate', () => {
    test('counts nothing of a project that was not asked for', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      const mine = counted(
        facts.filter(({ projectId }) => projectId === 2),
        () => '2',
      )
      // By a rollup, and by rows.
      for (const where of [[], [{ field: 'type', op: 'exists' }]] as const) {
        for (const projectIds of [[2], [2, 3], [3, 2, 4]]) {
          const query = { table: 'errors', where, groupBy: ['projectId'] } as const
          const measures = [{ type: 'count' }] as const
          expect(await answer(store, { ...query, projectIds, measures })).toEqual(mine)
        }
      }
    })

    test('totals of a hash: count, users, first and last time', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      for (const where of [[], [{ field: 'type', op: 'exists' }]] as const) {
        const rows = await store.aggregate({
          table: 'errors',
          projectIds: [1, 2],
          where,
          groupBy: ['projectId', 'groupingHash'],
          measures: [
            { type: 'count' },
            { type: 'distinct', field: 'userKey' },
            { type: 'min', field: 'timestamp' },
            { type: 'max', field: 'timestamp' },
          ],
          order: { measure: 3, descending: true },
          limit: 100,
        })
        expect(rows).toHaveLength(6)
        expect(rows.map((row) => row.values[3])).toEqual(
          rows.map((row) => row.values[3] ?? 0).toSorted((a, b) => b - a),
        )
        for (const { group, values } of rows) {
          const mine = facts.filter((f) => f.projectId === group[0] && f.hash === group[1])
          const times = mine.map((fact) => fact.timestamp)
          const users = new Set(mine.flatMap((fact) => fact.user ?? []))
          expect(values).toEqual([mine.length, users.size, Math.min(...times), Math.max(...times)])
        }
      }
    })

    test('tag values are counted by hash and day, and at the edges by row', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      for (const range of ranges) {
        const mine = facts.filter(
          (f) => f.projectId === 1 && f.hash === 'h1' && within(range, f.timestamp),
        )
        const where = [
          { field: 'groupingHash', op: 'is', value: 'h1' },
          { field: 'key', op: 'is', value: 'color' },
        ] as const
        const found = await answer(store, {
          table: 'tags',
          projectIds: [1],
          where,
          groupBy: ['key', 'value'],
          measures: [{ type: 'count' }],
          ...(range === undefined ? {} : { range }),
        })
        expect(found).toEqual(counted(mine, (fact) => `color ${fact.color}`))
      }
    })
  })
}

function testMeasures(open: OpenStore): void {
  describe('aggregate', () => {
    test('measures over fields, tags and conditions', async () => {
      await using store = disposable(await open())
      const durations = [10, 20, null, 40]
      await store.append([
        sampleEnvelope(
          durations.map((durationMs, index) =>
            sampleItem('transaction', [
              sampleRow(
                'transactions',
                {
                  eventId: sampleId(index),
                  name: '/a',
                  status: index === 3 ? 'not_found' : 'ok',
                  durationMs,
                },
                { tags: { tier: index < 2 ? 'gold' : 'iron' } },
              ),
            ]),
          ),
        ),
      ])
      const field = 'durationMs'
      const rows = await store.aggregate({
        table: 'transactions',
        projectIds: [1],
        where: [],
        groupBy: [{ tag: 'tier' }],
        measures: [
          { type: 'count' },
          { type: 'sum', field },
          { type: 'average', field },
          { type: 'min', field },
          { type: 'max', field },
          { type: 'distinct', field: { tag: 'tier' } },
          { type: 'countIf', where: [{ field: 'status', op: 'isNot', value: 'ok' }] },
        ],
        limit: 10,
      })
      expect(rows).toEqual([
        { bucket: null, group: ['gold'], values: [2, 30, 15, 10, 20, 1, 0] },
        { bucket: null, group: ['iron'], values: [2, 40, 40, 40, 40, 1, 1] },
      ])
    })

    test('without rows there is one empty line, and with groups no line', async () => {
      await using store = disposable(await open())
      for (const table of ['errors', 'spans', 'outcomes'] as const) {
        const query = {
          table,
          projectIds: [1],
          where: [],
          measures: [{ type: 'count' }],
          limit: 9,
        } as const
        expect(await store.aggregate({ ...query, groupBy: [] })).toEqual([
          { bucket: null, group: [], values: [0] },
        ])
        expect(await store.aggregate({ ...query, groupBy: ['projectId'] })).toEqual([])
      }
    })
  })
}

function testOutcomeCounts(open: OpenStore): void {
  describe('aggregate', () => {
    test('outcomes are counted by hour of receipt', async () => {
      await using store = disposable(await open())
      for (const [index, receivedAt] of [noon, noon + 1, noon + hourMs, noon + dayMs].entries()) {
        await store.append([
          sampleEnvelope([sampleError({ eventId: sampleId(index) })], { receivedAt }),
        ])
      }
      const base = {
        table: 'outcomes',
        projectIds: [1],
        where: [{ field: 'outcome', op: 'is', value: 'accepted' }],
        groupBy: ['type'],
        measures: [{ type: 'sum', field: 'quantity' }],
      } as const
      expect(await answer(store, { ...base, bucketMs: hourMs })).toEqual({
        [`${noon} event`]: 2,
        [`${noon + hourMs} event`]: 1,
        [`${noon + dayMs} event`]: 1,
      })
      expect(
        await answer(store, { ...base, range: { from: noon, to: noon + 2 * hourMs } }),
      ).toEqual({
        event: 3,
      })
    })

    test('order and limit choose the groups that are returned', async () => {
      await using store = disposable(await open())
      await fillErrors(store)
      const query = {
        table: 'errors',
        projectIds: [1],
        where: [],
        groupBy: ['userKey'],
        measures: [{ type: 'count' }],
      } as const
      const most = await store.aggregate({ ...query, limit: 2 })
      const fewest = await store.aggregate({
        ...query,
        order: { measure: 0, descending: false },
        limit: 1,
      })
      expect(most.map((row) => row.group[0])[0]).toBeNull()
      expect(fewest[0]?.values[0]).toBeLessThan(most[1]?.values[0] ?? 0)
      expect(await store.aggregate({ ...query, limit: 0 })).toEqual([])
    })
  })
}
