import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { isContainer, readContainer } from './container.ts'
import type { EnvelopeItem, ItemHeader } from './envelope.ts'
import { isRefusal } from './outcome.ts'

function item(header: ItemHeader, payload: unknown): EnvelopeItem {
  return { header, payload: new TextEncoder().encode(JSON.stringify(payload)) }
}

const log = { type: 'log', item_count: 1 }

test('a container has items, and what may be added about the sender', () => {
  const settings = { infer_ip: 'auto', infer_user_agent: 'never' }
  const payload = { version: 2, ingest_settings: settings, items: [{ body: 'x' }] }
  expect(readContainer(payload, log)).toEqual({ settings, items: [{ body: 'x' }], surplus: 0 })
})

test('an older container has no settings, or is a bare list', () => {
  const opened = { settings: null, items: [1], surplus: 0 }
  expect(readContainer({ items: [1] }, log)).toEqual(opened)
  expect(readContainer([1], { type: 'log' })).toEqual(opened)
  expect(readContainer({ items: [1], ingest_settings: 'auto' }, log)).toEqual(opened)
})

test.each([
  ['fewer items than stated', { items: [] }, 'item_count_mismatch'],
  ['more items than stated', { items: [1, 2] }, 'item_count_mismatch'],
  ['no items', {}, 'invalid_payload'],
  ['items that are not a list', { items: { length: 1 } }, 'invalid_payload'],
  ['a text instead', 'items', 'invalid_payload'],
])('%s: the container is refused', (_name, payload, reason) => {
  expect(readContainer(payload, log)).toMatchObject({ reason })
})

test('a container has an end, and what is beyond it is counted', () => {
  expect(readContainer({ items: [1, 2, 3] }, { type: 'log' }, 2)).toMatchObject({
    items: [1, 2],
    surplus: 1,
  })
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
      const container = readContainer(payload, { type: 'log' })
      expect(isRefusal(container) || Array.isArray(container.items)).toBe(true)
    }),
  )
})
