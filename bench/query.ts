/**
 * Measures the questions behind the console's pages against a full events store: fills one through
 * `append` with 14 days of traffic, then asks each question many times.
 * Run: `node bench/query.ts [--scale 1] [--rounds 40]`; scale 1 is a million error events, five
 * million spans and 100,000 replays.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  failedSpan,
  type EventStore,
  type ProcessedEnvelope,
} from '@afterimage/server/storage/events/port'
import { openSqliteEvents } from '@afterimage/server/storage/events/sqlite/index'
import { openSamples } from './event-samples/index.ts'

const { values } = parseArgs({
  options: {
    scale: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '40' },
  },
})
const scale = Number(values.scale)
const rounds = Number(values.rounds)
const dayMs = 86_400_000
const hourMs = 3_600_000
/** Not on the hour, so that the edges of ranges are asked of rows. */
const now = Date.UTC(2026, 5, 16, 12, 34, 56)
const start = now - 14 * dayMs
/** Hashes of project 1, most frequent first; read once. */
let hashesByCount: readonly string[] = []

const folder = mkdtempSync(join(tmpdir(), 'bench-query-'))
const file = join(folder, 'events.db')
try {
  await fill()
  await ask()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function fill(): Promise<void> {
  const store = await openSqliteEvents({ file, mode: 'writer' })
  const samples = openSamples(3)
  const events = Math.round(1_000_000 * scale)
  const traces = Math.round(500_000 * scale)
  const replays = Math.round(100_000 * scale)
  const begun = performance.now()
  let batch: ProcessedEnvelope[] = []
  let made = { traces: 0, replays: 0 }
  for (let index = 0; index < events; index++) {
    const at = start + ((now - start) * index) / events
    for (; made.traces * events < traces * (index + 1); made.traces++) batch.push(samples.trace(at))
    for (; made.replays * events < replays * (index + 1); made.replays++) {
      batch.push(...samples.replay(at))
    }
    batch.push(samples.error(at))
    if (batch.length >= 400 || index === events - 1) {
      await store.append(batch)
      batch = []
    }
    if (index % 20_000 === 0) await store.maintain(at, 1e12)
    if (index > 0 && index % 100_000 === 0) console.log(`  ${index} events after ${since(begun)}`)
  }
  await store.maintain(now, 1e12)
  await store.close()
  console.log(
    `filled with ${events} events, ${traces} traces, ${replays} replays in ${since(begun)}: ${(statSync(file).size / 1e9).toFixed(2)} GB`,
  )
}

function since(begun: number): string {
  return `${((performance.now() - begun) / 1_000).toFixed(0)} s`
}

async function ask(): Promise<void> {
  const store = await openSqliteEvents({ file, mode: 'reader' })
  await measure('issue stream', (round) => issueStream(store, 1 + (round % 2)))
  await measure('counts of 25 issues, 24 hours', (round) => issueCounts(store, round, dayMs))
  await measure('counts of 25 issues, 7 days', (round) => issueCounts(store, round, 7 * dayMs))
  await measure('people of a project, 24 hours', () => people(store, dayMs))
  await measure('issue page, rank of hash varied', (round) => issuePage(store, round))
  await measure('issue page, most frequent hash', () => issuePage(store, 0))
  await measure('replay list, newest', () => replayList(store, 'startedAt', []))
  await measure('replay list, with filters', () =>
    replayList(store, 'startedAt', [
      { field: 'errorCount', op: 'atLeast', value: 1 },
      { field: 'browser', op: 'like', pattern: 'safari*' },
      { field: 'environment', op: 'is', value: 'staging' },
    ]),
  )
  await measure('replay list, most errors', () => replayList(store, 'errorCount', []))
  await measure('percentiles by page, 14 days', () => percentiles(store, 14 * dayMs))
  await measure('percentiles by page, 24 hours', () => percentiles(store, dayMs))
  const newest = await store.page({ table: 'transactions', projectIds: [1], where: [], limit: 100 })
  const traceIds = newest.rows.map((row) => row.columns.traceId ?? '')
  await measure('the same with people, 14 days', () => percentiles(store, 14 * dayMs, true))
  await measure('one trace', (round) => trace(store, traceIds[round % traceIds.length] ?? ''))
  await measure('errors by a common tag', () => byTag(store, 'country', 'DE'))
  await measure('errors by two tags', () => byTag(store, 'shard', '7'))
  await store.close()
}

async function measure(name: string, body: (round: number) => Promise<unknown>): Promise<void> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = performance.now()
    await body(round)
    times.push(performance.now() - before)
  }
  const [first = 0] = times
  times.sort((a, b) => a - b)
  const at = (q: number): string => (times[Math.ceil(q * times.length) - 1] ?? 0).toFixed(1)
  console.log(
    `${name.padEnd(34)} p50 ${at(0.5).padStart(7)} ms   p95 ${at(0.95).padStart(7)} ms   first ${first.toFixed(1)} ms`,
  )
}

async function topHashes(store: EventStore, projectId: number): Promise<readonly string[]> {
  const rows = await store.aggregate({
    table: 'errors',
    projectIds: [projectId],
    where: [],
    groupBy: ['groupingHash'],
    measures: [
      { type: 'count' },
      { type: 'distinct', field: 'userKey' },
      { type: 'max', field: 'timestamp' },
    ],
    order: { measure: 2, descending: true },
    limit: 25,
  })
  return rows.map((row) => String(row.group[0]))
}

async function issueStream(store: EventStore, projectId: number): Promise<void> {
  const hashes = await topHashes(store, projectId)
  await store.aggregate({
    table: 'errors',
    projectIds: [projectId],
    range: { from: now - dayMs, to: now },
    where: [{ field: 'groupingHash', op: 'in', values: hashes }],
    groupBy: ['groupingHash'],
    bucketMs: hourMs,
    measures: [{ type: 'count' }],
    limit: 1_000,
  })
}

async function issuePage(store: EventStore, rank: number): Promise<void> {
  if (hashesByCount.length === 0) {
    const rows = await store.aggregate({
      table: 'errors',
      projectIds: [1],
      where: [],
      groupBy: ['groupingHash'],
      measures: [{ type: 'count' }],
      limit: 500,
    })
    hashesByCount = rows.map((row) => String(row.group[0]))
  }
  const hash = hashesByCount[(rank * 7) % hashesByCount.length] ?? ''
  const where = [{ field: 'groupingHash', op: 'is', value: hash }] as const
  await store.page({ table: 'errors', projectIds: [1], where, limit: 1, withPayload: true })
  await store.aggregate({
    table: 'tags',
    projectIds: [1],
    where,
    groupBy: ['key', 'value'],
    measures: [{ type: 'count' }],
    limit: 1_000,
  })
  await store.aggregate({
    table: 'errors',
    projectIds: [1],
    range: { from: now - dayMs, to: now },
    where,
    groupBy: [],
    bucketMs: hourMs,
    measures: [{ type: 'count' }],
    limit: 100,
  })
}

async function issueCounts(store: EventStore, round: number, spanMs: number): Promise<void> {
  const projectId = 1 + (round % 2)
  await store.aggregate({
    table: 'errors',
    projectIds: [projectId],
    range: { from: now - spanMs, to: now },
    where: [{ field: 'groupingHash', op: 'in', values: await topHashes(store, projectId) }],
    groupBy: ['projectId', 'groupingHash'],
    measures: [
      { type: 'count' },
      { type: 'distinct', field: 'userKey' },
      { type: 'distinct', field: 'replayId' },
    ],
    limit: 100,
  })
}

async function people(store: EventStore, spanMs: number): Promise<void> {
  await store.aggregate({
    table: 'errors',
    projectIds: [1],
    range: { from: now - spanMs, to: now },
    where: [],
    groupBy: [],
    measures: [{ type: 'distinct', field: 'userKey' }],
    limit: 1,
  })
}

async function replayList(
  store: EventStore,
  field: string,
  where: Parameters<EventStore['page']>[0]['where'],
): Promise<void> {
  await store.page({
    table: 'replays',
    projectIds: [1],
    range: { from: now - 14 * dayMs, to: now },
    where,
    order: { field, descending: true },
    limit: 25,
  })
}

async function percentiles(store: EventStore, spanMs: number, withPeople = false): Promise<void> {
  await store.aggregate({
    table: 'spans',
    projectIds: [1],
    range: { from: now - spanMs, to: now },
    where: [{ field: 'isSegment', op: 'is', value: 1 }],
    groupBy: ['segmentName'],
    measures: [
      { type: 'count' },
      ...[0.5, 0.75, 0.95, 0.99].map(
        (q) => ({ type: 'quantile', field: 'durationMs', q }) as const,
      ),
      { type: 'countIf', where: failedSpan },
      ...(withPeople ? [{ type: 'distinct', field: 'userKey' } as const] : []),
    ],
    limit: 100,
  })
}

async function trace(store: EventStore, traceId: string): Promise<void> {
  const where = [{ field: 'traceId', op: 'is', value: traceId }] as const
  const common = { projectIds: [], where, limit: 1_000 }
  await store.page({ table: 'spans', ...common, withPayload: true })
  await store.page({ table: 'errors', ...common })
  await store.page({ table: 'transactions', ...common })
  await store.page({ table: 'vitals', ...common })
}

async function byTag(store: EventStore, tag: string, value: string): Promise<void> {
  const where = [
    { field: { tag }, op: 'is', value },
    { field: { tag: 'plan' }, op: 'is', value: 'team' },
  ] as const
  const range = { from: now - 14 * dayMs, to: now }
  await store.page({ table: 'errors', projectIds: [1], range, where, limit: 25 })
}
