import type { ApiEvent } from '@afterimage/protocol/api/event'
import type { ApiIssue, ApiIssueDetail } from '@afterimage/protocol/api/issue'
import type { ApiReplay } from '@afterimage/protocol/api/replay'
import type { ApiTrace, ApiTransactionSummary } from '@afterimage/protocol/api/trace'
import { expect, test, type TestContext } from 'vitest'
import { processItem } from '../process/process-item.ts'
import { type ApiServer, openApiServer } from '../testing/api-server.ts'
import { itemContext, type RecordedEnvelope, recordedEnvelopes } from '../testing/recorded-items.ts'

const everything = 'start=2020-01-01T00:00:00&end=2027-12-31T00:00:00'

async function openRecorded(
  context: TestContext,
  order: (envelopes: readonly RecordedEnvelope[]) => readonly RecordedEnvelope[],
): Promise<ApiServer> {
  const envelopes = order(recordedEnvelopes(context))
  const server = await openApiServer()
  for (const { envelope } of envelopes) {
    const items = envelope.items.map((item, index) =>
      processItem(item, itemContext(envelope, index, { projectId: 1 })),
    )
    await server.store(items, { receivedAt: itemContext(envelope, 0).receivedAt })
  }
  return server
}

async function all<T>(server: ApiServer, path: string): Promise<readonly T[]> {
  const rows: T[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page = await server.ask(`${path}&cursor=${encodeURIComponent(cursor)}`)
    expect(page.status, path).toBe(200)
    const body = (await page.json()) as readonly T[] | { readonly data: readonly T[] }
    rows.push(...('data' in body ? body.data : body))
    const link = page.headers.get('link') ?? ''
    cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(link)?.[1]
  }
  return rows
}

test('everything recorded is answered: issues, events, traces, pages, replays', async (context) => {
  const server = await openRecorded(context, (envelopes) => envelopes)
  const titles = new Map<string, string>()
  const replayIds = new Set<string>()
  const traceIds = new Set<string>()
  for (const item of recordedEnvelopes(context).flatMap((it) => it.expect)) {
    if (item.type === 'event') titles.set(String(item['event_id']), String(item['title']))
    if (item.type === 'replay_event') replayIds.add(String(item['replay_id']))
    if (typeof item['trace_id'] === 'string' && item.type === 'transaction') {
      traceIds.add(item['trace_id'])
    }
  }
  for (const [id, title] of titles) {
    const event = await server.json<ApiEvent>(`/projects/main/store/events/${id}/`)
    expect(event.title, id).toBe(title.slice(0, 256))
    expect(event.groupID, id).not.toBeNull()
  }
  const issues = await all<ApiIssue>(
    server,
    `/organizations/main/issues/?${everything}&limit=20&sort=freq`,
  )
  expect(new Set(issues.map(({ id }) => id)).size).toBe(issues.length)
  expect(issues.reduce((sum, issue) => sum + Number(issue.count), 0)).toBe(titles.size)
  for (const { id, count } of issues.slice(0, 20)) {
    const detail = await server.json<ApiIssueDetail>(`/organizations/main/issues/${id}/`)
    expect(detail.count).toBe(count)
    const latest = await server.json<ApiEvent>(`/issues/${id}/events/latest/`)
    expect(latest.position).toEqual({ index: Number(count), of: Number(count) })
  }
  const replays = await all<ApiReplay>(server, `/organizations/main/replays/?${everything}&limit=7`)
  expect(new Set(replays.map(({ id }) => id))).toEqual(replayIds)
  for (const id of traceIds) {
    const trace = await server.json<ApiTrace>(`/organizations/main/traces/${id}/`)
    expect(trace.span_count, id).toBeGreaterThan(0)
  }
  const pages = await all<ApiTransactionSummary>(
    server,
    `/organizations/main/transactions/?${everything}&per_page=10`,
  )
  expect(pages.length).toBeGreaterThan(0)
  await server.close()
}, 60_000)

/** Vitals that come after their page load, and the programs in which the recordings have them. */
const lateVitals: readonly (readonly [job: string, ...names: string[]])[] = [
  ['browser11-tracing', 'cls', 'inp'],
  ['browser11-tracing-static', 'inp'],
  ['browser11-tracing-tunnel-no-user-tunnel', 'cls', 'inp'],
  ['browser11-replay-session-uncompressed', 'cls', 'inp'],
  ['browser11-replay-buffer-tunnel', 'cls', 'inp'],
  ['browser11-profiles', 'cls', 'lcp'],
  ['react11-tracing-tunnel', 'cls', 'inp'],
]

test.for(lateVitals)('the pages of %s have the vitals that came late', async (vitals, context) => {
  const [job, ...names] = vitals
  for (const isBackwards of [false, true]) {
    const server = await openRecorded(context, (envelopes) => {
      const own = envelopes.filter((one) => one.job === job)
      return isBackwards ? own.toReversed() : own
    })
    const pages = await all<ApiTransactionSummary>(
      server,
      `/organizations/main/transactions/?${everything}`,
    )
    const loads = pages.filter((page) => page.op === 'pageload')
    expect(loads.length).toBeGreaterThan(0)
    const known = loads.flatMap((page) => Object.keys(page.vitals))
    expect(known).toEqual(expect.arrayContaining(names))
    await server.close()
  }
})

test('the issues do not depend on the order of arrival', async (context) => {
  const states: unknown[] = []
  for (const order of [
    (envelopes: readonly RecordedEnvelope[]) => envelopes,
    (envelopes: readonly RecordedEnvelope[]) => envelopes.toReversed(),
  ]) {
    const server = await openRecorded(context, order)
    const issues = await all<ApiIssue>(
      server,
      `/organizations/main/issues/?${everything}&limit=100`,
    )
    states.push(
      issues
        .map((issue) => JSON.stringify({ ...issue, id: null, shortId: null, permalink: null }))
        .sort(),
    )
    await server.close()
  }
  expect(states[1]).toEqual(states[0])
}, 60_000)
