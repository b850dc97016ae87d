import { connect } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { openLogQueueReader } from '../storage/queue/log/reader.ts'
import { openLogQueueWriter } from '../storage/queue/log/writer.ts'
import {
  apiToken,
  eventEnvelope,
  key,
  startFrontDoor,
  type FrontDoorUnderTest,
} from './front-door.fixture.ts'

const direct = `/api/42/envelope/?sentry_key=${key}`
const body = eventEnvelope({ event_id: '9ec79c33ec9942ab8353589fcb2e04dc' })
let door: FrontDoorUnderTest
afterEach(() => door.close())

/** Writes bytes to the door and gives back all it says until it closes, or has said `until`. */
function converse(text: string, until = '\0'): Promise<string> {
  return new Promise((resolve, reject) => {
    let heard = ''
    const socket = connect(door.port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      heard += chunk.toString()
      if (heard.includes(until)) socket.destroy()
    })
    socket.on('close', () => resolve(heard))
    socket.on('error', (cause) => (heard === '' ? reject(cause) : resolve(heard)))
  })
}

async function countOf(metric: string): Promise<number> {
  const { text } = await door.send('/metrics', { method: 'GET' })
  const line = text.split('\n').find((one) => one.startsWith(metric))
  return Number(line?.split(' ').at(-1) ?? 0)
}

describe('the front door', () => {
  it('answers 408 to a body that stops coming, and goes on', async () => {
    door = await startFrontDoor({ limits: { bodyIdleMs: 50, drainMs: 20 } })
    const head = `POST ${direct} HTTP/1.1\r\nhost: x\r\ncontent-length: 500\r\n\r\n`
    expect(await converse(`${head}{"event_id"`)).toMatch(/^HTTP\/1.1 408 /)
    expect(await countOf('afterimage_ingest_refused_total{reason="timeout"}')).toBe(1)
    expect((await door.send(direct, { body })).status).toBe(200)
  })

  it('answers 408 to a body that only drips', async () => {
    door = await startFrontDoor({ limits: { bodyIdleMs: 200, bodyMs: 60, drainMs: 20 } })
    const head = `POST ${direct} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await converse(`${head}1\r\na\r\n1\r\nb\r\n`)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('answers 408 to headers that stop coming', async () => {
    door = await startFrontDoor({ limits: { headMs: 50 } })
    expect(await converse(`POST ${direct} HTTP/1.1\r\nhost: x\r\nx-a`)).toMatch(/^HTTP\/1.1 408 /)
  })

  it('answers 431 to headers that are too large', async () => {
    door = await startFrontDoor()
    const head = `POST ${direct} HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`
    expect(await converse(head)).toMatch(/^HTTP\/1.1 431 /)
  })

  it('answers 400 to broken chunks and to what is not HTTP, and publishes nothing', async () => {
    door = await startFrontDoor()
    const head = `POST ${direct} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n`
    expect(await converse(`${head}5\r\nhello\r\nnonsense\r\n`)).toMatch(/^HTTP\/1.1 400 /)
    expect(await converse('hello there\r\n\r\n')).toMatch(/^HTTP\/1.1 400 /)
    expect(door.deliveries).toEqual([])
    expect(await countOf('afterimage_ingest_refused_total{reason="broken_request"}')).toBe(2)
  })

  it('survives a sender that breaks off, and counts it', async () => {
    door = await startFrontDoor()
    for (const encoding of ['identity', 'gzip']) {
      const socket = connect(door.port, '127.0.0.1')
      socket.write(
        `POST ${direct} HTTP/1.1\r\nhost: x\r\ncontent-encoding: ${encoding}\r\ncontent-length: 500\r\n\r\n`,
      )
      socket.end(gzipSync('half'))
      await new Promise((resolve) => socket.resume().on('close', resolve))
    }
    await expect.poll(() => countOf('afterimage_ingest_refused_total{reason="aborted"}')).toBe(2)
    expect(door.deliveries).toEqual([])
    expect(await countOf('afterimage_ingest_bodies_bytes')).toBe(0)
  })

  it('answers a second request on the connection of a refused one', async () => {
    door = await startFrontDoor()
    const refused =
      'POST /api/42/envelope/?sentry_key=x HTTP/1.1\r\nhost: x\r\ncontent-length: 4\r\n\r\nbody'
    const accepted = `POST ${direct} HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n\r\n${body}`
    const heard = await converse(refused + accepted, '"id"')
    expect(heard.match(/HTTP\/1.1 (\d+)/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  it('answers 503 when all bodies together are over their limit', async () => {
    door = await startFrontDoor({ limits: { bodiesBytesMax: 1000 } })
    const large = body.replace('hello', 'x'.repeat(2000))
    const answer = await door.send(direct, { body: large })
    expect(answer.status).toBe(503)
    expect(
      (await door.send(direct, { body: gzipSync(large), headers: { 'content-encoding': 'gzip' } }))
        .status,
    ).toBe(503)
    expect((await door.send(direct, { body })).status).toBe(200)
    expect(await countOf('afterimage_ingest_bodies_bytes')).toBe(0)
  })

  it('answers 503 with a time to wait when the queue takes no more', async () => {
    const full = new AppError('QUEUE_FULL', 'The queue holds its bytes.')
    door = await startFrontDoor({
      publish: () => Promise.reject(full),
      check: () => Promise.reject(full),
    })
    const answer = await door.send(direct, { body })
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBe('5')
    expect(JSON.parse(answer.text)).toEqual({ detail: full.message, causes: ['QUEUE_FULL'] })
    expect((await door.send('/readyz', { method: 'GET' })).status).toBe(503)
    expect((await door.send('/healthz', { method: 'GET' })).status).toBe(200)
  })

  it('leaves a trace in the log of what failed, and where', async () => {
    let lines = ''
    const log = pino({}, { write: (line: string) => void (lines += line) })
    for (const cause of [new Error('on fire'), new AppError('QUEUE_FULL', 'on fire')]) {
      lines = ''
      door = await startFrontDoor({ log, publish: () => Promise.reject(cause) })
      expect((await door.send(direct, { body })).status).toBeGreaterThanOrEqual(500)
      const { err, path } = JSON.parse(lines) as { err: Record<string, string>; path: string }
      expect(path).toBe('/api/42/envelope/')
      expect(err).toMatchObject({ message: 'on fire', stack: expect.stringContaining('    at ') })
      if (cause instanceof AppError) expect(err).toMatchObject({ code: 'QUEUE_FULL' })
      await door.close()
    }
    door = await startFrontDoor()
  })

  it('shows its counters to no other origin', async () => {
    door = await startFrontDoor()
    await door.send(direct, { body })
    const metrics = await door.send('/metrics', { method: 'GET' })
    expect(metrics.headers['content-type']).toContain('text/plain')
    expect(metrics.headers['access-control-allow-origin']).toBeUndefined()
    expect(metrics.text).toContain(
      'afterimage_ingest_answers_total{route="envelope",status="200"} 1',
    )
    expect(metrics.text).toContain('afterimage_ingest_envelopes_total 1')
    expect(metrics.text).toContain('afterimage_queue_waiting 0')
    const forwarded = { 'x-forwarded-for': '203.0.113.9' }
    const refused = await door.send('/metrics', { method: 'GET', headers: forwarded })
    expect(refused.status).toBe(401)
    expect(refused.headers['access-control-allow-origin']).toBeUndefined()
    expect(refused.text).not.toContain('afterimage_')
    const authorization = `Bearer ${apiToken}`
    const headers = { ...forwarded, authorization }
    expect((await door.send('/metrics', { method: 'GET', headers })).status).toBe(200)
  })

  it('lets requests in flight finish at a stop', async () => {
    const published = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    door = await startFrontDoor({
      publish: () => {
        begun.resolve()
        return published.promise
      },
    })
    const answer = door.send(direct, { body })
    await begun.promise
    const closed = door.close()
    published.resolve()
    expect((await answer).status).toBe(200)
    await closed
  })

  it('keeps in a real queue what it answered with 200', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'afterimage-door-'))
    const writer = await openLogQueueWriter(folder)
    door = await startFrontDoor({ publish: (delivery) => writer.publish(delivery) })
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => door.send(direct, { body: eventEnvelope() })),
    )
    const ids = answers.map((answer) => (JSON.parse(answer.text) as { id: string }).id)
    const reader = await openLogQueueReader(folder)
    const leases = await reader.take(100, 60_000)
    const kept = leases.map((lease) => Buffer.from(lease.delivery.bytes).toString().slice(13, 45))
    expect(kept.sort()).toEqual(ids.sort())
    await reader.close()
    await writer.close()
    await rm(folder, { recursive: true })
  })

  it('takes the time of receipt from a header under the test clock only', async () => {
    const headers = { 'x-afterimage-test-received-at': '1780000000000' }
    door = await startFrontDoor({ settings: { hasTestClock: true } })
    await door.send(direct, { body, headers })
    expect(door.deliveries[0]?.receivedAt).toBe(1_780_000_000_000)
    await door.close()
    door = await startFrontDoor()
    await door.send(direct, { body, headers })
    expect(door.deliveries[0]?.receivedAt).not.toBe(1_780_000_000_000)
  })
})
