import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeContainer, isContainer } from './container.ts'
import type { EnvelopeItem, ItemHeader } from './envelope.ts'
import { containerItemsMax } from './limits.ts'
import { isRefusal } from './outcome.ts'

function item(header: ItemHeader, payload: unknown): EnvelopeItem {
  return { header, payload: new TextEncoder().encode(JSON.stringify(payload)) }
}

const log = { type: 'log', item_count: 1 }

test('a container has a version, what may be added about the sender, and items', () => {
  const settings = { infer_ip: 'auto', infer_user_agent: 'never' }
  const payload = { version: 2, ingest_settings: settings, items: [{ body: 'x' }] }
  expect(decodeContainer(item(log, payload))).toEqual({
    version: 2,
    settings: { inferIp: 'auto', inferUserAgent: 'never' },
    items: [{ body: 'x' }],
  })
})

test('an older container has neither, and nothing is added about its sender', () => {
  const settings = { inferIp: 'never', inferUserAgent: 'never' }
  expect(decodeContainer(item(log, { items: [1] }))).toEqual({
    version: null,
    settings,
    items: [1],
  })
  expect(decodeContainer(item({ type: 'log' }, { items: [], ingest_settings: 'auto' }))).toEqual({
    version: null,
    settings,
    items: [],
  })
})

test.each([
  ['fewer items than stated', { items: [] }, 'item_count_mismatch'],
  ['more items than stated', { items: [1, 2] }, 'item_count_mismatch'],
  ['no items', {}, 'missing_field'],
  ['items that are no list', { items: { length: 1 } }, 'missing_field'],
  ['a list instead', [1], 'invalid_json'],
])('%s: the container is refused', (_name, payload, reason) => {
  expect(decodeContainer(item(log, payload))).toMatchObject({ reason })
})

test('a container has an end', () => {
  const payload = { items: Array.from({ length: containerItemsMax + 1 }, () => 0) }
  expect(decodeContainer(item({ type: 'log' }, payload))).toMatchObject({ reason: 'too_large' })
})

test('a span item is a container when its header says so', () => {
  const streamed = 'application/vnd.sentry.items.span.v2+json'
  expect(isContainer(item({ type: 'span' }, {}))).toBe(false)
  expect(isContainer(item({ type: 'span', content_type: 'application/json' }, {}))).toBe(false)
  expect(isContainer(item({ type: 'span', content_type: streamed }, {}))).toBe(true)
  expect(isContainer(item({ type: 'span', content_type: `${streamed}; charset=utf-8` }, {}))).toBe(
    true,
  )
  expect(isContainer(item({ type: 'span', item_count: 0 }, {}))).toBe(true)
  expect(isContainer(item({ type: 'event', item_count: 1 }, {}))).toBe(false)
})

test('any JSON gives a container or a refusal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (payload) => {
      const container = decodeContainer(item({ type: 'log' }, payload))
      expect(isRefusal(container) || Array.isArray(container.items)).toBe(true)
    }),
  )
})
