import type { ApiIssue } from '@afterimage/protocol/api/issue'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createProject } from '../../projects/projects.ts'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  testNow,
  testOwner,
} from '../../testing/api-server.ts'

const hourMs = 3_600_000

let server: ApiServer
beforeAll(async () => {
  server = await openApiServer()
  await server.signIn()
  const config = { baseUrl: 'http://localhost:9000' }
  await createProject(server.metadata, config, { slug: 'api', name: 'Api', platform: 'node' })
  await server.store([
    errorItem(1, {
      hashes: ['h1'],
      title: 'TypeError: x is undefined',
      release: 'shop@1.2.0',
      timestamp: testNow - 5 * hourMs,
      columns: { message: 'TypeError: x is undefined\nhttps://shop/cart', username: 'ada' },
      tags: { mechanism: 'onerror', cart: 'full', url: '/tagged' },
    }),
    errorItem(2, {
      hashes: ['h2'],
      title: 'RangeError: too far',
      level: 'fatal',
      release: 'shop@2.0.0',
      timestamp: testNow - 26 * hourMs,
      columns: { message: 'RangeError: too far', userLabel: 'grace', replayId: hexId(77) },
    }),
    errorItem(3, {
      hashes: ['h3'],
      title: 'Error: TypeError: no',
      timestamp: testNow - 40 * 24 * hourMs,
    }),
  ])
  await server.store(
    [errorItem(4, { hashes: ['h4'], title: 'Api down', level: 'info', timestamp: testNow - 1 })],
    {
      projectId: 2,
    },
  )
})
afterAll(() => server.close())

async function found(query: string, more = ''): Promise<readonly string[]> {
  const path = `/organizations/main/issues/?query=${encodeURIComponent(query)}${more}`
  return (await server.json<ApiIssue[]>(path))
    .map(({ title }) => title.split(':')[0] ?? '')
    .toSorted()
}

async function count(query: string): Promise<number> {
  const path = `/issues/STORE-1/events/?query=${encodeURIComponent(query)}`
  return (await server.json<unknown[]>(path)).length
}

test.each([
  ['release:latest', ['RangeError']],
  ['release:1.2.0', ['TypeError']],
  ['release.version:>1.9', ['RangeError']],
  ['release.version:<=2', ['RangeError', 'TypeError']],
  ['release.version:1.2.0', ['TypeError']],
  ['release.version:1.*', ['TypeError']],
  ['release.version:>9', []],
  ['release.package:shop', ['RangeError', 'TypeError']],
  ['message:undefined', ['TypeError']],
  ['message:"x is undefined"', ['TypeError']],
  ['!message:undefined is:unresolved', ['Api down', 'RangeError']],
  ['error.value:*far*', ['RangeError']],
  ['error.value:[far,undefined]', ['RangeError', 'TypeError']],
  ['error.mechanism:onerror', ['TypeError']],
  ['user.username:ada', ['TypeError']],
  ['user.username:grace', ['RangeError']],
  ['has:user.username', ['RangeError', 'TypeError']],
  ['project:api', ['Api down']],
  ['!project:api', ['RangeError', 'TypeError']],
  ['project:[api,store]', ['Api down', 'RangeError', 'TypeError']],
  ['issue.category:error level:fatal', ['RangeError']],
  ['issue.category:feedback', []],
  ['issue.priority:low', ['Api down']],
  ['tags[url]:/tagged', ['TypeError']],
  ['tags[cart]:f*', ['TypeError']],
  ['event.timestamp:-12h', ['Api down', 'TypeError']],
  ['event.timestamp:<2026-02-28T12:00:00', ['RangeError']],
  ['!event.timestamp:2026-03-01', ['RangeError']],
  ['release:1.2.0 OR release:2.0.0', ['RangeError', 'TypeError']],
  ['level:fatal OR level:info', ['Api down', 'RangeError']],
  ['level:fatal OR message:undefined', ['RangeError', 'TypeError']],
  ['(level:fatal OR cart:full) !release:2.0.0', ['TypeError']],
  ['!(level:fatal OR level:info)', ['TypeError']],
  ['(is:unresolved (project:api OR times_seen:>5)) OR "too far"', ['Api down', 'RangeError']],
  ['assigned:none level:info', ['Api down']],
  [`assigned:${testOwner.email}`, []],
])('%s finds %j', async (query, titles) => {
  expect(await found(query)).toEqual(titles)
})

test('a bare id of an event, a replay or an issue is found in all of time', async () => {
  expect(await found(hexId(2))).toEqual(['RangeError'])
  expect(await found(hexId(77))).toEqual(['RangeError'])
  expect(await found('00000000-0000-0000-0000-000000000003')).toEqual(['Error'])
  expect(await found('STORE-3')).toEqual(['Error'])
  expect(await found('issue:STORE-3')).toEqual(['Error'])
  expect(await found(`is:unresolved ${hexId(3)}`)).toEqual(['Error'])
  expect(await found(`is:resolved ${hexId(3)}`)).toEqual([])
  expect(await found(hexId(999))).toEqual([])
})

test('sorted by trends, an issue of late comes before one with as many events', async () => {
  const path = '/organizations/main/issues/?sort=trends&statsPeriod=48h&project=store'
  const issues = await server.json<ApiIssue[]>(path)
  expect(issues.map(({ title }) => title.split(':')[0])).toEqual(['TypeError', 'RangeError'])
})

test('the frame of an issue is found by its file and its function', async () => {
  const path = encodeURIComponent('stack.filename:*cart.ts stack.function:pay')
  await server.metadata.all(
    `update issues set metadata = '{"filename":"src/cart.ts","function":"pay"}' where short_id = 'STORE-1'`,
  )
  const issues = await server.json<ApiIssue[]>(`/organizations/main/issues/?query=${path}`)
  expect(issues.map(({ shortId }) => shortId)).toEqual(['STORE-1'])
})

test('the events of one issue take the same terms', async () => {
  expect(await count('error.type:TypeError is:unresolved')).toBe(1)
  expect(await count('error.type:Type')).toBe(0)
  expect(await count('level:fatal OR user.username:ada')).toBe(1)
  expect(await count('stack.filename:x OR level:fatal')).toBe(1)
})
