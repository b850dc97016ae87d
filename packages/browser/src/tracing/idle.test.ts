import type { TransactionPayload } from '@afterimage/protocol/transaction'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '@afterimage/sdk-core/client'
import { dsn, fakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import type { FakeNetwork } from '@afterimage/sdk-core/testing/fake-network'
import { now } from './clock.ts'
import { createIdle } from './idle.ts'
import type { IdleRoot } from './idle.ts'
import { openSegment, openSpan, setTrace, startTracing, state } from './tracer.ts'
import { createTrace } from './trace.ts'

/** The rules by which page loads and navigations end, on a virtual clock. */

let network: FakeNetwork
let startedAt: number
let page: { readyState: string }

beforeEach(() => {
  vi.useFakeTimers()
  network = fakeNetwork()
  page = { readyState: 'complete' }
  vi.stubGlobal('document', page)
  startTracing(createClient({ dsn }, [])!, {}, [])
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function begin(): IdleRoot {
  setTrace(createTrace())
  const root = openSegment({ name: '/cart', op: 'navigation', source: 'url' })
  state.current = root.segment
  startedAt = root.startedAt
  return createIdle(root, {})
}

function sent(): TransactionPayload | null {
  const payload = network.envelopes[0]?.items[0]?.payload
  return payload ? (JSON.parse(new TextDecoder().decode(payload)) as TransactionPayload) : null
}

async function wait(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
}

function reason(): unknown {
  return sent()?.contexts.trace.data?.['sentry.idle_span_finish_reason']
}

test('ends 1,000 ms after the last child ended, and not one earlier', async () => {
  begin()
  const child = openSpan({ name: 'GET /a' })
  await wait(300)
  child.end()
  await wait(999)
  expect(sent()).toBeNull()
  await wait(1)
  expect(reason()).toBe('idleTimeout')
  expect(sent()!.timestamp * 1000).toBeCloseTo(startedAt + 300, 1)
  expect(sent()!.contexts.trace.status).toBe('ok')
})

test('a new child within that time keeps it open', async () => {
  begin()
  openSpan({ name: 'a' }).end()
  await wait(999)
  const next = openSpan({ name: 'b' })
  await wait(5000)
  expect(sent()).toBeNull()
  next.end()
  await wait(1000)
  expect(sent()?.spans).toHaveLength(2)
})

test('without children it ends after 1,000 ms, at the time when it could be seen', async () => {
  const idle = begin()
  await wait(16)
  idle.readyAt = now()
  await wait(983)
  expect(sent()).toBeNull()
  await wait(1)
  expect(sent()!.timestamp * 1000).toBeCloseTo(startedAt + 16, 1)
})

test('a child that never ends holds it 15,000 ms after the newest child began', async () => {
  begin()
  openSpan({ name: 'hangs' })
  await wait(10_000)
  const second = openSpan({ name: 'second' })
  await wait(500)
  second.end()
  await wait(14_499)
  expect(sent()).toBeNull()
  await wait(1)
  expect(reason()).toBe('heartbeatFailed')
  expect(sent()!.spans).toMatchObject([
    { description: 'hangs', status: 'cancelled' },
    { description: 'second', status: 'ok' },
  ])
  expect(sent()!.timestamp * 1000).toBeCloseTo(startedAt + 10_500, 1)
})

test('ends after 30,000 ms in any case', async () => {
  begin()
  for (let step = 0; step < 29; step += 1) {
    openSpan({ name: `poll ${step}` })
    await wait(1000)
  }
  openSpan({ name: 'last' }).end()
  await wait(999)
  expect(sent()).toBeNull()
  await wait(1)
  expect(reason()).toBe('finalTimeout')
  expect(sent()!.contexts.trace.status).toBe('deadline_exceeded')
})

test('a page whose document is still loading ends only after 30,000 ms', async () => {
  page.readyState = 'loading'
  begin()
  await wait(29_999)
  expect(sent()).toBeNull()
  await wait(1)
  expect(reason()).toBe('finalTimeout')
})

test('a page whose document has loaded ends when it is idle next', async () => {
  page.readyState = 'loading'
  begin()
  await wait(2500)
  page.readyState = 'interactive'
  await wait(499)
  expect(sent()).toBeNull()
  await wait(1)
  expect(reason()).toBe('idleTimeout')
})

test('children that began after its end are left out and counted', async () => {
  const idle = begin()
  openSpan({ name: 'a' }).end()
  await wait(500)
  openSpan({ name: 'too late' })
  await wait(100)
  idle.finish('cancelled')
  await wait(0)
  expect(sent()!.spans).toMatchObject([{ description: 'a' }])
  expect(sent()!.contexts.trace.data?.['sentry.idle_span_discarded_spans']).toBe(1)
})
