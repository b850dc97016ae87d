import type { ApiIssueOverview, ApiServerStatus, ApiStats } from '@afterimage/protocol/api/stats'
import type { ApiTagValue } from '@afterimage/protocol/api/issue'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { isRefusal } from '@afterimage/protocol/outcome'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { processItem } from '../process/process-item.ts'
import { createProject } from '../projects/projects.ts'
import {
  type ApiServer,
  errorItem,
  openApiServer,
  testNow,
  testOrigin,
} from '../testing/api-server.ts'
import { itemContext } from '../testing/recorded-items.ts'

const HOUR_MS = 3_600_000
const refusal = { outcome: 'invalid', reason: 'invalid_json', detail: 'no' } as const

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

test('outcomes by type, outcome and reason, by the hour or the day', async () => {
  await server.store([
    errorItem(1),
    errorItem(1),
    { type: 'event', refusal },
    { type: 'log', quantity: 5, refusal },
  ])
  await server.store([errorItem(2)], { receivedAt: testNow - 2 * HOUR_MS })
  const ask = (query: string) =>
    server.json<ApiStats>(`/organizations/main/stats_v2/?statsPeriod=24h&${query}`)
  const stats = await ask('field=sum(items)&groupBy=type&groupBy=outcome&interval=1h')
  const total = (type: string, outcome: string) =>
    stats.groups.find(({ by }) => by['type'] === type && by['outcome'] === outcome)?.totals
  expect(total('event', 'accepted')).toEqual({ 'sum(items)': 2 })
  expect(total('event', 'duplicate')).toEqual({ 'sum(items)': 1 })
  expect(total('log', 'invalid')).toEqual({ 'sum(items)': 1 })
  const accepted = stats.groups.find(({ by }) => by['outcome'] === 'accepted')
  expect(accepted?.series['sum(items)']).toHaveLength(stats.intervals.length)
  expect(accepted?.series['sum(items)']?.filter((count) => count > 0)).toEqual([1, 1])
  const four = await ask(
    'field=sum(quantity)&groupBy=outcome&groupBy=category&groupBy=reason&groupBy=project',
  )
  expect(four.groups).toContainEqual(
    expect.objectContaining({
      by: { outcome: 'invalid', category: 'log_item', reason: 'invalid_json', project: '1' },
      totals: { 'sum(quantity)': 5 },
    }),
  )
  const only = await ask('outcome=invalid&groupBy=type&field=sum(items)')
  expect(only.groups.map(({ by }) => by['type']).sort()).toEqual(['event', 'log'])
  for (const query of ['groupBy=colour', 'field=sum(money)', 'interval=5m', 'interval=x']) {
    expect(
      (await server.ask(`/organizations/main/stats_v2/?statsPeriod=24h&${query}`)).status,
      query,
    ).toBe(400)
  }
})

test('a category holds the items of its types, and what clients discarded of it', async () => {
  const discards = [{ category: 'error', reason: 'ratelimit_backoff', quantity: 3 }]
  const report = { type: 'client_report', rows: [], discards }
  await server.store([errorItem(1), { type: 'form_data', refusal }, report])
  const ask = async (query: string) => {
    const path = `/organizations/main/stats_v2/?statsPeriod=24h&field=sum(quantity)&${query}`
    const { groups } = await server.json<ApiStats>(path)
    return Object.fromEntries(
      groups.map(({ by, totals }) => [Object.values(by).join(' '), totals['sum(quantity)']]),
    )
  }
  const counted = { accepted: 1, invalid: 1, client_discard: 3 }
  expect(await ask('category=error&groupBy=outcome')).toEqual(counted)
  expect(await ask('category=error&groupBy=category')).toEqual({ error: 5 })
  expect(await ask('category=transaction&groupBy=outcome')).toEqual({})
})

test('S6 navigations that a client cancelled are in outcomes by name, and are not errors', async () => {
  const report = {
    discarded_events: [{ reason: 'route_cancelled', category: 'error', quantity: 2 }],
  }
  const envelope = decodeEnvelope(
    Buffer.from(`{}\n{"type":"client_report"}\n${JSON.stringify(report)}\n`),
  )
  if (isRefusal(envelope)) throw new Error(envelope.detail)
  const [item] = envelope.items
  if (item === undefined) throw new Error('The envelope has no item.')
  await server.store([processItem(item, itemContext(envelope, 0))])
  const { groups } = await server.json<ApiStats>(
    '/organizations/main/stats_v2/?statsPeriod=24h&field=sum(quantity)&outcome=client_discard&groupBy=category&groupBy=reason',
  )
  expect(groups.map(({ by, totals }) => ({ ...by, ...totals }))).toEqual([
    { category: 'error', reason: 'route_cancelled', 'sum(quantity)': 2 },
  ])
  expect(await server.json('/organizations/main/issues/?statsPeriod=24h&query=')).toEqual([])
})

test('the overview holds the facts of the opening sentence', async () => {
  await server.store([
    errorItem(1, { hashes: ['a'], timestamp: testNow - 9 * 24 * HOUR_MS, release: '1.0.0' }),
    errorItem(2, {
      hashes: ['b'],
      timestamp: testNow - HOUR_MS,
      release: '1.1.0',
      columns: { userKey: 'id:1' },
    }),
    errorItem(3, { hashes: ['c'], timestamp: testNow - 30 * 60_000, release: '1.1.0' }),
  ])
  const overview = await server.json<ApiIssueOverview>(
    '/organizations/main/issue-overview/?statsPeriod=24h',
  )
  expect(overview).toMatchObject({
    newestRelease: {
      version: '1.1.0',
      firstSeen: new Date(testNow - HOUR_MS).toISOString(),
      project: 'store',
    },
    newIssues: 2,
    regressedIssues: 0,
    escalatingIssues: 0,
    usersAffected: 1,
    usersOfChanges: 1,
    events: 2,
    quarantined: 0,
    releases: [{ version: '1.1.0' }],
    views: { unresolved: 2, for_review: 2, resolved: 0, mine: 0 },
  })
  expect(overview.histogram.series.reduce((sum, [, count]) => sum + count, 0)).toBe(2)
  const staging = '/organizations/main/issue-overview/?statsPeriod=24h&environment=staging'
  expect(await server.json(staging)).toMatchObject({
    events: 0,
    usersAffected: 0,
    usersOfChanges: 0,
  })
})

test('new issues since a release are those of its project, and versions compare within one', async () => {
  const { metadata } = server
  const { id } = await createProject(
    metadata,
    { baseUrl: testOrigin },
    {
      slug: 'tea',
      name: 'Tea',
      platform: 'javascript',
    },
  )
  await server.store(
    [
      errorItem(11, { hashes: ['x'], timestamp: testNow - 3 * HOUR_MS, release: '9.9.9' }),
      errorItem(12, { hashes: ['y'], timestamp: testNow - 20 * 60_000 }),
    ],
    { projectId: Number(id) },
  )
  await server.store([
    errorItem(13, { hashes: ['b'], timestamp: testNow - HOUR_MS, release: '1.1.0' }),
    errorItem(14, { hashes: ['c'], timestamp: testNow - 30 * 60_000, release: '1.1.0' }),
  ])
  const overview = await server.json<ApiIssueOverview>(
    '/organizations/main/issue-overview/?statsPeriod=24h',
  )
  expect(overview.newestRelease).toMatchObject({ version: '1.1.0', project: 'store' })
  expect(overview.newIssues).toBe(2)
  expect(overview.views['unresolved']).toBe(4)
  const tea = await server.json<ApiIssueOverview>(
    '/organizations/main/issue-overview/?statsPeriod=24h&project=tea',
  )
  expect(tea.newestRelease).toMatchObject({ version: '9.9.9', project: 'tea' })
  expect(tea.newIssues).toBe(2)
})

test('the overview of a server with nothing on it is all zeros', async () => {
  expect(await server.json('/organizations/main/issue-overview/')).toMatchObject({
    newestRelease: null,
    newIssues: 0,
    events: 0,
    releases: [],
  })
})

test('the operator’s line', async () => {
  await server.store(
    Array.from({ length: 10 }, (_, index) => errorItem(index + 1)),
    { receivedAt: testNow - 1000 },
  )
  const status = await server.json<ApiServerStatus>('/organizations/main/status/')
  expect(status).toMatchObject({
    eventsPerMinute: 2,
    queue: { waiting: 0, oldestAgeMs: null },
    warnings: [],
  })
})

test('values of a tag, a field, a release and a project, for who writes a search', async () => {
  await server.store([
    errorItem(1, { tags: { cart: 'full' }, columns: { browser: 'Chrome 126' }, release: '1.0.0' }),
    errorItem(2, { tags: { cart: 'full' }, columns: { browser: 'Chrome 126' }, release: '1.1.0' }),
    errorItem(3, { tags: { cart: 'empty' }, columns: { browser: 'Safari 17' } }),
  ])
  const values = async (path: string) =>
    (await server.json<ApiTagValue[]>(`/organizations/main/tags/${path}`)).map(({ value }) => value)
  expect(await values('cart/values/')).toEqual(['full', 'empty'])
  expect(await values('cart/values/?query=em')).toEqual(['empty'])
  expect(await values('browser/values/')).toEqual(['Chrome 126', 'Safari 17'])
  expect((await values('release/values/')).sort()).toEqual(['1.0.0', '1.1.0'])
  expect(await values('project/values/')).toEqual(['store'])
  expect(await values('nothing/values/')).toEqual([])
  expect(await server.json('/organizations/main/shortids/store-1/')).toMatchObject({
    groupId: '1',
    projectSlug: 'store',
    group: { shortId: 'STORE-1', count: '3' },
  })
  expect((await server.ask('/organizations/main/shortids/none-1/')).status).toBe(404)
})
