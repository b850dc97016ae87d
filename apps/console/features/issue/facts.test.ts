import { expect, test } from 'vitest'
import { factsOf, personOf } from './facts.ts'
import { sampleEvent } from './sample-event.fixture.ts'

test('the facts of an event from tags, contexts and the request', () => {
  const event = sampleEvent({
    tags: [{ key: 'url', value: 'https://shop.example/checkout?step=2' }],
    contexts: {
      browser: { name: 'Safari', version: '17.6' },
      os: { name: 'macOS', version: '15' },
    },
    user: {
      id: '7',
      email: 'ada@shop.example',
      username: null,
      name: null,
      ip_address: null,
      data: {},
    },
    traceId: '4b1e'.repeat(8),
  })
  expect(factsOf(event)).toEqual([
    { label: 'Page', value: '/checkout?step=2' },
    { label: 'Person', value: 'ada@shop.example' },
    { label: 'Browser', value: 'Safari 17.6, macOS 15' },
    { label: 'Release', value: '2.14.0' },
    { label: 'Environment', value: 'production' },
    { label: 'Trace', value: '4b1e…1e', href: `/traces/${'4b1e'.repeat(8)}` },
  ])
})

test('unknown facts are left out', () => {
  expect(factsOf(sampleEvent({ tags: [], release: null, environment: null }))).toEqual([])
})

test('a person without a name is a short id', () => {
  const user = { email: null, username: null, name: null, ip_address: '10.0.0.1', data: {} }
  expect(personOf({ user: { ...user, id: '81f4c2d3e4f5a6b7c8d9e0f1' } })).toBe('81f4c2…f1')
  expect(personOf({ user: { ...user, id: null } })).toBe('10.0.0.1')
  expect(personOf({ user: null })).toBeNull()
})
