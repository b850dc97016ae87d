import { close, flush, getClient, setUser, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { batchCharactersMax, batchMs, logsMax } from './limits.ts'
import { logger, logsIntegration } from './logger.ts'
import type { LogsOptions } from './logger.ts'

let network: FakeNetwork
let page: EventTarget & { visibilityState: string }

beforeEach(() => {
  network = fakeNetwork()
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

function begin(options?: LogsOptions): void {
  start({ dsn, release: 'shop@1', environment: 'test' }, [logsIntegration(options)])
}

interface SentLog {
  readonly body: string
  readonly level: string
  readonly attributes: Readonly<Record<string, { readonly value: unknown }>>
}

function items() {
  return network.envelopes.flatMap((envelope) =>
    envelope.items.map(({ header, payload }) => ({
      header,
      json: JSON.parse(new TextDecoder().decode(payload)) as { readonly items: SentLog[] },
    })),
  )
}

function bodies(): string[] {
  return items().flatMap(({ json }) => json.items.map(({ body }) => body))
}

test('logs of all levels travel in one container, with who sends them', async () => {
  begin()
  setUser({ id: 'u-17' })
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
  for (const level of levels) logger[level](`on ${level}`, { cart: 'c-1', lines: 3 })
  setUser(null)
  expect(network.requests).toEqual([])
  await flush()
  const [item, ...others] = items()
  expect(others).toEqual([])
  expect(item?.header).toMatchObject({
    type: 'log',
    item_count: 6,
    content_type: 'application/vnd.sentry.items.log+json',
  })
  expect(item?.json).toMatchObject({
    version: 2,
    ingest_settings: { infer_ip: 'never', infer_user_agent: 'auto' },
    items: [1, 5, 9, 13, 17, 21].map((severity_number, at) => ({
      timestamp: expect.any(Number),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      level: levels[at],
      severity_number,
      body: `on ${levels[at]}`,
      attributes: {
        cart: { type: 'string', value: 'c-1' },
        lines: { type: 'integer', value: 3 },
        'user.id': { type: 'string', value: 'u-17' },
        'sentry.release': { type: 'string', value: 'shop@1' },
        'sentry.environment': { type: 'string', value: 'test' },
        'sentry.sdk.name': { type: 'string', value: 'afterimage.javascript.browser' },
        'sentry.timestamp.sequence': { type: 'integer', value: at },
      },
    })),
  })
})

test('a template keeps its text and its values apart', async () => {
  begin()
  logger.info(logger.fmt`${2} of ${'lamp'} at 50% off`, { shop: 'north' })
  await flush()
  expect(items()[0]?.json.items[0]).toMatchObject({
    body: '2 of lamp at 50% off',
    attributes: {
      'sentry.message.template': { value: '%s of %s at 50%% off' },
      'sentry.message.parameter.0': { type: 'integer', value: 2 },
      'sentry.message.parameter.1': { type: 'string', value: 'lamp' },
      shop: { value: 'north' },
    },
  })
})

test('beforeSendLog changes a log or discards it, and one that throws loses it', async () => {
  const beforeSendLog = vi.fn<NonNullable<LogsOptions['beforeSendLog']>>((log) => {
    if (log.message === 'break') throw new Error('hook')
    return log.level === 'debug' ? null : { ...log, message: `${log.message}!` }
  })
  begin({ beforeSendLog })
  logger.debug('unseen')
  logger.warn('break')
  logger.warn('kept', { lines: 1 })
  await flush()
  expect(bodies()).toEqual(['kept!'])
  expect(beforeSendLog).toHaveBeenLastCalledWith(
    expect.objectContaining({
      level: 'warn',
      attributes: expect.objectContaining({ lines: 1, 'sentry.release': 'shop@1' }),
    }),
  )
  expect([...getClient()!.discards]).toEqual([
    ['before_send:log_item', 1],
    ['callback_error:log_item', 1],
  ])
})

test('a batch is sent when it is full, by number or by size, and could outlive its page', async () => {
  begin()
  for (let at = 0; at < logsMax; at += 1) logger.info(`number ${at}`)
  expect(items().map(({ header }) => header['item_count'])).toEqual([logsMax])
  await flush()
  const large = 'x'.repeat(8000)
  for (let sent = 0; sent <= batchCharactersMax; sent += large.length) logger.info(large)
  expect(items()).toHaveLength(2)
  expect(network.requests.every(({ init }) => init.keepalive)).toBe(true)
})

test('a batch is sent after a while, and when the page is hidden or left', () => {
  vi.useFakeTimers()
  begin()
  logger.info('later')
  vi.advanceTimersByTime(batchMs - 1)
  expect(bodies()).toEqual([])
  vi.advanceTimersByTime(1)
  expect(bodies()).toEqual(['later'])
  logger.info('hidden')
  page.dispatchEvent(new Event('visibilitychange'))
  expect(bodies()).toHaveLength(1)
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  logger.info('left')
  window.dispatchEvent(new Event('pagehide'))
  expect(bodies()).toEqual(['later', 'hidden', 'left'])
  vi.advanceTimersByTime(2 * batchMs)
  expect(network.requests).toHaveLength(3)
})

test('logs that the server limits are counted and not sent', async () => {
  begin()
  network.answer = () =>
    new Response('{}', { headers: { 'x-sentry-rate-limits': '60:log_item:key' } })
  logger.info('first')
  await flush()
  logger.info('second')
  logger.info('third')
  await flush()
  expect(bodies()).toEqual(['first'])
  expect([...getClient()!.discards]).toEqual([['ratelimit_backoff:log_item', 2]])
})

test('logs do not take the room of errors in the offline queue', async () => {
  begin()
  const { transport, discards } = getClient()!
  transport.park = vi.fn(() => true)
  network.answer = new Error('offline')
  logger.info('lost')
  await flush()
  expect(transport.park).not.toHaveBeenCalled()
  expect([...discards]).toEqual([['network_error:log_item', 1]])
})

test('a long or hostile log is bounded, and none throws', async () => {
  begin()
  const hostile = {
    get broken() {
      throw new Error('getter')
    },
  }
  logger.info('x'.repeat(100_000), hostile)
  logger.info(Object.create(null) as string)
  logger.info('text', 'no attributes' as unknown as Record<string, unknown>)
  await flush()
  expect(bodies().map((it) => it.length < 9000)).toEqual([true, true, true])
})

test('without the integration, and after close, logs go nowhere', async () => {
  logger.info('before init')
  start({ dsn }, [])
  logger.info('without it')
  await close()
  begin()
  await close()
  logger.info('after close')
  expect(network.requests).toEqual([])
})
