import type { ApiEvent, ApiEventSummary } from '@afterimage/protocol/api/event'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../../testing/api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

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

  test('a project lists its events with their issues', async () => {
    await server.store([errorItem(1), errorItem(2, { columns: { groupingHash: null } })])
    const rows = await server.json<ApiEventSummary[]>('/projects/main/store/events/')
    const issues = Object.fromEntries(rows.map((it) => [it.eventID, it.groupID]))
    expect(issues).toEqual({ [hexId(1)]: '1', [hexId(2)]: null })
    for (const cursor of ['zzz', 'W10.', '0:x:0', '{}']) {
      const page = await server.ask(`/projects/main/store/events/?cursor=${cursor}`)
      expect([page.status, await page.json()], cursor).toEqual([
        400,
        { detail: expect.stringContaining('cursor') },
      ])
    }
  })

  test('a transaction event has the spans that came with it', async () => {
    const ids = { traceId: hexId(9), eventId: hexId(3) }
    const span = (spanId: string, parentSpanId: string | null, isSegment: number, at: number) =>
      row(
        'spans',
        at,
        { ...ids, spanId, parentSpanId, isSegment, op: 'db', name: 'select 1', durationMs: 250 },
        { payload: { 'db.system': 'sqlite' } },
      )
    const root = 'a'.repeat(16)
    const transaction = { ...ids, spanId: root, name: '/cart', durationMs: 1000 }
    await server.store([
      {
        type: 'transaction',
        rows: [
          row('transactions', testNow, transaction, { payload: {} }),
          span(root, null, 1, testNow - 1000),
          span('b'.repeat(16), root, 0, testNow - 500),
          row('spans', testNow, { traceId: hexId(9), spanId: 'c'.repeat(16) }),
        ],
      },
    ])
    const event = await server.json<ApiEvent>(`/projects/main/store/events/${hexId(3)}/`)
    expect(event.entries).toEqual([
      {
        type: 'spans',
        data: [
          {
            trace_id: hexId(9),
            span_id: 'b'.repeat(16),
            parent_span_id: root,
            op: 'db',
            description: 'select 1',
            origin: null,
            status: 'unknown',
            start_timestamp: testNow / 1000 - 0.5,
            timestamp: testNow / 1000 - 0.25,
            data: { 'db.system': 'sqlite' },
          },
        ],
      },
    ])
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
