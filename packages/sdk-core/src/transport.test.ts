import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dsn, fakeNetwork } from './testing/fake-network.ts'
import type { FakeNetwork } from './testing/fake-network.ts'
import { createTransport } from './transport.ts'
import type { Transport } from './transport.ts'

let network: FakeNetwork
let discards: Record<string, number>
let transport: Transport

beforeEach(() => {
  network = fakeNetwork()
  discards = {}
  transport = createTransport('/monitoring', (reason, counts) => {
    for (const [category, quantity] of Object.entries(counts)) {
      const key = `${reason}:${category}`
      discards[key] = (discards[key] ?? 0) + quantity
    }
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const event = { header: { type: 'event' }, payload: '{}' }
const attachment = { header: { type: 'attachment' }, payload: 'text' }

function limit(value: string, status = 200): void {
  network.answer = () => new Response('{}', { status, headers: { 'x-sentry-rate-limits': value } })
}

test('a rate limit holds for its categories until it is over, also after a 200', async () => {
  vi.useFakeTimers({ now: 1_000_000 })
  limit('60:error;transaction:key')
  expect(await transport.send({ dsn }, [event])).toEqual({ status: 200 })
  vi.setSystemTime(1_059_999)
  expect(await transport.send({ dsn }, [event])).toEqual({ status: 0, reason: 'ratelimit_backoff' })
  expect(transport.isRateLimited('session')).toBe(false)
  vi.setSystemTime(1_060_000)
  expect(await transport.send({ dsn }, [event])).toEqual({ status: 200 })
  expect(discards).toEqual({ 'ratelimit_backoff:error': 1 })
})

test('attachments never travel without their event, and may be limited alone', async () => {
  limit('60:error')
  await transport.send({}, [event])
  await transport.send({}, [event, attachment])
  expect(network.envelopes).toHaveLength(1)
  limit('0:error, 60:attachment')
  await transport.send({}, [{ ...event, header: { type: 'session' } }])
  await transport.send({}, [event, attachment])
  expect(network.envelopes.at(-1)?.items.map((it) => it.header.type)).toEqual(['event'])
})

test('a refusal is counted, except by rate limit, which the server counts', async () => {
  network.answer = () => new Response('', { status: 413 })
  await transport.send({}, [event])
  network.answer = () => new Response('', { status: 429 })
  await transport.send({}, [event])
  expect(discards).toEqual({ 'send_error:error': 1 })
  expect(transport.isRateLimited('anything')).toBe(true)
})

test('without a network an envelope is parked where there is a queue, and else counted', async () => {
  network.answer = new TypeError('Failed to fetch')
  await transport.send({}, [event])
  expect(discards).toEqual({ 'network_error:error': 1 })
  const parked: number[] = []
  transport.park = (bytes) => parked.push(bytes.length) > 0
  expect(await transport.send({}, [event])).toEqual({ status: 0, reason: 'parked' })
  await transport.send({}, [event], true)
  expect(parked).toHaveLength(1)
  expect(discards).toEqual({ 'network_error:error': 2 })
})

test.each([
  [65_536, true],
  [65_537, false],
])('a body of %i bytes is kept alive: %s', async (length, isKeptAlive) => {
  const empty = 2 + '\n{"type":"event","length":00000}\n'.length
  await transport.send({}, [{ ...event, payload: 'x'.repeat(length - empty) }])
  expect(network.requests[0]?.init.body).toHaveLength(length)
  expect(network.requests[0]?.init.keepalive).toBe(isKeptAlive)
})

test('an answer is read, since its request uses keep-alive bytes until then', async () => {
  const answer = new Response('{}')
  network.answer = () => answer
  await transport.send({}, [event])
  expect(answer.bodyUsed).toBe(true)
  expect(transport.keepaliveLeft).toBe(65_536)
})

test('an answer whose body breaks off is an answer: nothing is lost, parked or sent again', async () => {
  const broken = new ReadableStream({ start: (it) => it.error(new TypeError('cut off')) })
  network.answer = () => new Response(broken, { status: 200 })
  transport.park = () => {
    throw new Error('was parked')
  }
  expect(await transport.send({}, [event])).toEqual({ status: 200 })
  expect(discards).toEqual({})
  expect(transport.keepaliveLeft).toBe(65_536)
})

test('15 requests are kept alive at once, 40 are in flight, the 41st is dropped', async () => {
  const finish: (() => void)[] = []
  network.answer = () =>
    new Promise((resolve) => {
      finish.push(() => resolve(new Response()))
    })
  const sent = Array.from({ length: 41 }, () => transport.send({}, [event]))
  expect(await sent[40]).toEqual({ status: 0, reason: 'queue_overflow' })
  expect(network.requests.filter((it) => it.init.keepalive)).toHaveLength(15)
  expect(transport.keepaliveLeft).toBe(0)
  expect(network.requests).toHaveLength(40)
  expect(discards).toEqual({ 'queue_overflow:error': 1 })
  await vi.waitFor(() => expect(finish).toHaveLength(40))
  for (const step of finish) step()
  expect(await transport.idle(1000)).toBe(true)
  network.answer = () => new Response()
  await transport.send({}, [event])
  expect(network.requests.at(-1)?.init.keepalive).toBe(true)
  expect(transport.keepaliveLeft).toBe(65_536)
})

test('a page without fetch loses events and nothing else', async () => {
  vi.stubGlobal('fetch', undefined)
  const alone = createTransport('/monitoring', () => undefined)
  expect(await alone.send({}, [event])).toEqual({ status: 0, reason: 'network_error' })
})

test.each([
  ['/monitoring?o=1&p=42', 'application/x-sentry-envelope'],
  ['https://errors.test/api/42/envelope/', 'text/plain'],
])('a post to %s says that it is %s, and so no server drops its body', async (address, type) => {
  await createTransport(address, () => undefined).send({}, [event])
  expect(new Headers(network.requests[0]?.init.headers).get('content-type')).toBe(type)
})
