import { close, getClient, start } from '@afterimage/sdk-core/api'
import type { Integration } from '@afterimage/sdk-core/integration'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deliverFeedback } from './deliver-feedback.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  vi.stubGlobal('document', { referrer: '' })
  vi.stubGlobal('location', { href: 'https://shop.test/cart' })
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

const words = { message: 'I could not pay' }

/** An integration that discards feedback. */
const discarding: Integration = {
  name: 'discarding',
  processEvent: (event) => (event.type === 'feedback' ? null : event),
}

test('feedback that the server takes is sent', async () => {
  start({ dsn }, [])
  expect(await deliverFeedback(words)).toBe('sent')
  expect(network.envelopes[0]?.items[0]?.header.type).toBe('feedback')
})

test('feedback waits where the offline queue takes it, and fails without one', async () => {
  start({ dsn }, [])
  network.answer = new TypeError('network')
  expect(await deliverFeedback(words)).toBe('failed')
  getClient()!.transport.park = () => true
  expect(await deliverFeedback(words)).toBe('waiting')
})

test.each([400, 429, 503])('feedback that is answered with %i has failed', async (status) => {
  start({ dsn }, [])
  network.answer = () => new Response('{}', { status })
  expect(await deliverFeedback(words)).toBe('failed')
})

test('feedback that an integration discards has failed, and so has that without a client', async () => {
  expect(await deliverFeedback(words)).toBe('failed')
  start({ dsn }, [discarding])
  expect(await deliverFeedback(words)).toBe('failed')
  expect(network.envelopes).toEqual([])
})

test('the fate is that of the feedback, not of what else is sent at the same time', async () => {
  const other: Integration = {
    name: 'other',
    willSend(event, _hint, client) {
      if (event.type === 'feedback') void client.send([{ header: { type: 'log' }, payload: '{}' }])
    },
  }
  start({ dsn }, [other])
  const { send } = getClient()!
  let isFirst = true
  network.answer = () => {
    const status = isFirst ? 500 : 200
    isFirst = false
    return new Response('{}', { status })
  }
  expect(await deliverFeedback(words)).toBe('sent')
  expect(network.envelopes).toHaveLength(2)
  expect(getClient()!.send).toBe(send)
})
