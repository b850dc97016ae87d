import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../testing/api-server.ts'

const hourMs = 3_600_000
const traceId = hexId(5)

let server: ApiServer
beforeAll(async () => {
  server = await openApiServer()
  const cart = { hashes: ['h1'], title: 'TypeError: x', release: '1.0.0' }
  await server.store([
    errorItem(1, { ...cart, timestamp: testNow - 3 * hourMs, columns: { userKey: 'id:1' } }),
    errorItem(2, { ...cart, timestamp: testNow - hourMs, columns: { userKey: 'id:2' } }),
    errorItem(3, {
      hashes: ['h2'],
      title: 'RangeError: y',
      level: 'fatal',
      timestamp: testNow - 2 * hourMs,
      tags: { cart: 'full' },
      columns: { traceId },
    }),
  ])
  const span = (id: string, columns: Record<string, string | number>) =>
    row('spans', testNow - hourMs, { traceId, spanId: id, isSegment: 0, status: 'ok', ...columns })
  await server.store([
    {
      type: 'span',
      rows: [
        span('a1', { op: 'pageload', name: '/', segmentName: '/', isSegment: 1, durationMs: 900 }),
        span('a2', { op: 'db', name: 'select 1', segmentName: '/', durationMs: 10 }),
        span('a3', { op: 'db', name: 'select 2', segmentName: '/', durationMs: 30 }),
      ],
    },
    {
      type: 'log',
      rows: [
        row('logs', testNow - hourMs, { key: hexId(8), level: 'error', body: 'too late', traceId }),
      ],
    },
  ])
})
afterAll(() => server.close())

interface Answer {
  readonly data: readonly Readonly<Record<string, unknown>>[]
  readonly meta: { readonly fields: unknown; readonly units: unknown }
}

const path = '/organizations/main/events/'
const ask = (query: string) => server.json<Answer>(`${path}?${query}`)

test('events are listed by their fields, newest first, with their types', async () => {
  const fields =
    'field=issue&field=issue.id&field=title&field=project&field=timestamp&field=tags[cart]'
  const { data, meta } = await ask(`dataset=errors&${fields}&field=error.type`)
  expect(data.map((one) => one['issue'])).toEqual(['STORE-1', 'STORE-2', 'STORE-1'])
  expect(data[1]).toEqual({
    id: hexId(3),
    'project.name': 'store',
    issue: 'STORE-2',
    'issue.id': 2,
    title: 'RangeError: y',
    project: 'store',
    timestamp: new Date(testNow - 2 * hourMs).toISOString(),
    'tags[cart]': 'full',
    'error.type': ['TypeError'],
  })
  expect(meta.fields).toMatchObject({ 'issue.id': 'integer', timestamp: 'date', title: 'string' })
})

test('errors are grouped by issue, with functions', async () => {
  const fields = ['issue', 'title', 'project', 'count()', 'count_unique(user)', 'last_seen()']
  const query = fields.map((name) => `field=${encodeURIComponent(name)}`).join('&')
  const { data } = await ask(`dataset=errors&${query}&sort=-count`)
  expect(data).toEqual([
    {
      issue: 'STORE-1',
      title: 'TypeError: x',
      project: 'store',
      'count()': 2,
      'count_unique(user)': 2,
      'last_seen()': new Date(testNow - hourMs).toISOString(),
    },
    expect.objectContaining({ issue: 'STORE-2', 'count()': 1 }),
  ])
})

test('spans are measured by their operation', async () => {
  const query = 'field=span.op&field=count()&field=avg(span.duration)&field=p100()'
  const { data, meta } = await ask(`dataset=spans&${query}&sort=-avg(span.duration)`)
  expect(data).toMatchObject([
    { 'span.op': 'pageload', 'count()': 1, 'avg(span.duration)': 900 },
    { 'span.op': 'db', 'count()': 2, 'avg(span.duration)': 20 },
  ])
  expect(meta.units).toMatchObject({ 'avg(span.duration)': 'millisecond', 'count()': null })
})

test.each([
  ['dataset=spans&field=id&query=span.op:db&sort=-span.duration', ['a3', 'a2']],
  ['dataset=spans&field=id&query=is_transaction:true', ['a1']],
  ['dataset=transactions&field=id', ['a1']],
  [
    'dataset=spans&field=id&query=span.op:db OR is_transaction:true&sort=span.duration',
    ['a2', 'a3', 'a1'],
  ],
  ['dataset=errors&field=id&query=level:fatal', [hexId(3)]],
  ['dataset=logs&field=id&query=severity:error', [hexId(8)]],
  ['dataset=ourlogs&field=id&query=late', [hexId(8)]],
  ['dataset=errors&field=id&query=project:store release:1.0.0', [hexId(2), hexId(1)]],
])('%s finds %j', async (query, ids) => {
  expect((await ask(query)).data.map(({ id }) => id)).toEqual(ids)
})

test('pages go on where they ended, of rows and of groups', async () => {
  for (const field of ['title', 'title&field=count()']) {
    const first = await server.ask(`${path}?dataset=errors&field=${field}&per_page=1`)
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(
      first.headers.get('link') ?? '',
    )?.[1]
    const { data } = (await first.json()) as Answer
    const next = await ask(`dataset=errors&field=${field}&per_page=1&cursor=${cursor}`)
    expect(next.data).toHaveLength(1)
    expect(next.data[0]).not.toEqual(data[0])
  }
})

test.each([
  ['dataset=nope&field=id', /^dataset: must be one of errors/],
  ['dataset=errors', /^field: name at least one/],
  ['dataset=spans&field=nope', /^field: there is no "nope"/],
  ['dataset=errors&field=p95(title)', /^field: p95\(\) needs a field that is a number/],
  ['dataset=spans&field=nope(span.duration)', /^field: there is no function "nope"/],
  ['dataset=spans&field=count(', /^field: "count\(" is not a function/],
  ['dataset=spans&field=id&sort=-nope', /^sort: "nope" is not among the fields/],
  ['dataset=errors&field=level&field=release&field=url&field=count()', /^field: at most 2 fields/],
  ['dataset=errors&field=id&query=level:eror', /^query: there is no level "eror"/],
])('%s is refused with its reason', async (query, detail) => {
  const response = await server.ask(`${path}?${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ detail: expect.stringMatching(detail) })
  const validated = await server.json<{ valid: boolean }>(`${path}validate/?${query}`)
  // Too many groups show only when they are asked for.
  if (!detail.source.includes('at most 2')) expect(validated.valid).toBe(false)
})

test('a question that can be asked is valid', async () => {
  expect(
    await server.json(`${path}validate/?dataset=spans&field=span.op&query=span.op:db`),
  ).toEqual({
    valid: true,
    projects: [{ valid: true, error: null }],
    dataset: [{ name: 'spans', valid: true, error: null }],
    environment: [{ valid: true, error: null }],
    field: [{ name: 'span.op', attrType: null, valid: true, error: null }],
    query: { valid: true, error: null, fields: [] },
    orderby: [],
  })
})

test('functions are answered over time', async () => {
  const stats = '/organizations/main/events-stats/'
  const one = await server.json<{ data: [number, [{ count: number }]][] }>(
    `${stats}?dataset=errors&statsPeriod=6h&interval=1h`,
  )
  expect(one.data.reduce((sum, [, [{ count }]]) => sum + count, 0)).toBe(3)
  expect(one.data.length).toBeGreaterThanOrEqual(6)
  const two = await server.json<Record<string, { data: unknown[] }>>(
    `${stats}?dataset=spans&statsPeriod=6h&interval=1h&yAxis=count()&yAxis=p95(span.duration)`,
  )
  expect(Object.keys(two)).toEqual(['count()', 'p95(span.duration)'])
  expect((await server.ask(`${stats}?dataset=errors&interval=1s`)).status).toBe(400)
})

test('the tags of events are listed', async () => {
  const tags = await server.json<{ key: string }[]>('/organizations/main/tags/')
  expect(tags).toContainEqual({ key: 'cart', name: 'cart', totalValues: 1 })
})
