import type { ApiEvent, ApiProjectKey } from '@afterimage/protocol/api'
import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createToken } from '../auth/tokens.ts'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../testing/api-server.ts'

/** Shapes that the clients of Sentry's API insist on. */

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const monitorEffect = (slug: string, schedule: unknown) => ({
  type: 'monitor' as const,
  slug,
  status: 'ok',
  environment: 'production',
  timestamp: testNow - 1000,
  config: { schedule, checkin_margin: 5 },
})

test('the organisation, its region and its one team are found', async () => {
  expect(await server.json('/organizations/main/')).toMatchObject({
    isEarlyAdopter: false,
    features: [],
    links: { regionUrl: '', organizationUrl: 'http://localhost:9000' },
  })
  expect(await server.json('/users/me/regions/')).toEqual({
    regions: [{ name: 'main', url: 'http://localhost:9000' }],
  })
  const [team] = await server.json<{ slug: string }[]>('/organizations/main/teams/')
  expect(team).toMatchObject({ id: '1', slug: 'main', isMember: true })
  expect(await server.json('/teams/main/main/')).toMatchObject({ slug: 'main' })
  expect((await server.ask('/teams/main/other/')).status).toBe(404)
})

test.each(['dashboards', 'workflows', 'alert-rules', 'combined-rules', 'uptime'])(
  '%s is an empty list with its links',
  async (name) => {
    const response = await server.ask(`/organizations/main/${name}/`)
    expect(await response.json()).toEqual([])
    expect(response.headers.get('link')).toContain('rel="next"; results="false"')
  },
)

test('a key has a name, and takes no limit of its own', async () => {
  const path = '/projects/main/store/keys/'
  const [key] = await server.json<ApiProjectKey[]>(path)
  expect(key).toMatchObject({ name: 'Default', isActive: true })
  const change = { method: 'PUT', body: { rateLimit: { window: 60, count: 10 } } }
  const refused = await server.ask(`${path}${key?.id}/`, change)
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/^rateLimit/) })
  const named = { method: 'PUT', body: { name: 'Shop', rateLimit: null } }
  expect(await server.json(`${path}${key?.id}/`, named)).toMatchObject({ name: 'Shop' })
})

test('an issue says its kind, its urgency and its releases', async () => {
  await server.store([errorItem(1, { release: 'shop@1.0.0', title: 'TypeError: x' })])
  expect(await server.json<ApiIssue>('/issues/STORE-1/')).toMatchObject({
    issueType: 'error',
    issueCategory: 'error',
    priority: 'medium',
    metadata: { title: 'TypeError: x' },
    firstRelease: { version: 'shop@1.0.0', shortVersion: '1.0.0' },
    lastRelease: { version: 'shop@1.0.0' },
  })
  const [summary] = await server.json<Record<string, unknown>[]>('/issues/STORE-1/events/')
  expect(summary).toMatchObject({ 'event.type': 'error', location: null })
  const event = await server.json<ApiEvent>(`/projects/main/store/events/${hexId(1)}/`)
  expect(event.metadata['title']).toBe('TypeError: x')
})

test('muted is archived, with conditions beside the status too', async () => {
  await server.store([errorItem(1, { hashes: ['h1'] }), errorItem(2, { hashes: ['h2'] })])
  const change = async (body: unknown) =>
    server.json<ApiIssue>('/issues/STORE-1/', { method: 'PUT', body })
  expect(await change({ status: 'muted' })).toMatchObject({ status: 'ignored' })
  expect(await change({ status: 'ignored', ignoreCount: 5 })).toMatchObject({
    substatus: 'archived_until_condition_met',
    statusDetails: { ignoreCount: 5 },
  })
})

test('a bulk change takes every issue of a project, or those of a status', async () => {
  const items = [1, 2, 3].map((n) =>
    errorItem(n, { hashes: [`h${n}`], timestamp: testNow - n * 30 * 86_400_000 }),
  )
  await server.store(items)
  const put = (query: string, status: string) =>
    server.ask(`/projects/main/store/issues/${query}`, { method: 'PUT', body: { status } })
  await server.json('/issues/STORE-1/', { method: 'PUT', body: { status: 'resolved' } })
  expect((await put('?status=resolved', 'muted')).headers.get('x-hits')).toBe('1')
  expect((await put('', 'resolved')).headers.get('x-hits')).toBe('3')
  expect((await put('?status=opn', 'resolved')).status).toBe(400)
  const everywhere = { method: 'PUT', body: { status: 'resolved' } }
  expect((await server.ask('/organizations/main/issues/', everywhere)).status).toBe(400)
  expect((await server.ask('/projects/main/store/issues/', { method: 'DELETE' })).status).toBe(400)
})

test('a trace is a list of its spans, and its numbers stand apart', async () => {
  const [traceId, spanId, childId] = [hexId(5), '00000000000000a1', '00000000000000a2']
  const span = (id: string, columns: Record<string, string | number | null>) =>
    row('spans', testNow - 1000, {
      traceId,
      spanId: id,
      segmentId: spanId,
      isSegment: 0,
      op: 'db',
      name: 'select 1',
      durationMs: 5,
      ...columns,
    })
  await server.store([
    errorItem(1, { columns: { traceId, spanId: childId } }),
    errorItem(2, { hashes: ['h2'], columns: { traceId } }),
    {
      type: 'span',
      rows: [
        span(spanId, { isSegment: 1, op: 'pageload', name: '/', segmentName: '/' }),
        span(childId, { parentSpanId: spanId }),
      ],
    },
  ])
  const listed = await server.json<Record<string, unknown>[]>(
    `/organizations/main/trace/${traceId}/`,
  )
  expect(listed).toMatchObject([
    {
      event_id: spanId,
      event_type: 'span',
      is_transaction: true,
      project_id: 1,
      occurrences: [],
      children: [{ event_id: childId, transaction_id: spanId, errors: [{ event_id: hexId(1) }] }],
    },
    { event_id: hexId(2), event_type: 'error', issue_id: 2 },
  ])
  expect(await server.json(`/organizations/main/trace-meta/${traceId}/`)).toMatchObject({
    errors: 2,
    logs: 0,
    span_count: 2,
    span_count_map: { pageload: 1, db: 1 },
    transaction_child_count_map: [{ 'transaction.event_id': spanId, 'count()': 1 }],
  })
  expect((await server.ask(`/organizations/main/trace-meta/${hexId(9)}/`)).status).toBe(404)
})

test('replays of issues are counted, or listed by their ids', async () => {
  await server.store([
    errorItem(1, { hashes: ['h1'], columns: { replayId: hexId(71) } }),
    errorItem(2, { hashes: ['h1'], columns: { replayId: hexId(71) } }),
    errorItem(3, { hashes: ['h1'], columns: { replayId: hexId(72) } }),
    errorItem(4, { hashes: ['h2'] }),
  ])
  const path = '/organizations/main/replay-count/'
  expect(await server.json(`${path}?query=issue.id:[1,2]`)).toEqual({ 1: 2, 2: 0 })
  expect(await server.json(`${path}?query=issue.id:1&returnIds=true`)).toEqual({
    1: [hexId(71), hexId(72)],
  })
  expect((await server.ask(`${path}?query=release:1`)).status).toBe(400)
})

test('a release keeps its commits, is archived and deleted', async () => {
  const path = '/organizations/main/releases/shop%401.0.0/'
  const commit = {
    id: 'a'.repeat(40),
    repository: 'shop',
    message: 'Cart: one line',
    author_name: 'Ada',
    author_email: 'ada@example.com',
    timestamp: '2026-02-01T00:00:00Z',
    patch_set: [{ path: 'cart.ts', type: 'M' }],
  }
  const body = {
    version: 'shop@1.0.0',
    projects: ['store'],
    commits: [commit, { id: 'b'.repeat(40) }],
  }
  await server.json('/organizations/main/releases/', { method: 'POST', body })
  expect(await server.json(path)).toMatchObject({
    id: expect.any(Number),
    commitCount: 2,
    lastCommit: { id: commit.id, author: { name: 'Ada' }, repository: { name: 'shop' } },
    authors: [{ name: 'Ada', email: 'ada@example.com' }],
    status: 'open',
  })
  expect(await server.json(`${path}commits/`)).toMatchObject([
    { id: commit.id, message: 'Cart: one line', dateCreated: '2026-02-01T00:00:00.000Z' },
    { id: 'b'.repeat(40), message: null, author: null },
  ])
  expect(await server.json('/organizations/main/repos/')).toMatchObject([{ name: 'shop' }])
  const list = async (query: string) =>
    (await server.json<unknown[]>(`/organizations/main/releases/${query}`)).length
  await server.json(path, { method: 'PUT', body: { status: 'archived' } })
  expect([await list(''), await list('?status=archived')]).toEqual([0, 1])
  await server.json(path, { method: 'PUT', body: { status: 'open' } })
  expect([await list(''), await list('?status=archived')]).toEqual([1, 0])
  expect((await server.ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await server.ask(path)).status).toBe(404)
  expect(await server.json('/organizations/main/repos/')).toEqual([])
  const bad = { method: 'POST', body: { ...body, commits: [{ message: 'no id' }] } }
  expect((await server.ask('/organizations/main/releases/', bad)).status).toBe(400)
})

test('a monitor says its schedule in words, and is found under its project', async () => {
  await server.store([
    {
      type: 'check_in',
      rows: [
        row('checkIns', testNow - 1000, {
          checkInId: hexId(1),
          monitorSlug: 'nightly',
          status: 'ok',
        }),
      ],
      effects: [
        monitorEffect('nightly', { type: 'crontab', value: '0 3 * * *' }),
        monitorEffect('often', { type: 'interval', value: 10, unit: 'minute' }),
      ],
    },
  ])
  expect(await server.json('/projects/main/store/monitors/nightly/')).toMatchObject({
    status: 'active',
    type: 'cron_job',
    lastCheckIn: expect.any(String),
    config: { schedule_type: 'crontab', schedule: '0 3 * * *', checkin_margin: 5 },
  })
  expect(await server.json('/organizations/main/monitors/often/')).toMatchObject({
    config: { schedule_type: 'interval', schedule: 'every 10 minutes' },
  })
})

test('a token without scopes reads and changes nothing; the root names its scopes', async () => {
  const token = await createToken(server.metadata, { name: 'none', scopes: [] })
  const headers = { authorization: `Bearer ${token}` }
  expect(await server.json('/', { headers })).toMatchObject({
    auth: { scopes: expect.not.arrayContaining(['org:write']) },
  })
  const change = { method: 'PUT', body: { name: 'Shop' }, headers }
  expect((await server.ask('/projects/main/store/', change)).status).toBe(403)
  const root = await server.json<{ auth: { scopes: string[] } }>('/')
  expect(root.auth.scopes).toContain('project:write')
})

test('a person makes a token by the scopes of other tools', async () => {
  const headers = await server.signIn()
  const make = (scopes: unknown) =>
    server.ask('/api-tokens/', { method: 'POST', headers, body: { name: 'ci', scopes } })
  expect(await (await make(['org:read', 'project:releases'])).json()).toMatchObject({
    scopes: ['read', 'write'],
  })
  expect(await (await make([])).json()).toMatchObject({ scopes: ['read'] })
  for (const scopes of ['read', ['root'], [1]]) expect((await make(scopes)).status).toBe(400)
})

test('accepted items are counted under their data category', async () => {
  await server.store([errorItem(1), errorItem(2, { hashes: ['h2'] })])
  const { groups } = await server.json<{ groups: { by: unknown; totals: unknown }[] }>(
    '/organizations/main/stats_v2/?category=error&groupBy=category&groupBy=outcome&field=sum(quantity)',
  )
  expect(groups).toMatchObject([
    { by: { category: 'error', outcome: 'accepted' }, totals: { 'sum(quantity)': 2 } },
  ])
})
