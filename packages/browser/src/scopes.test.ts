import { close, start } from '@afterimage/sdk-core/api'
import { createClient } from '@afterimage/sdk-core/client'
import { createScope, getScope } from '@afterimage/sdk-core/scope'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addEventProcessor, getIsolationScope, withIsolationScope } from './scopes.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
})

afterEach(() => {
  vi.unstubAllGlobals()
})

test('processors run from the outermost scope to the current one, after integrations', async () => {
  const scope = createScope()
  addEventProcessor((event) => ({ ...event, message: `${event.message} outer` }), scope)
  const inner = createScope(scope)
  addEventProcessor((event) => ({ ...event, message: `${event.message} inner` }), inner)
  const client = createClient(
    { dsn, beforeSend: (event) => ({ ...event, message: `${event.message} last` }) },
    [{ name: 'first', processEvent: (event) => ({ ...event, message: 'first' }) }],
  )!
  client.capture({ message: 'error' }, {}, inner)
  client.capture({ message: 'error' }, {}, scope)
  client.capture({ type: 'transaction', message: 'transaction' }, {}, createScope())
  await client.flush()
  expect(network.events().map((it) => it.message)).toEqual([
    'first outer inner last',
    'first outer last',
  ])
})

test('an event that a processor discards, or fails at, is not sent but counted', () => {
  const client = createClient({ dsn }, [])!
  const scope = createScope()
  addEventProcessor((event, hint) => {
    if (hint.originalException) throw new Error('of the page')
    return event.type ? null : event
  }, scope)
  client.capture({ message: 'sent' }, {}, scope)
  client.capture({ type: 'transaction', transaction: '/' }, {}, scope)
  client.capture({ message: 'fails' }, { originalException: 'thrown' }, scope)
  expect(network.requests).toHaveLength(1)
  expect(Object.fromEntries(client.discards)).toEqual({
    'event_processor:transaction': 1,
    'event_processor:error': 1,
  })
})

test('data of the isolation outlives its callback, that of the current scope does not', () => {
  const answer = withIsolationScope((isolation) => {
    expect(isolation).toBe(getIsolationScope())
    isolation.setTag('stays', true)
    getScope().setTag('goes', true)
    return getScope().data.tags
  })
  expect(answer).toEqual({ stays: true, goes: true })
  expect(getScope().data.tags).toEqual({ stays: true })
})

test('a processor of the page sees every event, of later scopes and clients as well', async () => {
  addEventProcessor((event) => ({ ...event, message: `${event.message}, seen` }))
  withIsolationScope(() => start({ dsn }, [])?.capture({ message: 'inside' }))
  start({ dsn }, [])?.capture({ message: 'of a later client' })
  await close()
  expect(network.events().map((it) => it.message)).toEqual([
    'inside, seen',
    'of a later client, seen',
  ])
})
