import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import { deliver } from './deliver.ts'
import type { Integration } from './integration.ts'
import { setDepth } from './normalize.ts'
import type { Options } from './options.ts'
import { createScope, getScope, withScope } from './scope.ts'
import { dsn, fakeNetwork } from './testing/fake-network.ts'
import type { FakeNetwork } from './testing/fake-network.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
  getScope().breadcrumbs.length = 0
})

function start(options: Partial<Options> = {}, integrations: readonly Integration[] = []): Client {
  const client = createClient({ dsn, ...options }, integrations)
  if (client === null) throw new Error('no client')
  return client
}

function discards(client: Client): Record<string, number> {
  return Object.fromEntries(client.discards)
}

test('S7 envelopes go to the tunnel of the own host, with the DSN inside and no key in the address', async () => {
  const client = start()
  const id = client.capture({ message: 'hello' })
  await client.flush()
  expect(network.requests[0]?.address).toBe('/monitoring?o=1&p=42')
  expect(network.requests[0]?.init).toMatchObject({ method: 'POST', keepalive: true })
  expect(network.envelopes[0]?.header).toMatchObject({ event_id: id, dsn })
})

test('without a valid DSN there is no client', () => {
  expect(createClient({ dsn: 'not a DSN' }, [])).toBeNull()
})

test('a client that is not enabled watches and sends nothing', () => {
  let isSetUp = false
  const watching: Integration = { name: 'watching', setup: () => void (isSetUp = true) }
  expect(createClient({ dsn, enabled: false }, [watching])).toBeNull()
  expect(isSetUp).toBe(false)
  expect(createClient({ dsn, enabled: true }, [])).not.toBeNull()
})

test('an option without effect is named once, in development', () => {
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const foreign = { sendDefaultPii: true, maxValueLength: 4, tracesSampleRate: 0.5 }
  start(foreign)
  start(foreign)
  expect(warned.mock.calls.map(([text]) => String(text))).toEqual([
    expect.stringContaining('`sendDefaultPii`'),
    expect.stringContaining('`maxValueLength`'),
  ])
  vi.stubEnv('NODE_ENV', 'production')
  start({ debug: true } as Partial<Options>)
  expect(warned).toHaveBeenCalledTimes(2)
  vi.unstubAllEnvs()
  warned.mockRestore()
})

test.each([
  ['answers at once', (event: object) => event],
  ['answers later', async (event: object) => event],
])('beforeSendTransaction sees transactions and nothing else: it %s', async (_, answer) => {
  const seen: unknown[] = []
  const beforeSendTransaction = (event: { transaction?: string }) => {
    seen.push(event.transaction)
    return event.transaction === '/secret' ? null : (answer(event) as never)
  }
  const client = start({ beforeSendTransaction })
  client.capture({ type: 'transaction', transaction: '/' })
  client.capture({ type: 'transaction', transaction: '/secret' })
  client.capture({ message: 'an error' })
  client.capture({ type: 'feedback', contexts: { feedback: { message: 'words' } } })
  await client.flush()
  expect(seen).toEqual(['/', '/secret'])
  expect(discards(client)).toEqual({ 'before_send:transaction': 1 })
  expect(network.envelopes).toHaveLength(3)
})

test('a page that has added to Object.prototype is counted as any other', () => {
  // oxlint-disable-next-line no-extend-native -- as such pages do
  Object.assign(Object.prototype, { x: 2 })
  try {
    const client = start({}, [{ name: 'filter', processEvent: () => null }])
    client.capture({ message: 'hello' })
    expect(discards(client)).toEqual({ 'event_processor:error': 1 })
  } finally {
    Reflect.deleteProperty(Object.prototype, 'x')
  }
})

test('an event carries the members of the client and its scope', async () => {
  const client = start({ release: 'shop@1', dist: '7', environment: 'test' })
  withScope((scope) => {
    scope.setTags({ area: 'cart' })
    scope.setUser({ id: 'u-1' })
    scope.setContext('order', { lines: 3 })
    scope.setLevel('fatal')
    client.capture({ message: 'inside' }, { context: { tags: { step: 'pay' } } })
  })
  client.capture({ message: 'outside' })
  await client.flush()
  const [inside, outside] = network.events()
  expect(inside).toMatchObject({
    tags: { area: 'cart', step: 'pay' },
    user: { id: 'u-1' },
    level: 'fatal',
    platform: 'javascript',
    release: 'shop@1',
    dist: '7',
    environment: 'test',
    contexts: { order: { lines: 3 }, trace: { trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) } },
  })
  expect(outside).toMatchObject({ tags: {}, level: 'error' })
  expect(outside).not.toHaveProperty('user')
})

test.each([
  [undefined, { a: { b: { c: '[Object]' } } }],
  [3, { a: { b: { c: '[Object]' } } }],
  [4, { a: { b: { c: { d: '[Object]' } } } }],
  [0, '[Object]'],
  [NaN, '[Object]'],
  [-1, '[Object]'],
  [11, { a: { b: { c: { d: { e: { f: { g: { h: { i: { j: '[Object]' } } } } } } } } } }],
])('with normalizeDepth %s, data is kept as %j', async (normalizeDepth, kept) => {
  const a = { b: { c: { d: { e: { f: { g: { h: { i: { j: { k: 'deep' } } } } } } } } } }
  const client = start({ normalizeDepth } as Options)
  client.addBreadcrumb({ data: { it: { a } } })
  client.capture({ message: 'hello' }, { context: { extra: { it: { a } } } })
  await client.flush()
  const [event] = network.events()
  expect(event?.extra?.['it']).toEqual(kept)
  expect(event?.breadcrumbs?.[0]?.data?.['it']).toEqual(kept)
  setDepth()
})

test('an error of a callback of withScope reaches the page, and the scope is gone', () => {
  expect(() =>
    withScope(() => {
      throw new Error('of the page')
    }),
  ).toThrow('of the page')
  expect(getScope().data.tags).toBeUndefined()
})

test.each([
  [100, 'crumb 0', 100],
  [101, 'crumb 1', 100],
  [250, 'crumb 150', 100],
])('S12 of %i breadcrumbs the newest 100 stay', async (count, first, kept) => {
  const client = start()
  for (let index = 0; index < count; index += 1) client.addBreadcrumb({ message: `crumb ${index}` })
  client.capture({ message: 'now' })
  await client.flush()
  const crumbs = network.events()[0]?.breadcrumbs
  expect(crumbs).toHaveLength(kept)
  expect(crumbs?.[0]?.message).toBe(first)
  expect(crumbs?.at(-1)?.message).toBe(`crumb ${count - 1}`)
})

test.each([
  [0, 0],
  [-1, 0],
  [3, 3],
  [1000, 100],
])('S12 maxBreadcrumbs %i keeps %i of 120', async (maxBreadcrumbs, kept) => {
  const client = start({ maxBreadcrumbs })
  for (let index = 0; index < 120; index += 1) client.addBreadcrumb({ message: `${index}` })
  expect(getScope().breadcrumbs).toHaveLength(kept)
})

test.each([
  [2048, 2048],
  [2049, 2051],
  [5000, 2051],
])('S14 a message of %i characters is sent as %i', async (length, sent) => {
  const client = start()
  client.addBreadcrumb({ message: 'm'.repeat(length) })
  client.capture({ message: 'm'.repeat(length) })
  await client.flush()
  const [event] = network.events()
  for (const text of [event?.message, event?.breadcrumbs?.[0]?.message]) {
    expect(text).toHaveLength(sent)
    expect(text?.endsWith('...')).toBe(length > 2048)
  }
})

test('a breadcrumb may be changed or discarded by beforeBreadcrumb', () => {
  const seen: string[] = []
  const client = start(
    { beforeBreadcrumb: (crumb) => (crumb.message === 'no' ? null : { ...crumb, message: 'yes' }) },
    [{ name: 'listener', breadcrumb: (crumb) => seen.push(crumb.message ?? '') }],
  )
  client.addBreadcrumb({ message: 'no' })
  client.addBreadcrumb({ message: 'maybe' })
  expect(getScope().breadcrumbs.map((it) => it.message)).toEqual(['yes'])
  expect(seen).toEqual(['yes'])
})

test('beforeSend may change, discard, resolve later, and fail; each loss is counted', async () => {
  const client = start({
    beforeSend: (event) => {
      if (event.message === 'null') return null
      if (event.message === 'throws') throw new Error('of the page')
      if (event.message === 'rejects') return Promise.reject(new Error('of the page'))
      if (event.message === 'later') return Promise.resolve({ ...event, message: 'came later' })
      return { ...event, message: 'changed' }
    },
  })
  for (const message of ['plain', 'null', 'throws', 'rejects', 'later']) client.capture({ message })
  await vi.waitFor(() => expect(network.events()).toHaveLength(2))
  expect(network.events().map((it) => it.message)).toEqual(['changed', 'came later'])
  expect(discards(client)).toEqual({ 'before_send:error': 1, 'callback_error:error': 2 })
})

test('integrations see an event in order; one that throws is skipped, null discards', async () => {
  const client = start({}, [
    { name: 'first', processEvent: (event) => ({ ...event, message: `${event.message} 1` }) },
    {
      name: 'broken',
      processEvent: () => {
        throw new Error('ours')
      },
    },
    { name: 'last', processEvent: (event) => (event.message === 'drop 1' ? null : event) },
  ])
  client.capture({ message: 'keep' })
  client.capture({ message: 'drop' })
  await client.flush()
  expect(network.events().map((it) => it.message)).toEqual(['keep 1'])
  expect(discards(client)).toEqual({ 'event_processor:error': 1 })
})

test('a discarded transaction counts its spans too', () => {
  const client = start({}, [{ name: 'filter', processEvent: () => null }])
  const counts = { transaction: 1, span: 3 }
  client.capture({ type: 'transaction', transaction: '/404', spans: [{}, {}] }, { counts })
  expect(discards(client)).toEqual({
    'event_processor:transaction': 1,
    'event_processor:span': 3,
  })
})

test.each([
  [0.4999, 1],
  [0.5, 0],
])('with a sample rate of 0.5 and a roll of %f, %i errors go', async (roll, sent) => {
  vi.spyOn(Math, 'random').mockReturnValue(roll)
  const client = start({ sampleRate: 0.5 })
  client.capture({ message: 'error' })
  await client.flush()
  expect(network.events()).toHaveLength(sent)
  expect(client.discards.get('sample_rate:error') ?? 0).toBe(1 - sent)
  vi.restoreAllMocks()
})

test('integrations receive the fate of an event', async () => {
  const answers: unknown[] = []
  const client = start({}, [
    { name: 'listener', afterSend: (event, answer) => answers.push([event.message, answer]) },
  ])
  client.capture({ message: 'one' })
  await client.flush()
  network.answer = new TypeError('Failed to fetch')
  client.capture({ message: 'two' })
  await vi.waitFor(() => expect(answers).toHaveLength(2))
  expect(answers).toEqual([
    ['one', { status: 200 }],
    ['two', { status: 0, reason: 'network_error' }],
  ])
})

test('an event that is too large goes without breadcrumbs and extra', async () => {
  const client = start()
  client.capture({ message: 'large', extra: { text: 'x'.repeat(1_100_000) } })
  await client.flush()
  expect(network.events()[0]).toMatchObject({ message: 'large' })
  expect(network.events()[0]).not.toHaveProperty('extra')
})

test('data that cannot be serialised is counted and not thrown', () => {
  const client = start()
  expect(() => client.capture({ message: 'odd', odd: 1n })).not.toThrow()
  expect(discards(client)).toEqual({ 'callback_error:error': 1 })
})

test('close undoes the set-up in reverse, and captures nothing more', async () => {
  const undone: string[] = []
  const client = start({}, [
    { name: 'one', setup: () => [() => undone.push('one')] },
    { name: 'two', setup: () => [() => undone.push('two a'), () => undone.push('two b')] },
  ])
  client.capture({ message: 'before' })
  expect(await client.close()).toBe(true)
  client.capture({ message: 'after' })
  client.addBreadcrumb({ message: 'after' })
  await client.flush()
  expect(undone).toEqual(['two b', 'two a', 'one'])
  expect(network.events().map((it) => it.message)).toEqual(['before'])
  expect(getScope().breadcrumbs).toEqual([])
})

test('flush returns false when the network takes longer', async () => {
  const client = start()
  const slow = Promise.withResolvers<Response>()
  network.answer = () => slow.promise
  client.capture({ message: 'slow' })
  vi.useFakeTimers()
  const flushed = client.flush(100)
  await vi.advanceTimersByTimeAsync(100)
  expect(await flushed).toBe(false)
  slow.resolve(new Response())
})

test('an event is in flight before capture returns', () => {
  const client = start()
  deliver(client, { message: 'now' }, {}, createScope())
  expect(network.requests).toHaveLength(1)
})
