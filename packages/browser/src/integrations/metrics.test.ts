import { close, flush, getClient, start } from '@afterimage/sdk-core/api'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { metrics, metricsIntegration } from './metrics.ts'

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  vi.stubGlobal('document', new EventTarget())
  vi.stubGlobal('window', new EventTarget())
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

function sent(): unknown[] {
  return network.envelopes.flatMap(({ items }) =>
    items.map(({ header, payload }) => ({
      header,
      json: JSON.parse(new TextDecoder().decode(payload)) as unknown,
    })),
  )
}

test('counters, gauges and distributions travel in one container', async () => {
  start({ dsn, release: 'shop@1' }, [metricsIntegration()])
  metrics.count('orders')
  metrics.gauge('cart.lines', 3)
  metrics.distribution('pay', 187.5, { unit: 'millisecond', attributes: { card: 'visa' } })
  await flush()
  expect(sent()).toMatchObject([
    {
      header: {
        type: 'trace_metric',
        item_count: 3,
        content_type: 'application/vnd.sentry.items.trace-metric+json',
      },
      json: {
        version: 2,
        items: [
          { type: 'counter', name: 'orders', value: 1, timestamp: expect.any(Number) },
          { type: 'gauge', name: 'cart.lines', value: 3, span_id: expect.any(String) },
          {
            type: 'distribution',
            name: 'pay',
            value: 187.5,
            unit: 'millisecond',
            trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
            attributes: {
              card: { type: 'string', value: 'visa' },
              'sentry.release': { type: 'string', value: 'shop@1' },
            },
          },
        ],
      },
    },
  ])
})

test('a measurement without a name or a finite number is counted and not sent', async () => {
  start({ dsn }, [metricsIntegration()])
  metrics.gauge('load', NaN)
  metrics.gauge('load', '7' as unknown as number)
  metrics.count('')
  await flush()
  expect(network.requests).toEqual([])
  expect([...getClient()!.discards]).toEqual([['invalid:trace_metric', 3]])
})

test('beforeSendMetric discards a measurement', async () => {
  start({ dsn }, [metricsIntegration({ beforeSendMetric: () => null })])
  metrics.count('orders')
  await flush()
  expect(network.requests).toEqual([])
  expect([...getClient()!.discards]).toEqual([['before_send:trace_metric', 1]])
})
