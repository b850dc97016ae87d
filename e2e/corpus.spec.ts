import { afterEach, describe, expect, test } from 'vitest'
import type {
  ApiAttachment,
  ApiCheckIn,
  ApiEvent,
  ApiFeedback,
  ApiIssue,
  ApiLog,
  ApiMetricPoint,
  ApiReplay,
  ApiReplaySegment,
  ApiSession,
  ApiSpan,
  ApiStats,
  ApiTrace,
} from '@afterimage/protocol/api'
import { sharedFolder } from '../tools/shared-folder.ts'
import { readCorpus, sendRecorded, type Corpus, type CorpusRequest } from './support/corpus.ts'
import { inOrderOf } from './support/shuffle.ts'
import { startProduct, type Product } from './support/product.ts'
import { until } from './support/until.ts'

/**
 * The recorded traffic of the official SDKs, sent unaltered to the started product: everything in it
 * is found by API exactly once, in whatever order it came and however often.
 */

const folder = sharedFolder('corpus')
const corpus = folder === null ? null : readCorpus(folder)
/** Recorded clients were this far from the server that took the recording. */
const TRANSIT_MS = 50

let product: Product | null = null
afterEach(async () => {
  await product?.stop()
  await product?.remove()
  product = null
})

async function startForCorpus(corpus: Corpus): Promise<Product> {
  const started = await startProduct({ environment: { AFTERIMAGE_TEST_CLOCK: '1' } })
  const byProject = Map.groupBy(corpus.projectKeys, ({ project }) => project)
  for (const [id, keys] of byProject) {
    await started.createProject(`p${id}`, { id, keys: keys.map((key) => key.public_key) })
  }
  const last = corpus.projectKeys.at(-1)
  await until('ingest knows the keys', async () => {
    const path = `/api/${last?.project}/envelope/?sentry_key=${last?.public_key}&sentry_version=7`
    return (await fetch(`${started.url}${path}`, { method: 'POST', body: '{}\n' })).ok
  })
  return started
}

async function send(
  product: Product,
  requests: readonly CorpusRequest[],
  clock: 'recorded' | 'today',
): Promise<void> {
  const waiting = [...requests]
  const sender = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const receivedAt = clock === 'recorded' ? next.sentAt + TRANSIT_MS : undefined
      const answer = await sendRecorded(product.url, next, receivedAt)
      expect(answer.status, `${next.name}: ${answer.text}`).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: 8 }, sender))
}

/** Items by type and outcome, of all projects. */
async function outcomes(product: Product): Promise<Readonly<Record<string, number>>> {
  const stats = await product.api<ApiStats>(
    'organizations/main/stats_v2/?field=sum(items)&groupBy=type&groupBy=outcome&statsPeriod=30d&interval=1d',
  )
  const counts: Record<string, number> = {}
  for (const group of stats.groups) {
    const items = group.totals['sum(items)'] ?? 0
    if (items > 0) counts[`${group.by.type} ${group.by.outcome}`] = items
  }
  return counts
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0)
}

async function waitForItems(product: Product, items: number): Promise<void> {
  await until(
    `${items} items have an outcome`,
    async () => sum(await outcomes(product)) >= items,
    90_000,
  )
  expect(sum(await outcomes(product))).toBe(items)
}

/** Issues follow the outcomes of their events, by the outbox. */
async function waitForIssues(product: Product, corpus: Corpus): Promise<void> {
  await until(
    'all errors are in issues',
    async () => (await eventsOfIssues(product)) >= errorTotal(corpus),
    60_000,
  )
}

async function eventsOfIssues(product: Product): Promise<number> {
  const issues = await product.apiAll<ApiIssue>(
    'organizations/main/issues/?query=&statsPeriod=90d&limit=100',
  )
  return issues.reduce((total, issue) => total + Number(issue.count), 0)
}

function errorTotal(corpus: Corpus): number {
  return corpus.jobs.reduce((total, job) => total + (job.expect.errors?.length ?? 0), 0)
}

const itemTotal = corpus === null ? 0 : sum(corpus.totals.item_types)
/** Counted and dropped: nothing here can show them. */
const unsupported = new Set(['profile', 'profile_chunk', 'statsd'])

function expectedOutcomes(corpus: Corpus, passes: 1 | 2): Record<string, number> {
  const expected: Record<string, number> = {}
  for (const [type, count] of Object.entries(corpus.totals.item_types)) {
    if (unsupported.has(type)) expected[`${type} unsupported`] = count * passes
    else {
      expected[`${type} accepted`] = count
      if (passes === 2) expected[`${type} duplicate`] = count
    }
  }
  return expected
}

describe('the whole corpus', () => {
  test('is found by API exactly once, and a second pass is all duplicates', async (context) => {
    if (corpus === null) return context.skip('not run: the corpus is not beside this checkout')
    product = await startForCorpus(corpus)
    await send(product, corpus.requests, 'recorded')
    await waitForItems(product, itemTotal)
    await waitForIssues(product, corpus)
    expect(await outcomes(product)).toEqual(expectedOutcomes(corpus, 1))
    await expectEverything(product, corpus)
    const before = await finalState(product, corpus)

    await send(product, corpus.requests, 'recorded')
    await waitForItems(product, itemTotal * 2)
    expect(await outcomes(product)).toEqual(expectedOutcomes(corpus, 2))
    await expectState(product, corpus, before)

    await product.stop()
    await product.remove()
    product = await startForCorpus(corpus)
    await send(product, inOrderOf(20_261_120, corpus.requests), 'recorded')
    await waitForItems(product, itemTotal)
    await expectState(product, corpus, before)
  }, 300_000)

  test('is found on today’s clock: ids, titles, counts', async (context) => {
    if (corpus === null) return context.skip('not run: the corpus is not beside this checkout')
    product = await startForCorpus(corpus)
    await send(product, corpus.requests, 'today')
    await waitForItems(product, itemTotal)
    await waitForIssues(product, corpus)
    expect(await outcomes(product)).toEqual(expectedOutcomes(corpus, 1))
    await expectErrors(product, corpus)
    await expectTransactions(product, corpus)
    expect(await eventsOfIssues(product)).toBe(errorTotal(corpus))
  }, 300_000)
})

async function expectEverything(product: Product, corpus: Corpus): Promise<void> {
  await expectErrors(product, corpus)
  await expectTransactions(product, corpus)
  await expectSpans(product, corpus)
  await expectSessions(product, corpus)
  await expectReplays(product, corpus)
  await expectLogsAndMetrics(product, corpus)
  await expectCheckIns(product, corpus)
  await expectFeedback(product, corpus)
  await expectAttachments(product, corpus)
}

async function expectErrors(product: Product, corpus: Corpus): Promise<void> {
  for (const { projectId, expect: expected } of corpus.jobs) {
    for (const error of expected.errors ?? []) {
      const event = await product.api<ApiEvent>(
        `projects/main/p${projectId}/events/${error.event_id}/`,
      )
      expect(event.title, error.event_id).toBe(error.title.slice(0, 256))
      expect(event.groupID, error.event_id).not.toBeNull()
      const level = event.tags.find((tag) => tag.key === 'level')?.value
      expect(level, error.event_id).toBe(error.level)
    }
  }
}

async function expectTransactions(product: Product, corpus: Corpus): Promise<void> {
  for (const { projectId, expect: expected } of corpus.jobs) {
    for (const transaction of expected.transactions ?? []) {
      const event = await product.api<ApiEvent>(
        `projects/main/p${projectId}/events/${transaction.event_id}/`,
      )
      expect(event.type).toBe('transaction')
      expect(event.title).toBe(transaction.transaction)
    }
  }
}

async function expectSpans(product: Product, corpus: Corpus): Promise<void> {
  const wanted = new Map<string, Map<string, string>>()
  const want = (traceId: string, spanId: string, op: string): void => {
    if (!wanted.has(traceId)) wanted.set(traceId, new Map())
    wanted.get(traceId)?.set(spanId, op)
  }
  for (const { expect: expected } of corpus.jobs) {
    for (const it of expected.transactions ?? []) want(it.trace_id, it.span_id, it.op)
    for (const it of expected.segments ?? []) want(it.trace_id, it.span_id, it.op)
    for (const it of expected.streamed_spans ?? []) want(it.trace_id, it.span_id, it.op)
  }
  for (const [traceId, spans] of wanted) {
    const trace = await product.api<ApiTrace>(`organizations/main/traces/${traceId}/`)
    const found = new Map<string, number>()
    const visit = (span: ApiSpan): void => {
      found.set(span.span_id, (found.get(span.span_id) ?? 0) + 1)
      span.children.forEach(visit)
    }
    trace.spans.forEach(visit)
    for (const spanId of spans.keys()) expect(found.get(spanId), `${traceId} ${spanId}`).toBe(1)
  }
}

async function expectSessions(product: Product, corpus: Corpus): Promise<void> {
  const sessions = await product.apiAll<ApiSession>(
    'organizations/main/session-list/?statsPeriod=90d&limit=100',
  )
  const found = Map.groupBy(sessions, ({ sid }) => sid)
  for (const { expect: expected } of corpus.jobs) {
    for (const session of expected.sessions ?? []) {
      const sid = session.sid.replaceAll('-', '')
      expect(found.get(sid), sid).toHaveLength(1)
    }
  }
}

async function expectReplays(product: Product, corpus: Corpus): Promise<void> {
  for (const { projectId, expect: expected } of corpus.jobs) {
    for (const replay of expected.replays ?? []) {
      const { data } = await product.api<{ data: ApiReplay }>(
        `organizations/main/replays/${replay.replay_id}/`,
      )
      expect(data.replay_type).toBe(replay.replay_type)
      expect(data.count_segments).toBe(replay.segment_ids.length)
      const segments = await product.apiAll<ApiReplaySegment>(
        `projects/main/p${projectId}/replays/${replay.replay_id}/recording-segments/`,
      )
      expect(segments.map((segment) => segment.segmentId)).toEqual(
        [...replay.segment_ids].sort((a, b) => a - b),
      )
    }
  }
}

async function expectLogsAndMetrics(product: Product, corpus: Corpus): Promise<void> {
  const logs = await product.apiAll<ApiLog>('organizations/main/logs/?statsPeriod=90d&limit=100')
  const wantedLogs = corpus.jobs.flatMap((job) => job.expect.logs ?? [])
  expect(logs.map((log) => `${log.level} ${log.body}`).sort()).toEqual(
    wantedLogs.map((log) => `${log.level} ${log.body}`).sort(),
  )
  const metrics = await product.apiAll<ApiMetricPoint>(
    'organizations/main/metrics/?statsPeriod=90d&limit=100',
  )
  const wantedMetrics = corpus.jobs.flatMap((job) => job.expect.metrics ?? [])
  expect(metrics.map((it) => `${it.name} ${it.type} ${it.value}`).sort()).toEqual(
    wantedMetrics.map((it) => `${it.name} ${it.type} ${it.value}`).sort(),
  )
}

async function expectCheckIns(product: Product, corpus: Corpus): Promise<void> {
  const wanted = corpus.jobs.flatMap((job) => job.expect.check_ins ?? [])
  for (const [slug, checkIns] of Map.groupBy(wanted, (it) => it.monitor_slug)) {
    const found = await product.apiAll<ApiCheckIn>(`organizations/main/monitors/${slug}/checkins/`)
    const ids = new Set(checkIns.map((it) => it.check_in_id.replaceAll('-', '')))
    expect(new Set(found.map((it) => it.id))).toEqual(ids)
    expect(found).toHaveLength(ids.size)
  }
}

async function expectFeedback(product: Product, corpus: Corpus): Promise<void> {
  for (const [slug, jobs] of Map.groupBy(corpus.jobs, ({ projectId }) => `p${projectId}`)) {
    const wanted = jobs.flatMap((job) => job.expect.feedback ?? [])
    if (wanted.length === 0) continue
    const found = await product.apiAll<ApiFeedback>(
      `projects/main/${slug}/user-feedback/?limit=100`,
    )
    expect(found.map((it) => it.comments).sort()).toEqual(wanted.map((it) => it.message).sort())
  }
}

async function expectAttachments(product: Product, corpus: Corpus): Promise<void> {
  for (const { projectId, expect: expected } of corpus.jobs) {
    const byEvent = Map.groupBy(expected.attachments ?? [], (it) => it.event_id)
    for (const [eventId, wanted] of byEvent) {
      const found = await product.api<ApiAttachment[]>(
        `projects/main/p${projectId}/events/${eventId}/attachments/`,
      )
      expect(found.map((it) => `${it.name} ${it.size}`).sort()).toEqual(
        wanted.map((it) => `${it.filename} ${it.bytes}`).sort(),
      )
    }
  }
}

/** Expects what an earlier pass left. */
async function expectState(product: Product, corpus: Corpus, before: unknown): Promise<void> {
  await expect.poll(() => finalState(product, corpus), { timeout: 60_000 }).toEqual(before)
}

/**
 * Reads all that must not depend on the order of arrival: everything people see, apart from serial
 * numbers.
 */
async function finalState(product: Product, corpus: Corpus): Promise<unknown> {
  const issues = await product.apiAll<ApiIssue>(
    'organizations/main/issues/?query=&statsPeriod=90d&limit=100',
  )
  const pages = await product.apiAll('organizations/main/transactions/?statsPeriod=90d&limit=100')
  const replays = await product.apiAll<ApiReplay>(
    'organizations/main/replays/?statsPeriod=90d&limit=100',
  )
  const sessions = await product.apiAll<ApiSession>(
    'organizations/main/session-list/?statsPeriod=90d&limit=100',
  )
  void corpus
  return {
    issues: issues
      .map(
        ({ title, culprit, level, count, userCount, firstSeen, lastSeen, firstRelease, status }) =>
          JSON.stringify({
            title,
            culprit,
            level,
            count,
            userCount,
            firstSeen,
            lastSeen,
            firstRelease,
            status,
          }),
      )
      .sort(),
    pages: pages.map((row) => JSON.stringify(row)).sort(),
    replays: replays.map((row) => JSON.stringify(row)).sort(),
    sessions: sessions.map((row) => JSON.stringify(row)).sort(),
  }
}
