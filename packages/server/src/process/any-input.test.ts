import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, gunzipSync } from 'node:zlib'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import type { ProcessedItem } from '../storage/events/port.ts'
import { tables } from '../storage/events/tables.ts'
import { envelopeOf, itemContext, recordedEnvelopes } from '../testing/recorded-items.ts'
import { processItem } from './process-item.ts'

/** Any input becomes rows, or a refusal with a reason; nothing is ever thrown. */

const types = [
  'event',
  'feedback',
  'raw_security',
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
  'metric',
  'profile',
  'replay_video',
  'from_the_future',
]

const containerHeader = { content_type: 'application/vnd.sentry.items.span.v2+json' }

/**
 * Returns the parts that a store could not rely on: untyped columns, infinite numbers, missing
 * keys.
 */
function unsoundParts({ refusal, rows, quantity }: ProcessedItem): string[] {
  const found: string[] = []
  if (refusal !== null && !/^[a-z_]+$/.test(refusal.reason)) found.push('refusal without a reason')
  if (refusal !== null && quantity < 1) found.push('refusal of nothing')
  for (const row of rows) {
    if (!Number.isFinite(row.timestamp)) found.push(`${row.table}.timestamp`)
    const { key, columns: kinds } = tables[row.table]
    const columns: Readonly<Record<string, unknown>> = row.columns
    for (const name in columns) if (!(name in kinds)) found.push(`${row.table} has no ${name}`)
    for (const name of key) if (columns[name] === null) found.push(`${row.table}.${name} is null`)
    for (const [name, kind] of Object.entries(kinds) as [string, string][]) {
      const value = columns[name]
      const isText = ['id', 'label', 'text'].includes(kind)
      const isFit = value === null || (isText ? typeof value === 'string' : Number.isFinite(value))
      if (!isFit) found.push(`${row.table}.${name} is ${String(value)}`)
    }
    if (row.payload !== undefined && typeof JSON.parse(row.payload) !== 'object')
      found.push('payload')
  }
  return found
}

function expectSound(result: ProcessedItem): void {
  const found = unsoundParts(result)
  if (found.length > 0) expect(found).toEqual([])
}

function run(type: string, payload: unknown, item: Record<string, unknown> = {}): ProcessedItem {
  const header = { event_id: 'ab'.repeat(16), trace: { trace_id: 'cd'.repeat(16) } }
  const envelope = envelopeOf(type, payload, { header, item })
  const result = processItem(envelope.items[0]!, itemContext(envelope, 0))
  expectSound(result)
  return result
}

test.each(types)('any bytes as %s', (type) => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      run(type, bytes)
    }),
    { numRuns: 150 },
  )
})

test.each(types)('any JSON as %s', (type) => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      run(type, value)
      run(type, { items: [value], spans: [value], aggregates: [value] }, containerHeader)
      run(type, Buffer.from(`{"segment_id":0}\n${JSON.stringify([value])}`))
    }),
    { numRuns: 150 },
  )
})

/** Values that have broken parsers before, put in the place of every member of real payloads. */
const oddValues: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  '',
  'x'.repeat(20_000),
  '\ud800',
  '__proto__',
  [],
  [null],
  {},
  { value: { value: 1 } },
  '{{auto}}',
  '0'.repeat(32),
  'a\u0000b',
  JSON.parse('{"toString": 1, "valueOf": 1, "toJSON": 1, "length": 1e9, "then": 1}'),
  [['a', [{ toString: 1, valueOf: 1 }]]],
  JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "hasOwnProperty": 1}'),
]

test(
  'real payloads with any of their members replaced by an odd value',
  { timeout: 180_000 },
  (context) => {
    const seen = new Map<string, { payload: Record<string, unknown>; header: object }>()
    for (const { envelope } of recordedEnvelopes(context)) {
      for (const { header, payload } of envelope.items) {
        if (
          !types.includes(header.type) ||
          ['attachment', 'replay_recording'].includes(header.type)
        )
          continue
        const name = `${header.type} ${header.content_type ?? ''}`
        if (seen.has(name)) continue
        const parsed = JSON.parse(Buffer.from(payload).toString()) as Record<string, unknown>
        if (Array.isArray(parsed['items'])) parsed['items'] = parsed['items'].slice(0, 1)
        if (Array.isArray(parsed['spans'])) parsed['spans'] = parsed['spans'].slice(0, 1)
        seen.set(name, { payload: parsed, header: { ...header, item_count: undefined } })
      }
    }
    expect(seen.size).toBeGreaterThan(9)
    for (const [name, { payload, header }] of seen) {
      const type = name.split(' ')[0]!
      for (const path of pathsOf(payload, 6)) {
        for (const odd of oddValues)
          run(type, replaced(payload, path, odd), header as Record<string, unknown>)
      }
    }
  },
)

type Path = readonly (string | number)[]

function pathsOf(value: unknown, depth: number): Path[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.entries(value).flatMap(([key, member]) => {
    const step = Array.isArray(value) ? Number(key) : key
    return [[step], ...pathsOf(member, depth - 1).map((path) => [step, ...path])]
  })
}

function replaced(value: unknown, path: Path, odd: unknown): unknown {
  const [step, ...rest] = path
  if (step === undefined) return odd
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string,
    unknown
  >
  copy[step] = replaced(copy[step], rest, odd)
  return copy
}

test('recorded payloads of other languages and odd cases', (context) => {
  const folder = sharedFolder('fixtures')
  if (folder === null) return context.skip('not run: the folder of fixtures is absent')
  let items = 0
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:envelope|txt|bin|json)$/.test(file)) continue
    const sent = readFileSync(join(folder, file))
    if (file.endsWith('.json')) {
      for (const type of ['transaction', 'replay_event', 'user_report']) run(type, sent)
      continue
    }
    const envelope = decodeEnvelope(sent[0] === 0x1f ? gunzipSync(sent) : sent)
    if (isRefusal(envelope)) continue
    for (const [index, item] of envelope.items.entries()) {
      expectSound(processItem(item, itemContext(envelope, index)))
      items += 1
    }
  }
  expect(items).toBeGreaterThan(100)
})

test('nesting without end', () => {
  const deep = '['.repeat(200_000) + ']'.repeat(200_000)
  for (const type of types) {
    run(type, Buffer.from(deep))
    run(type, Buffer.from(`{"items":${deep},"spans":${deep},"attrs":${deep},"data":${deep}}`))
    run(type, Buffer.from(`{"segment_id":0}\n[{"type":4,"timestamp":1,"data":${deep}}]`))
  }
})

test('a recording that inflates to more than its limit stops at the limit', () => {
  const bomb = deflateSync(Buffer.alloc(105 * 1024 * 1024, 0x20))
  expect(bomb.length).toBeLessThan(200_000)
  const payload = Buffer.concat([Buffer.from('{"segment_id":0}\n'), bomb])
  expect(run('replay_recording', payload).refusal).toMatchObject({ reason: 'too_large' })
})

test(
  'a recording of millions of small values costs no memory to speak of',
  { timeout: 30_000 },
  () => {
    const many = deflateSync(Buffer.from(`[${'{},'.repeat(5_000_000)}{}]`))
    const nested = deflateSync(
      Buffer.from(`[{"type":3,"timestamp":1,"data":[${'0,'.repeat(9_000_000)}0]}]`),
    )
    const before = process.memoryUsage().heapUsed
    for (const body of [many, nested]) {
      const result = run(
        'replay_recording',
        Buffer.concat([Buffer.from('{"segment_id":3}\n'), body]),
      )
      expect(result.rows[0]?.columns).toMatchObject({ eventCount: 0 })
      expect(result.refusedParts?.[0]?.quantity).toBeGreaterThan(0)
    }
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024)
  },
)
