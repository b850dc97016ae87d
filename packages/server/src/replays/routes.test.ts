import { deflateSync } from 'node:zlib'
import type { ApiShare } from '@afterimage/protocol/api/organization'
import type { ApiReplay, ApiReplaySegment } from '@afterimage/protocol/api/replay'
import type { ApiSharedIssue, ApiSharedReplay } from '@afterimage/protocol/api/shared'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Page } from '../storage/events/port.ts'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../testing/api-server.ts'

const one = hexId(0xa1)
const two = hexId(0xa2)
const list = '/organizations/main/replays/'
const recording = `/projects/main/store/replays/${one}/recording-segments/`

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

async function storeSegment(
  replayId: string,
  segmentId: number,
  columns: Record<string, string | number | null> = {},
  tags: Record<string, string> = {},
): Promise<void> {
  const startedAt = testNow - 60_000
  const events = [{ type: 4, timestamp: startedAt + segmentId, data: { segmentId } }]
  const blobKey = `replays/1/${replayId}/${segmentId}`
  await server.store([
    {
      type: 'replay_event',
      rows: [
        row(
          'replaySegments',
          startedAt + segmentId * 5000,
          {
            replayId,
            segmentId,
            replayType: 'session',
            startedAt,
            firstEventAt: startedAt,
            lastEventAt: startedAt + (segmentId + 1) * 5000,
            blobKey,
            recordingBytes: 10,
            eventCount: 1,
            urls: JSON.stringify(['https://shop.test/cart']),
            errorIds: '[]',
            traceIds: '[]',
            clicks: 1,
            deadClicks: 0,
            rageClicks: 0,
            userKey: 'id:7',
            userLabel: 'ada@example.com',
            username: 'ada',
            browser: 'Chrome 126',
            os: 'Mac OS X 14',
            sdk: 'sentry.javascript.browser/10.0.0',
            environment: 'production',
            release: '1.0.0',
            ...columns,
          },
          { tags },
        ),
      ],
      blobs: [{ key: blobKey, bytes: deflateSync(JSON.stringify(events)) }],
    },
  ])
}

test('the list filters, sorts and pages', async () => {
  await storeSegment(one, 0)
  await storeSegment(one, 1)
  await storeSegment(two, 0, { rageClicks: 3, browser: 'Safari 17', userKey: 'id:8' })
  const ids = async (query: string) =>
    (await server.json<{ data: ApiReplay[] }>(`${list}?${query}`)).data.map(({ id }) => id)
  expect(await ids('sort=-duration')).toEqual([one, two])
  expect(await ids('query=count_rage_clicks:>0')).toEqual([two])
  expect(await ids('query=browser.name:Safari')).toEqual([two])
  expect(await ids('query=!browser:"Safari 17"')).toEqual([one])
  expect(await ids('query=user.id:7')).toEqual([one])
  expect(await ids('query=url:*cart* duration:>7')).toEqual([one])
  expect(await ids('query=duration:>7s')).toEqual([one])
  expect(await ids('environment=staging')).toEqual([])
  const page = await server.ask(`${list}?sort=-duration&per_page=1`)
  const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')
  expect(await ids(`sort=-duration&per_page=1&cursor=${cursor?.[1]}`)).toEqual([two])
  for (const query of [
    'sort=magic',
    'query=nothing:1',
    'query=duration:long',
    'query=browser:>1',
  ]) {
    expect((await server.ask(`${list}?${query}`)).status, query).toBe(400)
  }
})

test('one replay says who, where and with what', async () => {
  await storeSegment(one, 0, {}, { plan: 'free' })
  const { data } = await server.json<{ data: ApiReplay }>(`${list}${one}/`)
  expect(data).toMatchObject({
    id: one,
    project_id: '1',
    duration: 5,
    user: { id: '7', email: 'ada@example.com', username: 'ada', display_name: 'ada@example.com' },
    browser: { name: 'Chrome', version: '126' },
    os: { name: 'Mac OS X', version: '14' },
    sdk: { name: 'sentry.javascript.browser', version: '10.0.0' },
    urls: ['https://shop.test/cart'],
    tags: { plan: ['free'] },
  })
  expect((await server.ask(`${list}${two}/`)).status).toBe(404)
  expect((await server.ask(`${list}xyz/`)).status).toBe(400)
})

test('the recording comes in order, whole or by pages, described or downloaded', async () => {
  for (const segmentId of [2, 0, 1]) await storeSegment(one, segmentId)
  const { data } = await server.json<{ data: ApiReplaySegment[] }>(recording)
  expect(data.map((segment) => segment.segmentId)).toEqual([0, 1, 2])
  const lastEventAt = new Date(testNow - 60_000 + 10_000).toISOString()
  expect(data[1]).toMatchObject({
    firstEventAt: new Date(testNow - 60_000).toISOString(),
    lastEventAt,
  })
  const whole = await server.json<{ data: { segmentId: number } }[][]>(`${recording}?download=true`)
  expect(whole.map((events) => events[0]?.data.segmentId)).toEqual([0, 1, 2])
  const page = await server.ask(`${recording}?download=true&per_page=2`)
  expect(await page.json()).toHaveLength(2)
  const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')
  const rest = await server.json<unknown[]>(
    `${recording}?download=true&per_page=2&cursor=${cursor?.[1]}`,
  )
  expect(rest).toHaveLength(1)
  expect(await server.json(`${recording}1/?download=true`)).toMatchObject([{ type: 4 }])
  expect(await server.json(`${recording}1/`)).toMatchObject({ data: { segmentId: 1 } })
  expect((await server.ask(`${recording}9/`)).status).toBe(404)
})

test('a page of the recording, and one segment, read no other segments', async () => {
  for (let segmentId = 0; segmentId < 5; segmentId += 1) await storeSegment(one, segmentId)
  const read = vi.spyOn(server.events, 'page')
  const rowsRead = async () => {
    const pages = await Promise.all(
      read.mock.results.map((it) => it.value as Promise<Page<'errors'>>),
    )
    read.mockClear()
    return pages.map(({ rows }) => rows.length)
  }
  const page = `${recording}?per_page=2&cursor=0:2:0`
  const { data } = await server.json<{ data: ApiReplaySegment[] }>(page)
  expect(data.map((segment) => segment.segmentId)).toEqual([2, 3])
  expect(await rowsRead()).toEqual([2])
  await server.json(`${recording}4/?download=true`)
  expect(await rowsRead()).toEqual([])
  const past = await server.ask(`${recording}?per_page=2&cursor=0:999999:0`)
  expect([await past.json(), await rowsRead()]).toEqual([{ data: [] }, [0]])
  expect((await server.ask(`${recording}one/`)).status).toBe(404)
})

test('a segment whose recording is missing or damaged is empty, and the others still play', async () => {
  await storeSegment(one, 0)
  await storeSegment(one, 1, { blobKey: null })
  await storeSegment(one, 2)
  await server.blobs.put(`replays/1/${one}/2`, new TextEncoder().encode('damaged'))
  await storeSegment(one, 3)
  await server.blobs.delete(`replays/1/${one}/3`)
  await storeSegment(one, 4)
  expect(await server.json(`${recording}?download`)).toMatchObject([
    [{ type: 4 }],
    [],
    [],
    [],
    [{ type: 4 }],
  ])
  expect(await server.json(`${recording}3/?download`)).toEqual([])
})

test('a removed replay is gone at once, its rows and recording with the next removal', async () => {
  await storeSegment(one, 0)
  const path = `/projects/main/store/replays/${one}/`
  expect((await server.ask(path, { method: 'DELETE' })).status).toBe(204)
  expect((await server.ask(path)).status).toBe(404)
  expect(await server.json(list)).toEqual({ data: [] })
  await server.applyRemovals()
  expect(await server.events.point('replays', 1, [one])).toBeNull()
  expect(await server.blobs.get(`replays/1/${one}/0`)).toBeNull()
})

test('shared links show an issue and its replay to anyone, without people, until revoked', async () => {
  await storeSegment(one, 0, {}, { secret: 'tag' })
  await server.store([
    errorItem(1, {
      columns: { replayId: one, userKey: 'id:7' },
      event: {
        user: { id: '7', email: 'ada@example.com' },
        extra: { card: '4111' },
        tags: { plan: 'secret-plan' },
        breadcrumbs: [
          {
            timestamp: testNow,
            type: 'http',
            level: 'info',
            category: 'fetch',
            data: { url: '/api/cart', status_code: 200, arguments: ['ada@example.com'] },
          },
        ],
        contexts: { browser: { name: 'Chrome' }, device: { name: 'Ada’s phone' } },
        request: {
          url: 'https://shop.test/cart',
          method: 'GET',
          headers: [['Authorization', 'x']],
          query_string: [['email', 'ada@example.com']],
        },
      },
    }),
  ])
  // An error of another replay, which no link names.
  await server.store([errorItem(2, { hashes: ['other'], columns: { replayId: hexId(99) } })])
  const post = { method: 'POST', body: {} }
  const issue = await server.json<ApiShare>('/organizations/main/issues/STORE-1/share/', post)
  const replay = await server.json<ApiShare>(`/projects/main/store/replays/${one}/share/`, post)
  expect(await server.json('/issues/STORE-1/share/', post)).toEqual(issue)
  expect(issue.url).toBe(`http://localhost:9000/share/issue/${issue.id}`)
  const open = { headers: {} }
  const shared = await server.json<ApiSharedIssue>(`/shared/issues/${issue.id}/`, open)
  expect(shared).toMatchObject({
    issue: { shortId: 'STORE-1', count: '1' },
    event: { user: null, tags: [], context: {}, contexts: {} },
    replayToken: replay.id,
  })
  expect(JSON.stringify(shared)).not.toMatch(
    /ada@example|Authorization|4111|phone|id:7|secret-plan/,
  )
  expect(JSON.stringify(shared)).toContain('/api/cart')
  const seen = await server.json<ApiSharedReplay>(`/shared/replays/${replay.id}/`, open)
  expect(seen).toMatchObject({
    replay: { id: one, user: { email: null }, tags: {} },
    errors: [{ event_id: hexId(1) }],
    issueToken: issue.id,
  })
  const segments = `/shared/replays/${replay.id}/recording-segments/?download=true`
  expect(await server.json(segments, open)).toHaveLength(1)
  const revoke = { method: 'DELETE' }
  expect((await server.ask('/issues/STORE-1/share/', revoke)).status).toBe(204)
  expect((await server.ask('/issues/STORE-1/share/', revoke)).status).toBe(404)
  const replayShare = `/organizations/main/replays/${one}/share/`
  expect((await server.ask(replayShare, revoke)).status).toBe(204)
  for (const path of [`/shared/issues/${issue.id}/`, `/shared/replays/${replay.id}/`, segments]) {
    expect((await server.ask(path, open)).status, path).toBe(404)
  }
  expect((await server.ask('/shared/issues/nothing/', open)).status).toBe(404)
})
