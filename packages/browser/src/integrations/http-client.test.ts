import { close, flush, start } from '@afterimage/sdk-core/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { httpClient } from './http-client.ts'
import type { HttpClientOptions } from './http-client.ts'

/** XMLHttpRequest and real requests are tested in `e2e/sdk-extras.spec.ts`. */

let network: FakeNetwork

beforeEach(() => {
  network = fakeNetwork()
  vi.stubGlobal('document', { baseURI: 'https://shop.test/cart', referrer: '' })
  vi.stubGlobal('location', { href: 'https://shop.test/cart' })
  vi.stubGlobal('XMLHttpRequest', EventTarget)
})

afterEach(async () => {
  await close(0)
  vi.unstubAllGlobals()
})

/** Starts the client on a page whose requests are answered by the status in their address. */
function begin(options?: HttpClientOptions): void {
  const post = fetch
  const answer = async (address: string, init?: RequestInit): Promise<Response> => {
    const [, status] = /status=(\d+)/.exec(address) ?? []
    if (status === '0') throw new TypeError('network')
    if (!status) return post(address, init)
    return new Response('no', { status: Number(status), headers: { 'content-length': '2' } })
  }
  vi.stubGlobal('fetch', answer)
  start({ dsn }, [httpClient(options)])
}

async function payForOrder(): Promise<void> {
  await fetch('/pay?status=503&card=secret', { method: 'post' })
}

test('a request answered with a failure is an event with the stack of its caller', async () => {
  begin()
  await payForOrder()
  await fetch('/pay?status=404')
  await fetch('/pay?status=0').catch(() => {})
  await flush()
  const url = 'https://shop.test/pay?status=*&card=*'
  const [event, ...others] = network.events()
  expect(others).toEqual([])
  expect(event).toMatchObject({
    level: 'error',
    exception: {
      values: [
        {
          type: 'HttpClientError',
          value: `POST ${url} was answered with status 503`,
          mechanism: { type: 'http.client.fetch', handled: true },
        },
      ],
    },
    request: { url, method: 'POST' },
    contexts: { response: { status_code: 503, body_size: 2 } },
  })
  expect(event?.exception?.values[0]?.stacktrace?.frames.at(-1)?.function).toBe('payForOrder')
})

test('statuses and targets are those of the options', async () => {
  begin({ failedRequestStatusCodes: [404, [500, 502]], failedRequestTargets: ['/api/'] })
  for (const address of [
    '/api/a?status=404',
    '/api/b?status=405',
    'https://shop.test/api/c?status=502',
    '/api/d?status=503',
    '/other?status=500',
  ]) {
    await fetch(address)
  }
  await flush()
  expect(network.events().map(({ request }) => request?.url)).toEqual([
    'https://shop.test/api/a?status=*',
    'https://shop.test/api/c?status=*',
  ])
})
