import { readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import {
  disabledKey,
  dsn,
  eventEnvelope,
  key,
  otherKey,
  startFrontDoor,
  type FrontDoorUnderTest,
} from '../front-door/front-door.fixture.ts'
import { isBrotliSafe } from './content-encoding.ts'

let door: FrontDoorUnderTest
beforeAll(async () => {
  door = await startFrontDoor({ limits: { decodedBytesMax: 100_000, bodyBytesMax: 200_000 } })
})
afterAll(() => door.close())

const id = '9ec79c33ec9942ab8353589fcb2e04dc'
const path = '/api/42/envelope/'
const direct = `${path}?sentry_key=${key}&sentry_version=7`

/** The status that is answered to headers alone. */
function askWithoutBody(target: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest({ port: door.port, path: target, method: 'POST', headers })
    request.on('response', (response) => {
      resolve(response.statusCode ?? 0)
      request.destroy()
    })
    request.on('error', reject)
    request.flushHeaders()
  })
}

describe('an envelope', () => {
  it('is published as it came, then answered with its event id', async () => {
    const body = eventEnvelope({ event_id: id, sent_at: '2026-11-20T07:00:00Z' })
    const answer = await door.send(direct, { body, headers: { 'user-agent': 'sdk/1' } })
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.text)).toEqual({ id })
    const delivery = door.deliveries.at(-1)
    expect(Buffer.from(delivery?.bytes ?? []).toString()).toBe(body)
    expect(delivery).toMatchObject({
      projectId: 42,
      keyId: key,
      userAgent: 'sdk/1',
      remoteAddress: '127.0.0.1',
    })
    expect(Math.abs((delivery?.receivedAt ?? 0) - Date.now())).toBeLessThan(5000)
  })

  it('is answered only after it was published', async () => {
    const published = Promise.withResolvers<void>()
    const slow = await startFrontDoor({ publish: () => published.promise })
    let isAnswered = false
    const answer = slow.send(direct, { body: eventEnvelope({ event_id: id }) }).then((it) => {
      isAnswered = true
      return it
    })
    expect((await slow.send('/healthz', { method: 'GET' })).status).toBe(200)
    expect(isAnswered).toBe(false)
    published.resolve()
    expect((await answer).status).toBe(200)
    await slow.close()
  })

  it('gets an event id in its header when it has none, the same that is answered', async () => {
    const answer = await door.send(direct, { body: eventEnvelope({ sdk: { name: 'x' } }) })
    const { id: made } = JSON.parse(answer.text) as { id: string }
    expect(made).toMatch(/^[0-9a-f]{32}$/)
    const { header, items } = door.lastEnvelope()
    expect(header).toEqual({ event_id: made, sdk: { name: 'x' } })
    expect(Buffer.from(items[0]?.payload ?? []).toString()).toBe('{"message":"hello"}')
  })

  it('gets the id that only its payload has', async () => {
    const body = `{}\n{"type":"event"}\n{"event_id":"${id}"}`
    expect(JSON.parse((await door.send(direct, { body })).text)).toEqual({ id })
    expect(door.lastEnvelope().header.event_id).toBe(id)
  })

  it('without an event is answered with an empty object and left as it is', async () => {
    const body = '{}\n{"type":"session"}\n{"sid":"1"}'
    expect((await door.send(direct, { body })).text).toBe('{}')
    expect(Buffer.from(door.deliveries.at(-1)?.bytes ?? []).toString()).toBe(body)
  })

  it('of unknown or unreadable items is taken: they are judged one by one later', async () => {
    const body = `{"event_id":"${id}"}\n{"type":"event"}\nnot json\n{"type":"new_thing"}\n\u0000`
    expect((await door.send(direct, { body })).status).toBe(200)
  })

  it('comes in every content encoding, chunked or not', async () => {
    const body = Buffer.from(eventEnvelope({ event_id: id }))
    const encodings: Record<string, (body: Buffer) => Buffer> = {
      gzip: (it) => gzipSync(it),
      'x-gzip': (it) => gzipSync(it),
      GZIP: (it) => gzipSync(it),
      deflate: (it) => deflateSync(it),
      zstd: (it) => zstdCompressSync(it),
      '': (it) => it,
      'made-up': (it) => it,
    }
    for (const [name, encode] of Object.entries(encodings)) {
      for (const chunked of [true, false]) {
        const encoded = encode(body)
        const framing = chunked
          ? { 'transfer-encoding': 'chunked' }
          : { 'content-length': String(encoded.length) }
        const headers = { 'content-encoding': name, ...framing }
        const answer = await door.send(direct, { body: encoded, headers })
        expect([name, answer.status]).toEqual([name, 200])
        expect(Buffer.from(door.deliveries.at(-1)?.bytes ?? [])).toEqual(body)
      }
    }
  })

  it('in Brotli is taken only where decoding it is safe, and never from a stranger', async () => {
    const sent = { body: brotliCompressSync(eventEnvelope({ event_id: id })) }
    const headers = { 'content-encoding': 'br' }
    const status = isBrotliSafe(process.versions.brotli) ? 200 : 415
    expect((await door.send(direct, { ...sent, headers })).status).toBe(status)
    expect((await door.send('/monitoring', { ...sent, headers })).status).not.toBe(200)
    const stranger = `${path}?sentry_key=${'d'.repeat(32)}`
    expect((await door.send(stranger, { ...sent, headers })).status).toBe(403)
  })

  it('is not decoded before a key in its address or headers is known', async () => {
    // Nothing of the body comes: the answer has to be there without it.
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'identity']) {
      for (const kind of ['envelope', 'store', 'security', 'nel', 'cron/job']) {
        const answer = await askWithoutBody(`/api/42/${kind}/?sentry_key=${'d'.repeat(32)}`, {
          'content-encoding': encoding,
          'content-length': '500',
        })
        expect([encoding, kind, answer]).toEqual([encoding, kind, 403])
      }
    }
  })

  it('that is not what its encoding says is refused', async () => {
    for (const name of ['gzip', 'deflate', 'zstd']) {
      const answer = await door.send(direct, {
        body: 'plain text',
        headers: { 'content-encoding': name },
      })
      expect([name, answer.status]).toEqual([name, 400])
      expect(JSON.parse(answer.text)).toMatchObject({ causes: ['invalid_encoding'] })
    }
    const cut = gzipSync(eventEnvelope({ event_id: id })).subarray(0, 40)
    const answer = await door.send(direct, { body: cut, headers: { 'content-encoding': 'gzip' } })
    expect(answer.status).toBe(400)
  })

  it('is refused when it grows over the limit while it is decompressed', async () => {
    const bomb = Buffer.alloc(50_000_000)
    const encoders = {
      gzip: gzipSync,
      deflate: deflateSync,
      zstd: zstdCompressSync,
    }
    for (const [name, encode] of Object.entries(encoders)) {
      const answer = await door.send(direct, {
        body: encode(bomb),
        headers: { 'content-encoding': name },
      })
      expect([name, answer.status]).toEqual([name, 413])
    }
  })

  it('is refused when its body is over the limit, stated or not', async () => {
    const body = Buffer.alloc(200_001, 'x')
    for (const headers of [{ 'content-length': '200001' }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await door.send(direct, { body, headers })
      expect(answer.status).toBe(413)
      expect(JSON.parse(answer.text)).toEqual({
        detail: expect.stringContaining('larger than'),
        causes: ['too_large'],
      })
    }
  })
})

describe('authentication', () => {
  const body = eventEnvelope({ event_id: id })
  const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  const fields = `sentry_key=${key}, sentry_version=7, sentry_client=x/1`

  it('is taken from the header, Authorization, the query or the envelope', async () => {
    const ways: [string, Record<string, string>, string?][] = [
      [path, { 'x-sentry-auth': `Sentry ${fields}` }],
      [path, { 'x-sentry-auth': `sentry ${fields}` }],
      [path, { authorization: `Sentry ${fields}` }],
      [path, { authorization: basic }],
      [direct, {}],
      [`/api/42/envelope?sentry_key=${key.toUpperCase()}`, {}],
      [path, {}, eventEnvelope({ event_id: id, dsn })],
      ['/api/42/envelope/?o=1&p=42&r=us&hsts=0', {}, eventEnvelope({ event_id: id, dsn })],
      [direct, { authorization: `Basic ${Buffer.from('staging:pw').toString('base64')}` }],
    ]
    for (const [url, headers, own] of ways) {
      const answer = await door.send(url, { headers, body: own ?? body })
      expect([url, headers, answer.status]).toEqual([url, headers, 200])
    }
  })

  it('is refused with its reason', async () => {
    const cases: [number, string, string, Record<string, string>, string?][] = [
      [401, 'missing_auth', path, {}],
      [401, 'multiple_auth', direct, { 'x-sentry-auth': `Sentry ${fields}` }],
      [401, 'multiple_auth', path, { 'x-sentry-auth': fields, authorization: basic }],
      [401, 'invalid_auth', `${path}?sentry_key=nonsense`, {}],
      [401, 'invalid_auth', path, { 'x-sentry-auth': 'Sentry sentry_version=7' }],
      [400, 'unsupported_version', direct.replace('version=7', 'version=8'), {}],
      [403, 'unknown_key', `${path}?sentry_key=${'d'.repeat(32)}`, {}],
      [403, 'unknown_key', `${path}?sentry_key=${disabledKey}`, {}],
      [403, 'unknown_project', `${path}?sentry_key=${otherKey}`, {}],
      [400, 'invalid_identifier', `/api/abc/envelope/?sentry_key=${key}`, {}],
      [400, 'dsn_mismatch', direct, {}, eventEnvelope({ dsn: `http://${otherKey}@h/42` })],
      [400, 'dsn_mismatch', direct, {}, eventEnvelope({ dsn: `http://${key}@h/41` })],
      [400, 'invalid_dsn', direct, {}, eventEnvelope({ dsn: 'nonsense' })],
      [400, 'invalid_dsn', path, {}, eventEnvelope({ dsn: 'nonsense' })],
      [403, 'unknown_project', path, {}, eventEnvelope({ dsn: `http://${otherKey}@h/42` })],
      [403, 'unknown_key', path, {}, eventEnvelope({ dsn: `http://${'d'.repeat(32)}@h/42` })],
    ]
    const before = door.deliveries.length
    for (const [status, reason, url, headers, own] of cases) {
      const answer = await door.send(url, { headers, body: own ?? body })
      const { detail, causes } = JSON.parse(answer.text) as { detail: string; causes: string[] }
      expect([url, own, answer.status, causes]).toEqual([url, own, status, [reason]])
      expect(detail.length).toBeGreaterThan(5)
      expect(answer.headers['access-control-allow-origin']).toBe('*')
    }
    expect(door.deliveries.length).toBe(before)
  })

  it('never takes the key of a foreign trace', async () => {
    const trace = { trace_id: id, public_key: key }
    expect((await door.send(path, { body: eventEnvelope({ trace }) })).status).toBe(401)
  })
})

interface EdgeCase {
  readonly file: string
  readonly expect_status: number
}

describe('edge cases of the format', () => {
  it('are answered with their status', async (context) => {
    const folder = sharedFolder('fixtures')
    if (folder === null) return context.skip('not run: no folder of fixtures')
    const list = join(folder, 'edge-cases', 'expectations.json')
    const cases = JSON.parse(readFileSync(list, 'utf8')) as EdgeCase[]
    expect(cases.length).toBeGreaterThan(20)
    const answers: [string, number][] = []
    for (const { file } of cases) {
      const body = readFileSync(join(folder, 'edge-cases', file))
      const sender = file.startsWith('032') ? `/api/43/envelope/?sentry_key=${otherKey}` : direct
      answers.push([file, (await door.send(sender, { body })).status])
    }
    expect(answers).toEqual(cases.map((one) => [one.file, one.expect_status]))
  })
})
