import { formatDsn, parseDsn as parseDsnOfProtocol } from '@afterimage/protocol/dsn'
import { decodeEnvelope } from '@afterimage/protocol/envelope'
import { categoryOfItemType } from '@afterimage/protocol/item-type'
import { isRefusal } from '@afterimage/protocol/outcome'
import {
  isRateLimited,
  updateRateLimits as updateOfProtocol,
} from '@afterimage/protocol/rate-limits'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { envelopeAddress, parseDsn } from './dsn.ts'
import { categoryOf, encodeEnvelope } from './envelope.ts'
import { updateRateLimits } from './rate-limits.ts'
import type { RateLimits } from './rate-limits.ts'
import { sdk } from './version.ts'

/** The client's lean readers and writers against those of the protocol. */

const key = 'a'.repeat(32)

test.each([
  `https://${key}@errors.test/42`,
  `http://${key}@localhost:9000/1`,
  `https://${key}:secret@errors.test/base/path/42`,
  `https://${key}@o77.ingest.de.sentry.io/450`,
  `https://${key}@[::1]:9000/1`,
  `https://${key}@errors.test/`,
  `https://${key}@errors.test/abc`,
  `https://${key}@errors.test/0`,
  `https://errors.test/42`,
  `ftp://${key}@errors.test/42`,
  'nonsense',
  '',
])('reads the DSN %s as the protocol does', (text) => {
  const theirs = parseDsnOfProtocol(text)
  const ours = parseDsn(text)
  if (isRefusal(theirs)) expect(ours).toBeNull()
  else {
    const { secretKey: _, ...plain } = theirs
    expect(ours).toEqual(plain)
    expect(text.replace(/:[^:@/]*@/, '@')).toBe(formatDsn(theirs))
  }
})

test.each([
  [`https://${key}@errors.test/42`, {}, '/monitoring?o=1&p=42'],
  [`https://${key}@o77.ingest.sentry.io/42`, {}, '/monitoring?o=77&p=42'],
  [`https://${key}@o77.ingest.de.sentry.io/42`, {}, '/monitoring?o=77&p=42&r=de'],
  [`https://${key}@errors.test/42`, { region: 'us' }, '/monitoring?o=1&p=42&r=us'],
  [`https://${key}@errors.test/42`, { tunnelPath: '/t' }, '/t?o=1&p=42'],
  [`https://${key}@errors.test/42`, { tunnel: 'https://a.test/t' }, 'https://a.test/t?o=1&p=42'],
  [
    `https://${key}@errors.test:8443/base/42`,
    { tunnel: false },
    `https://errors.test:8443/base/api/42/envelope/?sentry_version=7&sentry_key=${key}&sentry_client=afterimage.javascript.browser%2F${sdk.version}`,
  ],
])('S7 %s with %j goes to %s', (dsn, options, address) => {
  const parsed = parseDsn(dsn)
  expect(parsed && envelopeAddress(parsed, { dsn, ...options })).toBe(address)
})

test('what it writes is read back as it was', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          type: fc.constantFrom('event', 'attachment', 'replay_recording'),
          payload: fc.oneof(fc.string(), fc.uint8Array()),
        }),
        { maxLength: 5 },
      ),
      (items) => {
        const envelope = decodeEnvelope(
          encodeEnvelope(
            { event_id: key },
            items.map(({ type, payload }) => ({ header: { type }, payload })),
          ),
        )
        if (isRefusal(envelope)) throw new Error(envelope.detail)
        expect(envelope.items.map((it) => [it.header.type, [...it.payload]])).toEqual(
          items.map(({ type, payload }) => [type, [...Buffer.from(payload)]]),
        )
      },
    ),
  )
})

test.each([
  'event',
  'transaction',
  'span',
  'session',
  'feedback',
  'attachment',
  'client_report',
  'replay_event',
  'replay_recording',
])('items of type %s count under the category of the protocol', (type) => {
  expect(categoryOf(type)).toBe(categoryOfItemType(type))
})

const now = 1_800_000_000_000

test('rate limits are read as the protocol reads them', () => {
  const wait = fc.oneof(fc.nat(200_000).map(String), fc.constantFrom('', '1.5', '-1', 'x', '1e9'))
  const names = fc
    .subarray(['error', 'session', 'replay', 'transaction'])
    .map((list) => list.join(';'))
  const header = fc
    .array(fc.tuple(wait, names, fc.constantFrom('', ':key', ':organization:quota', ' ')))
    .map((entries) => entries.map(([wait, names, rest]) => `${wait}:${names}${rest}`).join(', '))
    .map((text) => (text === '30:' ? ' 30 , ,' : text))
  const retryAfter = fc.constantFrom(
    null,
    '30',
    'soon',
    '',
    ...[-5000, 0, 5000].map((ms) => new Date(now + ms).toUTCString()),
  )
  fc.assert(
    fc.property(header, retryAfter, fc.constantFrom(200, 429), (text, after, status) => {
      const limits: RateLimits = new Map()
      const headers = new Headers()
      if (text !== '') headers.set('x-sentry-rate-limits', text)
      if (after !== null) headers.set('retry-after', after)
      updateRateLimits(limits, new Response('', { status, headers }), now)
      const state = updateOfProtocol(
        {},
        { status, rateLimits: text || null, retryAfter: after, nowMs: now },
      )
      for (const type of ['event', 'session', 'replay_event', 'transaction']) {
        for (const later of [0, 999, 4999, 5000, 29_999, 30_000, 59_999, 60_000, 200_000_000]) {
          const until = Math.max(limits.get('') ?? 0, limits.get(categoryOf(type)) ?? 0)
          expect(until > now + later, `${text} ${after} ${status} ${type} ${later}`).toBe(
            isRateLimited(state, type, now + later),
          )
        }
      }
    }),
  )
})

test('a wait until this very moment is none', () => {
  const limits: RateLimits = new Map()
  const headers = { 'retry-after': new Date(now).toUTCString() }
  updateRateLimits(limits, new Response('', { status: 429, headers }), now)
  expect(limits.get('')).toBe(now)
})

test('the client calls itself by the version of its manifest', () => {
  expect(sdk.version).toBe(manifest.version)
})
