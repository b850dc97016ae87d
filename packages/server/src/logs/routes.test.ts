import type { ApiAttachment } from '@afterimage/protocol/api/event'
import type { ApiCheckIn, ApiLog, ApiMonitor, ApiSession } from '@afterimage/protocol/api/items'
import type { MonitorEffect } from '../storage/events/port.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  type ApiServer,
  errorItem,
  hexId,
  openApiServer,
  row,
  testNow,
} from '../testing/api-server.ts'

let server: ApiServer
beforeEach(async () => {
  server = await openApiServer()
})
afterEach(() => server.close())

async function checkIn(
  id: string,
  status: string,
  timestamp: number,
  config: MonitorEffect['config'] = null,
): Promise<void> {
  const slug = 'nightly'
  const columns = { checkInId: id, monitorSlug: slug, status, environment: 'production' }
  await server.store([
    {
      type: 'check_in',
      rows: [row('checkIns', timestamp, { ...columns, durationS: status === 'ok' ? 2 : null })],
      effects: [{ type: 'monitor', slug, status, environment: 'production', timestamp, config }],
    },
  ])
}

test('monitors with their check-ins, one per id in its latest status, on one page each', async () => {
  await checkIn(hexId(1), 'in_progress', testNow - 5000, { schedule: { type: 'crontab' } })
  await checkIn(hexId(2), 'in_progress', testNow - 4000)
  await checkIn(hexId(1), 'ok', testNow - 3000)
  const [monitor] = await server.json<ApiMonitor[]>('/organizations/main/monitors/')
  expect(monitor).toMatchObject({
    slug: 'nightly',
    project: { slug: 'store' },
    config: { schedule: { type: 'crontab' } },
    environments: [{ name: 'production', status: 'ok' }],
  })
  const path = '/organizations/main/monitors/nightly/checkins/'
  const all = await server.json<ApiCheckIn[]>(path)
  expect(all).toMatchObject([
    { id: hexId(1), status: 'ok', duration: 2000 },
    { id: hexId(2), status: 'in_progress', duration: null },
  ])
  const paged: ApiCheckIn[] = []
  for (let next: string | undefined = ''; next !== undefined;) {
    const page = await server.ask(`${path}?limit=1&cursor=${next}`)
    paged.push(...((await page.json()) as ApiCheckIn[]))
    next = /rel="next"; results="true"; cursor="([^"]+)"/.exec(page.headers.get('link') ?? '')?.[1]
  }
  expect(paged).toEqual(all)
  expect((await server.ask('/organizations/main/monitors/none/checkins/')).status).toBe(404)
  expect(await server.json('/projects/main/store/monitors/nightly/checkins/')).toHaveLength(2)
})

function update(
  sid: string,
  key: string,
  timestamp: number,
  columns: Record<string, string | number>,
) {
  const common = { sid, key, status: 'ok', startedAt: testNow - 9000 }
  return row('sessions', timestamp, { ...common, ...columns })
}

test('sessions in their latest state, each once', async () => {
  await server.store([
    {
      type: 'session',
      rows: [
        update('s1', 'k1', testNow - 9000, { isInit: 1 }),
        update('s2', 'k2', testNow - 8000, { isInit: 1, errors: 0 }),
        update('s1', 'k3', testNow - 7000, { errors: 1, status: 'crashed' }),
        row('sessions', testNow - 6000, { key: 'aggregate', exited: 5 }),
      ],
    },
  ])
  const list = '/organizations/main/session-list/'
  const { data } = await server.json<{ data: ApiSession[] }>(list)
  expect(data).toMatchObject([
    { sid: 's1', status: 'crashed', errors: 1 },
    { sid: 's2', status: 'ok', errors: 0 },
  ])
})

test('logs, metrics and feedback are listed and searched', async () => {
  const at = testNow - 1000
  await server.store([
    {
      type: 'log',
      rows: [
        row('logs', at, { key: 'l1', level: 'warn', body: 'slow cart' }, { payload: { ms: 900 } }),
        row('logs', at - 1, { key: 'l2', level: 'info', body: 'ready' }),
      ],
    },
    {
      type: 'trace_metric',
      rows: [row('metrics', at, { key: 'm1', name: 'orders', type: 'counter', value: 3 })],
    },
    {
      type: 'feedback',
      rows: [
        row('feedback', at, {
          eventId: hexId(9),
          message: 'It does not work',
          email: 'x@y.z',
          associatedEventId: hexId(1),
          source: 'widget',
        }),
      ],
    },
  ])
  const logs = async (query: string) =>
    (await server.json<{ data: ApiLog[] }>(`/organizations/main/logs/?${query}`)).data
  expect(await logs('')).toMatchObject([{ id: 'l1', attributes: { ms: 900 } }, { id: 'l2' }])
  expect(await logs('query=level:warn')).toHaveLength(1)
  expect(await logs('query=cart')).toMatchObject([{ body: 'slow cart' }])
  expect(await logs('query=cart level:info')).toEqual([])
  expect((await server.ask('/organizations/main/logs/?query=what:x')).status).toBe(400)
  const metrics = '/organizations/main/metrics/?query=name:orders value:>2'
  expect(await server.json(metrics)).toMatchObject({ data: [{ name: 'orders', value: 3 }] })
  expect(await server.json('/projects/main/store/user-feedback/')).toMatchObject([
    { comments: 'It does not work', eventID: hexId(1), source: 'widget' },
  ])
})

test('an attachment is downloaded as bytes to save, whatever it calls itself', async () => {
  const name = '../шум "x".html'
  const bytes = new TextEncoder().encode('<script>alert(1)</script>')
  const columns = {
    eventId: hexId(1),
    name,
    sha256: 'f'.repeat(64),
    type: 'event.attachment',
    contentType: 'text/html',
    bytes: bytes.byteLength,
    blobKey: 'attachments/1/x',
  }
  await server.store([
    errorItem(1),
    {
      type: 'attachment',
      rows: [row('attachments', testNow, columns)],
      blobs: [{ key: 'attachments/1/x', bytes }],
    },
  ])
  const path = `/projects/main/store/events/${hexId(1)}/attachments/`
  const [attachment] = await server.json<ApiAttachment[]>(path)
  expect(attachment).toMatchObject({ name, mimetype: 'text/html', size: 25 })
  const response = await server.ask(`${path}${attachment?.id}/?download=1`)
  expect(await response.text()).toBe('<script>alert(1)</script>')
  expect(response.headers.get('content-type')).toBe('application/octet-stream')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="_____x_.html"; filename*=UTF-8''%D1%88%D1%83%D0%BC%20%22x%22.html`,
  )
  expect((await server.ask(`${path}none/`)).status).toBe(404)
  await server.blobs.delete('attachments/1/x')
  expect((await server.ask(`${path}${attachment?.id}/?download=1`)).status).toBe(404)
})
