import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ProcessedItem } from '../../../storage/events/port.ts'
import { envelopeOf, itemContext } from '../../../testing/recorded-items.ts'
import { processError } from '../error/index.ts'
import { processSecurity } from './index.ts'

function processed(body: unknown, item: Record<string, unknown> = {}): ProcessedItem {
  const envelope = envelopeOf('raw_security', body, { item })
  return processSecurity(envelope.items[0]!, itemContext(envelope, 0))
}

function errorRows(result: ProcessedItem) {
  return result.rows.flatMap((row) => (row.table === 'errors' ? [row] : []))
}

function titleOf(report: Record<string, unknown>): string | null | undefined {
  return errorRows(processed({ 'csp-report': report }))[0]?.columns.title
}

const report = {
  'document-uri': 'https://shop.test/pay?token=abc',
  'violated-directive': 'script-src-elem https://cdn.test',
  'effective-directive': 'script-src-elem',
  'blocked-uri': 'https://evil.test/x.js?y=1',
}

test('a report becomes an error row, with what the item header says of it', () => {
  const result = processed(
    { 'csp-report': report },
    { sentry_release: 'a@1', sentry_environment: 'prod' },
  )
  const [row] = errorRows(result)
  expect(row?.columns).toMatchObject({
    type: 'csp',
    title: "Blocked 'script' from 'evil.test'",
    culprit: 'script-src-elem https://cdn.test',
    release: 'a@1',
    environment: 'prod',
    url: 'https://shop.test/pay',
    level: 'error',
    browser: 'Chrome 156',
  })
  expect(row?.tags).toMatchObject({
    'effective-directive': 'script-src-elem',
    'blocked-uri': 'https://evil.test/x.js',
  })
  expect(row?.payload).not.toContain('abc')
  expect(result.effects.map(({ type }) => type)).toEqual(['issue', 'release'])
})

describe('titles', () => {
  test.each([
    [{ 'blocked-uri': 'inline' }, "Blocked inline 'script'"],
    [{ 'blocked-uri': "'unsafe-eval'" }, "Blocked eval in 'script'"],
    [{ 'blocked-uri': 'eval' }, "Blocked eval in 'script'"],
    [{ 'blocked-uri': 'data' }, "Blocked 'script' from 'data:'"],
    [{ 'blocked-uri': 'blob:' }, "Blocked 'script' from 'blob:'"],
    [{ 'blocked-uri': 'https://shop.test/own.js' }, "Blocked 'script' from 'self'"],
    [{ 'blocked-uri': '' }, "Blocked 'script'"],
    [{ 'effective-directive': 'img-src' }, "Blocked 'image' from 'evil.test'"],
    [{ 'effective-directive': 'constructor' }, "Blocked 'constructor' from 'evil.test'"],
    [{ 'effective-directive': 'trusted-types' }, "Blocked 'trusted-types' from 'evil.test'"],
  ])('%j', (more, title) => expect(titleOf({ ...report, ...more })).toBe(title))
})

function hash(more: Record<string, unknown>): string | null | undefined {
  return errorRows(processed({ 'csp-report': { ...report, ...more } }))[0]?.columns.groupingHash
}

test('one directive and one source are one issue, whatever the page', () => {
  expect(hash({ 'document-uri': 'https://shop.test/cart' })).toBe(hash({}))
  expect(hash({ 'blocked-uri': 'https://evil.test/z.js' })).toBe(hash({}))
  expect(hash({ 'blocked-uri': 'https://other.test/z.js' })).not.toBe(hash({}))
})

test('violations by the page itself are one issue for each host', () => {
  const self = { 'blocked-uri': 'self' }
  const other = { ...self, 'document-uri': 'https://other.test/' }
  expect(hash({ ...self, 'document-uri': 'https://shop.test/cart' })).toBe(hash(self))
  expect(hash(other)).not.toBe(hash(self))
  expect(hash({ ...other, 'blocked-uri': 'https://other.test/x.js' })).toBe(hash(other))
})

test('an array of the Reporting API is one row for each report it knows', () => {
  const body = {
    documentURL: 'https://shop.test/',
    blockedURL: 'https://evil.test/x.css',
    effectiveDirective: 'style-src-elem',
  }
  const agent = 'Mozilla/5.0 (Windows NT 10.0; rv:130.0) Gecko/20100101 Firefox/130.0'
  const result = processed([
    { type: 'csp-violation', age: 1, user_agent: agent, body },
    { type: 'deprecation', body: {} },
    { type: 'csp-violation', body: { ...body, blockedURL: 'inline' } },
  ])
  expect(result).toMatchObject({ quantity: 2, refusal: null })
  const rows = errorRows(result)
  expect(rows.map(({ columns }) => columns.title)).toEqual([
    "Blocked 'style' from 'evil.test'",
    "Blocked inline 'style'",
  ])
  expect(rows[0]?.columns.browser).toBe('Firefox 130')
  expect(new Set(rows.map(({ columns }) => columns.eventId)).size).toBe(2)
})

test('key pinning, and the interface that old SDKs sent, are read too', () => {
  const pinning = processed({ 'known-pins': ['pin-sha256="x"'], hostname: 'shop.test', port: 443 })
  expect(errorRows(pinning)[0]?.columns).toMatchObject({
    type: 'hpkp',
    title: "Public key pinning validation failed for 'shop.test'",
  })
  const legacy = envelopeOf('event', {
    'sentry.interfaces.Csp': { blocked_uri: 'inline', effective_directive: 'script-src' },
  })
  const [row] = errorRows(processError(legacy.items[0]!, itemContext(legacy, 0)))
  expect(row?.columns).toMatchObject({ type: 'csp', title: "Blocked inline 'script'" })
})

test.each([[{}], [[]], ['x'], [{ 'csp-report': 'x' }], [[{ type: 'csp-violation' }]]])(
  '%j holds no report',
  (body) => {
    expect(processed(body).refusal).toMatchObject({ outcome: 'invalid', reason: 'invalid_payload' })
  },
)

test('any JSON in a report becomes rows or a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const body of [
        value,
        { 'csp-report': value },
        [{ type: 'csp-violation', body: value }],
      ]) {
        const { rows, refusal } = processed(body)
        expect(rows.length > 0 || refusal !== null).toBe(true)
      }
    }),
  )
})
