import { describe, expect, test } from 'vitest'
import type { AggregateRow, EventStore, ProcessedItem } from '../port.ts'
import type { OpenStore } from './index.ts'
import {
  noon,
  sampleEffect,
  sampleEnvelope,
  sampleError,
  sampleId,
  sampleItem,
  sampleRow,
} from './samples.ts'

export function testAppends(open: OpenStore): void {
  testRows(open)
  testDuplicates(open)
  testOutcomes(open)
  testOutbox(open)
}

function testRows(open: OpenStore): void {
  describe('append', () => {
    test('an appended row is read back unchanged, with tags and payload', async () => {
      await using store = disposable(await open())
      const payload = JSON.stringify({ message: 'ünïcode 😀 \u0000', list: [1, 2] })
      const tags = { browser: 'Chrome 140', 'odd key': '', Ünï: '"quoted", [1]' }
      const columns = { eventId: sampleId(1), title: 'Error: no', handled: 0, userKey: 'id:7' }
      await store.append([
        sampleEnvelope([sampleError(columns, { tags, payload, timestamp: noon - 0.25 })]),
      ])
      const row = await store.point('errors', 1, [sampleId(1)])
      expect(row).toMatchObject({ projectId: 1, receivedAt: noon, timestamp: noon - 0.25, tags })
      expect(row?.columns).toMatchObject({ ...columns, groupingHash: 'h1', traceId: null })
      expect(row?.payload).toBe(payload)
    })

    test('every table stores a row and returns it', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope(oneOfEach())])
      const expected = [
        ['errors', [sampleId(1)]],
        ['transactions', [sampleId(2)]],
        ['spans', [sampleId(3), 'a1']],
        ['vitals', [sampleId(3), 'a1', 'lcp']],
        ['replaySegments', [sampleId(4), 0]],
        ['replays', [sampleId(4)]],
        ['sessions', ['s-1']],
        ['checkIns', [sampleId(5), 'ok']],
        ['feedback', [sampleId(6)]],
        ['logs', ['l-0']],
        ['metrics', ['m-0']],
        ['attachments', [sampleId(1), 'a.txt', 'ff']],
      ] as const
      for (const [table, key] of expected) {
        const row = await store.point(table, 1, key)
        expect(row?.projectId, table).toBe(1)
        expect(await store.point(table, null, key), table).toEqual(row)
        expect(await store.point(table, 2, key), table).toBeNull()
      }
    })
  })
}

function testDuplicates(open: OpenStore): void {
  describe('append', () => {
    test('the first of two rows with one key stays', async () => {
      await using store = disposable(await open())
      const eventId = sampleId(1)
      await store.append([sampleEnvelope([sampleError({ eventId, title: 'first' })])])
      await store.append([sampleEnvelope([sampleError({ eventId, title: 'second' })])])
      expect((await store.point('errors', 1, [eventId]))?.columns.title).toBe('first')
      expect(await outcomesOf(store)).toEqual([
        ['event', 'accepted', null, 1, 1],
        ['event', 'duplicate', null, 1, 1],
      ])
    })

    test('the same key in two projects is two rows', async () => {
      await using store = disposable(await open())
      const item = sampleError({ eventId: sampleId(1) })
      await store.append([sampleEnvelope([item]), sampleEnvelope([item], { projectId: 2 })])
      expect(await store.point('errors', 2, [sampleId(1)])).not.toBeNull()
      expect(
        (await store.page({ table: 'errors', projectIds: [], where: [], limit: 9 })).rows,
      ).toHaveLength(2)
    })

    test('a delivery is applied once, even if it differs the second time', async () => {
      await using store = disposable(await open())
      const discards = [{ category: 'error', reason: 'sample_rate', quantity: 3 }]
      const envelope = sampleEnvelope([
        sampleError({ eventId: sampleId(1) }),
        sampleItem('client_report', [], { discards }),
      ])
      await store.append([envelope])
      await store.append([
        envelope,
        { ...envelope, items: [sampleError({ eventId: sampleId(2) })] },
      ])
      expect(await store.point('errors', 1, [sampleId(2)])).toBeNull()
      expect(await outcomesOf(store)).toEqual([
        ['client_report', 'accepted', null, 1, 1],
        ['error', 'client_discard', 'sample_rate', 0, 3],
        ['event', 'accepted', null, 1, 1],
      ])
    })

    test('a duplicate first row drops all effects and further rows', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([transaction('a1')])])
      await store.append([sampleEnvelope([transaction('b2')])])
      expect(await store.point('spans', 1, [sampleId(2), 'b2'])).toBeNull()
      const effects = (await store.outbox(0, 10)).map((entry) => entry.effect)
      expect(effects).toEqual([
        { type: 'release', release: 'a1', environment: null, timestamp: noon },
      ])
    })

    test.each(['trace_metric', 'metric'])(
      'a container of type %s is accepted as long as one of its rows is new',
      async (type) => {
        await using store = disposable(await open())
        await store.append([sampleEnvelope([metrics(type, 'a', 'b')])])
        await store.append([sampleEnvelope([metrics(type, 'a', 'c')])])
        await store.append([sampleEnvelope([metrics(type, 'b', 'c')])])
        expect(await outcomesOf(store)).toEqual([
          [type, 'accepted', null, 2, 4],
          [type, 'duplicate', null, 1, 2],
        ])
      },
    )

    test('a container is accepted as long as one of its rows is new', async () => {
      await using store = disposable(await open())
      await store.append([sampleEnvelope([spans('a', 'b')])])
      await store.append([sampleEnvelope([spans('a', 'c')])])
      await store.append([sampleEnvelope([spans('b', 'c')])])
      const page = await store.page({ table: 'spans', projectIds: [1], where: [], limit: 9 })
      expect(page.rows).toHaveLength(3)
      expect(await outcomesOf(store)).toEqual([
        ['span', 'accepted', null, 2, 4],
        ['span', 'duplicate', null, 1, 2],
      ])
    })
  })
}

function testOutcomes(open: OpenStore): void {
  describe('append', () => {
    test('a refused item is counted with its reason and nothing else', async () => {
      await using store = disposable(await open())
      const refusal = { outcome: 'invalid', reason: 'invalid_json', detail: 'no' } as const
      await store.append([
        sampleEnvelope([sampleItem('event', [], { refusal, effects: [sampleEffect()] })]),
      ])
      expect(await outcomesOf(store)).toEqual([['event', 'invalid', 'invalid_json', 1, 1]])
      expect(await store.outbox(0, 10)).toEqual([])
    })

    test('an item without rows is recognised by its identity', async () => {
      await using store = disposable(await open())
      const item = sampleItem('client_report', [], {
        identity: 'sha-0',
        discards: [{ category: 'error', reason: 'network_error', quantity: 2 }],
      })
      await store.append([sampleEnvelope([item])])
      await store.append([sampleEnvelope([item])])
      expect(await outcomesOf(store)).toEqual([
        ['client_report', 'accepted', null, 1, 1],
        ['client_report', 'duplicate', null, 1, 1],
        ['error', 'client_discard', 'network_error', 0, 2],
      ])
    })

    test('an empty batch and an envelope without items change nothing', async () => {
      await using store = disposable(await open())
      await store.append([])
      await store.append([sampleEnvelope([])])
      expect(await outcomesOf(store)).toEqual([])
    })
  })
}

function testOutbox(open: OpenStore): void {
  describe('append', () => {
    test('the outbox returns effects in order, and only those after a sequence number', async () => {
      await using store = disposable(await open())
      await store.append([
        sampleEnvelope([titled(1, noon, 'middle')]),
        sampleEnvelope([titled(2, noon + 5, 'latest')]),
        sampleEnvelope([titled(3, noon - 5, 'earliest')]),
      ])
      const entries = await store.outbox(0, 10)
      const issues = entries.flatMap((entry) =>
        entry.effect.type === 'issue' ? [entry.effect] : [],
      )
      expect(Math.min(...issues.map((issue) => issue.timestamp))).toBe(noon - 5)
      expect(issues.at(-1)).toMatchObject({ timestamp: noon + 5, title: 'latest' })
      const last = entries.at(-1)?.sequence ?? 0
      expect(await store.outbox(last, 10)).toEqual([])
      expect(await store.outbox(0, 1)).toEqual(entries.slice(0, 1))
      await store.maintain(noon, last)
      expect(await store.outbox(0, 10)).toEqual([])
      await store.append([sampleEnvelope([titled(4, noon, 'later')])])
      expect((await store.outbox(last, 10))[0]?.sequence).toBeGreaterThan(last)
    })

    test('a value of the wrong kind costs itself, not its batch', async () => {
      await using store = disposable(await open())
      const strange = { eventId: sampleId(1), title: undefined, handled: true, message: { a: 1 } }
      await store.append([sampleEnvelope([sampleError(strange as never)])])
      const row = await store.point('errors', 1, [sampleId(1)])
      expect(row?.columns).toMatchObject({ title: null, handled: 1, message: null })
    })
  })
}

/** Closes the store at the end of a test's block. */
export function disposable(store: EventStore): EventStore & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

/** Returns rows of type, outcome, reason, items and quantity, in alphabetical order. */
export async function outcomesOf(store: EventStore): Promise<readonly unknown[]> {
  const measures = [
    { type: 'sum', field: 'items' },
    { type: 'sum', field: 'quantity' },
  ] as const
  const ask = (
    groupBy: readonly string[],
    where: readonly { field: string; op: 'is'; value: string }[],
  ) =>
    store.aggregate({ table: 'outcomes', projectIds: [], where, groupBy, measures, limit: 1_000 })
  const byType = await ask(['type', 'outcome'], [])
  const details = await Promise.all(
    byType.map(async ({ group: [type, outcome] }) => {
      const where = [
        { field: 'type', op: 'is', value: String(type) },
        { field: 'outcome', op: 'is', value: String(outcome) },
      ] as const
      const rows: readonly AggregateRow[] = await ask(['reason'], where)
      return rows.map((row) => [type, outcome, row.group[0], ...row.values])
    }),
  )
  return details.flat().toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

function transaction(spanId: string): ProcessedItem {
  return sampleItem(
    'transaction',
    [
      sampleRow('transactions', { eventId: sampleId(1), name: '/a' }),
      sampleRow('spans', { traceId: sampleId(2), spanId }),
    ],
    { effects: [{ type: 'release', release: spanId, environment: null, timestamp: noon }] },
  )
}

function spans(...ids: string[]): ProcessedItem {
  return sampleItem(
    'span',
    ids.map((spanId) => sampleRow('spans', { traceId: sampleId(1), spanId })),
    { quantity: ids.length },
  )
}

function metrics(type: string, ...keys: string[]): ProcessedItem {
  const rows = keys.map((key) => sampleRow('metrics', { key, name: 'n', type: 'gauge', value: 1 }))
  return sampleItem(type, rows, { quantity: keys.length })
}

function titled(n: number, timestamp: number, title: string): ProcessedItem {
  return sampleItem('event', [sampleRow('errors', { eventId: sampleId(n), groupingHash: 'h1' })], {
    effects: [sampleEffect({ eventId: sampleId(n), timestamp, title })],
  })
}

function oneOfEach(): readonly ReturnType<typeof sampleItem>[] {
  const trace = { traceId: sampleId(3) }
  return [
    sampleError({ eventId: sampleId(1) }, { payload: '{}' }),
    sampleItem('transaction', [
      sampleRow('transactions', { eventId: sampleId(2) }, { tags: { a: 'b' }, payload: '{"a":1}' }),
      sampleRow(
        'spans',
        { ...trace, spanId: 'a1', isSegment: 1, durationMs: 5 },
        { payload: '[]' },
      ),
      sampleRow('vitals', { ...trace, segmentId: 'a1', name: 'lcp', value: 1200 }),
    ]),
    sampleItem('replay_event', [
      sampleRow('replaySegments', { replayId: sampleId(4), segmentId: 0 }, { payload: '{}' }),
    ]),
    sampleItem('session', [sampleRow('sessions', { key: 's-1', sid: 's' })]),
    sampleItem('check_in', [sampleRow('checkIns', { checkInId: sampleId(5), status: 'ok' })]),
    sampleItem('feedback', [sampleRow('feedback', { eventId: sampleId(6), message: 'hi' })]),
    sampleItem('log', [sampleRow('logs', { key: 'l-0', body: 'hello' }, { payload: '{}' })]),
    sampleItem('trace_metric', [sampleRow('metrics', { key: 'm-0', name: 'n', value: 1.5 })]),
    sampleItem('attachment', [
      sampleRow('attachments', { eventId: sampleId(1), name: 'a.txt', sha256: 'ff', bytes: 3 }),
    ]),
  ]
}
