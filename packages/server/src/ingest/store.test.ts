import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync, gzipSync } from 'node:zlib'
import { assert, asyncProperty, uint8Array } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sharedFolder } from '../../../../tools/shared-folder.ts'
import {
  eventEnvelope,
  key,
  startFrontDoor,
  type FrontDoorUnderTest,
} from '../front-door/front-door.fixture.ts'
import { decodeStoreBody } from './store.ts'

let door: FrontDoorUnderTest
const recordedKey = 'e12d836b15bb49d7bbf99e64295d995b'
beforeAll(async () => {
  const keys: Record<string, { projectId: number; isActive: boolean }> = {
    [key]: { projectId: 42, isActive: true },
  }
  door = await startFrontDoor({ keys, limits: { parsedBytesMax: 50_000 } })
})
afterAll(() => door.close())

const id = '9ec79c33ec9942ab8353589fcb2e04dc'
const path = `/api/42/store/?sentry_key=${key}&sentry_version=5`
const event = JSON.stringify({ event_id: id, message: 'hello' })

function payload(): unknown {
  return JSON.parse(Buffer.from(door.lastEnvelope().items[0]?.payload ?? []).toString())
}

describe('store', () => {
  it('takes JSON, base64 of JSON, and base64 of deflated JSON', async () => {
    const bodies = [
      event,
      ` \n${event}\n`,
      Buffer.from(event).toString('base64'),
      deflateSync(event).toString('base64'),
    ]
    for (const body of bodies) {
      const answer = await door.send(path, { body })
      expect([body, answer.status, answer.text]).toEqual([body, 200, `{"id":"${id}"}`])
      expect(door.lastEnvelope().header.event_id).toBe(id)
      expect(payload()).toEqual({ event_id: id, message: 'hello' })
    }
    const gzipped = await door.send('/api/store/', {
      body: gzipSync(event),
      headers: { 'content-encoding': 'gzip', 'x-sentry-auth': `Sentry sentry_key=${key}` },
    })
    expect(gzipped.status).toBe(200)
    expect(door.deliveries.at(-1)?.projectId).toBe(42)
  })

  it('takes an envelope when it says so', async () => {
    const headers = { 'content-type': 'application/x-sentry-envelope' }
    const answer = await door.send(path, { body: eventEnvelope({ event_id: id }), headers })
    expect(answer.text).toBe(`{"id":"${id}"}`)
  })

  it('takes an event in the address of an image, and answers with one', async () => {
    for (const data of [Buffer.from(event), deflateSync(event)]) {
      const query = encodeURIComponent(data.toString('base64'))
      const answer = await door.send(`${path}&sentry_data=${query}`, { method: 'GET' })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('image/gif')
      expect(answer.body.subarray(0, 6).toString()).toBe('GIF89a')
      expect(payload()).toMatchObject({ message: 'hello' })
    }
  })

  it('reads NaN and Infinity as null, but not inside a text', async () => {
    const body = '{"message":"NaN \\" Infinity","extra":{"a":NaN,"b":[-Infinity,Infinity]}}'
    expect((await door.send(path, { body })).status).toBe(200)
    expect(payload()).toMatchObject({
      message: 'NaN " Infinity',
      extra: { a: null, b: [null, null] },
    })
  })

  it('makes a missing id, and takes a dashed one', async () => {
    const made = JSON.parse((await door.send(path, { body: '{"message":"x"}' })).text) as {
      id: string
    }
    expect(made.id).toMatch(/^[0-9a-f]{32}$/)
    expect(door.lastEnvelope().header.event_id).toBe(made.id)
    const dashed = '{"event_id":"9EC79C33-EC99-42AB-8353-589FCB2E04DC","type":"transaction"}'
    expect((await door.send(path, { body: dashed })).text).toBe(`{"id":"${id}"}`)
    expect(door.lastEnvelope().items[0]?.header.type).toBe('transaction')
  })

  it('refuses what is not an event', async () => {
    const bomb = deflateSync(Buffer.alloc(1_000_000, ' ')).toString('base64')
    const cases: [number, string, string][] = [
      [400, 'empty_body', ''],
      [400, 'invalid_json', '{"message":'],
      [400, 'invalid_json', '[1]'],
      [400, 'invalid_json', 'AAAA'],
      [400, 'invalid_json', `{"a":${'['.repeat(500)}${']'.repeat(500)}}`],
      [400, 'invalid_event_id', '{"event_id":"nonsense"}'],
      [413, 'too_large', JSON.stringify({ message: 'x'.repeat(60_000) })],
      [413, 'too_large', bomb],
    ]
    for (const [status, reason, body] of cases) {
      const answer = await door.send(path, { body })
      const { causes } = JSON.parse(answer.text) as { causes: string[] }
      expect([body.slice(0, 20), answer.status, causes]).toEqual([
        body.slice(0, 20),
        status,
        [reason],
      ])
    }
    expect((await door.send('/api/42/store/', { body: event })).status).toBe(401)
    expect((await door.send(path, { method: 'PUT', body: event })).status).toBe(405)
  })

  it('answers any bytes with a result or a refusal', async () => {
    await assert(
      asyncProperty(uint8Array({ maxLength: 200 }), async (bytes) => {
        const result = await decodeStoreBody(Buffer.from(bytes), 1000)
        expect(typeof result).toBe('object')
      }),
    )
  })

  it('takes the recordings of SDKs that use it', async (context) => {
    const folder = sharedFolder('fixtures')
    if (folder === null) return context.skip('not run: no folder of fixtures')
    const recorded = await startFrontDoor({
      keys: { [recordedKey]: { projectId: 11, isActive: true } },
    })
    const ruby = await startFrontDoor({
      keys: { [recordedKey]: { projectId: 13, isActive: true } },
    })
    let sent = 0
    for (const [name, to] of [
      ['python-1.9.10', recorded],
      ['raven-ruby-3.1.2', ruby],
    ] as const) {
      const sdk = join(folder, 'generated-sdk', name)
      for (const file of readdirSync(sdk).filter((one) => one.endsWith('.http.json'))) {
        const { url, headers } = JSON.parse(readFileSync(join(sdk, file), 'utf8')) as {
          url: string
          headers: Record<string, string>
        }
        const base = file.replace('.http.json', '')
        const bodyFile = readdirSync(sdk).find((it) => it.startsWith(base) && it !== file)
        const plain = readFileSync(join(sdk, bodyFile ?? ''))
        const body = headers['content-encoding'] === 'gzip' ? gzipSync(plain) : plain
        const { host: _, ...kept } = headers
        const answer = await to.send(url, {
          body,
          headers: { ...kept, 'content-length': String(body.length) },
        })
        expect([name, file, answer.status, answer.text]).toEqual([name, file, 200, answer.text])
        sent += 1
      }
    }
    expect(sent).toBe(8)
    expect(recorded.deliveries.length + ruby.deliveries.length).toBe(8)
    await recorded.close()
    await ruby.close()
  })
})
