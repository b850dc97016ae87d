import { expect, test } from 'vitest'
import type { TestContext } from 'vitest'
import type { NormalizedEvent } from '@afterimage/protocol/event'
import type { Row } from '../../../storage/events/tables.ts'
import { itemContext, recordedEnvelopes } from '../../../testing/recorded-items.ts'
import type { ExpectedItem } from '../../../testing/recorded-items.ts'
import { processError } from './index.ts'

/** Every recorded error event shows what its recording says a server should be able to show. */

interface Recorded {
  readonly file: string
  readonly job: string
  readonly expected: ExpectedItem
  readonly row: Extract<Row, { table: 'errors' }>
  readonly event: NormalizedEvent
}

function recordedErrors(context: TestContext): Recorded[] {
  return recordedEnvelopes(context).flatMap(({ file, job, envelope, expect: items }) =>
    envelope.items.flatMap((item, index) => {
      if (item.header.type !== 'event') return []
      const { rows, refusal } = processError(item, itemContext(envelope, index))
      const [row] = rows
      if (row?.table !== 'errors') throw new Error(`${file}: ${refusal?.detail}`)
      const event = JSON.parse(row.payload ?? '') as NormalizedEvent
      return [{ file, job, expected: items[index]!, row, event }]
    }),
  )
}

/** Writes truth values as Python does, as the search of all tools for this protocol expects. */
function tagsAsText(expected: ExpectedItem): Record<string, string> {
  const tags = Object.entries((expected['tags'] ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    tags.map(([key, value]) => [
      key,
      value === true ? 'True' : value === false ? 'False' : String(value),
    ]),
  )
}

function given(expected: ExpectedItem, name: string): unknown {
  return expected[name] ?? null
}

test('the columns of every recorded error are those of its recording', (context) => {
  const all = recordedErrors(context)
  expect(all.length).toBeGreaterThan(150)
  for (const { file, expected, row } of all) {
    const user = (expected['user'] ?? {}) as Record<string, string>
    expect(row.columns, file).toMatchObject({
      eventId: expected['event_id'],
      title: expected['title'],
      level: expected['level'],
      platform: expected['platform'],
      release: given(expected, 'release'),
      environment: given(expected, 'environment'),
      dist: given(expected, 'dist'),
      transaction: given(expected, 'transaction'),
      traceId: expected['trace_id'],
      spanId: expected['span_id'],
      replayId: given(expected, 'replay_id'),
      userKey: user['id'] === undefined ? null : `id:${user['id']}`,
      userLabel: user['email'] ?? user['id'] ?? null,
    })
    expect(row.timestamp, file).toBeCloseTo((expected['timestamp'] as number) * 1000, 1)
    expect(row.tags, file).toMatchObject(tagsAsText(expected))
    const sdk = expected['sdk'] as { name: string; version: string }
    expect(row.columns.sdk).toBe(`${sdk.name}/${sdk.version}`)
  }
})

test('the exceptions of every recorded error keep type, value, mechanism and frames', (context) => {
  for (const { file, expected, event } of recordedErrors(context)) {
    const seen = (event.exception ?? []).map(({ type, value, mechanism, stacktrace }) => ({
      type: type ?? null,
      value: value ?? null,
      mechanism: mechanism?.type ?? null,
      handled: mechanism?.handled ?? null,
      frames: stacktrace?.frames.length ?? 0,
    }))
    const wanted = (expected['exceptions'] as Record<string, unknown>[]).map((exception) => ({
      type: exception['type'] ?? null,
      value: exception['value'] ?? null,
      mechanism: exception['mechanism'] ?? null,
      handled: exception['handled'] ?? null,
      frames: exception['frames'] ?? 0,
    }))
    expect(seen, file).toEqual(wanted)
  }
})

test('request, breadcrumbs, contexts, extra and the top frame are all there', (context) => {
  for (const { file, expected, event } of recordedErrors(context)) {
    expect(Object.keys(event.contexts), file).toEqual(
      expect.arrayContaining(expected['contexts'] as string[]),
    )
    expect(event.breadcrumbs?.length ?? 0, file).toBe(expected['breadcrumbs'])
    expect(Object.keys(event.extra ?? {}), file).toEqual(expected['extra_keys'])
    if (expected['message'] !== undefined) {
      expect(event.logentry?.formatted, file).toBe(expected['message'])
    }
    if (expected['request_url'] !== undefined) {
      const query = event.request?.query_string as [string, string][] | undefined
      const text = query?.map(([key, value]) => `${key}=${value}`).join('&')
      const fragment = event.request?.fragment === undefined ? '' : `#${event.request.fragment}`
      const url = `${event.request?.url}${text === undefined ? '' : `?${text}`}${fragment}`
      const sent = decodeURIComponent(expected['request_url'] as string)
      expect(url, file).toBe(sent.replace(/token=\w+/, 'token=[Filtered]'))
    }
    const top = expected['top_frame'] as Record<string, unknown> | undefined
    const frame = event.exception?.at(-1)?.stacktrace?.frames.at(-1)
    if (!top) continue
    expect(frame?.filename, file).toBe(top['filename'])
    expect(frame?.function ?? '?', file).toBe(top['function'] ?? '?')
    expect(frame?.lineno, file).toBe(top['lineno'])
  }
})

test('no address is kept, nothing is wrong with what the official SDKs send', (context) => {
  for (const { file, row, event } of recordedErrors(context)) {
    expect(row.payload, file).not.toContain('ip_address')
    expect(row.payload, file).not.toContain('198.51.100.7')
    expect(event.errors, file).toBeUndefined()
  }
})

test('the same error of two runs of one program is one issue, different errors are several', (context) => {
  const jobs = Map.groupBy(recordedErrors(context), ({ job }) => job)
  const errors = jobs.get('browser9-errors') ?? []
  const titles = new Set(errors.map(({ row }) => row.columns.title))
  const hashes = new Set(errors.map(({ row }) => row.columns.groupingHash))
  expect(hashes.size).toBe(titles.size)
})
