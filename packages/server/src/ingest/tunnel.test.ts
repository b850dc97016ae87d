import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readRefusedRequests } from '../stats/refused-requests.ts'
import {
  disabledKey,
  dsn,
  eventEnvelope,
  key,
  otherKey,
  startFrontDoor,
  type FrontDoorUnderTest,
} from '../front-door/front-door.fixture.ts'

const id = '9ec79c33ec9942ab8353589fcb2e04dc'
const body = eventEnvelope({ event_id: id, dsn })

describe('tunnel', () => {
  let door: FrontDoorUnderTest
  beforeEach(async () => {
    door = await startFrontDoor()
  })
  afterEach(() => door.close())

  it('S7 takes envelopes at /monitoring with o, p and r, as a browser posts them', async () => {
    const headers = { 'content-type': 'text/plain;charset=UTF-8' }
    for (const path of ['/monitoring?o=1&p=42', '/monitoring?o=1&p=42&r=us', '/monitoring/']) {
      const answer = await door.send(path, { body, headers })
      expect([path, answer.status, answer.text]).toEqual([path, 200, `{"id":"${id}"}`])
    }
    expect(door.deliveries.map((one) => one.projectId)).toEqual([42, 42, 42])
  })

  it('counts what names a project with a wrong key, for its set-up page, and nothing else', async () => {
    const wrong = eventEnvelope({ event_id: id, dsn: dsn.replace(key, '9'.repeat(32)) })
    const stranger = eventEnvelope({ event_id: id, dsn: `http://${'9'.repeat(32)}@x.invalid/777` })
    const headers = { 'x-sentry-auth': `Sentry sentry_key=${'9'.repeat(32)}` }
    const answers = [
      await door.send('/monitoring', { body: wrong }),
      await door.send('/api/42/envelope/', { body: wrong }),
      await door.send('/api/42/envelope/', { body, headers }),
      await door.send('/monitoring', { body: stranger }),
    ]
    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403, 403])
    expect(door.deliveries).toEqual([])
    await door.close()
    expect(door.deliveries.map(readRefusedRequests)).toEqual([
      { projectId: 42, reason: 'unknown_key', count: 3 },
    ])
    door = await startFrontDoor()
  })

  it('S7 takes replay segments, whose bodies are binary and have no content type', async () => {
    const segment = Buffer.concat([
      Buffer.from(`${JSON.stringify({ event_id: id, dsn })}\n`),
      Buffer.from(`{"type":"replay_event"}\n{"replay_id":"${id}","segment_id":0}\n`),
      Buffer.from('{"type":"replay_recording","length":22}\n{"segment_id":0}\n'),
      Buffer.from([0x78, 0x9c, 0x0a, 0, 0xff]),
    ])
    expect((await door.send('/monitoring?o=1&p=42', { body: segment })).status).toBe(200)
    expect(door.lastEnvelope().items.map((item) => item.payload.length)).toEqual([63, 22])
  })

  it('S7 listens at another path when configured', async () => {
    const moved = await startFrontDoor({ settings: { tunnelPath: '/t/errors' } })
    expect((await moved.send('/t/errors?o=1&p=42', { body })).status).toBe(200)
    expect((await moved.send('/monitoring?o=1&p=42', { body })).status).toBe(503)
    expect(moved.deliveries).toHaveLength(1)
    await moved.close()
  })

  it('S8 accepts only projects it knows, and does not compare o', async () => {
    const senders: [number, string][] = [
      [200, dsn],
      [200, `https://${key}@o9.ingest.us.example/42`],
      [403, `http://${'d'.repeat(32)}@127.0.0.1/42`],
      [403, `http://${disabledKey}@127.0.0.1/42`],
      [403, `http://${otherKey}@127.0.0.1/42`],
      [403, `http://${key}@127.0.0.1/999`],
      [400, 'nonsense'],
    ]
    for (const [status, sender] of senders) {
      const answer = await door.send('/monitoring?o=77&p=42', {
        body: eventEnvelope({ event_id: id, dsn: sender }),
      })
      expect([sender, answer.status]).toEqual([sender, status])
    }
    expect((await door.send('/monitoring?o=1&p=42', { body: eventEnvelope() })).status).toBe(401)
    expect((await door.send('/monitoring?o=1&p=42', { body: '' })).status).toBe(400)
    expect(door.deliveries).toHaveLength(2)
  })

  it('S8 takes a p only when it is the project of the DSN, as the direct endpoint does', async () => {
    for (const p of ['999', '43', 'xyz', '042', '42 ', '-1', '42.0']) {
      const query = new URLSearchParams({ o: 'abc', p }).toString()
      const answer = await door.send(`/monitoring?${query}`, { body })
      expect([p, answer.status, JSON.parse(answer.text)]).toEqual([
        p,
        403,
        { detail: expect.stringContaining('not of project'), causes: ['unknown_project'] },
      ])
    }
    expect(door.deliveries).toEqual([])
    for (const query of ['', '?o=1', '?o=abc&p=', '?o=1&p=42']) {
      expect((await door.send(`/monitoring${query}`, { body })).status).toBe(200)
    }
  })

  it('S8 answers as the direct endpoint does', async () => {
    const bodies = [
      body,
      eventEnvelope({ dsn }).replace('hello', 'x'),
      `{"dsn":"${dsn}"}\n{"type":"session"}\n{}`,
      `{"dsn":"${dsn}"}\nnot a header\n{}`,
      `{"dsn":"${dsn}"}\n{"type":"event","length":900}\n{}`,
      `{"dsn":"${dsn}"}\n{"type":"event"}\n{}\n{"type":"event"}\n{}`,
      'nonsense',
    ]
    for (const one of bodies) {
      const direct = await door.send(`/api/42/envelope/?sentry_key=${key}`, { body: one })
      const tunnelled = await door.send('/monitoring?o=1&p=42', { body: one })
      expect([one, tunnelled.status]).toEqual([one, direct.status])
      const keys = Object.keys(JSON.parse(tunnelled.text) as object)
      expect(keys).toEqual(Object.keys(JSON.parse(direct.text) as object))
    }
  })

  it('S8 refuses an unknown sender before its body has come', async () => {
    const stranger = `http://${'d'.repeat(32)}@127.0.0.1/42`
    const beginning = `${JSON.stringify({ dsn: stranger })}\n{"type":"event"}\n`
    const answer = await fetch(`${door.url}/monitoring?o=1&p=42`, {
      method: 'POST',
      duplex: 'half',
      body: new ReadableStream({
        start: (controller) => controller.enqueue(Buffer.from(beginning)),
      }),
    } as RequestInit)
    expect(answer.status).toBe(403)
  })

  it('ignores the password of a site in front of it', async () => {
    const headers = { authorization: `Basic ${Buffer.from('staging:pw').toString('base64')}` }
    expect((await door.send('/monitoring?o=1&p=42', { body, headers })).status).toBe(200)
  })

  it('takes POST only', async () => {
    const answer = await door.send('/monitoring?o=1&p=42', { method: 'GET' })
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST'])
  })
})

describe('tunnel with regions', () => {
  interface Seen {
    readonly url: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }
  let region: Server
  let seen: Seen[]
  let reply: { status: number; headers: Record<string, string>; body: string }
  let door: FrontDoorUnderTest

  beforeEach(async () => {
    seen = []
    reply = { status: 200, headers: {}, body: '{"id":"there"}' }
    region = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const text = Buffer.concat(chunks).toString()
      seen.push({ url: request.url ?? '', headers: request.headers, body: text })
      response.writeHead(reply.status, reply.headers).end(reply.body)
    })
    await new Promise<void>((resolve) => region.listen(0, '127.0.0.1', resolve))
    const { port } = region.address() as AddressInfo
    door = await startFrontDoor({
      settings: { regions: { us: `http://127.0.0.1:${port}`, down: 'http://127.0.0.1:9' } },
    })
  })
  afterEach(async () => {
    await door.close()
    region.closeAllConnections()
    region.close()
  })

  const foreign = eventEnvelope({
    event_id: id,
    dsn: `https://${otherKey}@o1.ingest.us.example/43`,
  })

  it('S8 forwards a listed region to its configured server, without cookies', async () => {
    const answer = await door.send('/monitoring?o=1&p=43&r=us', {
      body: gzipSync(foreign),
      headers: { 'content-encoding': 'gzip', cookie: 'session=secret', 'user-agent': 'sdk/1' },
    })
    expect([answer.status, answer.text]).toEqual([200, '{"id":"there"}'])
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ url: '/api/43/envelope/', body: foreign })
    expect(seen[0]?.headers).toMatchObject({
      'user-agent': 'sdk/1',
      'x-forwarded-for': '127.0.0.1',
    })
    expect(seen[0]?.headers.cookie).toBeUndefined()
    expect(door.deliveries).toEqual([])
  })

  it('S7 S8 gives status and rate-limit headers of a region back unchanged', async () => {
    reply = {
      status: 429,
      headers: {
        'x-sentry-rate-limits': '60:error;transaction:key, 2700::organization',
        'retry-after': '60',
        'set-cookie': 'a=b',
      },
      body: '{"detail":"slow down"}',
    }
    const answer = await door.send('/monitoring?o=1&p=43&r=us', { body: foreign })
    expect(answer.status).toBe(429)
    expect(answer.text).toBe('{"detail":"slow down"}')
    expect(answer.headers).toMatchObject({
      'x-sentry-rate-limits': '60:error;transaction:key, 2700::organization',
      'retry-after': '60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-sentry-error, x-sentry-rate-limits, retry-after',
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('S8 handles an absent or unlisted region here, whatever host the DSN names', async () => {
    for (const r of ['', '&r=', '&r=de', '&r=__proto__', '&r=constructor']) {
      expect((await door.send(`/monitoring?o=1&p=42${r}`, { body })).status).toBe(200)
      const sent = await door.send(`/monitoring?o=1&p=43${r}`, { body: foreign })
      expect(sent.status).toBe(200)
    }
    expect(seen).toEqual([])
  })

  it('S8 forwards nothing that a stranger, a paused key or the key of another project sends', async () => {
    const strangers = [
      `https://${'d'.repeat(32)}@o1.ingest.us.example/43`,
      `https://${disabledKey}@o1.ingest.us.example/42`,
      `https://${otherKey}@o1.ingest.us.example/7`,
    ]
    for (const stranger of strangers) {
      const sent = eventEnvelope({ event_id: id, dsn: stranger })
      expect((await door.send('/monitoring?o=1&r=us', { body: sent })).status).toBe(403)
    }
    expect((await door.send('/monitoring?o=1&p=42&r=us', { body: foreign })).status).toBe(403)
    expect(seen).toEqual([])
  })

  it('S8 never forwards from the direct endpoint, so that two servers cannot form a circle', async () => {
    const answer = await door.send('/api/42/envelope/?o=1&p=42&r=us&hsts=0', { body })
    expect(answer.status).toBe(200)
    expect(seen).toEqual([])
  })

  it('S8 refuses to forward what has no DSN, and follows no redirect', async () => {
    expect((await door.send('/monitoring?r=us', { body: 'nonsense' })).status).toBe(400)
    expect((await door.send('/monitoring?r=us', { body: eventEnvelope() })).status).toBe(401)
    expect(seen).toEqual([])
    reply = { status: 307, headers: { location: 'http://127.0.0.1:9/' }, body: '' }
    expect((await door.send('/monitoring?r=us', { body: foreign })).status).toBe(307)
  })

  it('answers 502 when a region is not there', async () => {
    const answer = await door.send('/monitoring?r=down', { body: foreign })
    expect(answer.status).toBe(502)
    expect(JSON.parse(answer.text)).toMatchObject({ causes: ['UPSTREAM_FAILED'] })
  })
})
