import type { ApiEvent, ApiEventSummary } from '@afterimage/protocol/api/event'
import type { ApiActivity, ApiIssue, ApiIssueDetail, ApiTag } from '@afterimage/protocol/api/issue'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ApiServer, errorItem, hexId, openApiServer, testNow } from '../testing/api-server.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const stream = '/organizations/main/issues/'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const titles = async (query: string) =>
  (await server.json<ApiIssue[]>(`${stream}?${query}`)).map((issue) => issue.title)

const get = (id: string) => server.json<ApiIssueDetail>(`/organizations/main/issues/${id}/`)

/** Three issues: old and frequent, recent, and one of another browser. */
async function storeThree(): Promise<void> {
  await server.store([
    errorItem(1, {
      hashes: ['a', 'a2'],
      title: 'Old',
      timestamp: testNow - 10 * DAY_MS,
      release: '1.0.0',
      columns: { userKey: 'id:1', browser: 'Chrome 126' },
      tags: { cart: 'full' },
    }),
    errorItem(2, {
      hashes: ['a', 'a2'],
      title: 'Old',
      timestamp: testNow - 2 * HOUR_MS,
      release: '1.1.0',
      columns: { userKey: 'id:2', browser: 'Safari 17', replayId: hexId(77) },
      tags: { cart: 'empty' },
    }),
    errorItem(3, { hashes: ['b'], title: 'Fresh', level: 'fatal', timestamp: testNow - HOUR_MS }),
    errorItem(4, {
      hashes: ['c'],
      title: 'Staging',
      timestamp: testNow - 3 * HOUR_MS,
      environment: 'staging',
      columns: { browser: 'Firefox 130' },
    }),
  ])
}

describe('the issue stream', () => {
  test('answers issues with the numbers of the range, newest change first', async () => {
    await storeThree()
    const response = await server.ask(`${stream}?statsPeriod=14d&query=is:unresolved`)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-hits')).toBe('3')
    const issues = (await response.json()) as ApiIssue[]
    expect(issues.map((issue) => issue.title)).toEqual(['Fresh', 'Staging', 'Old'])
    expect(issues[2]).toMatchObject({
      shortId: 'STORE-1',
      count: '2',
      userCount: 2,
      replayCount: 1,
      substatus: 'ongoing',
      firstRelease: '1.0.0',
      lastRelease: '1.1.0',
      project: { slug: 'store' },
    })
    expect(issues[0]?.substatus).toBe('new')
    const hours = issues[2]?.stats['24h'] ?? []
    expect(hours.reduce((sum, [, count]) => sum + count, 0)).toBe(1)
    expect(hours.length).toBeGreaterThanOrEqual(24)
  })

  test.each([
    ['query=level:fatal', ['Fresh']],
    ['query=!level:fatal&sort=new', ['Staging', 'Old']],
    ['query=browser:Safari', ['Old']],
    ['query=browser:"Chrome 126"', ['Old']],
    ['query=cart:full', ['Old']],
    ['query=cart:*u*', ['Old']],
    ['query=has:replay', ['Old']],
    ['query=release:1.0.0', ['Old']],
    ['query=user.id:2', ['Old']],
    ['query=timesSeen:>1', ['Old']],
    ['query=timesSeen:1&sort=date', ['Fresh', 'Staging']],
    ['query=firstSeen:-1d&sort=date', ['Fresh', 'Staging']],
    ['query=lastSeen:<2026-02-28', []],
    ['query=fres', ['Fresh']],
    ['query="a b"', []],
    ['query=is:new&sort=date', ['Fresh', 'Staging']],
    ['query=is:ongoing', ['Old']],
    ['query=is:resolved', []],
    ['query=issue:STORE-1', ['Old']],
    ['query=error.type:TypeError level:fatal', ['Fresh']],
    ['query=has:nothing', []],
    ['environment=staging', ['Staging']],
    ['environment=production&sort=freq', ['Old', 'Fresh']],
    ['sort=user&limit=1', ['Old']],
    ['sort=freq&statsPeriod=1h', ['Fresh']],
    ['start=2026-02-01T00:00:00&end=2026-02-20T00:00:00', ['Old']],
  ])('%s finds %j', async (query, expected) => {
    await storeThree()
    expect(await titles(query)).toEqual(expected)
  })

  test('pages forth and back by the Link header, stable while events arrive', async () => {
    for (let number = 1; number <= 5; number += 1) {
      await server.store([
        errorItem(number, {
          hashes: [`h${number}`],
          title: `T${number}`,
          timestamp: testNow - number * 1000,
        }),
      ])
    }
    const first = await server.ask(`${stream}?sort=date&limit=2`)
    const links = first.headers.get('link') ?? ''
    expect(links).toMatch(/rel="previous"; results="false"/)
    expect(links).toMatch(
      /^<http:\/\/localhost:9000\/api\/0\/organizations\/main\/issues\/\?sort=date&/,
    )
    const next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(links)?.[1] ?? ''
    await server.store([errorItem(9, { hashes: ['h9'], title: 'T9', timestamp: testNow })])
    const second = await server.ask(`${stream}?sort=date&limit=2&cursor=${next}`)
    expect(((await second.json()) as ApiIssue[]).map((it) => it.title)).toEqual(['T3', 'T4'])
    const back = /rel="previous"; results="true"; cursor="([^"]+)"/.exec(
      second.headers.get('link') ?? '',
    )?.[1]
    expect(await titles(`sort=date&limit=2&cursor=${back}`)).toEqual(['T1', 'T2'])
  })

  test.each([
    ['query=level:', /^query: .*character 7/],
    ['query=is:nonsense', /^query: "is:nonsense"/],
    ['query="open', /^query: the quote/],
    ['sort=magic', /^sort: must be one of/],
    ['statsPeriod=soon', /^statsPeriod/],
    ['start=yesterday', /^start/],
    ['limit=zero', /^limit/],
    ['project=none', /^project/],
    ['groupStatsPeriod=x', /^groupStatsPeriod/],
  ])('refuses %s and says why', async (query, detail) => {
    const response = await server.ask(`${stream}?${query}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
  })

  test('the form with a project shows only its issues', async () => {
    await storeThree()
    expect(await server.json('/projects/main/store/issues/')).toHaveLength(3)
    expect((await server.ask('/projects/main/other/issues/')).status).toBe(404)
    expect((await server.ask('/organizations/other/issues/')).status).toBe(404)
  })
})

describe('an issue', () => {
  test('is found by id and by short id, with tags and history', async () => {
    await storeThree()
    const issue = await get('store-1')
    expect(await server.json(`/issues/${issue.id}/`)).toMatchObject({ shortId: 'STORE-1' })
    expect(issue.activity.map((line) => line.type)).toEqual(['first_seen'])
    const browser = issue.tags.find((tag) => tag.key === 'browser')
    expect(browser).toMatchObject({ totalValues: 2, uniqueValues: 2 })
    const cart = await server.json<ApiTag>(`/issues/${issue.id}/tags/cart/`)
    expect(cart.topValues.map((value) => value.value)).toEqual(['empty', 'full'])
    expect((await server.ask(`/issues/${issue.id}/tags/none/`)).status).toBe(404)
    expect(await server.json(`/issues/${issue.id}/hashes/`)).toEqual([{ id: 'a' }, { id: 'a2' }])
    expect((await server.ask('/issues/999/')).status).toBe(404)
    expect((await server.ask('/issues/STORE-ZZ/')).status).toBe(404)
  })

  test.each([
    [{ status: 'resolved' }, 'resolved', null, {}],
    [
      { status: 'resolved', statusDetails: { inRelease: '2.0.0' } },
      'resolved',
      null,
      { inRelease: '2.0.0' },
    ],
    [{ status: 'resolvedInNextRelease' }, 'resolved', null, { inNextRelease: true }],
    [{ status: 'ignored' }, 'ignored', 'archived_until_escalating', {}],
    [{ status: 'ignored', substatus: 'archived_forever' }, 'ignored', 'archived_forever', {}],
    [
      { status: 'ignored', statusDetails: { ignoreCount: 10, ignoreWindow: 60 } },
      'ignored',
      'archived_until_condition_met',
      { ignoreCount: 10, ignoreWindow: 60 },
    ],
    [
      { status: 'ignored', statusDetails: { ignoreDuration: 60 } },
      'ignored',
      'archived_until_condition_met',
      { ignoreUntil: new Date(testNow + HOUR_MS).toISOString() },
    ],
  ])('PUT %j', async (body, status, substatus, statusDetails) => {
    await storeThree()
    const { signIn } = server
    const headers = await signIn()
    const issue = await server.json<ApiIssueDetail>('/issues/STORE-2/', {
      method: 'PUT',
      body,
      headers,
    })
    expect(issue).toMatchObject({ status, substatus, statusDetails })
    expect(issue.activity[0]).toMatchObject({
      type: status === 'resolved' ? 'set_resolved' : 'set_ignored',
      user: { name: 'ada' },
    })
    const back = await server.json<ApiIssueDetail>('/issues/STORE-2/', {
      method: 'PUT',
      body: { status: 'unresolved' },
    })
    expect(back).toMatchObject({ status: 'unresolved', substatus: 'ongoing', statusDetails: {} })
    expect(back.activity[0]).toMatchObject({ type: 'set_unresolved', user: null })
  })

  test('assigning, bookmarking and seeing are the asker’s own', async () => {
    await storeThree()
    const headers = await server.signIn()
    const issue = await server.json<ApiIssueDetail>('/issues/STORE-2/', {
      method: 'PUT',
      body: { assignedTo: 'me', isBookmarked: true, hasSeen: true },
      headers,
    })
    expect(issue).toMatchObject({
      assignedTo: { type: 'user', email: 'ada@example.com' },
      isBookmarked: true,
      hasSeen: true,
      seenBy: [{ name: 'ada' }],
    })
    const mine = await server.json<ApiIssue[]>(`${stream}?query=assigned:me bookmarks:me`, {
      headers,
    })
    expect(mine.map((it) => it.shortId)).toEqual(['STORE-2'])
    expect(await titles('query=is:assigned')).toEqual(['Fresh'])
    expect(await titles('query=!assigned:ada@example.com&sort=new')).toEqual(['Staging', 'Old'])
    expect(await titles('query=assigned:none&sort=new')).toEqual(['Staging', 'Old'])
    const freed = await server.json<ApiIssueDetail>('/issues/STORE-2/', {
      method: 'PUT',
      body: { assignedTo: null },
    })
    expect(freed.assignedTo).toBeNull()
  })

  test.each([
    [{}, /nothing to change/],
    [{ status: 'gone' }, /^status: must be one of/],
    [{ status: 7 }, /^status/],
    [{ status: 'ignored', statusDetails: { ignoreCount: -1 } }, /^ignoreCount/],
    [{ status: 'ignored', statusDetails: 'x' }, /^statusDetails/],
    [{ status: 'ignored', substatus: 'archived_until_condition_met' }, /^statusDetails/],
    [{ assignedTo: 'nobody@example.com' }, /^assignedTo/],
    [{ assignedTo: 'me' }, /^assignedTo/],
    [{ hasSeen: 'yes' }, /^hasSeen/],
    ['{', /not JSON/],
    ['[]', /object/],
  ])('refuses %j, naming the field', async (body, detail) => {
    await storeThree()
    const response = await server.ask('/issues/STORE-2/', { method: 'PUT', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
  })

  test('a resolved issue comes back with its next event', async () => {
    await storeThree()
    await server.json('/issues/STORE-2/', { method: 'PUT', body: { status: 'resolved' } })
    await server.store([errorItem(50, { hashes: ['b'], title: 'Fresh' })], {
      receivedAt: testNow + 5,
    })
    expect(await get('STORE-2')).toMatchObject({ status: 'unresolved', substatus: 'regressed' })
    expect(await titles('query=is:regressed')).toEqual(['Fresh'])
  })

  test('of a whole batch, one event of the fixed release brings it back, one unhandled marks it', async () => {
    await server.store([errorItem(1, { release: '1.0.0', timestamp: testNow - 9000 })])
    const body = { status: 'resolved', statusDetails: { inRelease: '2.0.0' } }
    await server.json('/issues/STORE-1/', { method: 'PUT', body })
    await server.store([
      errorItem(2, { release: '1.0.0', timestamp: testNow - 500 }),
      errorItem(3, { release: '2.0.0', timestamp: testNow - 400, handled: false }),
      errorItem(4, { release: '1.0.0', timestamp: testNow - 300 }),
    ])
    expect(await get('STORE-1')).toMatchObject({ substatus: 'regressed', isUnhandled: true })
  })

  test('comments are kept with who wrote them, and only they may delete them', async () => {
    await storeThree()
    const headers = await server.signIn()
    const note = await server.json<ApiActivity>('/issues/STORE-1/notes/', {
      method: 'POST',
      body: { text: 'It is the cart.' },
      headers,
    })
    expect(note).toMatchObject({ type: 'note', data: { text: 'It is the cart.' } })
    expect(await server.json('/issues/STORE-1/comments/')).toHaveLength(1)
    expect((await get('STORE-1')).numComments).toBe(1)
    const path = `/issues/STORE-1/notes/${note.id}/`
    expect((await server.ask(path, { method: 'DELETE' })).status).toBe(404)
    expect((await server.ask(path, { method: 'DELETE', headers })).status).toBe(204)
    const empty = await server.ask('/issues/STORE-1/notes/', {
      method: 'POST',
      body: { text: ' ' },
    })
    expect(empty.status).toBe(400)
  })

  test('bulk: by ids, and by a query with the count', async () => {
    await storeThree()
    const byId = await server.ask(`${stream}?id=1&id=3`, {
      method: 'PUT',
      body: { status: 'resolved' },
    })
    expect(await byId.json()).toMatchObject({ status: 'resolved', count: 2 })
    expect(await titles('query=is:resolved&sort=date')).toEqual(['Old', 'Staging'])
    const byQuery = await server.ask(`${stream}?query=is:resolved`, {
      method: 'PUT',
      body: { status: 'unresolved' },
    })
    expect(await byQuery.json()).toMatchObject({ count: 2 })
    const all = await server.ask(stream, { method: 'PUT', body: { status: 'resolved' } })
    expect(all.status).toBe(400)
  })

  test('deleting removes the issue at once and its events with the next removal', async () => {
    await storeThree()
    expect((await server.ask('/issues/STORE-1/', { method: 'DELETE' })).status).toBe(202)
    expect((await server.ask('/issues/STORE-1/')).status).toBe(404)
    expect(await server.applyRemovals()).toBe(1)
    expect(await server.events.point('errors', 1, [hexId(1)])).toBeNull()
    expect(await server.events.point('errors', 1, [hexId(3)])).not.toBeNull()
    const bulk = await server.ask(`${stream}?query=level:fatal`, { method: 'DELETE' })
    expect(bulk.status).toBe(204)
    expect(await titles('')).toEqual(['Staging'])
  })
})

describe('the events of an issue', () => {
  test('are listed newest first and walked one by one within the filter', async () => {
    await server.store(
      [1, 2, 3, 4].map((number) =>
        errorItem(number, {
          timestamp: testNow - 10_000 + number,
          tags: { half: number <= 2 ? 'first' : 'second' },
          columns: number === 2 ? { replayId: hexId(70) } : {},
        }),
      ),
    )
    const page = await server.ask('/issues/STORE-1/events/?limit=3')
    const rows = (await page.json()) as ApiEventSummary[]
    expect(rows.map((row) => row.eventID)).toEqual([hexId(4), hexId(3), hexId(2)])
    const cursor = /rel="next"; results="true"; cursor="([^"]+)"/.exec(
      page.headers.get('link') ?? '',
    )?.[1]
    expect(await server.json(`/issues/STORE-1/events/?limit=3&cursor=${cursor}`)).toHaveLength(1)
    const event = (which: string) => server.json<ApiEvent>(`/issues/STORE-1/events/${which}`)
    expect(await event('latest/')).toMatchObject({
      eventID: hexId(4),
      nextEventID: null,
      previousEventID: hexId(3),
      position: { index: 4, of: 4 },
      groupID: '1',
    })
    expect(await event('oldest/')).toMatchObject({ eventID: hexId(1), previousEventID: null })
    expect(await event('recommended/')).toMatchObject({ eventID: hexId(2), replayId: hexId(70) })
    expect(await event('latest/?query=is:unresolved half:first')).toMatchObject({
      eventID: hexId(2),
      nextEventID: null,
      position: { index: 2, of: 2 },
    })
    expect(await event(`${hexId(3)}/`)).toMatchObject({
      previousEventID: hexId(2),
      nextEventID: hexId(4),
      position: { index: 3, of: 4 },
    })
    expect((await server.ask('/issues/STORE-1/events/latest/?query=half:none')).status).toBe(404)
    expect((await server.ask(`/issues/STORE-1/events/${hexId(99)}/`)).status).toBe(404)
    expect((await server.ask('/issues/STORE-1/events/xyz/')).status).toBe(400)
  })

  test('one event is answered whole, by every path', async () => {
    await server.store([
      errorItem(1, {
        release: '1.0.0',
        tags: { cart: 'full' },
        event: {
          logentry: { formatted: 'boom' },
          user: { id: '7', email: 'x@y.z' },
          request: { url: 'https://shop.test/', method: 'GET' },
          breadcrumbs: [{ timestamp: testNow, type: 'default', level: 'info', message: 'hello' }],
          exception: [
            {
              type: 'TypeError',
              value: 'x is not a function',
              mechanism: { type: 'onerror', handled: false },
              stacktrace: {
                frames: [
                  { filename: 'lib.js', in_app: false },
                  {
                    filename: 'cart.ts',
                    function: 'total',
                    lineno: 10,
                    colno: 3,
                    in_app: true,
                    pre_context: ['a', 'b'],
                    context_line: 'c',
                    post_context: ['d'],
                  },
                ],
              },
            },
          ],
        },
      }),
    ])
    const event = await server.json<ApiEvent>(`/projects/main/store/events/${hexId(1)}/`)
    expect(event).toMatchObject({
      projectSlug: 'store',
      location: 'cart.ts',
      release: { version: '1.0.0' },
      user: { id: '7', email: 'x@y.z', username: null },
      metadata: { type: 'TypeError', function: 'total' },
    })
    expect(event.tags).toContainEqual({ key: 'cart', value: 'full' })
    expect(event.entries.map((entry) => entry.type)).toEqual([
      'exception',
      'message',
      'breadcrumbs',
      'request',
    ])
    const [exception] = event.entries
    expect(exception?.type === 'exception' && exception.data.values[0]?.stacktrace).toMatchObject({
      hasSystemFrames: true,
      frames: [
        { inApp: false, context: [] },
        {
          lineNo: 10,
          context: [
            [8, 'a'],
            [9, 'b'],
            [10, 'c'],
            [11, 'd'],
          ],
        },
      ],
    })
    expect(await server.json(`/organizations/main/events/store:${hexId(1)}/`)).toEqual(event)
    expect(await server.json(`/organizations/main/eventids/${hexId(1)}/`)).toMatchObject({
      projectSlug: 'store',
      groupId: '1',
      event: { eventID: hexId(1) },
    })
    expect((await server.ask(`/projects/main/store/events/${hexId(5)}/`)).status).toBe(404)
  })
})
