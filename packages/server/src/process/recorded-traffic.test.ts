import { inflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import type { ProcessedItem } from '../storage/events/port.ts'
import type { Row, TableName } from '../storage/events/tables.ts'
import { itemContext, recordedEnvelopes, type ExpectedItem } from '../testing/recorded-items.ts'
import { processItem } from './process-item.ts'

/** Every recorded item of a type gives what its recording says a server should be able to show. */

interface Processed {
  readonly file: string
  readonly job: string
  readonly expected: ExpectedItem
  readonly result: ProcessedItem
}

function processed(context: TestContext, ...types: readonly string[]): Processed[] {
  return recordedEnvelopes(context).flatMap(({ file, job, envelope, expect: expected }) =>
    envelope.items.flatMap((item, index) =>
      types.includes(item.header.type)
        ? [
            {
              file,
              job,
              expected: expected[index]!,
              result: processItem(item, itemContext(envelope, index)),
            },
          ]
        : [],
    ),
  )
}

function rowsOf<N extends TableName>(result: ProcessedItem, table: N) {
  return result.rows.filter((row): row is Extract<Row, { table: N }> => row.table === table)
}

/** The first row of a table, and what its payload says. */
function firstRow<N extends TableName>(result: ProcessedItem, table: N) {
  const row = rowsOf(result, table)[0]
  if (row === undefined) throw new Error(`no row of ${table}: ${result.refusal?.detail ?? ''}`)
  return { ...row, payload: JSON.parse(row.payload ?? '{}') as Record<string, unknown> }
}

describe('recorded traffic', () => {
  test('of a handled type is accepted, and of others is counted as unsupported', (context) => {
    for (const { file, result } of processed(context, ...allTypes)) {
      expect(result.refusal, `${file} ${result.type}`).toBeNull()
      expect(result.refusedParts, `${file} ${result.type}`).toBeUndefined()
    }
    for (const { result, expected } of processed(context, 'profile', 'profile_chunk', 'statsd')) {
      expect(result).toMatchObject({ type: expected.type, rows: [] })
      expect(result.refusal).toMatchObject({
        outcome: 'unsupported',
        reason: 'unsupported_item_type',
      })
    }
  })

  test('gives the same rows when it is processed again', (context) => {
    const types = allTypes.filter((type) => type !== 'replay_recording')
    const [once, again] = [processed(context, ...types), processed(context, ...types)]
    expect(once.map(({ result }) => result.rows)).toEqual(again.map(({ result }) => result.rows))
  })

  test('transactions', (context) => {
    const all = processed(context, 'transaction')
    expect(all.length).toBeGreaterThan(80)
    for (const { expected, result, file } of all) {
      const { columns, timestamp, payload, tags } = firstRow(result, 'transactions')
      expect(columns, file).toMatchObject({
        eventId: expected['event_id'],
        name: expected['transaction'],
        op: expected['op'] ?? 'default',
        source: expected['source'],
        status: expected['status'] ?? 'unknown',
        traceId: expected['trace_id'],
        spanId: expected['span_id'],
        release: expected['release'] ?? null,
        environment: expected['environment'],
        platform: expected['platform'],
        userKey: userKeyOf(expected),
        replayId: expected['replay_id'] ?? null,
      })
      expect(timestamp).toBeCloseTo((expected['timestamp'] as number) * 1000, 1)
      expect(tags).toMatchObject(tagsOf(expected))
      const seconds = (expected['timestamp'] as number) - (expected['start_timestamp'] as number)
      expect(columns.durationMs).toBeCloseTo(seconds * 1000, 1)
      expect(Object.keys(payload['measurements'] ?? {}).sort()).toEqual(
        [...((expected['measurements'] ?? []) as string[])].sort(),
      )
      expect(payload).not.toHaveProperty('spans')
      const [root, ...children] = rowsOf(result, 'spans')
      expect(root?.columns).toMatchObject({ isSegment: 1, spanId: expected['span_id'] })
      expect(root?.columns.origin).toBe(expected['origin'])
      expect(children.length, file).toBe(expected['span_count'] ?? 0)
      expect(countBy(children.map((row) => opOf(row)))).toEqual(expected['span_ops'] ?? {})
    }
  })

  test('streamed spans', (context) => {
    const all = processed(context, 'span').filter(({ expected }) => expected['spans'] !== undefined)
    expect(all.length).toBeGreaterThan(20)
    for (const { expected, result, file } of all) {
      const spans = expected['spans'] as Record<string, unknown>[]
      const rows = rowsOf(result, 'spans')
      expect(result.quantity).toBe(expected['item_count'])
      expect(rows.length).toBe(spans.length)
      for (const [index, span] of spans.entries()) {
        const row = rows[index]!
        const attributes = JSON.parse(row.payload!) as Record<string, unknown>
        expect(attributes['sentry.sent_name'] ?? row.columns.name, file).toBe(span['name'])
        expect(row.columns).toMatchObject({
          traceId: span['trace_id'],
          spanId: span['span_id'],
          parentSpanId: span['parent_span_id'] ?? null,
          op: span['op'] ?? 'default',
          isSegment: span['is_segment'] === true ? 1 : 0,
          segmentId: span['segment_id'],
        })
        expect(row.columns.status === 'ok').toBe(span['status'] === 'ok')
        expect(row.timestamp).toBeCloseTo((span['start'] as number) * 1000, 1)
        const seconds = (span['end'] as number) - (span['start'] as number)
        expect(row.columns.durationMs).toBeCloseTo(seconds * 1000, 1)
      }
    }
  })

  test('spans alone in their item, which measure interactions', (context) => {
    const all = processed(context, 'span').filter(({ expected }) => expected['span_v'] === 1)
    expect(all.length).toBeGreaterThan(4)
    for (const { expected, result } of all) {
      const { columns } = firstRow(result, 'spans')
      expect(columns).toMatchObject({
        name: expected['description'],
        op: expected['op'],
        traceId: expected['trace_id'],
        spanId: expected['span_id'],
        service: 'browser',
      })
      const { inp } = expected['measurements'] as { inp: { value: number } }
      const vital = firstRow(result, 'vitals').columns
      expect(vital).toMatchObject({
        name: 'inp',
        value: inp.value,
        element: expected['description'],
      })
      expect(vital.segmentName).toMatch(/^\//)
    }
  })

  test('replays: two items, one row, and a recording that can be read', (context) => {
    const all = processed(context, 'replay_event', 'replay_recording')
    expect(all.length).toBe(60)
    for (const [index, { expected, result, file }] of all.entries()) {
      if (expected.type === 'replay_recording') {
        const { replay_id: replayId, segment_id: segmentId } = all[index - 1]!.expected
        const identity = `replay_recording:${String(replayId)}:${String(segmentId)}`
        expect(result).toMatchObject({ rows: [], blobs: [], identity })
        continue
      }
      const recorded = all[index + 1]!.expected
      const { columns, timestamp, payload } = firstRow(result, 'replaySegments')
      expect(columns, file).toMatchObject({
        replayId: expected['replay_id'],
        segmentId: expected['segment_id'],
        replayType: expected['replay_type'],
        eventCount: recorded['event_count'],
        urls: JSON.stringify(expected['urls']),
        errorIds: JSON.stringify(expected['error_ids']),
        traceIds: JSON.stringify(expected['trace_ids']),
        release: expected['release'],
        platform: expected['platform'],
        userKey: userKeyOf(expected),
        browser: 'Chrome 156',
        os: 'Linux',
        clicks: customCount(recorded, 'breadcrumb:ui.click'),
        deadClicks: customCount(recorded, 'breadcrumb:ui.slowClickDetected'),
      })
      expect(timestamp).toBeCloseTo((expected['timestamp'] as number) * 1000, 1)
      expect(payload['type']).toBe('replay_event')
      const [blob] = result.blobs
      expect(blob?.key).toBe(columns.blobKey)
      const events = JSON.parse(inflateSync(blob!.bytes).toString()) as unknown[]
      expect(events.length).toBe(recorded['event_count'])
      expect(columns.firstEventAt! - columns.lastEventAt!).toBeLessThanOrEqual(0)
      expect(columns.lastEventAt! / timestamp).toBeCloseTo(1, 5)
    }
  })

  test('replays: dead and rage clicks of the harness, in every SDK', (context) => {
    const totals: Record<string, { dead: number; rage: number }> = {}
    for (const { job, result } of processed(context, 'replay_event')) {
      const { deadClicks, rageClicks } = firstRow(result, 'replaySegments').columns
      const total = (totals[job] ??= { dead: 0, rage: 0 })
      total.dead += deadClicks ?? 0
      total.rage += rageClicks ?? 0
    }
    expect(totals).toMatchObject({
      'browser9-replay-session-tunnel': { dead: 2, rage: 1 },
      'browser9-replay-buffer-uncompressed': { dead: 3, rage: 1 },
      'browser11-replay-session-uncompressed': { dead: 2, rage: 1 },
      'browser11-replay-buffer-tunnel': { dead: 3, rage: 1 },
      'react10-replay-session-tunnel': { dead: 2, rage: 1 },
    })
  })

  test('sessions, single and counted', (context) => {
    for (const { expected, result } of processed(context, 'session')) {
      const attrs = expected['attrs'] as Record<string, unknown>
      const { columns } = firstRow(result, 'sessions')
      expect(columns).toMatchObject({
        sid: String(expected['sid']).replaceAll('-', ''),
        did: expected['did'] === '{{auto}}' ? null : (expected['did'] ?? null),
        status: expected['status'],
        errors: expected['errors'],
        isInit: expected['init'] === true ? 1 : 0,
        startedAt: Date.parse(expected['started'] as string),
        release: attrs['release'],
        environment: attrs['environment'],
        durationS: expected['duration'] ?? null,
      })
    }
    for (const { expected, result } of processed(context, 'sessions')) {
      const buckets = expected['aggregates'] as Record<string, unknown>[]
      expect(rowsOf(result, 'sessions').map(({ columns }) => columns)).toEqual(
        buckets.map((bucket) =>
          expect.objectContaining({
            startedAt: Date.parse(bucket['started'] as string),
            exited: bucket['exited'] ?? 0,
            errored: bucket['errored'] ?? 0,
            crashed: bucket['crashed'] ?? 0,
            sid: null,
          }),
        ),
      )
    }
  })

  test('check-ins', (context) => {
    const all = processed(context, 'check_in')
    expect(all.length).toBeGreaterThan(20)
    for (const { expected, result } of all) {
      expect(firstRow(result, 'checkIns').columns).toMatchObject({
        checkInId: String(expected['check_in_id']).replaceAll('-', ''),
        monitorSlug: expected['monitor_slug'],
        status: expected['status'],
        durationS: expected['duration'] ?? null,
        release: expected['release'] ?? null,
        environment: expected['environment'],
      })
      expect(result.effects[0]).toMatchObject({
        type: 'monitor',
        slug: expected['monitor_slug'],
        config: expected['monitor_config'] ?? null,
      })
    }
  })

  test('logs and metrics', (context) => {
    for (const { expected, result } of processed(context, 'log')) {
      const logs = expected['logs'] as Record<string, unknown>[]
      expect(result.quantity).toBe(expected['item_count'])
      for (const [index, row] of rowsOf(result, 'logs').entries()) {
        const log = logs[index]!
        expect(row.columns).toMatchObject({
          level: log['level'],
          body: log['body'],
          traceId: log['trace_id'],
          severity: log['severity_number'],
        })
        const kept = Object.keys(JSON.parse(row.payload!) as object)
        const addresses = /ip_address|client\.address|peer\.address/
        const keys = (log['attribute_keys'] as string[]).filter((key) => !addresses.test(key))
        expect(kept.sort()).toEqual(keys.sort())
      }
    }
    for (const { expected, result } of processed(context, 'trace_metric')) {
      const metrics = expected['metrics'] as Record<string, unknown>[]
      expect(rowsOf(result, 'metrics').map(({ columns }) => columns)).toEqual(
        metrics.map(({ name, type, value, trace_id: traceId, unit }) =>
          expect.objectContaining({ name, type, value, traceId, unit: unit ?? null }),
        ),
      )
    }
  })

  test('attachments, client reports and user reports', (context) => {
    for (const { expected, result } of processed(context, 'attachment')) {
      const { columns } = firstRow(result, 'attachments')
      expect(columns).toMatchObject({
        name: expected['filename'],
        contentType: expected['content_type'] ?? null,
        bytes: expected['length'],
      })
      expect(result.blobs).toHaveLength(1)
      expect(result.blobs[0]).toMatchObject({ key: columns.blobKey })
    }
    for (const { expected, result } of processed(context, 'client_report')) {
      expect(result.discards).toEqual(expected['discarded_events'])
      expect(result.identity).toMatch(/^[0-9a-f]{64}:0$/)
    }
  })

  test('keeps no address of a person unless the project stores them', (context) => {
    for (const { file, result } of processed(context, ...allTypes)) {
      for (const row of result.rows) {
        expect(JSON.stringify(row), file).not.toContain('198.51.100.7')
        expect(JSON.stringify(row), file).not.toContain('203.0.113.7')
      }
    }
  })
})

const allTypes = [
  'transaction',
  'span',
  'replay_event',
  'replay_recording',
  'session',
  'sessions',
  'check_in',
  'client_report',
  'attachment',
  'user_report',
  'log',
  'trace_metric',
]

function userKeyOf(expected: ExpectedItem): string | null {
  const user = (expected['user'] ?? {}) as { id?: string }
  return user.id === undefined ? null : `id:${user.id}`
}

/** Tags as people read them: Sentry writes booleans as Python does. */
function tagsOf(expected: ExpectedItem): Record<string, string> {
  const tags = Object.entries((expected['tags'] ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    tags.map(([key, value]) => [
      key,
      value === true ? 'True' : value === false ? 'False' : String(value),
    ]),
  )
}

function customCount(recorded: ExpectedItem, name: string): number {
  return (recorded['custom'] as Record<string, number> | undefined)?.[name] ?? 0
}

/** The recordings write `(none)` for the operation of a span that was given none. */
function opOf(row: Extract<Row, { table: 'spans' }>): string {
  return row.columns.op === 'default' ? '(none)' : (row.columns.op ?? '')
}

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
