import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { key, startFrontDoor, type FrontDoorUnderTest } from '../front-door/front-door.fixture.ts'

let door: FrontDoorUnderTest
beforeAll(async () => {
  door = await startFrontDoor()
})
beforeEach(() => void door.deliveries.splice(0))
afterAll(() => door.close())

function payloadOf(): unknown {
  return JSON.parse(Buffer.from(door.lastEnvelope().items[0]?.payload ?? []).toString())
}

const report = { 'csp-report': { 'document-uri': 'https://a.example/', 'blocked-uri': 'inline' } }

describe('security reports', () => {
  const path = `/api/42/security/?sentry_key=${key}&sentry_release=1.0&sentry_environment=prod`

  it('are taken at all their addresses, in all their media types', async () => {
    const types = [
      'application/csp-report',
      'application/json; charset=utf-8',
      'application/expect-ct-report+json',
    ]
    for (const type of types) {
      for (const url of [path, path.replace('security', 'csp-report')]) {
        const headers = { 'content-type': type }
        const answer = await door.send(url, { body: JSON.stringify(report), headers })
        expect([type, answer.status, answer.text]).toEqual([type, 200, ''])
        const { header, items } = door.lastEnvelope()
        expect(header.event_id).toMatch(/^[0-9a-f]{32}$/)
        expect(items[0]?.header).toMatchObject({
          type: 'raw_security',
          sentry_release: '1.0',
          sentry_environment: 'prod',
        })
        expect(payloadOf()).toEqual(report)
      }
    }
  })

  it('of the Reporting API become one event each', async () => {
    const violation = { type: 'csp-violation', body: { blockedURL: 'inline' } }
    const failure = { type: 'network-error', body: {} }
    const answer = await door.send(`/api/42/nel/?sentry_key=${key}`, {
      body: JSON.stringify([violation, violation, failure]),
      headers: { 'content-type': 'application/reports+json' },
    })
    expect(answer.status).toBe(200)
    expect(door.deliveries).toHaveLength(3)
    expect(payloadOf()).toEqual([failure])
    expect(door.lastEnvelope().items[0]?.header.type).toBe('nel')
  })

  it('are refused with their reason', async () => {
    const cases: [number, string, string, string][] = [
      [415, 'unsupported_media_type', 'text/html', '{}'],
      [415, 'unsupported_media_type', '', '{}'],
      [400, 'invalid_json', 'application/csp-report', 'x'],
      [400, 'invalid_json', 'application/csp-report', '"x"'],
      [
        413,
        'too_large',
        'application/reports+json',
        JSON.stringify(Array.from({ length: 101 }, () => ({}))),
      ],
    ]
    for (const [status, reason, type, body] of cases) {
      const answer = await door.send(path, { body, headers: { 'content-type': type } })
      const { causes } = JSON.parse(answer.text) as { causes: string[] }
      expect([body, answer.status, causes]).toEqual([body, status, [reason]])
    }
    const headers = { 'content-type': 'application/csp-report' }
    expect((await door.send('/api/42/security/', { body: '{}', headers })).status).toBe(401)
    expect(door.deliveries).toEqual([])
  })
})

describe('cron addresses', () => {
  it('take a check-in by GET and by POST, from the query and from JSON', async () => {
    const ways: [string, string, string | undefined][] = [
      [
        'GET',
        `/api/42/cron/nightly-job/${key}/?status=ok&duration=1.5&environment=prod`,
        undefined,
      ],
      [
        'POST',
        `/api/42/cron/nightly-job?sentry_key=${key}&status=ok&duration=1.5&environment=prod`,
        '',
      ],
      [
        'POST',
        `/api/42/cron/nightly%2Djob/${key}?status=error`,
        '{"status":"ok","duration":1.5,"environment":"prod"}',
      ],
    ]
    for (const [method, path, body] of ways) {
      const answer = await door.send(path, { method, ...(body !== undefined && { body }) })
      expect([path, answer.status, answer.text]).toEqual([path, 202, ''])
      expect(door.lastEnvelope().items[0]?.header.type).toBe('check_in')
      expect(payloadOf()).toEqual({
        monitor_slug: 'nightly-job',
        status: 'ok',
        duration: 1.5,
        environment: 'prod',
      })
    }
  })

  it('pass on the id and the configuration of the monitor', async () => {
    const config = { schedule: { type: 'crontab', value: '0 * * * *' } }
    const body = JSON.stringify({ status: 'in_progress', check_in_id: 'x', monitor_config: config })
    await door.send(`/api/42/cron/job/${key}`, { body })
    expect(payloadOf()).toMatchObject({ check_in_id: 'x', monitor_config: config })
  })

  it('are refused with their reason', async () => {
    const cases: [number, string, string][] = [
      [400, `/api/42/cron/job/${key}`, ''],
      [400, `/api/42/cron/job/${key}?status=fine`, ''],
      [400, `/api/42/cron/job/${key}?status=ok&duration=soon`, ''],
      [400, `/api/42/cron/job/${key}?status=ok`, '[]'],
      [401, '/api/42/cron/job?status=ok', ''],
      [401, `/api/42/cron/job/${key}?sentry_key=${key}&status=ok`, ''],
      [403, `/api/43/cron/job/${key}?status=ok`, ''],
    ]
    for (const [status, path, body] of cases) {
      expect([path, (await door.send(path, { body })).status]).toEqual([path, status])
    }
    expect(door.deliveries).toEqual([])
  })
})

describe('preflights', () => {
  it('are answered for every address of ingest', async () => {
    for (const path of [
      '/monitoring?o=1&p=1',
      '/api/42/envelope/',
      '/api/42/store/',
      '/api/42/security/',
    ]) {
      const answer = await door.send(path, {
        method: 'OPTIONS',
        headers: { 'access-control-request-private-network': 'true' },
      })
      expect([path, answer.status, answer.text]).toEqual([path, 204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-private-network': 'true',
        'access-control-max-age': '3600',
      })
      expect(answer.headers['access-control-allow-headers']).toContain('x-sentry-auth')
      expect(answer.headers['access-control-allow-methods']).toContain('POST')
    }
  })
})
