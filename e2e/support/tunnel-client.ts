import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { encodeEnvelope } from '@afterimage/protocol/encode-envelope'
import { createTransport, type Transport } from '@afterimage/sdk-core/transport'
import { expect } from 'vitest'
import type { SdkServer } from './sdk-server.ts'

/** Larger than what frameworks take unless they are told otherwise; half is text, half is bytes. */
const items = [
  { header: { type: 'event' }, payload: JSON.stringify({ message: 'größer '.repeat(100_000) }) },
  { header: { type: 'replay_recording' }, payload: new Uint8Array(randomBytes(800_000)) },
] as const

/** The client's own transport on a page at `url`, with the headers that browsers add. */
function transportOf(url: string): Transport {
  const { fetch } = globalThis
  globalThis.fetch = (address, init = {}) => {
    const headers = new Headers(init.headers)
    headers.set('origin', url)
    headers.set('sec-fetch-site', 'same-origin')
    return fetch(`${url}${String(address)}`, { ...init, headers })
  }
  try {
    return createTransport('/monitoring?o=1&p=1', () => {})
  } finally {
    globalThis.fetch = fetch
  }
}

/**
 * Posts envelopes to the tunnel of the application at `url`, as pages post them, and expects them
 * at `server` byte for byte, and the server's answers here, also with settings.
 */
export async function expectTunnel(url: string, dsn: string, server: SdkServer): Promise<void> {
  const header = { dsn, sent_at: '2026-01-01T00:00:00.000Z' }
  const bytes = encodeEnvelope(header, items)
  const transport = transportOf(url)

  server.clear()
  server.answer = { status: 200, headers: { 'x-sentry-rate-limits': '60:replay:key' } }
  expect(await transport.send(header, items)).toEqual({ status: 200 })
  expect(transport.isRateLimited('replay')).toBe(true)
  expect(transport.isRateLimited('error')).toBe(false)

  server.answer = { status: 429, headers: { 'retry-after': '60' } }
  expect(await transport.post(bytes)).toEqual({ status: 429 })
  expect(transport.isRateLimited('error')).toBe(true)

  server.answer = { status: 200 }
  const packed = await fetch(`${url}/monitoring`, {
    method: 'POST',
    body: gzipSync(bytes),
    headers: { 'content-type': 'application/x-sentry-envelope', 'content-encoding': 'gzip' },
  })
  expect(packed.status).toBe(200)

  expect(server.refused).toEqual([])
  expect(server.envelopes.map((it) => it.path)).toEqual(Array(3).fill('/api/1/envelope/'))
  for (const envelope of server.envelopes) {
    expect(envelope.bytes.equals(bytes)).toBe(true)
    expect(envelope.requestHeaders['content-type']).toBe('application/x-sentry-envelope')
  }
  const key = new URL(dsn).username
  const settings = await fetch(`${url}/monitoring?o=1&p=1&k=${key}`)
  expect([settings.status, await settings.text()]).toEqual([200, server.settings])
  expect(server.requests.at(-1)?.path).toBe(`/api/1/envelope/?k=${key}`)
}

/** Expects that the application refuses a report for a project that its tunnel does not name. */
export async function expectNoRelay(url: string, dsn: string, server: SdkServer): Promise<void> {
  server.clear()
  const header = { dsn: `${dsn}7` }
  const event = { header: { type: 'event' }, payload: 'x'.repeat(400_000) }
  expect(await transportOf(url).send(header, [event])).toEqual({ status: 403 })
  expect(server.envelopes).toEqual([])
}
