import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  disabledKey,
  key,
  otherKey,
  startFrontDoor,
  type FrontDoorUnderTest,
} from '../front-door/front-door.fixture.ts'
import { keepClientSettings } from './client-settings.ts'

const settings = '{"enabled":false}'

describe('the settings of clients', () => {
  let door: FrontDoorUnderTest
  let stored: string
  beforeEach(async () => {
    stored = settings
    door = await startFrontDoor({
      settingsOf: async (projectId) => (projectId === 42 ? stored : '{}'),
    })
  })
  afterEach(() => door.close())

  const ask = (path: string, headers: Record<string, string> = {}) =>
    door.send(path, { method: 'GET', headers })

  it('are answered where envelopes are taken, to pages of any origin, for caches', async () => {
    for (const path of ['/monitoring?o=1&p=42&', '/monitoring?', '/api/42/envelope/?']) {
      const answer = await ask(`${path}k=${key}`)
      expect([path, answer.status, answer.text]).toEqual([path, 200, settings])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=60',
        'content-type': 'application/json',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      })
    }
    expect((await ask(`/monitoring?p=43&k=${otherKey}`)).text).toBe('{}')
    expect(door.deliveries).toEqual([])
  })

  it('are not sent again to a cache that has them, and are once they change', async () => {
    const path = `/monitoring?p=42&k=${key}`
    const { etag = '' } = (await ask(path)).headers
    const again = await ask(path, { 'if-none-match': `W/"x", ${etag}` })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
    stored = '{}'
    const changed = await ask(path, { 'if-none-match': etag })
    expect([changed.status, changed.text]).toEqual([200, '{}'])
  })

  it.each([
    ['/monitoring?p=42&k=', 401],
    ['/monitoring?p=42&k=nonsense', 401],
    [`/monitoring?p=42&k=${'d'.repeat(32)}`, 403],
    [`/monitoring?p=42&k=${disabledKey}`, 403],
    [`/monitoring?p=42&k=${otherKey}`, 403],
    [`/monitoring?p=x&k=${key}`, 400],
    [`/api/43/envelope/?k=${key}`, 403],
    [`/api/42/store/?k=${key}`, 401],
    ['/monitoring?p=42', 405],
  ])('are not answered to %s: %i', async (path, status) => {
    const answer = await ask(path)
    expect([answer.status, answer.headers.etag]).toEqual([status, undefined])
  })

  it('are read once a second for each project, also after a failure', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const read = vi.fn(async (projectId: number) => ({ sampleRate: projectId / 100 }))
      const settingsOf = keepClientSettings(read)
      const both = [await settingsOf(42), await settingsOf(42), await settingsOf(43)]
      expect(both).toEqual(['{"sampleRate":0.42}', '{"sampleRate":0.42}', '{"sampleRate":0.43}'])
      expect(read).toHaveBeenCalledTimes(2)
      vi.advanceTimersByTime(1000)
      read.mockRejectedValueOnce(new Error('no disk'))
      await expect(settingsOf(42)).rejects.toThrow('no disk')
      await expect(settingsOf(42)).rejects.toThrow('no disk')
      expect(read).toHaveBeenCalledTimes(3)
      vi.advanceTimersByTime(1000)
      expect(await settingsOf(42)).toBe('{"sampleRate":0.42}')
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the settings of clients of a region', () => {
  let region: Server
  let seen: { readonly url: string; readonly headers: IncomingMessage['headers'] }[]
  let door: FrontDoorUnderTest
  beforeEach(async () => {
    seen = []
    region = createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers })
      const isKnown = request.headers['if-none-match'] === '"1"'
      const headers = { etag: '"1"', 'cache-control': 'public, max-age=60', 'set-cookie': 'a=b' }
      response.writeHead(isKnown ? 304 : 200, headers).end(isKnown ? undefined : settings)
    })
    await new Promise<void>((resolve) => region.listen(0, '127.0.0.1', resolve))
    const { port } = region.address() as AddressInfo
    door = await startFrontDoor({ settings: { regions: { us: `http://127.0.0.1:${port}` } } })
  })
  afterEach(async () => {
    await door.close()
    region.closeAllConnections()
    region.close()
  })

  it('are asked from its server, without cookies', async () => {
    const path = `/monitoring?o=1&p=43&r=us&k=${otherKey}`
    const answer = await door.send(path, { method: 'GET', headers: { cookie: 'session=secret' } })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([200, settings, '"1"'])
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(seen[0]?.url).toBe(`/api/43/envelope/?k=${otherKey}`)
    expect(seen[0]?.headers.cookie).toBeUndefined()
    const headers = { 'if-none-match': '"1"' }
    expect((await door.send(path, { method: 'GET', headers })).status).toBe(304)
  })

  it('are not asked for by a stranger', async () => {
    const path = `/monitoring?p=43&r=us&k=${'d'.repeat(32)}`
    expect((await door.send(path, { method: 'GET' })).status).toBe(403)
    expect(seen).toEqual([])
  })
})
