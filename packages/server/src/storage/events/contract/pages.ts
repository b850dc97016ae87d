import { describe, expect, test } from 'vitest'
import type { Condition, EventStore, PageQuery } from '../port.ts'
import type { Row } from '../tables.ts'
import { disposable } from './appends.ts'
import type { OpenStore } from './index.ts'
import { noon, sampleEnvelope, sampleError, sampleId, sampleItem, sampleRow } from './samples.ts'

export function testPages(open: OpenStore): void {
  testOrders(open)
  testProjectsAndRanges(open)
  testHashes(open)
  testSegments(open)
  testConditions(open)
}

function testOrders(open: OpenStore): void {
  describe('page', () => {
    test('shows the newest first, ties by key, and continues where the cursor says', async () => {
      await using store = disposable(await open())
      const times = [3, 1, 2, 2, 5, 4, 2]
      await store.append(
        times.map((time, index) =>
          sampleEnvelope([sampleError({ eventId: sampleId(index) }, { timestamp: noon + time })]),
        ),
      )
      const first = await numbers(store, { limit: 3 })
      expect(first.ids).toEqual([4, 5, 0])
      // Rows that arrive between two pages do not shift those still to come.
      await store.append([
        sampleEnvelope([sampleError({ eventId: sampleId(9) }, { timestamp: noon + 9 })]),
      ])
      const second = await numbers(store, { limit: 3, ...cursor(first.next) })
      expect(second.ids).toEqual([6, 3, 2])
      const third = await numbers(store, { limit: 3, ...cursor(second.next) })
      expect(third).toEqual({ ids: [1], next: undefined })
    })

    test('orders by any field in both directions, missing values included', async () => {
      await using store = disposable(await open())
      const durations = [5, null, 1, null, 3]
      await store.append([
        sampleEnvelope([
          sampleItem(
            'span',
            durations.map((durationMs, index) =>
              sampleRow('spans', { traceId: sampleId(index), spanId: 'a', durationMs }),
            ),
          ),
        ]),
      ])
      for (const [descending, expected] of [
        [true, [0, 4, 2, 3, 1]],
        [false, [1, 3, 2, 4, 0]],
      ] as const) {
        const seen: number[] = []
        let next: string | undefined
        do {
          const page = await store.page({
            table: 'spans',
            projectIds: [1],
            where: [],
            order: { field: 'durationMs', descending },
            limit: 1,
            ...cursor(next),
          })
          seen.push(...page.rows.map((row) => Number.parseInt(row.columns.traceId ?? '', 16)))
          next = page.next
        } while (next !== undefined)
        expect(seen).toEqual(expected)
      }
    })
  })
}

/** Segments have odd numbers. */
function segmentOrSpan(n: number): Row {
  const columns = {
    traceId: sampleId(n % 3),
    spanId: `s${n}`,
    isSegment: n % 2,
    segmentName: `/P${n % 2}`,
    durationMs: n,
  }
  return sampleRow('spans', columns, { timestamp: noon + n })
}

function testSegments(open: OpenStore): void {
  describe('page', () => {
    test('segments alone, by page, in any order and of one trace', async () => {
      await using store = disposable(await open())
      const rows = Array.from({ length: 12 }, (_, n) => segmentOrSpan(n))
      await store.append([sampleEnvelope([sampleItem('span', rows)])])
      const ask = async (more: Partial<PageQuery<'spans'>>, ...where: Condition[]) => {
        const isSegment: Condition = { field: 'isSegment', op: 'is', value: 1 }
        const query = { table: 'spans', projectIds: [], limit: 3, ...more } as const
        const page = await store.page({ ...query, where: [isSegment, ...where] })
        return page.rows.map((row) => row.columns.spanId)
      }
      expect(await ask({})).toEqual(['s11', 's9', 's7'])
      expect(await ask({ range: { from: noon, to: noon + 4 } })).toEqual(['s3', 's1'])
      expect(await ask({}, { field: 'segmentName', op: 'is', value: '/p0' })).toEqual([])
      expect(await ask({}, { field: 'segmentName', op: 'is', value: '/p1' })).toHaveLength(3)
      const order = { field: 'durationMs', descending: false } as const
      expect(await ask({ order, projectIds: [1] })).toEqual(['s1', 's3', 's5'])
      expect(await ask({}, { field: 'traceId', op: 'is', value: sampleId(1) })).toEqual([
        's7',
        's1',
      ])
    })
  })
}

function testHashes(open: OpenStore): void {
  describe('page', () => {
    test('merges the pages of several hashes', async () => {
      await using store = disposable(await open())
      await store.append(
        [1, 2, 3, 1, 2, 3, 1].map((hash, index) =>
          sampleEnvelope([
            sampleError(
              { eventId: sampleId(index), groupingHash: `h${hash}` },
              { timestamp: noon + index },
            ),
          ]),
        ),
      )
      const where: Condition[] = [{ field: 'groupingHash', op: 'in', values: ['h1', 'h3', 'h9'] }]
      const first = await numbers(store, { where, limit: 3 })
      expect(first.ids).toEqual([6, 5, 3])
      const rest = await numbers(store, { where, limit: 3, ...cursor(first.next) })
      expect(rest).toEqual({ ids: [2, 0], next: undefined })
    })
  })
}

function testProjectsAndRanges(open: OpenStore): void {
  describe('page', () => {
    test('merges the pages of several projects', async () => {
      await using store = disposable(await open())
      await store.append(
        [1, 2, 3, 1, 2, 3, 1].map((projectId, index) =>
          sampleEnvelope([sampleError({ eventId: sampleId(index) }, { timestamp: noon + index })], {
            projectId,
          }),
        ),
      )
      const first = await numbers(store, { projectIds: [1, 3], limit: 3 })
      expect(first.ids).toEqual([6, 5, 3])
      const rest = await numbers(store, { projectIds: [1, 3], limit: 3, ...cursor(first.next) })
      expect(rest).toEqual({ ids: [2, 0], next: undefined })
      expect((await numbers(store, { projectIds: [] })).ids).toEqual([6, 5, 4, 3, 2, 1, 0])
    })

    test('a range includes its beginning and excludes its end', async () => {
      await using store = disposable(await open())
      await store.append(
        [0, 1, 2].map((index) =>
          sampleEnvelope([sampleError({ eventId: sampleId(index) }, { timestamp: noon + index })]),
        ),
      )
      expect((await numbers(store, { range: { from: noon, to: noon + 2 } })).ids).toEqual([1, 0])
      expect((await numbers(store, { range: { from: noon + 5, to: noon } })).ids).toEqual([])
    })

    test('payloads come only when asked for', async () => {
      await using store = disposable(await open())
      const items = Array.from({ length: 300 }, (_, index) =>
        sampleError(
          { eventId: sampleId(index) },
          index % 3 === 0 ? {} : { payload: `{"n":${index}}` },
        ),
      )
      await store.append(items.map((item) => sampleEnvelope([item])))
      const query = { table: 'errors', projectIds: [1], where: [], limit: 1_000 } as const
      const bare = await store.page(query)
      expect(bare.rows.every((row) => row.payload === null)).toBe(true)
      const full = await store.page({ ...query, withPayload: true })
      for (const row of full.rows) {
        const index = Number.parseInt(row.columns.eventId ?? '', 16)
        expect(row.payload).toBe(index % 3 === 0 ? null : `{"n":${index}}`)
      }
    })

    test('skips rows where a condition names an id', async () => {
      await using store = disposable(await open())
      await store.append(
        [1, 2, 3, 4, 5].map((n) =>
          sampleEnvelope([
            sampleError({ eventId: sampleId(n), replayId: sampleId(9) }, { timestamp: noon - n }),
          ]),
        ),
      )
      const where: Condition[] = [{ field: 'replayId', op: 'is', value: sampleId(9) }]
      const page = await numbers(store, { where, offset: 1, limit: 2 })
      expect(page.ids).toEqual([2, 3])
      expect(page.next).toBeDefined()
      const last = await numbers(store, { where, offset: 3, limit: 2 })
      expect(last).toEqual({ ids: [4, 5], next: undefined })
      expect((await numbers(store, { where, offset: 5, limit: 2 })).ids).toEqual([])
    })

    test('an invalid cursor starts at the first page', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([sampleError({ eventId: sampleId(1) })])])
      for (const text of ['', 'x', 'W10', Buffer.from('{"a":1}').toString('base64url')]) {
        expect((await numbers(store, { cursor: text })).ids).toEqual([1])
      }
    })
  })
}

const rows = [
  { release: 'App@1.0', message: 'cannot read 100%', handled: 0, browser: 'Chrome 140' },
  { release: 'app@1.1', message: 'CANNOT write a_b', handled: 1, browser: 'Firefox 9' },
  { release: null, message: null, handled: null, browser: null },
]
const cases: readonly (readonly [Condition, readonly number[]])[] = [
  [{ field: 'release', op: 'is', value: 'APP@1.0' }, [0]],
  [{ field: 'release', op: 'isNot', value: 'app@1.0' }, [1, 2]],
  [{ field: 'release', op: 'in', values: ['app@1.0', 'App@1.1', 'x'] }, [0, 1]],
  [{ field: 'release', op: 'in', values: [] }, []],
  [{ field: 'release', op: 'notIn', values: ['app@1.0'] }, [1, 2]],
  [{ field: 'release', op: 'notIn', values: [] }, [0, 1, 2]],
  [{ field: 'release', op: 'like', pattern: 'app@*' }, [0, 1]],
  [{ field: 'release', op: 'like', pattern: '*@1.1' }, [1]],
  [{ field: 'release', op: 'like', pattern: 'app' }, []],
  [{ field: 'release', op: 'notLike', pattern: '*.1' }, [0, 2]],
  [{ field: 'message', op: 'contains', text: 'cannot' }, [0, 1]],
  [{ field: 'message', op: 'contains', text: '100%' }, [0]],
  [{ field: 'message', op: 'contains', text: 'a_b' }, [1]],
  [{ field: 'message', op: 'contains', text: 'a*b' }, []],
  [{ field: 'message', op: 'notContains', text: 'read' }, [1, 2]],
  [{ field: 'handled', op: 'is', value: 0 }, [0]],
  [{ field: 'handled', op: 'isNot', value: 0 }, [1, 2]],
  [{ field: 'handled', op: 'atLeast', value: 1 }, [1]],
  [{ field: 'handled', op: 'below', value: 1 }, [0]],
  [{ field: 'handled', op: 'exists' }, [0, 1]],
  [{ field: 'handled', op: 'missing' }, [2]],
  [{ field: 'timestamp', op: 'atLeast', value: noon + 1 }, [1, 2]],
  [{ field: 'receivedAt', op: 'is', value: noon }, [0, 1, 2]],
  [{ field: 'projectId', op: 'is', value: 2 }, []],
  [{ field: 'eventId', op: 'is', value: 'EE01' }, []],
  [{ field: 'eventId', op: 'in', values: ['ee01', 'ee02'] }, [1, 2]],
  [{ field: { tag: 'device' }, op: 'is', value: 'PHONE' }, [0]],
  [{ field: { tag: 'device' }, op: 'isNot', value: 'phone' }, [1, 2]],
  [{ field: { tag: 'device' }, op: 'in', values: ['phone', 'desk'] }, [0, 1]],
  [{ field: { tag: 'device' }, op: 'notIn', values: ['phone', 'desk'] }, [2]],
  [{ field: { tag: 'device' }, op: 'like', pattern: 'd*' }, [1]],
  [{ field: { tag: 'device' }, op: 'notLike', pattern: 'd*' }, [0, 2]],
  [{ field: { tag: 'device' }, op: 'contains', text: 'ES' }, [1]],
  [{ field: { tag: 'device' }, op: 'notContains', text: 'es' }, [0, 2]],
  [{ field: { tag: 'device' }, op: 'exists' }, [0, 1]],
  [{ field: { tag: 'device' }, op: 'missing' }, [2]],
  [{ field: { tag: 'size' }, op: 'atLeast', value: 10 }, [0]],
  [{ field: { tag: 'size' }, op: 'below', value: 10 }, [1]],
  [{ field: { tag: 'never seen' }, op: 'is', value: 'x' }, []],
]
const tags = [{ device: 'phone', size: '12' }, { device: 'desk', size: '9' }, { size: 'big' }]

function testConditions(open: OpenStore): void {
  describe('conditions', () => {
    test.each(['errors', 'feedback'] as const)('each operator over the table %s', async (table) => {
      await using store = disposable(await open())
      const items = rows.map((row, index) => {
        const { release, message, handled } = row
        const frame = { timestamp: noon + index, tags: tags[index] ?? {} }
        const columns = { eventId: `ee0${index}`, release, message }
        return table === 'errors'
          ? sampleError({ ...columns, handled }, frame)
          : sampleItem('feedback', [sampleRow('feedback', columns, frame)])
      })
      await store.append(items.map((item) => sampleEnvelope([item])))
      for (const [condition, expected] of cases) {
        if (table === 'feedback' && asksField(condition, 'handled')) continue
        const query: PageQuery<'errors'> = {
          table: table as 'errors',
          projectIds: [1],
          where: [condition],
          order: { field: 'timestamp', descending: false },
          limit: 10,
        }
        const page = await store.page(query)
        const found = page.rows.map((row) => Number(row.columns.eventId?.slice(-1)))
        expect(found, JSON.stringify(condition)).toEqual(expected)
      }
    })

    test('one of several lists of conditions must hold', async () => {
      await using store = disposable(await open())
      await store.append(
        [0, 1, 2, 3].map((n) =>
          sampleEnvelope([
            sampleError(
              { eventId: sampleId(n), release: n < 2 ? 'a' : 'b', handled: n % 2 },
              { tags: n === 3 ? { cart: 'full' } : {} },
            ),
          ]),
        ),
      )
      const released: Condition = { field: 'release', op: 'is', value: 'a' }
      const handled: Condition = { field: 'handled', op: 'is', value: 1 }
      const full: Condition = { field: { tag: 'cart' }, op: 'is', value: 'full' }
      const first: Condition = { field: 'eventId', op: 'is', value: sampleId(0) }
      const found = async (...where: Condition[]) =>
        (await numbers(store, { where })).ids.toSorted()
      expect(await found({ op: 'any', of: [[released, handled], [full]] })).toEqual([1, 3])
      expect(await found(handled, { op: 'any', of: [[first], [full]] })).toEqual([3])
      expect(await found({ op: 'any', of: [[first], [{ op: 'any', of: [[full]] }]] })).toEqual([
        0, 3,
      ])
      expect(await found({ op: 'any', of: [[]] })).toEqual([0, 1, 2, 3])
      expect(await found({ op: 'any', of: [] })).toEqual([])
      const [counted] = await store.aggregate({
        table: 'errors',
        projectIds: [1],
        where: [{ op: 'any', of: [[released], [full]] }],
        groupBy: [],
        measures: [{ type: 'count' }],
        limit: 1,
      })
      expect(counted?.values).toEqual([3])
    })

    test('all conditions must hold', async () => {
      await using store = disposable(await open())
      await store.append(
        [0, 1, 2, 3].map((n) =>
          sampleEnvelope([
            sampleError({ eventId: sampleId(n), release: n < 2 ? 'a' : 'b', handled: n % 2 }),
          ]),
        ),
      )
      const where: Condition[] = [
        { field: 'release', op: 'is', value: 'b' },
        { field: 'handled', op: 'is', value: 1 },
      ]
      expect((await numbers(store, { where })).ids).toEqual([3])
    })

    test('a field that no table has is refused loudly', async () => {
      await using store = disposable(await open())
      const where: Condition[] = [{ field: "x'; drop table errors", op: 'is', value: 1 }]
      await expect(numbers(store, { where })).rejects.toThrow(/no field/)
    })
  })
}

function asksField(condition: Condition, field: string): boolean {
  return condition.op !== 'any' && condition.field === field
}

function cursor(next: string | undefined): { cursor?: string } {
  return next === undefined ? {} : { cursor: next }
}

async function numbers(
  store: EventStore,
  query: Partial<PageQuery<'errors'>>,
): Promise<{ ids: number[]; next: string | undefined }> {
  const page = await store.page({
    table: 'errors',
    projectIds: [1],
    where: [],
    limit: 100,
    ...query,
  })
  return {
    ids: page.rows.map((row) => Number.parseInt(row.columns.eventId ?? '', 16)),
    next: page.next,
  }
}
