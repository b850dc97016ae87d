import type { SpanPayload } from '@afterimage/protocol/span'
import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '@afterimage/sdk-core/client'
import type { Client } from '@afterimage/sdk-core/client'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import {
  addSpan,
  continueTrace,
  getActiveSpan,
  limitRate,
  openSegment,
  openSpan,
  startSpan,
  startTracing,
  state,
} from './tracer.ts'
import type { TracingOptions } from './tracing-options.ts'

let network: FakeNetwork
let client: Client
let stop: () => void

beforeEach(() => {
  network = fakeNetwork()
})

afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

function start(options: TracingOptions = {}): void {
  client = createClient({ dsn, release: 'shop@1' }, [])!
  stop = startTracing(client, options, [])
}

async function sent(): Promise<TransactionPayload[]> {
  await client.flush()
  return network.envelopes.flatMap(({ items }) =>
    items
      .filter(({ header }) => header.type === 'transaction')
      .map(({ payload }) => JSON.parse(new TextDecoder().decode(payload)) as TransactionPayload),
  )
}

test.each<[init: TracingOptions, own: TracingOptions, isSampled: boolean]>([
  [{}, {}, true],
  [{ tracesSampleRate: 0 }, {}, false],
  [{ tracesSampleRate: 0 }, { tracesSampleRate: 1 }, true],
  [{ tracesSampler: () => 0 }, {}, false],
])('with %j for init and %j for tracing a trace is sampled: %s', (init, own, isSampled) => {
  client = createClient({ dsn, ...init }, [])!
  stop = startTracing(client, own, [])
  expect(openSegment({ name: '/' }).isSampled).toBe(isSampled)
})

test('a span without a parent is a transaction, and the spans within are its children', async () => {
  start()
  const answer = startSpan({ name: 'checkout', op: 'task', attributes: { step: 2 } }, (root) =>
    startSpan({ name: 'sum' }, (child) => {
      expect(getActiveSpan()).toBe(child)
      return openSpan({ name: 'inner' }).traceId === root.traceId
    }),
  )
  expect(answer).toBe(true)
  expect(getActiveSpan()).toBeNull()
  const [transaction] = await sent()
  const root = transaction!.contexts.trace
  const [sum, inner] = transaction!.spans as SpanPayload[]
  expect(transaction).toMatchObject({
    transaction: 'checkout',
    transaction_info: { source: 'custom' },
  })
  expect(root).toMatchObject({ op: 'task', status: 'ok', origin: 'manual', data: { step: 2 } })
  expect(sum).toMatchObject({ description: 'sum', parent_span_id: root.span_id, status: 'ok' })
  expect(inner).toMatchObject({ parent_span_id: sum!.span_id, status: 'cancelled' })
  expect(network.envelopes[0]!.header.trace).toMatchObject({
    trace_id: root.trace_id,
    transaction: 'checkout',
    sampled: 'true',
    sample_rate: '1',
    release: 'shop@1',
  })
})

test('a span waits for its promise; code after an `await` belongs to the waiting root', async () => {
  start()
  const error = new Error('no stock')
  const failing = startSpan({ name: 'order' }, async () => {
    await Promise.resolve()
    openSpan({ name: 'after' }).end()
    throw error
  })
  await expect(failing).rejects.toBe(error)
  const [transaction] = await sent()
  expect(transaction!.contexts.trace.status).toBe('internal_error')
  expect(transaction!.spans).toMatchObject([{ description: 'after' }])
})

test('an error of a measured function reaches its caller', async () => {
  start()
  const error = new Error('page')
  expect(() =>
    startSpan({ name: 'broken' }, () => {
      throw error
    }),
  ).toThrow(error)
  expect((await sent())[0]!.contexts.trace.status).toBe('internal_error')
})

test('without tracing spans are silent, and functions run all the same', () => {
  start()
  stop()
  expect(startSpan({ name: 'quiet' }, (span) => span.isSampled)).toBe(false)
  expect(network.envelopes).toEqual([])
})

test('a trace that is not sampled is counted, not sent, and still passed on', async () => {
  start({ tracesSampleRate: 0 })
  startSpan({ name: 'a' }, () => {
    startSpan({ name: 'b' }, () => undefined)
    expect(client.trace().sampling).toMatchObject({ sampled: 'false', sample_rate: '0' })
  })
  expect(await sent()).toEqual([])
  expect(Object.fromEntries(client.discards)).toEqual({
    'sample_rate:transaction': 1,
    'sample_rate:span': 2,
  })
})

test.each([
  [1000, 999, 0],
  [1001, 999, 1],
])(
  'a transaction of %i spans carries %i and its root; %i is counted',
  async (total, kept, lost) => {
    start()
    startSpan({ name: 'all' }, () => {
      for (let count = 1; count < total; count += 1) openSpan({ name: `span ${count}` }).end()
    })
    expect((await sent())[0]!.spans).toHaveLength(kept)
    expect(client.discards.get('buffer_overflow:span') ?? 0).toBe(lost)
  },
)

test('spans that are too large together are cut to the limit of the server', async () => {
  start()
  const attributes = Object.fromEntries(
    Array.from({ length: 3 }, (_, index) => [`a${index}`, 'x'.repeat(5000)]),
  )
  startSpan({ name: 'all' }, () => {
    for (let count = 0; count < 900; count += 1) openSpan({ name: 'b', attributes }).end()
  })
  const [transaction] = await sent()
  expect(transaction!.spans).toHaveLength(225)
  expect(JSON.stringify(transaction).length).toBeLessThan(1_000_000)
  expect(client.discards.get('buffer_overflow:span')).toBe(675)
})

test('a page that is left sends as many spans as outlive it', async () => {
  start()
  startSpan({ name: 'leaving' }, (root) => {
    for (let count = 0; count < 400; count += 1) openSpan({ name: `GET /item/${count}` }).end()
    root.setStatus('cancelled')
  })
  await client.flush()
  expect(network.requests[0]!.init).toMatchObject({ keepalive: true })
  const [transaction] = await sent()
  expect(transaction!.spans).toHaveLength(100)
  expect(client.discards.get('buffer_overflow:span')).toBe(300)
})

test('attributes are bounded in number and length, and a name in length', () => {
  start()
  const span = openSpan({ name: 'n'.repeat(500) })
  span.setAttributes(Object.fromEntries(Array.from({ length: 150 }, (_, key) => [`k${key}`, key])))
  span.setAttributes({ k0: 'x'.repeat(2000), late: 1 })
  expect(Object.keys(span.attributes)).toHaveLength(100)
  expect(span.attributes.k0).toHaveLength(1027)
  expect(span.name).toHaveLength(200)
})

test('no attribute of a span throws at the page', async () => {
  start()
  const odd = {
    big: 1n as never,
    get broken(): string {
      throw new Error('page')
    },
    fine: 1,
  }
  const name = {
    toString: () => {
      throw new Error('page')
    },
  } as never
  startSpan({ name, attributes: null as never }, (span) => span.setAttributes(odd))
  const [transaction] = await sent()
  expect(transaction).toMatchObject({
    transaction: expect.any(String),
    contexts: { trace: { data: { big: '1', broken: '[Unreadable]', fine: 1 } } },
  })
})

test('a trace begun elsewhere continues with its decision; outside it nothing changes', async () => {
  start()
  const before = client.trace().context.trace_id
  const traceId = 'ab'.repeat(16)
  const sentryTrace = `${traceId}-${'c'.repeat(16)}-1`
  const baggage = `sentry-trace_id=${traceId},sentry-sampled=true,sentry-public_key=abc`
  continueTrace({ sentryTrace, baggage }, () => startSpan({ name: 'job' }, () => undefined))
  expect(client.trace().context.trace_id).toBe(before)
  const [transaction] = await sent()
  expect(transaction!.contexts.trace).toMatchObject({
    trace_id: traceId,
    parent_span_id: 'c'.repeat(16),
  })
  expect(network.envelopes[0]!.header.trace).toEqual({
    trace_id: traceId,
    sampled: 'true',
    public_key: 'abc',
  })
})

test('an error carries the span it happened in', async () => {
  start()
  let spanId = ''
  startSpan({ name: 'root' }, () =>
    startSpan({ name: 'child' }, (child) => {
      spanId = child.spanId
      client.capture({ message: 'inside' })
    }),
  )
  await client.flush()
  expect(network.events()[0]?.contexts?.trace).toMatchObject({ span_id: spanId })
})

test('spans measured by the browser keep no page open, and a child of an ended root is a root', async () => {
  start()
  const root = openSegment({ name: '/', source: 'url' })
  state.current = root.segment
  const changes: boolean[] = []
  root.segment.changed = (hasBegun) => changes.push(hasBegun)
  addSpan(root.segment, root.startedAt + 5, { name: 'img', startedAt: root.startedAt })
  expect(changes).toEqual([])
  root.end()
  openSpan({ name: 'later', parentSpan: root }).end()
  expect(await sent()).toMatchObject([
    { spans: [{ description: 'img' }] },
    { transaction: 'later' },
  ])
  expect(network.envelopes[0]!.header.trace).not.toHaveProperty('transaction')
})

test('beforeSendSpan changes or discards spans, the root as well; each loss is counted', async () => {
  start({
    beforeSendSpan(span) {
      if (span.description === 'fails') throw new Error('of the page')
      if (span.description === 'no') return null
      span.description = `${span.description}, seen`
      return { ...span, data: { ...span.data, own: 1 } }
    },
  })
  startSpan({ name: 'yes' }, () => {
    for (const name of ['child', 'no', 'fails']) startSpan({ name }, () => undefined)
  })
  startSpan({ name: 'no' }, () => startSpan({ name: 'child' }, () => undefined))
  const [transaction, ...others] = await sent()
  expect(others).toEqual([])
  expect(transaction).toMatchObject({
    transaction: 'yes, seen',
    contexts: { trace: { data: { own: 1 } } },
    spans: [{ description: 'child, seen', data: { own: 1 } }],
  })
  expect(Object.fromEntries(client.discards)).toEqual({
    'before_send:span': 4,
    'before_send:transaction': 1,
  })
})

test('beforeSendSpan is not called for a trace that is not sampled', () => {
  const beforeSendSpan = vi.fn<NonNullable<TracingOptions['beforeSendSpan']>>(() => null)
  start({ tracesSampleRate: 0, beforeSendSpan })
  startSpan({ name: 'unsampled' }, () => undefined)
  expect(beforeSendSpan).not.toHaveBeenCalled()
  expect(Object.fromEntries(client.discards)).toEqual({
    'sample_rate:span': 1,
    'sample_rate:transaction': 1,
  })
})

test('a limit of the rate also holds for the page that has begun, and ends with the client', async () => {
  start()
  state.trace = { ...state.trace, rand: 0.6 }
  const before = openSegment({ name: '/' })
  state.current = before.segment
  limitRate(0.7)
  expect(before.segment.isSampled).toBe(true)
  limitRate(0.5)
  expect(before.segment.isSampled).toBe(false)
  before.end()
  openSegment({ name: '/next' }).end()
  expect(await sent()).toEqual([])
  stop()
  start()
  state.trace = { ...state.trace, rand: 0.6 }
  expect(openSegment({ name: '/' }).isSampled).toBe(true)
})
