import type { ApiActivity, ApiIssue, ApiIssueDetail, ApiTag } from '@afterimage/protocol/api/issue'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  testNow,
} from '../../testing/api-server.ts'
import { storeThree } from '../../testing/three-issues.ts'

const HOUR_MS = 3_600_000
const stream = '/organizations/main/issues/'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

const titles = async (query: string) =>
  (await server.json<ApiIssue[]>(`${stream}?${query}`)).map((issue) => issue.title)

const get = (id: string) => server.json<ApiIssueDetail>(`/organizations/main/issues/${id}/`)

describe('an issue', () => {
  test('is found by id and by short id, with tags and history', async () => {
    await storeThree(server)
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

  test('its tags are counted by days of a range, and event by event where a filter is given', async () => {
    await storeThree(server)
    const { id } = await get('store-1')
    const countsOf = async (query: string) => {
      const tags = await server.json<ApiTag[]>(`/issues/${id}/tags/?${query}`)
      return Object.fromEntries(
        tags.map((tag) => [tag.key, tag.topValues.map(({ value, count }) => `${value} ${count}`)]),
      )
    }
    expect(await countsOf('')).toMatchObject({
      user: ['id:1 1', 'id:2 1'],
      browser: ['Chrome 126 1', 'Safari 17 1'],
      level: ['error 2'],
    })
    expect(await countsOf('statsPeriod=24h')).toMatchObject({ user: ['id:2 1'], cart: ['empty 1'] })
    expect(await countsOf('query=cart:full')).toMatchObject({ user: ['id:1 1'], cart: ['full 1'] })
    expect(await countsOf('environment=staging')).toEqual({})
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
    await storeThree(server)
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

  test.each([
    ['new', 'STORE-2'],
    ['escalating', 'STORE-2'],
    ['regressed', 'STORE-2'],
  ])('what is taken back is %s again', async (substatus, issue) => {
    await storeThree(server)
    const put = (body: object) =>
      server.json<ApiIssueDetail>(`/issues/${issue}/`, { method: 'PUT', body })
    expect(await put({ status: 'resolved' })).toMatchObject({ status: 'resolved' })
    const back = await put({ status: 'unresolved', substatus })
    expect(back).toMatchObject({ status: 'unresolved', substatus })
    expect(back.activity[0]).toMatchObject({ type: 'set_unresolved' })
    const same = await put({ status: 'unresolved', substatus })
    expect(same.activity.length).toBe(back.activity.length)
    expect((await put({ substatus: 'ongoing' })).substatus).toBe('ongoing')
    const unread = await put({ status: 'unresolved', substatus })
    expect(unread).toMatchObject({
      substatus,
      activity: [{ type: 'unmark_reviewed' }, {}, {}, {}, {}],
    })
  })

  test('assigning, bookmarking and seeing are the asker’s own', async () => {
    await storeThree(server)
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
    await storeThree(server)
    const response = await server.ask('/issues/STORE-2/', { method: 'PUT', body })
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: expect.stringMatching(detail) })
  })

  test('a resolved issue comes back with its next event', async () => {
    await storeThree(server)
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
    await storeThree(server)
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
    await storeThree(server)
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
    await storeThree(server)
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
