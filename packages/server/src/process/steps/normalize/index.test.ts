import { createHash } from 'node:crypto'
import type { EventType, NormalizedEvent } from '@afterimage/protocol/event'
import { isRefusal } from '@afterimage/protocol/outcome'
import { expect, test } from 'vitest'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import type { ItemContext } from '../../items/item.ts'
import { normalizeEvent } from './index.ts'

const receivedAt = Date.parse('2026-11-20T08:00:00Z')
const chrome =
  'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

function normalized(
  raw: Record<string, unknown>,
  more: Partial<ItemContext> = {},
  type: EventType | null = null,
): NormalizedEvent {
  const context = itemContext(envelopeOf('event', raw), 0, { receivedAt, ...more })
  const event = normalizeEvent(raw, context, type)
  if (isRefusal(event)) throw new Error(event.detail)
  return event
}

test.each([null, 'x', 7, [[]]])('%j is not a valid event', (raw) => {
  const refusal = normalizeEvent(raw, itemContext(envelopeOf('event', raw), 0))
  expect(refusal).toMatchObject({ outcome: 'invalid', reason: 'invalid_payload' })
})

test('an event that says nothing is one of its receipt', () => {
  const context = { envelopeHash: 'h', index: 3 }
  expect(normalized({}, context)).toEqual({
    event_id: createHash('sha256').update('h/3').digest('hex').slice(0, 32),
    type: 'default',
    timestamp: receivedAt,
    client_timestamp: receivedAt,
    received: receivedAt,
    platform: 'other',
    level: 'error',
    tags: {},
    contexts: {},
  })
})

test('everything of one shape is kept under its name', () => {
  const raw = {
    event_id: 'ab'.repeat(16),
    platform: 'node',
    level: 'warning',
    logger: 'l',
    transaction: '/a',
    culprit: 'c',
    server_name: 's',
    site: 'i',
    checksum: 'k',
    release: 'a@1',
    dist: '7',
    environment: 'prod',
    fingerprint: ['x', 7, null, ''],
    extra: { a: 1 },
    modules: { m: '1' },
  }
  expect(normalized(raw)).toMatchObject({ ...raw, fingerprint: ['x', '7'] })
  expect(normalized({ ...raw, level: 'loud' }).level).toBe('error')
})

test.each([
  ['{{ default }}', ['{{ default }}']],
  [[], undefined],
  [[null], undefined],
  [null, undefined],
  [
    Array.from({ length: 33 }, (_, index) => `p${index}`),
    Array.from({ length: 32 }, (_, index) => `p${index}`),
  ],
])('the fingerprint %j is %j', (fingerprint, expected) => {
  expect(normalized({ fingerprint }).fingerprint).toEqual(expected)
})

test.each<[Record<string, unknown>, EventType | null, EventType, string]>([
  [{}, null, 'default', 'error'],
  [{ exception: [{ type: 'E' }] }, null, 'error', 'error'],
  [{ 'sentry.interfaces.Exception': [{ type: 'E' }] }, null, 'error', 'error'],
  [{ type: 'transaction' }, null, 'transaction', 'info'],
  [{ type: 'feedback' }, 'error', 'feedback', 'info'],
  [{ type: 'replay_event' }, null, 'replay_event', 'info'],
  [{}, 'replay_event', 'replay_event', 'info'],
  [{ type: 'error' }, null, 'default', 'error'],
  [{ type: 'default', exception: {} }, null, 'error', 'error'],
  [{ type: 'unheard_of' }, null, 'default', 'error'],
  [{ type: 7 }, null, 'default', 'error'],
  [{ csp: {} }, null, 'csp', 'error'],
  [{ hpkp: {} }, null, 'hpkp', 'error'],
  [{ expectct: {} }, null, 'expectct', 'error'],
  [{ expectstaple: {} }, null, 'expectstaple', 'error'],
  [{ 'sentry.interfaces.Csp': {} }, null, 'csp', 'error'],
])('%j, by default %s, is of the type %s and the level %s', (raw, byDefault, type, level) => {
  expect(normalized(raw, {}, byDefault)).toMatchObject({ type, level })
})

test('the id of the envelope counts before the event’s own; one that is not valid is named', () => {
  const header = { event_id: 'ab'.repeat(16) }
  const own = { event_id: 'cd'.repeat(16) }
  expect(normalized(own, { header }).event_id).toBe(header.event_id)
  expect(normalized(own).event_id).toBe(own.event_id)
  const invalid = normalized({ event_id: 'x' })
  expect(invalid.event_id).toMatch(/^[0-9a-f]{32}$/)
  expect(invalid.errors).toEqual([{ type: 'invalid_data', name: 'event_id', value: 'x' }])
  expect(normalized({ event_id: null })).not.toHaveProperty('errors')
})

test('the environment is not a tag, and counts before one', () => {
  expect(normalized({ tags: { environment: 'tag', a: 'b' } })).toMatchObject({
    environment: 'tag',
    tags: { a: 'b' },
  })
  const both = normalized({ environment: 'own', tags: { environment: 'tag' } })
  expect([both.environment, both.tags]).toEqual(['own', {}])
})

test('members are found under the names that old SDKs gave them', () => {
  const event = normalized({
    ['sentry.interfaces.Http']: { method: 'get' },
    ['sentry.interfaces.Contexts']: { app: { a: 1 } },
    ['sentry.interfaces.Message']: { formatted: 'm' },
    ['sentry.interfaces.Stacktrace']: { frames: [{ function: 'f' }] },
    ['sentry.interfaces.Threads']: [{ id: 1 }],
    ['sentry.interfaces.Breadcrumbs']: [{ message: 'b' }],
    ['sentry.interfaces.User']: { id: '7' },
  })
  expect(event).toMatchObject({
    request: { method: 'GET' },
    contexts: { app: { a: 1 } },
    logentry: { formatted: 'm' },
    stacktrace: { frames: [{ function: 'f' }] },
    threads: [{ id: 1 }],
    breadcrumbs: [{ message: 'b' }],
    user: { id: '7' },
  })
})

test('a stack trace belongs to the only exception without one, else to the event', () => {
  const stacktrace = { frames: [{ function: 'f' }] }
  const adopted = normalized({ exception: [{ type: 'E' }], stacktrace })
  expect(adopted.exception?.[0]?.stacktrace?.frames).toHaveLength(1)
  expect(adopted).not.toHaveProperty('stacktrace')
  const beside = normalized({ exception: [{ type: 'E' }, { type: 'F' }], stacktrace })
  expect(beside.exception?.[0]).toEqual({ type: 'E' })
  expect(beside.stacktrace?.frames).toHaveLength(1)
})

test('all times of an event are moved as it is', () => {
  const sent = receivedAt / 1000 - 7200
  const raw = { timestamp: sent, breadcrumbs: [{ timestamp: sent - 1 }] }
  const event = normalized(raw, { clockDriftMs: 7_200_000 })
  expect(event.timestamp).toBe(receivedAt)
  expect(event.client_timestamp).toBe(receivedAt - 7_200_000)
  expect(event.breadcrumbs?.[0]?.timestamp).toBe(receivedAt - 1000)
})

function browserOf(raw: Record<string, unknown>, userAgent: string | null = chrome): unknown {
  return normalized(raw, { userAgent }).contexts['browser']?.['name']
}

test('the User-Agent is the request’s, and the sender’s only of a browser', () => {
  expect(browserOf({ platform: 'javascript' })).toBe('Chrome')
  expect(browserOf({ platform: 'node' })).toBeUndefined()
  expect(browserOf({ platform: 'javascript' }, null)).toBeUndefined()
  const request = {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; rv:126.0) Gecko/20100101 Firefox/126.0' },
  }
  expect(browserOf({ platform: 'node', request })).toBe('Firefox')
  expect(browserOf({ platform: 'javascript', request })).toBe('Firefox')
})

test('the SDK and the request say whose address is stored', () => {
  const context = itemContext(envelopeOf('event', {}), 0)
  const scrubbing = { ...context.scrubbing, storeIpAddresses: true }
  const addressOf = (raw: Record<string, unknown>) =>
    normalized(raw, { scrubbing }).user?.ip_address
  expect(addressOf({ request: { env: { REMOTE_ADDR: '203.0.113.1' } } })).toBe('203.0.113.1')
  expect(addressOf({ sdk: { name: 'x', settings: { infer_ip: 'auto' } } })).toBe(
    context.remoteAddress,
  )
  expect(addressOf({ platform: 'javascript' })).toBe(context.remoteAddress)
  expect(addressOf({})).toBeUndefined()
})

test('the SDK of the envelope is that of an event which names none', () => {
  const header = { sdk: { name: 'h', version: '2' } } as ItemContext['header']
  expect(normalized({}, { header }).sdk).toEqual({ name: 'h', version: '2' })
})

test('problems found here are named after those of the SDK', () => {
  const errors = [{ type: 't', name: 'n' }]
  expect(normalized({ errors, release: 'a/b' }).errors).toEqual([
    { type: 't', name: 'n' },
    { type: 'invalid_data', name: 'release', value: 'a/b' },
  ])
})
