import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import {
  dsn,
  eventEnvelope,
  key,
  otherKey,
  startFrontDoor,
  type FrontDoorUnderTest,
} from '../front-door/front-door.fixture.ts'

const direct = `/api/42/envelope/?sentry_key=${key}`
const id = '9ec79c33ec9942ab8353589fcb2e04dc'
let door: FrontDoorUnderTest
afterEach(() => door.close())

function envelopeOf(items: readonly (readonly [type: string, bytes: number])[]): string {
  const parts = items.map(
    ([type, bytes]) => `{"type":"${type}","length":${bytes}}\n${'x'.repeat(bytes)}\n`,
  )
  return `${JSON.stringify({ event_id: id, dsn })}\n${parts.join('')}`
}

async function heldBytes(): Promise<number> {
  const { text } = await door.send('/metrics', { method: 'GET' })
  return Number(/^afterimage_ingest_bodies_bytes (\d+)$/m.exec(text)?.[1])
}

describe('a body that becomes much larger than it came', () => {
  it('is refused by the ratio of the two, wherever it is sent', async () => {
    door = await startFrontDoor()
    const bomb = Buffer.from(envelopeOf([['attachment', 16 * 1024 * 1024]]))
    for (const [encoding, body] of [
      ['gzip', gzipSync(bomb)],
      ['zstd', zstdCompressSync(bomb)],
    ] as const) {
      for (const target of [direct, '/monitoring?o=1&p=42']) {
        const answer = await door.send(target, { body, headers: { 'content-encoding': encoding } })
        expect([encoding, target, answer.status]).toEqual([encoding, target, 413])
        expect(answer.text).toContain('times as large')
      }
    }
    expect(await heldBytes()).toBe(0)
  })

  it('is taken while it is small, however well it compresses', async () => {
    door = await startFrontDoor()
    const body = gzipSync(envelopeOf([['event', 900_000]]))
    const answer = await door.send(direct, { body, headers: { 'content-encoding': 'gzip' } })
    expect([body.length < 9000, answer.status]).toEqual([true, 200])
  })
})

describe('a large body', () => {
  it('has to be one with an attachment or a profile, which comes before the limit', async () => {
    door = await startFrontDoor({ limits: { plainBytesMax: 100_000 } })
    const cases: [number, [string, number][]][] = [
      [200, [['event', 90_000]]],
      [413, [['event', 150_000]]],
      [
        413,
        [
          ['event', 50_000],
          ['event', 60_000],
        ],
      ],
      [200, [['attachment', 150_000]]],
      [200, [['profile', 150_000]]],
      [
        200,
        [
          ['event', 50_000],
          ['attachment', 150_000],
        ],
      ],
      [
        413,
        [
          ['session', 150_000],
          ['attachment', 10],
        ],
      ],
    ]
    for (const [status, items] of cases) {
      const answer = await door.send(direct, { body: envelopeOf(items) })
      expect([items, answer.status]).toEqual([items, status])
    }
    const nonsense = `{}\n${'x'.repeat(150_000)}`
    expect((await door.send(direct, { body: nonsense })).status).toBe(413)
  })

  it('is one of few of its key at a time; those of other keys do not wait for it', async () => {
    const published = Promise.withResolvers<void>()
    let publishing = 0
    door = await startFrontDoor({
      limits: { largeBodyBytes: 1000, largeBodiesPerKeyMax: 2 },
      publish: () => {
        publishing += 1
        return published.promise
      },
    })
    const large = `{}\n{"type":"event"}\n${'x'.repeat(2000)}`
    const first = [door.send(direct, { body: large }), door.send(direct, { body: large })]
    await expect.poll(() => publishing).toBe(2)
    const third = await door.send(direct, { body: large })
    expect([third.status, third.headers['retry-after']]).toEqual([503, '5'])
    const others = [
      door.send(direct, { body: eventEnvelope() }),
      door.send(`/api/43/envelope/?sentry_key=${otherKey}`, { body: large }),
    ]
    await expect.poll(() => publishing).toBe(4)
    published.resolve()
    const answers = await Promise.all([...first, ...others])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await door.send(direct, { body: large })).status).toBe(200)
    expect(await heldBytes()).toBe(0)
  })
})
